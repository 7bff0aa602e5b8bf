"""The content of a picture, one step of a deal as somebody may see it, and its description in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import chain, pairwise

from msgspec import Struct

from ledger.cards import UNKNOWN, in_order
from ledger.events import CardPlayed, Step
from ledger.games.kernel.moves import of_type
from ledger.games.kernel.views import DealView, TrickView
from ledger.i18n import catalogue
from ledger.table.fold import DealRecord, TableFold
from ledger.table.steps import ReplayStep, no_such_seat, no_such_step, replay_steps
from ledger.text.cards import ranks_by_suit
from ledger.text.catalogue import Wording, label, written_wording_for
from ledger.text.deal import laid
from ledger.text.events import event_text
from ledger.text.letters import Letters, lettered, letters_of, rank_word, spanish_names


class Highlight(Struct, frozen=True):
    """The cards of a hand that may legally be played: instead of the played one, or next."""

    seat: int
    cards: Sequence[str]
    is_next: bool


class Moment(Struct, frozen=True, kw_only=True):
    """A table at one step of a deal, as somebody may see it.

    `event`: the act of this step, None before the deal. `due`: the seat whose plate is lit. `is_judged`: the act has a
    finding. `viewer`: the seat that sees it, None for all. `below`: the seat at the bottom of the picture. `letters`:
    those on its cards.
    """

    deal: int
    step: int
    players: Sequence[str]
    goes_to_the_right: bool
    view: DealView
    event: Step | None
    viewer: int | None
    below: int
    highlight: Highlight | None
    due: int | None
    is_judged: bool
    wording: Wording
    letters: Letters = "en"

    @property
    def played(self) -> CardPlayed | None:
        """The card played in this step."""
        return self.event if isinstance(self.event, CardPlayed) else None

    @property
    def trick(self) -> TrickView | None:
        """The trick on the table: a complete one stays until the next act."""
        if not self.view.tricks:
            return None
        last = self.view.tricks[-1]
        return last if last.winner is None or self.played is not None else None


def moment_at(
    fold: TableFold,
    deal: int,
    step: int | None,
    lang: str,
    *,
    seat: int | None = None,
    below: int | None = None,
    letters: Letters = "en",
) -> Moment:
    """Return the moment after `step` acts of a deal, by default after all; with `seat`, as far as that seat could know.

    `below` is by default the seat that sees it, else the first. Raise `NotFoundError` for an unknown deal, step or
    seat.
    """
    options, last = _picture_options(fold, deal, lang, seat, below, letters), 0
    for before, now, is_last in _in_course(replay_steps(fold, deal, seat)):
        if now.step == step or (step is None and is_last):
            return options.at(before, now, is_last=is_last)
        last = now.step
    assert step is not None
    raise no_such_step(deal, step, 0, last)


def moments(
    fold: TableFold,
    deal: int,
    lang: str,
    *,
    seat: int | None = None,
    below: int | None = None,
    letters: Letters = "en",
    steps: Iterable[ReplayStep] | None = None,
) -> Iterator[Moment]:
    """Yield every moment of a deal, with the options of `moment_at`. `steps`: its steps as that seat sees them, if
    known.
    """
    options = _picture_options(fold, deal, lang, seat, below, letters)
    for before, now, is_last in _in_course(replay_steps(fold, deal, seat) if steps is None else steps):
        yield options.at(before, now, is_last=is_last)


def _picture_options(
    fold: TableFold, deal: int, lang: str, seat: int | None, below: int | None, letters: Letters
) -> _PictureOptions:
    record = fold.deal(deal)
    if below is not None and not 0 <= below < len(record.players):
        raise no_such_seat(deal, below, len(record.players))
    letters = letters_of(fold.pack, letters)
    return _PictureOptions(fold, record, written_wording_for(fold.game, lang, fold.pack), seat, below, letters)


def _in_course(steps: Iterable[ReplayStep]) -> Iterator[tuple[ReplayStep | None, ReplayStep, bool]]:
    """Yield each step with the one before it, and whether it is the last."""
    before: ReplayStep | None = None
    for now, after in pairwise(chain(steps, (None,))):
        assert now is not None
        yield before, now, after is None
        before = now


class _PictureOptions(Struct, frozen=True):
    """The options of a picture of a deal."""

    fold: TableFold
    record: DealRecord
    wording: Wording
    seat: int | None
    below: int | None
    letters: Letters

    def at(self, before: ReplayStep | None, now: ReplayStep, *, is_last: bool) -> Moment:
        """Return the moment at a step."""
        turn = now.view.turn
        waits = turn is not None and (is_last or self.seat == turn)
        return Moment(
            deal=self.record.number,
            step=now.step,
            players=self.record.players,
            goes_to_the_right=self.fold.game.goes_to_the_right,
            view=now.view,
            event=now.event,
            viewer=self.seat,
            below=self.below if self.below is not None else self.seat or 0,
            highlight=_highlight(before, now, waits=waits),
            due=turn if waits or not isinstance(now.event, CardPlayed) else None,
            is_judged=self._is_judged(now),
            wording=self.wording,
            letters=self.letters,
        )

    def _is_judged(self, now: ReplayStep) -> bool:
        """Return whether the act has a finding that the viewer knows: a seat knows its own only."""
        seat = self.seat
        violations = self.record.violations if seat is None else [one for one in now.violations if one.seat == seat]
        return any(one.version == now.version and one.severity != "info" for one in violations)


def _highlight(before: ReplayStep | None, now: ReplayStep, *, waits: bool) -> Highlight | None:
    """Return what may be played next if the table waits for it, else what could have been played instead of a card.

    Only cards that are seen in the hand count: of an unknown hand, almost any card could be played.
    """
    turn, played = now.view.turn, now.event
    if waits and turn is not None:
        cards = _held_of(now.view, turn)
        if cards:
            return Highlight(turn, cards, True)
    if before is None or not isinstance(played, CardPlayed) or before.view.turn != played.seat:
        return None
    others = [card for card in _held_of(before.view, played.seat) if card != played.card]
    return Highlight(played.seat, others, False) if others else None


def _held_of(view: DealView, seat: int) -> list[str]:
    """Return the legal cards that are seen in the hand."""
    return in_order(play.card for play in of_type(view.legal, CardPlayed) if play.card in view.hands[seat])


def title(moment: Moment) -> str:
    """Return the picture's title."""
    say, event, played = moment.wording.say, moment.event, moment.played
    if event is None:
        return say("picture.before", deal=moment.deal)
    if played is None:
        viewer = moment.viewer
        done = lettered(event_text(event, moment.players, moment.wording, viewer), moment.letters, moment.wording.lang)
    else:
        name, card = moment.players[played.seat], spoken(played.card, moment.wording.lang, moment.letters)
        done = say("picture.played", trick=len(moment.view.tricks), name=name, card=card)
    return say("picture.title", deal=moment.deal, step=moment.step, done=done)


def description(moment: Moment) -> str:
    """Return the picture's description in whole sentences."""
    return moment.wording.say("picture.between").join(_sentences(moment))


def _sentences(moment: Moment) -> Iterator[str]:
    wording, view, players = moment.wording, moment.view, moment.players
    say, lang, letters = wording.say, wording.lang, moment.letters
    direction = "picture.to_the_right" if moment.goes_to_the_right else "picture.to_the_left"
    yield say(direction, count=len(players), name=players[moment.below])
    if view.dealer is not None:
        yield say("picture.deals", name=players[view.dealer])
    if view.declarer is not None and view.contract is not None:
        yield say("picture.plays", name=players[view.declarer], contract=wording.word(view.contract))
    if view.trump is not None:
        yield say("picture.trumps", suit=suit_spoken(view.trump, lang, letters))
    if moment.trick is not None:
        laid_cards = (
            say("picture.laid", name=players[who], card=spoken(card, lang, letters)) for who, card in laid(moment.trick)
        )
        yield say("picture.trick", cards=wording.listed(laid_cards))
        if moment.trick.winner is not None:
            yield say("picture.taken", name=players[moment.trick.winner])
    for seat, hand in enumerate(view.hands):
        if hand:
            yield say("picture.holds", name=players[seat], cards=held(hand, moment))
    if view.stock:
        yield say("picture.stock_of", cards=held(view.stock, moment))
    if any(view.trick_counts):
        won = (f"{players[seat]} {count}" for seat, count in enumerate(view.trick_counts) if count)
        yield say("picture.won", counts=wording.listed(won))
    if moment.highlight is not None:
        cards = wording.listed(spoken(card, lang, letters) for card in moment.highlight.cards)
        key = "picture.may" if moment.highlight.is_next else "picture.might"
        yield say(key, name=players[moment.highlight.seat], cards=cards)
    if moment.due is not None:
        yield say("picture.due", name=players[moment.due])


def held(cards: Iterable[str], moment: Moment) -> str:
    """Return cards by suits: `spades A 2, diamonds 10 6, 3 unknown`."""
    all_held, lang, letters = list(cards), moment.wording.lang, moment.letters
    parts = [
        " ".join([suit_spoken(suit, lang, letters), *(rank_word(rank, letters, lang) for rank in ranks)])
        for suit, ranks in ranks_by_suit(all_held)
    ]
    unknown = all_held.count(UNKNOWN)
    if unknown:
        parts.append(label(lang, "picture.unknown", count=unknown))
    return moment.wording.listed(parts)


@cache
def spoken(card: str, lang: str, letters: Letters = "en") -> str:
    """Return a card as it is spoken: `the ace of spades`."""
    if card == UNKNOWN:
        return label(lang, "picture.unknown_card")
    named = None if letters == "es" else catalogue("ledger.i18n", lang).get(f"rank.{card[1]}")
    rank = rank_word(card[1], letters, lang) if named is None else _first(named)
    return label(lang, "picture.card", rank=rank, suit=suit_spoken(card[0], lang, letters))


def suit_spoken(suit: str, lang: str, letters: Letters = "en") -> str:
    """Return a suit as it is spoken."""
    if letters == "es":
        return spanish_names(lang)[f"spanish_suit.{suit}"]
    return _first(catalogue("ledger.i18n", lang)[f"suit.{suit}"])


def _first(words: str) -> str:
    """Return the first of several words for one thing, the usual one."""
    return words.partition(",")[0].strip()
