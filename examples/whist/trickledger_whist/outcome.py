"""The outcome of a Whist deal: the facts that scoring needs, from play or from a recorded result."""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct, structs

from ledger.events import Suit
from ledger.games.kernel.protocol import DealSummary
from ledger.games.kernel.refusals import bad_outcome
from ledger.i18n import phrases

phrase: Final = phrases("trickledger_whist")

TRICKS: Final = 13  # WHI-6.7
BOOK: Final = 6  # WHI-7.2

Result: TypeAlias = Literal["SEATS_0_2", "SEATS_1_3"]


class WhistOutcome(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`tricks` of each side (WHI-7.1). `result`, the winning side, follows from them and may be omitted."""

    tricks: tuple[Annotated[int, Meta(ge=0, le=TRICKS)], Annotated[int, Meta(ge=0, le=TRICKS)]]
    trump: Suit | None = None
    result: Result | None = None

    @property
    def winning_side(self) -> int:
        """The side with more than six of the thirteen tricks (WHI-7.2)."""
        return 0 if self.tricks[0] > BOOK else 1

    @property
    def points(self) -> int:
        """The points of the winning side (WHI-7.2)."""
        return max(self.tricks) - BOOK


def completed(outcome: WhistOutcome) -> WhistOutcome:
    """Return the outcome with its result. Raise `MalformedError` if its facts contradict each other."""
    if sum(outcome.tricks) != TRICKS:
        expected = phrase("refusal.tricks_in_all", tricks=TRICKS, rule="WHI-6.7")
        raise bad_outcome("tricks", expected, list(outcome.tricks))
    result: Result = "SEATS_0_2" if outcome.winning_side == 0 else "SEATS_1_3"
    if outcome.result not in (None, result):
        raise bad_outcome("result", phrase("refusal.result", result=result), outcome.result)
    return structs.replace(outcome, result=result)


def summarise(outcome: WhistOutcome) -> DealSummary:
    """Return the facts for statistics. Whist has no contract and no declarer."""
    return DealSummary(result=outcome.result, contract=None, declarer=None, partner=None, trump=outcome.trump, won=None)
