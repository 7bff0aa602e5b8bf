"""How a deal may be looked at: with whose eyes, who sits below, in which reading; and what of it is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from ledger.text.site.replay.facts import Choice, Choices
from ledger.text.site.replay.viewpoint import Viewpoint
from ledger.text.site.words import say
from ledger.text.words import label

BOTH: Final = "both"
"""What is chosen for the two readings side by side."""


class Rights(Struct, frozen=True, kw_only=True):
    """What the reader may choose: the view of these seats, the case sheets of these disputes; None means all.

    `withdraws`: the disputes of their own that they may withdraw.
    """

    seats: tuple[int, ...] | None = None
    cases: frozenset[int] | None = frozenset()
    withdraws: frozenset[int] = frozenset()


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
