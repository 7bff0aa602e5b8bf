"""Offer views of a deal to choose from, and moves from one step to another."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, Literal

from msgspec import Struct

from ledger.events import CardPlayed
from ledger.text.catalogue import label
from ledger.text.pictures.moment import Moment
from ledger.text.site.catalogue import say
from ledger.text.site.replay.findings import Mark
from ledger.text.site.replay.viewpoint import Viewpoint

BOTH_READINGS: Final = "both"
"""The value of the choice that shows the two readings side by side."""


class Rights(Struct, frozen=True, kw_only=True):
    """The views (by seat) and the case sheets (by dispute) that the reader may choose; None means all.

    `withdraws`: the reader's own disputes that they may withdraw. `disputes`: whether they may raise one.
    """

    seats: tuple[int, ...] | None = None
    cases: frozenset[int] | None = frozenset()
    withdraws: frozenset[int] = frozenset()
    disputes: bool = False


class SelectOption(Struct, frozen=True):
    """An option of a form's select element."""

    value: str
    text: str
    is_chosen: bool


class ViewOptions(Struct, frozen=True, kw_only=True):
    """The options of the form that chooses a view of the deal."""

    seats: Sequence[SelectOption]
    below: Sequence[SelectOption]
    readings: Sequence[SelectOption]


def view_options_of(
    players: Sequence[str], at: Viewpoint, rights: Rights, lang: str, *, has_both: bool = False
) -> ViewOptions:
    """Return the options of a view. `has_both`: the two readings are shown side by side, without a table."""
    seats = range(len(players)) if rights.seats is None else rights.seats
    readings = (
        ("corrected", label(lang, "readings.corrected"), not has_both and at.reading == "corrected"),
        ("recorded", label(lang, "readings.recorded"), not has_both and at.reading == "recorded"),
        (BOTH_READINGS, say(lang, "replay.side_by_side"), has_both),
    )
    below = (
        SelectOption("", say(lang, "replay.sits_as_usual"), at.below is None),
        *(SelectOption(str(seat), name, at.below == seat) for seat, name in enumerate(players)),
    )
    return ViewOptions(
        seats=[
            SelectOption("", say(lang, "replay.everybody"), at.seat is None),
            *(SelectOption(str(seat), players[seat], at.seat == seat) for seat in seats),
        ],
        below=() if has_both else below,
        readings=[SelectOption(*one) for one in readings],
    )


MoveName = Literal["trick-back", "back", "next", "trick-on", "first", "last", "finding"]
"""The name of a button that moves to another step."""

FIRST: Final = 0


class Moves(Struct, frozen=True, kw_only=True):
    """The steps that the buttons lead to; None if a button leads nowhere.

    `stops`: the steps at which a trick is complete, the first and the last.
    """

    trick_back: int | None
    back: int | None
    next: int | None
    trick_on: int | None
    stops: Sequence[int]
    finding: int | None


def stops_of(moments: Sequence[Moment]) -> list[int]:
    """Return the steps at which a trick is complete, the first step, the start of play and the last step."""
    stops = {FIRST, moments[-1].step}
    for before, now in pairwise(moments):
        if isinstance(now.event, CardPlayed):
            is_lead = len(now.view.tricks) > len(before.view.tricks)
            if is_lead:
                stops.add(before.step)
    return sorted(stops)


def moves_from(step: int, stops: Sequence[int], marks: Sequence[Mark]) -> Moves:
    """Return the moves at a step. After the last finding the search starts again at the first."""
    last = stops[-1]
    finding_steps = sorted({mark.step for mark in marks})
    return Moves(
        trick_back=max((stop for stop in stops if stop < step), default=None),
        back=step - 1 if step > FIRST else None,
        next=step + 1 if step < last else None,
        trick_on=min((stop for stop in stops if stop > step), default=None),
        stops=stops,
        finding=next((one for one in finding_steps if one > step), finding_steps[0] if finding_steps else None),
    )


def target_step(to: MoveName, step: int, stops: Sequence[int], marks: Sequence[Mark]) -> int:
    """Return the step that a button leads to; the same step if it leads nowhere."""
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
