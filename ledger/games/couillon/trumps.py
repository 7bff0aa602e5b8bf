"""How trumps are made in one Couillon deal: whose call it is and what was called and turned (COU section 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import mypyc_attr

from ledger.cards import UNKNOWN
from ledger.events import BidMade, CardTurned, TrumpNamed
from ledger.games.couillon.forms import Form
from ledger.games.couillon.irregularities import violation
from ledger.games.couillon.turned_cards import place_forehands, place_turned
from ledger.games.kernel.copying import twin_of
from ledger.games.kernel.findings import Violation
from ledger.games.kernel.tricks import NOTHING, Violations

if TYPE_CHECKING:
    from ledger.games.couillon.deal import CouillonDeal

UPCARD_CALLS: Final = ("pass", "take")  # COU-4.18
CALLS: Final = frozenset((*UPCARD_CALLS, "defer"))


@mypyc_attr(allow_interpreted_subclasses=True, acyclic=True)
class TrumpMaking:
    """The calls and turned cards so far. `suit`: trumps, null until they are fixed.

    `callers`: who has made his one call of the upcard procedure, as a mask; a deferral is none of its calls (COU-4.5,
    4.18). `maker`: who decided trumps by his own call, null where a turned card did (COU-4.1). `is_taken`: somebody
    took, perhaps before the upcard was turned. `upcard` and `turned` (the bottom card, or forehand's) as recorded.
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

    def __init__(self, form: Form, dealer: int) -> None:
        self.form = form
        self.forehand = (dealer + 1) % form.players  # COU-2.9
        self.calls: list[tuple[int, str]] = []
        self.callers = 0
        self.suit: str | None = None
        self.maker: int | None = None
        self.is_taken = False
        self.is_deferred = False
        self.upcard: str | None = None
        self.turned: str | None = None

    def copy(self) -> TrumpMaking:
        return twin_of(self)

    @property
    def is_naming(self) -> bool:
        return self.form.is_naming

    @property
    def is_decided(self) -> bool:
        """Whether nobody may call any more, though the card that fixes trumps may not be turned yet."""
        return self.suit is not None or self.is_taken or self.is_deferred

    def caller(self) -> int | None:
        """The seat whose call it is (COU-4.2, 4.5, 4.10)."""
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
        """Whether a card must be turned next: the upcard, the bottom card, or forehand's (COU-3.16, 4.7, 4.13)."""
        if self.suit is not None:
            return False
        return self.is_deferred if self.is_naming else self.upcard is None or self.caller() is None

    # --- calls --------------------------------------------------------------------------------------------------------

    def bid(self, event: BidMade, stock_top: str, version: int) -> Violations:
        """A pass, a take or a deferral; `stock_top`: the upcard where it is known without having been turned."""
        seat, call = event.seat, event.call
        if self.is_decided and not (call == "defer" and self._may_still_be_usurped(seat)):
            rule = "COU-4.17" if self.is_naming else "COU-4.4"
            return (violation("call_after_trumps", rule, version, seat, call=call),)
        if call == "defer":
            return self._defer(seat, version)
        if self.is_naming:  # no seat is ever on turn for these
            legal = ("defer",) if seat == self.forehand else ()
            return (violation("call_out_of_turn", "COU-4.2", version, seat, legal, call=call, due=self.forehand),)
        return self._call(seat, call, stock_top, version)

    def _defer(self, seat: int, version: int) -> Violations:
        found = self._wrong_namer(seat, "defer", version)
        self.calls.append((seat, "defer"))
        if self.is_naming:
            self.is_deferred = True  # stands as recorded (COU-11.5)
        return found

    def _may_still_be_usurped(self, seat: int) -> bool:
        """Whether another seat speaks after forehand has deferred, but before a card has fixed trumps (COU-11.20)."""
        return self.is_deferred and self.suit is None and seat != self.forehand

    def _wrong_namer(self, seat: int, call: str, version: int) -> Violations:
        if self.is_naming and seat == self.forehand:
            return NOTHING
        due = self.forehand if self.is_naming else None
        legal = () if self.is_naming or seat != self.caller() else UPCARD_CALLS
        return (violation("named_by_wrong_seat", "COU-4.17", version, seat, legal, call=call, due=due),)

    def _call(self, seat: int, call: str, stock_top: str, version: int) -> Violations:
        found = []
        due = self.caller()
        if seat != due:
            rule = "COU-4.5" if self.callers >> seat & 1 else "COU-4.2"
            found.append(violation("call_out_of_turn", rule, version, seat, call=call, due=due))
        if self.upcard is None:
            found.append(violation("turned_at_wrong_moment", "COU-4.2", version, seat, found="call", call=call))
        if call == "take":  # COU-4.3, 4.4, 4.6; stands as recorded (COU-11.5)
            self.maker, self.is_taken = seat, True
            shown = self.upcard or stock_top
            self.suit = None if shown == UNKNOWN else shown[0]
        self.calls.append((seat, call))
        if call in UPCARD_CALLS:
            self.callers |= 1 << seat
        return found

    def name(self, event: TrumpNamed, version: int) -> Violations:
        """A suit named (COU-4.11, 4.12)."""
        seat = event.seat
        if self.is_decided and not self._may_still_be_usurped(seat):
            rule = "COU-4.17" if self.is_naming else "COU-4.4"
            return (violation("call_after_trumps", rule, version, seat, call=event.suit),)
        found = self._wrong_namer(seat, event.suit, version)
        self.maker, self.suit = seat, event.suit
        return found

    # --- turned cards -------------------------------------------------------------------------------------------------

    def turn(self, event: CardTurned, deal: CouillonDeal, version: int) -> Violations:
        """A card turned up, which fixes trumps or offers them."""
        if deal.play is not None and self.suit is None:
            return (violation("turned_at_wrong_moment", self._turning_rule(), version, found="card", card=event.card),)
        if self.is_naming:
            return self._turn_of_forehand(event.card, deal, version)
        if self.upcard is None and (self.is_taken or self.caller() is not None):
            return self._turn_upcard(event.card, deal, version)
        return self._turn_bottom(event.card, deal, version)

    def _turning_rule(self) -> str:
        return "COU-4.13" if self.is_naming else "COU-4.7"

    def _turn_upcard(self, card: str, deal: CouillonDeal, version: int) -> Violations:
        if self.suit is not None and not self.is_taken:
            return (violation("call_after_trumps", "COU-4.4", version, found="card", card=card),)
        self.upcard = card
        if self.is_taken and self.suit is None:
            self.suit = card[0]
        return place_turned(deal, card, 0, self.form.turned_rule, version)

    def _turn_bottom(self, card: str, deal: CouillonDeal, version: int) -> Violations:
        if self.suit is not None:
            return (violation("call_after_trumps", "COU-4.4", version, found="card", card=card),)
        found: list[Violation] = []
        if self.caller() is not None:
            found.append(violation("turned_at_wrong_moment", "COU-4.7", version, found="card", card=card))
        self.turned, self.suit = card, card[0]  # COU-4.7, 4.8
        return [*found, *place_turned(deal, card, -1, "COU-4.7", version)]

    def _turn_of_forehand(self, card: str, deal: CouillonDeal, version: int) -> Violations:
        if self.suit is not None:
            return (violation("turned_at_wrong_moment", "COU-4.13", version, found="card", card=card),)
        found: list[Violation] = []
        if not self.is_deferred:
            found.append(violation("turned_at_wrong_moment", "COU-4.13", version, found="card", card=card))
        self.turned, self.suit = card, card[0]  # COU-4.13, 4.16
        return [*found, *place_forehands(deal, card, version)]
