"""The match of a game of payments: totals, a pool, and the lines that add up to them.

A game states its antes, payments and closing; this class adds them up and applies rulings.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

from mypy_extensions import mypyc_attr

from ledger.events import RulingGiven, ScoreClaimed
from ledger.games.kernel.findings import Decision, Violation
from ledger.games.kernel.match import Match
from ledger.games.kernel.settlement import Account, Closing, ScoreLine, Settlement
from ledger.games.kernel.views import DealStatus
from ledger.i18n import Words


@mypyc_attr(allow_interpreted_subclasses=True)
class PaymentMatch(Match):
    """Totals and pool of one match. Between `begin` and `settle` a deal is in progress.

    `counterpart`: the account that pays or gets what a ruling gives to all seats together or takes from them. `length`:
    the number of counted deals after which the match ends; 0: it ends when it is closed.
    """

    counterpart: ClassVar[Account] = "pool"

    def __init__(self, seats: int, length: int = 0, start_total: int = 0, start_pool: int = 0) -> None:
        self.seats = seats
        self.length = length
        self.totals = [start_total] * seats
        self.pool = start_pool
        self.deals_counted = 0
        self.last_dealer = None
        self.last_counted_dealer: int | None = None
        self.is_redeal = False
        self.dealer = 0
        self.antes: list[ScoreLine] = []
        self.is_over = False
        self.is_closed = False

    @abstractmethod
    def ante_lines(self, dealer: int) -> list[ScoreLine]:
        """Return the antes of a deal that is not a redeal."""

    @abstractmethod
    def payment_lines(self, outcome: Any, dealer: int, pool: int) -> list[ScoreLine]:
        """Return the payments for an outcome; `pool` includes the antes."""

    @abstractmethod
    def closing_lines(self) -> list[ScoreLine]:
        """Return what the end of the match pays out of the pool."""

    def begin(self, dealer: int) -> None:
        """Begin a deal: the antes are due unless it replaces a voided deal."""
        self.dealer = dealer
        self.antes = [] if self.is_redeal or self._is_ended() else self.ante_lines(dealer)

    def _is_ended(self) -> bool:
        """Return whether a deal moves nothing any more."""
        return self.is_over and not self.scores_after_end

    def progress(self) -> Settlement:
        """Return what the deal in progress has moved so far, i.e. its antes."""
        return self._settlement(self.antes)

    def stake(self) -> Settlement:
        """Carry over the antes of a deal in which the record ends."""
        return self._carry(self.progress())

    def _carry(self, settlement: Settlement) -> Settlement:
        for seat, delta in enumerate(settlement.deltas):
            self.totals[seat] += delta
        self.pool = settlement.pool_after
        return settlement

    def computed(self, outcome: Any) -> Settlement:
        """Return what the deal in progress moves by the rules alone."""
        if self._is_ended():
            return self._settlement([])
        pool = self.pool
        for ante in self.antes:
            pool += ante.amount
        return self._settlement(self.antes + self.payment_lines(outcome, self.dealer, pool))

    def settle(
        self, status: DealStatus, outcome: Any | None, decision: Decision | None
    ) -> tuple[DealStatus, Settlement]:
        """End the deal in progress, by a ruling in force or else by its outcome."""
        if self._is_ended():
            return status, self._settlement([])
        status, settlement = self._decided(status, outcome, decision)
        self._carry(settlement)
        self.last_dealer = self.dealer
        self.is_redeal = status == "voided"
        if status in ("complete", "unscorable"):
            self.deals_counted += 1
            self.last_counted_dealer = self.dealer
        if self.deals_counted == self.length > 0:
            self.is_over = True
        return status, settlement

    def _decided(
        self, status: DealStatus, outcome: Any | None, decision: Decision | None
    ) -> tuple[DealStatus, Settlement]:
        kind = None if decision is None else decision.ruling.kind
        if decision is not None and kind == "replace":
            return "complete", self._replaced(decision.ruling)
        if status == "voided" or kind == "void":
            return "voided", self.progress()
        if status == "complete" and outcome is not None:
            return "complete", self.computed(outcome)
        if decision is not None and kind == "accept" and decision.sheet is not None:
            deltas = self.accepted_deltas(decision.sheet)
            if deltas is not None:
                return "complete", self._ordered(deltas, decision.ruling.rule, "ruling_accept")
        return "unscorable", self.progress()

    def _replaced(self, ruling: RulingGiven) -> Settlement:
        return self._ordered(ruling.deltas or (), ruling.rule, "ruling_replace")

    def accepted_deltas(self, claim: ScoreClaimed) -> Sequence[int] | None:
        """Return the changes of the totals by an accepted score sheet; None if it does not state them."""
        return claim.deltas

    def _ordered(self, deltas: Sequence[int], rule: str | None, why: str) -> Settlement:
        """Return the settlement that a ruling orders, as lines from those who lose to those who gain."""
        balances: list[tuple[Account, int]] = [*enumerate(deltas), (self.counterpart, -sum(deltas))]
        owing = [[place, -amount] for place, amount in balances if amount < 0]
        due = [[place, amount] for place, amount in balances if amount > 0]
        lines = []
        while owing and due:
            amount = min(owing[0][1], due[0][1])
            lines.append(ScoreLine(rule, owing[0][0], due[0][0], amount, Words(why)))  # type: ignore[arg-type]
            for side in (owing, due):
                side[0][1] -= amount  # type: ignore[operator]
                if not side[0][1]:
                    side.pop(0)
        return self._settlement(lines)

    def _settlement(self, lines: list[ScoreLine]) -> Settlement:
        deltas = [0] * self.seats
        pool = self.pool
        for line in lines:
            source, target, amount = line.source, line.target, line.amount
            if isinstance(source, int):
                deltas[source] -= amount
            elif source == "pool":
                pool -= amount
            if isinstance(target, int):
                deltas[target] += amount
            elif target == "pool":
                pool += amount
        return Settlement(deltas, self.pool, pool, lines)

    def adjust(self, deltas: Sequence[int], pool: int) -> None:
        """Apply a director's adjustment at its place in the record."""
        for seat, delta in enumerate(deltas):
            self.totals[seat] += delta
        self.pool += pool

    def close(self) -> Closing | None:
        """End the match, once."""
        self.is_over = True
        if self.is_closed:
            return None
        self.is_closed = True
        settlement = self._carry(self._settlement(self.closing_lines()))
        return Closing(settlement.deltas, settlement.lines)

    def state(self) -> dict[str, Any]:
        """Return the pool."""
        return {"pool": self.pool}

    def winners(self) -> list[int]:
        """Return all seats with the highest total."""
        best = max(self.totals)
        return [seat for seat, total in enumerate(self.totals) if total == best]

    def compare_accepted(self, claim: ScoreClaimed, accepted: ScoreClaimed, version: int) -> Sequence[Violation]:
        """Compare a later sheet with the amounts of the accepted one, which itself need only add up."""
        deltas = None if claim is accepted else self.accepted_deltas(accepted)
        if deltas is None:
            return self.compare(claim, None, version)
        return self.compare_amounts(claim, self._ordered(deltas, None, "ruling_accept"), version)

    def compare_ruled(self, claim: ScoreClaimed, ruling: RulingGiven, version: int) -> Sequence[Violation]:
        """Return the differences between a score sheet and the amounts of a ruling."""
        return () if self._is_ended() else self.compare_amounts(claim, self._replaced(ruling), version)

    def compare_amounts(self, claim: ScoreClaimed, settlement: Settlement, version: int) -> Sequence[Violation]:
        """Return the differences between a score sheet and these amounts, whatever it says about their origin."""
        return ()


def shared_pool_lines(pool: int, seats: int, last_dealer: int, share_rule: str, odd_rule: str) -> list[ScoreLine]:
    """Share out a pool: equal parts by seat, then the odd counters, one each to the seats after the last dealer."""
    share, rest = divmod(pool, seats)
    after_dealer = [(last_dealer + step) % seats for step in range(1, rest + 1)]
    equal = [
        ScoreLine(share_rule, "pool", seat, share, Words("final_share"))
        if share > 0
        else ScoreLine(share_rule, seat, "pool", -share, Words("final_share"))  # a ruling can put the pool into debt
        for seat in range(seats)
        if share
    ]
    return equal + [ScoreLine(odd_rule, "pool", seat, 1, Words("final_odd_counter")) for seat in after_dealer]
