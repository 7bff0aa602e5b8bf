"""Offer what may be chosen of a deal, where one can go from a step, and what a seat had seen by then."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, Literal

from msgspec import Struct

from ledger.cards import SYMBOLS, in_order
from ledger.events import CardPlayed
from ledger.table.seen import Seen, SuitSeen
from ledger.text.cards import cards_text
from ledger.text.catalogue import Wording, label
from ledger.text.pictures.moment import Moment
from ledger.text.site.catalogue import say
from ledger.text.site.replay.findings import Mark
from ledger.text.site.replay.viewpoint import Viewpoint

BOTH: Final = "both"
"""What is chosen for the two readings side by side."""


class Rights(Struct, frozen=True, kw_only=True):
    """What the reader may choose: the view of these seats, the case sheets of these disputes; None means all.

    `withdraws`: the disputes of their own that they may withdraw.
    """

    seats: tuple[int, ...] | None = None
    cases: frozenset[int] | None = frozenset()
    withdraws: frozenset[int] = frozenset()


class Choice(Struct, frozen=True):
    """What may be chosen in a form."""

    value: str
    text: str
    is_chosen: bool


class Choices(Struct, frozen=True, kw_only=True):
    seats: Sequence[Choice]
    below: Sequence[Choice]
    readings: Sequence[Choice]


def choices_of(players: Sequence[str], at: Viewpoint, rights: Rights, lang: str, *, has_both: bool = False) -> Choices:
    """`has_both`: the two readings are shown side by side, without a table at which anybody sits."""
    seats = range(len(players)) if rights.seats is None else rights.seats
    readings = (
        ("corrected", label(lang, "readings.corrected"), not has_both and at.reading == "corrected"),
        ("recorded", label(lang, "readings.recorded"), not has_both and at.reading == "recorded"),
        (BOTH, say(lang, "replay.side_by_side"), has_both),
    )
    below = (
        Choice("", say(lang, "replay.sits_as_usual"), at.below is None),
        *(Choice(str(seat), name, at.below == seat) for seat, name in enumerate(players)),
    )
    return Choices(
        seats=[
            Choice("", say(lang, "replay.everybody"), at.seat is None),
            *(Choice(str(seat), players[seat], at.seat == seat) for seat in seats),
        ],
        below=() if has_both else below,
        readings=[Choice(*one) for one in readings],
    )


To = Literal["trick-back", "back", "next", "trick-on", "first", "last", "finding"]
"""What a button asks for."""

FIRST: Final = 0


class Moves(Struct, frozen=True, kw_only=True):
    """Where the buttons lead, by steps; None: nowhere. `stops`: at which a trick is complete, and the ends."""

    trick_back: int | None
    back: int | None
    next: int | None
    trick_on: int | None
    stops: Sequence[int]
    finding: int | None


def stops_of(moments: Sequence[Moment]) -> list[int]:
    """The steps at which a trick is complete, and those at which something begins or ends: before the deal, when the
    play begins, after the last act.
    """
    stops = {FIRST, moments[-1].step}
    for before, now in pairwise(moments):
        if isinstance(now.event, CardPlayed):
            is_lead = len(now.view.tricks) > len(before.view.tricks)
            if is_lead:
                stops.add(before.step)
    return sorted(stops)


def moves_from(step: int, stops: Sequence[int], marks: Sequence[Mark]) -> Moves:
    """The moves at one step; a finding is looked for from the beginning again after the last."""
    last = stops[-1]
    found = sorted({mark.step for mark in marks})
    return Moves(
        trick_back=max((stop for stop in stops if stop < step), default=None),
        back=step - 1 if step > FIRST else None,
        next=step + 1 if step < last else None,
        trick_on=min((stop for stop in stops if stop > step), default=None),
        stops=stops,
        finding=next((one for one in found if one > step), found[0] if found else None),
    )


def step_asked(to: To, step: int, stops: Sequence[int], marks: Sequence[Mark]) -> int:
    """The step that a button leads to; where it leads nowhere, the same."""
    moves = moves_from(step, stops, marks)
    wanted = {
        "trick-back": moves.trick_back,
        "back": moves.back,
        "next": moves.next,
        "trick-on": moves.trick_on,
        "first": FIRST,
        "last": stops[-1],
        "finding": moves.finding,
    }[to]
    return step if wanted is None else wanted


class SuitKnown(Struct, frozen=True, kw_only=True):
    """The trumps or another suit: cards that had fallen, and those that somebody had not seen; empty where none."""

    name: str
    fallen: str
    unseen: str


class Knowledge(Struct, frozen=True, kw_only=True):
    """What somebody had seen. `answer`: whether trumps were out for him. `own`: his cards, by what became of them.

    `is_whole`: it can be told what he had not seen; `places`: where that may lie.
    """

    title: str
    answer: str
    own: Sequence[tuple[str, str]]
    suits: Sequence[SuitKnown]
    is_whole: bool
    places: str


def knowledge_of(seen: Seen, seat: int, players: Sequence[str], wording: Wording) -> Knowledge | None:
    """None while there is nothing to be seen yet."""
    lang, name = wording.lang, players[seat]
    if not seen.held and not seen.suits:
        return None
    return Knowledge(
        title=say(lang, "replay.had_seen", name=name),
        answer=_answer(seen, name, lang) if seen.is_whole else say(lang, "replay.not_all_told", name=name),
        own=list(_own(seen, lang)),
        suits=[_suit(one, lang) for one in seen.suits],
        is_whole=seen.is_whole,
        places=_places(seen, players, wording) if any(one.unseen for one in seen.suits) else "",
    )


def _answer(seen: Seen, name: str, lang: str) -> str:
    """Could he have known that trumps were out? Empty while there are none."""
    trumps = next((one for one in seen.suits if one.suit is None), None)
    if trumps is None:
        return ""
    if not trumps.unseen:
        return say(lang, "replay.no_trump_out", name=name)
    return say(lang, "replay.trumps_out", name=name, count=len(trumps.unseen), cards=cards_text(trumps.unseen))


def _own(seen: Seen, lang: str) -> Iterator[tuple[str, str]]:
    for key, cards in (("in_hand", seen.held), ("own_aside", seen.put_aside), ("shown_otherwise", seen.shown)):
        if cards:
            yield say(lang, f"replay.{key}"), cards_text(in_order(cards))


def _suit(one: SuitSeen, lang: str) -> SuitKnown:
    return SuitKnown(
        name=label(lang, "trumps") if one.suit is None else SYMBOLS[one.suit],
        fallen=cards_text(one.fallen),
        unseen=cards_text(one.unseen),
    )


def _places(seen: Seen, players: Sequence[str], wording: Wording) -> str:
    """Where the cards may lie that he had not seen."""
    lang = wording.lang
    places = []
    if seen.others:
        names = wording.listed(players[other] for other in seen.others)
        places.append(say(lang, "replay.in_hand_of", names=names))
    if seen.is_aside_hidden:
        places.append(say(lang, "replay.aside_of_others"))
    if seen.is_stock_hidden:
        places.append(say(lang, "replay.in_stock"))
    return say(lang, "replay.unseen_lies", places=wording.clauses(places)) if places else ""
