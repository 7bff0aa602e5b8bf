"""Change an act of the deal: what it may have been instead, and what that changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import Struct, structs

from ledger.cards import UNKNOWN
from ledger.events import (
    Announced,
    CardPlayed,
    CardsExchanged,
    CardTurned,
    Event,
    PartnerCalled,
)
from ledger.games.kernel.deal import Deal
from ledger.recording.adding import Added
from ledger.recording.board.keyboard import Key, Keyboard, keyboard_of, pack_at
from ledger.recording.board.offers import Offer, Offers, OffersBySeat, offers_in, vocabulary
from ledger.recording.correcting import CorrectionAction, CorrectionTarget, deals_at
from ledger.recording.moved_seats import EntryCorrection
from ledger.recording.typed.situation import Situation, machine_now, situation_in
from ledger.table.answers import DealScore
from ledger.table.fold import TableFold
from ledger.table.two_readings import DealChange, EntryRead, compared_entries
from ledger.text.cards import card_text, signed_amount
from ledger.text.catalogue import Wording
from ledger.text.changes import stale_words
from ledger.text.site.catalogue import say
from ledger.text.site.recorder.acts import PURPOSES, SPOKEN, ActFormatter, replaceable_act
from ledger.text.site.recorder.keyboard import Button, DrawnKeyboard, anyones_button, drawn_keyboard
from ledger.text.site.replay.table_page import result_summary


class Selection(Struct, frozen=True, kw_only=True):
    """A selection in the form: a card, a seat, a word (a button's value), or `do` to strike or restore."""

    card: str = ""
    seat: str = ""
    word: str = ""
    do: str = ""

    @property
    def action(self) -> CorrectionAction:
        return "strike" if self.do == "strike" else "restore" if self.do == "restore" else "replace"


class NameButton(Struct, frozen=True):
    """A button that names a player."""

    seat: int
    name: str
    is_chosen: bool


class ChangeOptions(Struct, frozen=True, kw_only=True):
    """The possible values of an act. `exchangeable`: played cards that may change places with its card."""

    keys: DrawnKeyboard | None
    exchangeable: Mapping[str, str]
    words: Sequence[Button]
    names: Sequence[NameButton]
    chosen: Selection


class ProposedChange(Struct, frozen=True, kw_only=True):
    """A change of an act. `changes`: the corrections to record; empty while the selection is what is recorded."""

    chooser: ChangeOptions | None
    changes: Sequence[EntryCorrection]


class Difference(Struct, frozen=True):
    """One thing that a correction changes."""

    what: str
    before: str
    after: str


class ChangePreview(Struct, frozen=True, kw_only=True):
    """The effects of a change.

    `chosen`: the changed acts. `following`: what follows from them. `findings`: findings and rulings that appear or
    disappear. `moves_seats`: later cards belong to other players.
    """

    chosen: Sequence[Difference]
    following: Sequence[Difference]
    findings: Sequence[str]
    moves_seats: bool


def proposed_change(
    fold: TableFold, version: int, chosen: Selection, formatter: ActFormatter, may_change: Callable[[int], bool]
) -> ProposedChange | None:
    """Return what the act of this entry may be changed to and the current selection, None if it cannot be changed so.

    Impossible selections count as not selected. `may_change`: whether the requester may change another entry.
    """
    act = replaceable_act(fold, version)
    if chosen.action != "replace":
        is_read = any(at == version for at, _ in fold.entries)
        is_possible = is_read == (chosen.action == "strike")
        return ProposedChange(chooser=None, changes=[EntryCorrection(version, chosen.action)]) if is_possible else None
    if act is None:
        return None
    before = TableFold([entry for entry in fold.entries if entry[0] < version], is_redacted=fold.is_redacted)
    now = situation_in(before, tuple(fold.players))
    words = _words(act, now, formatter)
    instead = _selected_event(act, chosen, words, fold, now)
    elsewhere = _played_elsewhere(fold, version, act) if isinstance(act, CardPlayed) else {}
    exchangeable = {card: at for card, (at, _) in elsewhere.items() if replaceable_act(fold, at) and may_change(at)}
    changes: list[EntryCorrection] = []
    if isinstance(act, CardPlayed) and isinstance(instead, CardPlayed) and instead.card in elsewhere:
        if instead.card in exchangeable:
            other_version, other = elsewhere[instead.card]
            exchanged = structs.replace(other, card=act.card)
            changes = [
                EntryCorrection(version, "replace", (instead,)),
                EntryCorrection(other_version, "replace", (exchanged,)),
            ]
        else:
            instead = act
    elif instead != act:
        changes = [EntryCorrection(version, "replace", (instead,))]
    seat = _seat(instead)
    return ProposedChange(
        chooser=ChangeOptions(
            keys=_keys(act, now, fold, elsewhere, formatter),
            exchangeable={
                card: say(formatter.lang, "rec.exchange_with", card=card_text(card), name=formatter.players[other.seat])
                for card, (_, other) in elsewhere.items()
                if card in exchangeable
            },
            words=[button for button, _ in words.values()],
            names=[]
            if isinstance(act, CardTurned)
            else [NameButton(one, name, one == seat) for one, name in enumerate(formatter.players)],
            chosen=Selection(
                card=(getattr(instead, "card", None) or "") if type(act) in PURPOSES else "",
                seat="" if seat is None else str(seat),
                word=_word(instead, words),
            ),
        ),
        changes=changes,
    )


_Words = Mapping[str, tuple[Button, Event]]


def _words(act: Event, now: Situation, formatter: ActFormatter) -> _Words:
    """Return the calls and counts possible there and all that the game knows, by their buttons' values."""
    kinds: tuple[type[Event], ...] = SPOKEN if isinstance(act, SPOKEN) else (PartnerCalled,)
    if not isinstance(act, (*SPOKEN, PartnerCalled)):
        return {}
    offered = [*_offered(offers_in(now, None)), *(row.act for row in vocabulary(now)), act]
    words: dict[str, tuple[Button, Event]] = {}
    for event in sorted(map(_without_seat, offered), key=lambda one: type(one) is not type(act)):
        if isinstance(event, kinds) and not (isinstance(event, PartnerCalled) and event.card):
            button = anyones_button(OffersBySeat((Offer((event,)),)), formatter)
            words.setdefault(button.acts, (button, event))
    return words


def _offered(offers: Offers) -> Iterator[Event]:
    yield from (one.act for one in offers.calls)
    yield from (row.act for row in (*offers.said, *offers.seldom))
    if offers.exchange is not None:
        yield from (one.act for one in offers.exchange.counts)


def _word(event: Event, words: _Words) -> str:
    """Return the value of the button of this act; empty if it has none."""
    return next((value for value, (_, one) in words.items() if one == _without_seat(event)), "")


def _without_seat(event: Event) -> Event:
    """Return an act without its seat and without the exchanged cards."""
    if isinstance(event, CardsExchanged):
        event = structs.replace(event, discarded=None, drawn=None)
    return _with_seat(event, None)


def _selected_event(act: Event, chosen: Selection, words: _Words, fold: TableFold, now: Situation) -> Event:
    instead, seat = act, _seat(act)
    if chosen.word in words and chosen.word != _word(act, words):
        instead = words[chosen.word][1]
        seat = now.turn if seat is None else seat
    elif type(act) in PURPOSES and any(chosen.card in suit for suit in pack_at(fold.game, fold.options)):
        instead = structs.replace(act, card=chosen.card)
    if chosen.seat in map(str, range(len(fold.players))):
        seat = int(chosen.seat)
    together = act.seats if isinstance(act, Announced) and act.seat == seat else None
    return _with_seat(instead, seat, together)


def _with_seat(event: Event, seat: int | None, together: tuple[int, ...] | None = None) -> Event:
    """Return the act of another seat, or of several together."""
    if isinstance(event, Announced):
        return structs.replace(event, seat=seat, seats=together)
    changed: Event = structs.replace(event, seat=seat) if hasattr(event, "seat") else event
    return changed


def _seat(event: Event) -> int | None:
    seat: int | None = getattr(event, "seat", None)
    return seat


def _played_elsewhere(fold: TableFold, version: int, act: CardPlayed) -> Mapping[str, tuple[int, CardPlayed]]:
    """Return the other cards that were played in the deal, each with its entry."""
    record = next(one for one in reversed(fold.deals) if one.version <= version)
    return {
        event.card: (at, event)
        for at, event in fold.entries[record.start : record.end]
        if isinstance(event, CardPlayed) and event.card not in (UNKNOWN, act.card)
    }


def _keys(
    act: Event,
    now: Situation,
    fold: TableFold,
    elsewhere: Mapping[str, tuple[int, CardPlayed]],
    formatter: ActFormatter,
) -> DrawnKeyboard | None:
    """Return the keyboard of this act at its time; all other cards played in the deal are holes."""
    purpose = PURPOSES.get(type(act))
    if purpose is None:
        return None
    as_it_was = keyboard_of(now, fold.options)
    was_due = as_it_was is not None and as_it_was.purpose == purpose and as_it_was.seat == _seat(act)
    known = {key.card: key for suit in as_it_was.suits for key in suit} if as_it_was and was_due else {}

    def key(card: str) -> Key:
        if card in elsewhere:
            return Key(card, "gone", elsewhere[card][1].seat)
        return known.get(card) or Key(card, "serves")

    suits = tuple(tuple(map(key, cards)) for cards in pack_at(fold.game, fold.options))
    keyboard = Keyboard(purpose=purpose, seat=_seat(act), suits=suits)
    return drawn_keyboard(keyboard, formatter.players, fold.game, formatter.lang)


def preview_of(added: Added, changes: Sequence[EntryCorrection], formatter: ActFormatter) -> ChangePreview:
    """Return the effects of a correction that was tried without recording it."""
    first = changes[0]
    reading = added.after if first.action == "restore" else added.before
    number = next(iter(deals_at(reading, CorrectionTarget(first.version))), None)
    changed = {change.version for change in changes}
    chosen: list[Difference] = []
    following: list[Difference] = []
    moves_seats = False
    for entry in () if number is None else compared_entries(added.before, added.after, number):
        if (line := _difference(entry, formatter)) is None:
            continue
        (chosen if entry.version in changed else following).append(line)
        moves_seats = moves_seats or entry.version not in changed
    following += _play_differences(_machine(added.before, number), _machine(added.after, number), formatter)
    for deal in added.change.deals:
        following += _score_differences(deal, formatter)
    return ChangePreview(
        chosen=chosen,
        following=following,
        findings=[text for deal in added.change.deals for text in _findings(deal, formatter)],
        moves_seats=moves_seats,
    )


def _difference(entry: EntryRead, formatter: ActFormatter) -> Difference | None:
    """Return the entry before and after the correction, None if it is the same."""
    before, after = ([one.event for one in side] for side in (entry.recorded, entry.corrected))
    if before == after:
        return None
    if len(before) == len(after) == 1:
        (was,), (now,) = before, after
        if _with_seat(was, None) == _with_seat(now, None) and _seat(was) is not None and _seat(now) is not None:
            names = [formatter.players[seat] for one in (was, now) if (seat := _seat(one)) is not None]
            return Difference(formatter.action(was), *names)
        if _seat(was) == _seat(now) is not None:
            return Difference(formatter.players[_seat(was) or 0], formatter.action(was), formatter.action(now))
    said = say(formatter.lang, "rec.entry", version=entry.version)
    return Difference(said, *(_listed(side, formatter) for side in (before, after)))


def _listed(events: Sequence[Event], formatter: ActFormatter) -> str:
    return formatter.wording.listed(map(formatter.with_name, events)) if events else formatter.wording.say("nothing")


def _machine(fold: TableFold, number: int | None) -> Deal | None:
    """Return the deal after its last act, in the recorder's state if it is the last deal."""
    record = next((one for one in fold.deals if one.number == number), None)
    if record is None:
        return None
    return machine_now(fold) or record.machine if record is fold.deals[-1] else record.machine


def _play_differences(before: Deal | None, after: Deal | None, formatter: ActFormatter) -> Iterator[Difference]:
    """Yield changes of who takes which trick and who acts next."""
    winners = [[] if one is None else [trick.winner for trick in one.view().tricks] for one in (before, after)]
    for place in range(max(map(len, winners))):
        was, now = (side[place] if place < len(side) else None for side in winners)
        if was != now:
            yield Difference(
                say(formatter.lang, "rec.trick_to", trick=place + 1), _name(was, formatter), _name(now, formatter)
            )
    turns = [None if one is None else one.turn() for one in (before, after)]
    if turns[0] != turns[1]:
        yield Difference(say(formatter.lang, "rec.next_act"), *(_name(seat, formatter) for seat in turns))


def _name(seat: int | None, formatter: ActFormatter) -> str:
    return say(formatter.lang, "rec.nobody") if seat is None else formatter.players[seat]


def _score_differences(change: DealChange, formatter: ActFormatter) -> Iterator[Difference]:
    """Yield changes of a deal's result and of the players' scores."""
    before, after = change.before, change.after
    results = [_result(score, formatter.wording) for score in (before, after)]
    if results[0] != results[1]:
        yield Difference(say(formatter.lang, "rec.result_of", deal=change.deal), *results)
    no_amounts = [formatter.wording.say("nothing")] * len(formatter.players)
    deltas = [no_amounts if score is None else [*map(signed_amount, score.deltas)] for score in (before, after)]
    for seat, name in enumerate(formatter.players):
        if deltas[0][seat] != deltas[1][seat]:
            yield Difference(
                say(formatter.lang, "rec.score_of", name=name, deal=change.deal), deltas[0][seat], deltas[1][seat]
            )


def _findings(change: DealChange, formatter: ActFormatter) -> Iterator[str]:
    """Yield the findings that disappear and appear, and the rulings that rest on the old reading."""
    for key, findings in (("rec.goes", change.gone), ("rec.comes", change.new)):
        for finding in findings:
            yield say(formatter.lang, key, finding=finding.message, rule=finding.rule)
    yield from stale_words(change, formatter.wording)


def _result(score: DealScore | None, wording: Wording) -> str:
    return wording.say("no_such_deal") if score is None else result_summary(score, wording)
