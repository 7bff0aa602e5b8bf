"""Where one can go from a step: a card or a trick on or back, and to the next finding."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, Literal

from ledger.events import CardPlayed
from ledger.text.pictures.moment import Moment
from ledger.text.site.replay.facts import Mark, Moves

To = Literal["trick-back", "back", "next", "trick-on", "first", "last", "finding"]
"""What a button asks for."""

FIRST: Final = 0


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
