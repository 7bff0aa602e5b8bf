"""The calls of one deal: making trumps (COU section 4), and Mit', Kontra and Re (COU section 5)."""

from __future__ import annotations

from typing import Final, NamedTuple

from mypy_extensions import mypyc_attr

from ledger.cards import UNKNOWN
from ledger.events import BidMade, TrumpNamed
from ledger.games.couillon.irregularities import violation
from ledger.games.couillon.pack import CouillonForm, forehand
from ledger.games.kernel.copying import twin_of
from ledger.games.kernel.findings import Violation
from ledger.games.kernel.tricks import NOTHING, Violations

UPCARD_CALLS: Final = ("pass", "take")  # COU-4.18
CALLS: Final = frozenset((*UPCARD_CALLS, "defer"))


@mypyc_attr(allow_interpreted_subclasses=True, acyclic=True)
class TrumpMaking:
    """The calls and turned cards so far. `suit`: the trump suit, None until it is fixed.

    `callers`: the seats that have made their one call of the upcard procedure, as a mask; a deferral is none of its
    calls (COU-4.5, 4.18). `maker`: the seat whose call decided trumps, None if a turned card did (COU-4.1). `is_taken`:
    a seat took, perhaps before the upcard was turned. `upcard` and `turned` (the bottom card, or forehand's): as
    recorded.
    """

    __slots__ = (
        "callers",
        "calls",
        "forehand",
        "form",
        "is_deferred",
        "is_taken",
        "maker",
        "suit",
        "turned",
        "upcard",
    )

    def __init__(self, form: CouillonForm, dealer: int) -> None:
        self.form = form
        self.forehand = forehand(dealer, form.players)
        self.calls: list[tuple[int, str]] = []
        self.callers = 0
        self.suit: str | None = None
        self.maker: int | None = None
        self.is_taken = False
        self.is_deferred = False
        self.upcard: str | None = None
        self.turned: str | None = None

    def copy(self) -> TrumpMaking:
        """Return an independent copy."""
        return twin_of(self)

    @property
    def is_naming(self) -> bool:
        """Whether forehand names trumps, in place of the upcard procedure."""
        return self.form.is_naming

    @property
    def is_decided(self) -> bool:
        """Whether no more calls may be made, though the card that fixes trumps may not be turned yet."""
        return self.suit is not None or self.is_taken or self.is_deferred

    def caller(self) -> int | None:
        """Return the seat that has to call (COU-4.2, 4.5, 4.10), or None."""
        if self.is_decided:
            return None
        if self.is_naming:
            return self.forehand
        players = self.form.players
        for step in range(players):
            seat = (self.forehand + step) % players
            if not self.callers >> seat & 1:
                return seat
        return None

    def awaits_card(self) -> bool:
        """Return whether a card must be turned: the upcard, the bottom card or forehand's (COU-3.16, 4.7, 4.13)."""
        if self.suit is not None:
            return False
        return self.is_deferred if self.is_naming else self.upcard is None or self.caller() is None

    def bid(self, event: BidMade, stock_top: str, version: int) -> Violations:
        """Make a pass, a take or a deferral, and return the violations.

        `stock_top`: the upcard if it is known without having been turned.
        """
        seat, call = event.seat, event.call
        if self.is_decided and not (call == "defer" and self._may_still_be_usurped(seat)):
            return self.too_late(seat, call, version)
        if call == "defer":
            return self._defer(seat, version)
        if self.is_naming:  # no seat may make these calls
            legal = ("defer",) if seat == self.forehand else ()
            return (violation("call_out_of_turn", "COU-4.2", version, seat, legal, call=call, due=self.forehand),)
        return self._call(seat, call, stock_top, version)

    def too_late(self, seat: int, call: str, version: int) -> Violations:
        """Return the violation of a call after trumps were decided (COU-11.19)."""
        return (violation("call_after_trumps", "COU-4.17" if self.is_naming else "COU-4.4", version, seat, call=call),)

    def _defer(self, seat: int, version: int) -> Violations:
        violations = self._wrong_namer(seat, "defer", version)
        self.calls.append((seat, "defer"))
        if self.is_naming:
            self.is_deferred = True  # valid as recorded (COU-11.5)
        return violations

    def _may_still_be_usurped(self, seat: int) -> bool:
        """Return whether another seat speaks between forehand's deferral and the card that fixes trumps (COU-11.20)."""
        return self.is_deferred and self.suit is None and seat != self.forehand

    def _wrong_namer(self, seat: int, call: str, version: int) -> Violations:
        if self.is_naming and seat == self.forehand:
            return NOTHING
        due = self.forehand if self.is_naming else None
        legal = () if self.is_naming or seat != self.caller() else UPCARD_CALLS
        return (violation("named_by_wrong_seat", "COU-4.17", version, seat, legal, call=call, due=due),)

    def _call(self, seat: int, call: str, stock_top: str, version: int) -> Violations:
        violations = []
        due = self.caller()
        if seat != due:
            rule = "COU-4.5" if self.callers >> seat & 1 else "COU-4.2"
            violations.append(violation("call_out_of_turn", rule, version, seat, call=call, due=due))
        if self.upcard is None:
            violations.append(violation("turned_at_wrong_moment", "COU-4.2", version, seat, found="call", call=call))
        if call == "take":  # COU-4.3, 4.4, 4.6; valid as recorded (COU-11.5)
            self.maker, self.is_taken = seat, True
            shown = self.upcard or stock_top
            self.suit = None if shown == UNKNOWN else shown[0]
        self.calls.append((seat, call))
        if call in UPCARD_CALLS:
            self.callers |= 1 << seat
        return violations

    def name(self, event: TrumpNamed, version: int) -> Violations:
        """Name a suit (COU-4.11, 4.12) and return the violations."""
        seat = event.seat
        if self.is_decided and not self._may_still_be_usurped(seat):
            return self.too_late(seat, event.suit, version)
        violations = self._wrong_namer(seat, event.suit, version)
        self.maker, self.suit = seat, event.suit
        return violations

    def show_upcard(self, card: str) -> None:
        """Turn the top card of the stock, which offers its suit; it fixes trumps if a seat has taken it unseen."""
        self.upcard = card
        if self.is_taken and self.suit is None:
            self.suit = card[0]

    def fix_by_card(self, card: str) -> None:
        """Set trumps by the bottom card of the stock, or by a card of forehand's (COU-4.7, 4.13)."""
        self.turned, self.suit = card, card[0]


RAISES: Final = ("mit", "kontra", "re")  # COU-5.16


class VoidMit(NamedTuple):
    """A void call of `mit`. `rule`: the rule that its moment breaks, no matter who holds SQ.

    `played`: the seats that had played a card by then. `violations`: those known at once.
    """

    seat: int
    version: int
    legal: tuple[str, ...]
    rule: str | None
    played: frozenset[int]
    violations: tuple[Violation, ...]
