"""List a deal's acts, one row a trick, and describe each step in a sentence or two."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from ledger.cards import in_order
from ledger.events import (
    Announced,
    BidMade,
    CardPlayed,
    CardsDealt,
    CardsExchanged,
    CardTurned,
    DealStarted,
    Event,
    PartnerCalled,
    Step,
    TrumpNamed,
)
from ledger.games.kernel.moves import of_type, other_speaker, shown, value_of
from ledger.games.kernel.views import DealView, TrickView
from ledger.text.cards import card_text, cards_text, legal_value
from ledger.text.catalogue import Wording, label
from ledger.text.deal import laid
from ledger.text.events import event_text, partner_call_text
from ledger.text.pictures.moment import Moment
from ledger.text.site.catalogue import capitalised, say
from ledger.text.site.replay.findings import FindingKind
from ledger.text.site.replay.viewpoint import Link, Viewpoint


class CourseRow(Struct, frozen=True, kw_only=True):
    """Acts before the play, of one kind: its name, and each act with its step."""

    name: str
    acts: Sequence[Link]


class ExchangeRow(Struct, frozen=True, kw_only=True):
    """A line of the exchange: the player, the cards put aside and drawn, as far as they are known."""

    who: Link
    count: str
    put_aside: str
    drew: str


class TrickCard(Struct, frozen=True, kw_only=True):
    """A card of a trick, as in the record, with its step.

    `kinds`: the kinds of findings about it. `is_corrected`: a correction recorded it.
    """

    card: str
    at: Link
    name: str
    took: bool
    kinds: Sequence[FindingKind] = ()
    is_corrected: bool = False


class CourseTrick(Struct, frozen=True, kw_only=True):
    """A trick. `said`: announcements between it and the next trick."""

    number: int
    cards: Sequence[TrickCard]
    said: Sequence[Link] = ()


class Course(Struct, frozen=True, kw_only=True):
    """A deal as a list. `said`: announcements before the first trick. `columns`: the cards in the widest trick."""

    rows: Sequence[CourseRow]
    exchange: Sequence[ExchangeRow]
    said: Sequence[Link]
    tricks: Sequence[CourseTrick]
    columns: int


_MOST: Final = 12
"""With more alternatives than these, none is named."""


def describe_step(moment: Moment, before: DealView | None) -> str:
    """Return the sentences of a step. `before`: the state before the step, for the alternatives."""
    return say(moment.wording.lang, "replay.between").join(_sentences(moment, before))


def _sentences(moment: Moment, before: DealView | None) -> Iterator[str]:
    wording, event = moment.wording, moment.event
    lang = wording.lang
    if event is None:
        yield say(lang, "replay.before")
    elif isinstance(event, CardPlayed):
        yield from _played(moment, event)
    else:
        text = event_text(event, moment.players, wording, moment.viewer)
        yield say(lang, "replay.stop", text=text if text.startswith(tuple(moment.players)) else capitalised(text))
        exchanges = [] if before is None else of_type(before.legal, CardsExchanged)
        if isinstance(event, CardsExchanged) and exchanges:
            yield say(lang, "replay.up_to", most=max(one.count for one in exchanges))
        if before is not None and (others := _alternatives(event, before, moment)):
            yield say(lang, "replay.otherwise", what=wording.listed(others))
    if moment.due is not None:
        yield _due(moment, moment.due)


def _played(moment: Moment, event: CardPlayed) -> Iterator[str]:
    """Yield the sentences about a card; the trick has its number on the table, even if the card counts in none."""
    lang, trick = moment.wording.lang, moment.trick
    values = {"name": moment.players[event.seat], "card": cards_text((event.card,))}
    yield say(lang, "replay.plays", trick=len(moment.view.tricks), **values)
    if moment.highlight is not None and not moment.highlight.is_next:
        yield say(lang, "replay.instead", cards=cards_text(moment.highlight.cards))
    if trick is not None and trick.winner is not None and list(laid(trick))[-1] == (event.seat, event.card):
        winner = moment.players[trick.winner]
        if trick.won_by is None:
            yield say(lang, "replay.takes_it", name=winner)
        else:
            yield say(lang, "replay.takes", name=winner, why=label(lang, f"by_{trick.won_by}"))


def _due(moment: Moment, due: int) -> str:
    lang, name = moment.wording.lang, moment.players[due]
    if moment.highlight is not None and moment.highlight.is_next and moment.highlight.seat == due:
        return say(lang, "replay.may", name=name, cards=cards_text(moment.highlight.cards))
    return say(lang, "replay.due", name=name)


def _alternatives(event: Step, before: DealView, moment: Moment) -> Sequence[str]:
    """Return what the same seat could have called or named instead; nothing if these are too many to list."""
    if not isinstance(event, BidMade | TrumpNamed | PartnerCalled | Announced):
        return ()
    moves = shown(before.legal, before.turn).get(type(event), {})
    others = [value_of(moves[one]) for one in in_order(moves) if _is_for(moves[one], before.turn, event.seat)]
    meant = [one for one in others if one != value_of(event)]
    texts = list(dict.fromkeys(legal_value(one, moment.wording).replace("_", " ") for one in meant))
    return texts if len(texts) <= _MOST else ()


def _is_for(move: Event, turn: int | None, seat: int | None) -> bool:
    return seat is None or other_speaker(move, turn) in (None, seat)


_ROWS: Final[Mapping[tuple[type, ...], tuple[str, bool]]] = {
    (DealStarted, CardsDealt): ("replay.start", True),
    (BidMade,): ("row.calls", False),
    (CardTurned,): ("row.turned", False),
    (TrumpNamed,): ("trumps", False),
    (PartnerCalled,): ("row.called", False),
}
"""The events of a row, the key of its name, and whether the key is in this room's catalogue or in that of
`ledger.text`.
"""


def course_of(
    moments: Sequence[Moment],
    at: Viewpoint,
    here: int,
    kinds: Mapping[int, Sequence[FindingKind]],
    corrected: Collection[int],
) -> Course:
    """Return the list of a deal's acts. `kinds`: kinds of findings by step. `corrected`: steps made by a correction."""
    wording = moments[-1].wording
    links = _StepLinks(at, here, wording)
    tricks, said = _tricks(moments, links, kinds, corrected)
    return Course(
        rows=list(_rows(moments, links)),
        exchange=[_exchanged(moment, links) for moment in moments if isinstance(moment.event, CardsExchanged)],
        said=said,
        tricks=tricks,
        columns=max((len(trick.cards) for trick in tricks), default=0),
    )


class _StepLinks:
    """Factory of links to steps."""

    def __init__(self, at: Viewpoint, here: int, wording: Wording) -> None:
        self._at = at
        self._here = here
        self.wording = wording

    def link(self, text: str, step: int) -> Link:
        return Link(text, self._at.step_address(step), step == self._here)

    def act(self, moment: Moment) -> Link:
        """Return a link to the step of a moment, labelled with its act."""
        event = moment.event
        assert event is not None
        if isinstance(event, PartnerCalled):
            text = partner_call_text(event, moment.players, self.wording, is_labelled=True)
        else:
            text = event_text(event, moment.players, self.wording, moment.viewer)
        return self.link(text, moment.step)


def _rows(moments: Sequence[Moment], links: _StepLinks) -> Iterator[CourseRow]:
    lang = links.wording.lang
    for kinds, (name, is_own) in _ROWS.items():
        acts = [links.act(moment) for moment in moments if isinstance(moment.event, kinds)]
        if acts:
            yield CourseRow(name=say(lang, name) if is_own else label(lang, name), acts=acts)


def _exchanged(moment: Moment, links: _StepLinks) -> ExchangeRow:
    """Return a line of the exchange; other players' cards are left out."""
    event = moment.event
    assert isinstance(event, CardsExchanged)
    is_seen = moment.viewer in (None, event.seat)
    return ExchangeRow(
        who=links.link(moment.players[event.seat], moment.step),
        count=str(event.count),
        put_aside=cards_text(event.discarded or ()) if is_seen else "",
        drew=cards_text(event.drawn or ()) if is_seen else "",
    )


def _tricks(
    moments: Sequence[Moment],
    links: _StepLinks,
    kinds: Mapping[int, Sequence[FindingKind]],
    corrected: Collection[int],
) -> tuple[list[CourseTrick], list[Link]]:
    """Return the tricks and the announcements before them. A card in no trick is listed as an announcement."""
    last = moments[-1]
    steps = iter(_steps_of_cards(moments, last.view.tricks))
    tricks = []
    said: dict[int, list[Link]] = {}
    counted: set[int] = set()
    for number, trick in enumerate(last.view.tricks, 1):
        row = []
        for seat, card in laid(trick):
            step = next(steps)
            counted.add(step)
            row.append(
                TrickCard(
                    card=card,
                    at=links.link(card_text(card), step),
                    name=last.players[seat],
                    took=seat == trick.winner,
                    kinds=kinds.get(step, ()),
                    is_corrected=step in corrected,
                )
            )
        tricks.append(CourseTrick(number=number, cards=row))
    for moment in moments:
        event = moment.event
        if isinstance(event, Announced) or (isinstance(event, CardPlayed) and moment.step not in counted):
            said.setdefault(len(moment.view.tricks), []).append(links.act(moment))
    rows = [CourseTrick(number=one.number, cards=one.cards, said=said.get(one.number, ())) for one in tricks]
    return rows, said.get(0, [])


def _steps_of_cards(moments: Sequence[Moment], tricks: Sequence[TrickView]) -> Iterator[int]:
    """Yield the step of each card that counts in a trick, in order."""
    pending = [one for trick in tricks for one in laid(trick)]
    place = 0
    for moment in moments:
        event = moment.event
        if isinstance(event, CardPlayed) and place < len(pending) and (event.seat, event.card) == pending[place]:
            yield moment.step
            place += 1
