"""The deal as a list: what was said and exchanged before the play, and a row a trick, each act with its step."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from ledger.events import (
    Announced,
    BidMade,
    CardPlayed,
    CardsDealt,
    CardsExchanged,
    CardTurned,
    DealStarted,
    PartnerCalled,
    TrumpNamed,
)
from ledger.games.kernel.views import TrickView
from ledger.text.cards import card_text, cards_text
from ledger.text.deal import laid
from ledger.text.events import event_text, partner_call_text
from ledger.text.pictures.moment import Moment
from ledger.text.site.replay.facts import Course, Exchanged, Kind, Laid, Link, Row, Trick
from ledger.text.site.replay.viewpoint import Viewpoint
from ledger.text.site.words import say
from ledger.text.words import Wording, label

_ROWS: Final[Mapping[tuple[type, ...], tuple[str, bool]]] = {
    (DealStarted, CardsDealt): ("replay.start", True),
    (BidMade,): ("row.calls", False),
    (CardTurned,): ("row.turned", False),
    (TrumpNamed,): ("trumps", False),
    (PartnerCalled,): ("row.called", False),
}
"""What a row is made of, and its name: a word of this room, or one that all of `ledger.text` have."""


def course_of(
    moments: Sequence[Moment],
    at: Viewpoint,
    here: int,
    kinds: Mapping[int, Sequence[Kind]],
    corrected: Collection[int],
) -> Course:
    """The list of all these moments. `kinds`: of what was found, by step; `corrected`: steps that a correction made."""
    wording = moments[-1].wording
    lists = _Listing(at, here, wording)
    tricks, said = _tricks(moments, lists, kinds, corrected)
    return Course(
        rows=list(_rows(moments, lists)),
        exchange=[_exchanged(moment, lists) for moment in moments if isinstance(moment.event, CardsExchanged)],
        said=said,
        tricks=tricks,
        columns=max((len(trick.cards) for trick in tricks), default=0),
    )


class _Listing:
    """Makes links to steps."""

    def __init__(self, at: Viewpoint, here: int, wording: Wording) -> None:
        self._at = at
        self._here = here
        self.wording = wording

    def link(self, text: str, step: int) -> Link:
        return Link(text, self._at.at(step), step == self._here)

    def act(self, moment: Moment) -> Link:
        event = moment.event
        assert event is not None
        if isinstance(event, PartnerCalled):
            told = partner_call_text(event, moment.players, self.wording, is_labelled=True)
        else:
            told = event_text(event, moment.players, self.wording, moment.viewer)
        return self.link(told, moment.step)


def _rows(moments: Sequence[Moment], lists: _Listing) -> Iterator[Row]:
    lang = lists.wording.lang
    for kinds, (name, is_own) in _ROWS.items():
        acts = [lists.act(moment) for moment in moments if isinstance(moment.event, kinds)]
        if acts:
            yield Row(name=say(lang, name) if is_own else label(lang, name), acts=acts)


def _exchanged(moment: Moment, lists: _Listing) -> Exchanged:
    """As far as whoever looks may see it: the cards of others he does not."""
    event = moment.event
    assert isinstance(event, CardsExchanged)
    is_seen = moment.viewer in (None, event.seat)
    return Exchanged(
        who=lists.link(moment.players[event.seat], moment.step),
        count=str(event.count),
        put_aside=cards_text(event.discarded or ()) if is_seen else "",
        drew=cards_text(event.drawn or ()) if is_seen else "",
    )


def _tricks(
    moments: Sequence[Moment],
    lists: _Listing,
    kinds: Mapping[int, Sequence[Kind]],
    corrected: Collection[int],
) -> tuple[list[Trick], list[Link]]:
    """The tricks, and what was announced before the first. A card that counts in no trick is told with the words."""
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
                Laid(
                    card=card,
                    at=lists.link(card_text(card), step),
                    name=last.players[seat],
                    took=seat == trick.winner,
                    kinds=kinds.get(step, ()),
                    is_corrected=step in corrected,
                )
            )
        tricks.append(Trick(number=number, cards=row))
    for moment in moments:
        event = moment.event
        if isinstance(event, Announced) or (isinstance(event, CardPlayed) and moment.step not in counted):
            said.setdefault(len(moment.view.tricks), []).append(lists.act(moment))
    rows = [Trick(number=one.number, cards=one.cards, said=said.get(one.number, ())) for one in tricks]
    return rows, said.get(0, [])


def _steps_of_cards(moments: Sequence[Moment], tricks: Sequence[TrickView]) -> Iterator[int]:
    """The step of each card that counts in a trick, in their order; one that counted for nothing is in no trick."""
    awaited = [one for trick in tricks for one in laid(trick)]
    place = 0
    for moment in moments:
        event = moment.event
        if isinstance(event, CardPlayed) and place < len(awaited) and (event.seat, event.card) == awaited[place]:
            yield moment.step
            place += 1
