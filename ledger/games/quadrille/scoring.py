"""The payments of a Quadrille deal: pure functions from outcome, options and pool to score lines (QUA section 7)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ledger.events import BidMade, Event
from ledger.games.kernel.settlement import Account, ScoreLine
from ledger.games.quadrille.options import QuadrilleOptions
from ledger.games.quadrille.outcome import QuadrilleOutcome
from ledger.games.quadrille.pack import BIDS, SEATS
from ledger.i18n import Words

BONUSES: Final = frozenset(("matadors", "premiers", "vole_made", "vole_failed", "consolation", "solo_bonus"))
"""The payments that a score sheet lists as bonuses (QUA-11.51, 11.52)."""

_ANTE: Final = Words("ante")

OWN_TRICKS_TO_SHARE: Final = 3  # QUA-7.11


def unit(pool: int, options: QuadrilleOptions) -> int:
    """Return U, the unit of a deal with `pool` points in the pool after the antes (QUA-3.6)."""
    return -(-pool // SEATS) if options.unit_rounding == "up" else pool // SEATS


def ante_lines(dealer: int, options: QuadrilleOptions) -> list[ScoreLine]:
    """Return the antes of a deal (QUA-3.4)."""
    if options.ante_by == "dealer":
        return [ScoreLine("QUA-3.4", dealer, "pool", SEATS * options.ante, _ANTE)]
    return [ScoreLine("QUA-3.4", seat, "pool", options.ante, _ANTE) for seat in range(SEATS)]


def payment_lines(outcome: QuadrilleOutcome, options: QuadrilleOptions, pool: int) -> list[ScoreLine]:
    """Return the payments of one deal in the order of QUA-7.32, without those of 0 (QUA-7.31)."""
    if outcome.ombre is None:
        return []  # QUA-4.17
    return _Payments(outcome, outcome.ombre, options, pool).lines()


def bonuses(lines: Sequence[ScoreLine]) -> frozenset[str]:
    """Return the bonuses that the lines pay, in either direction."""
    return frozenset(line.words.key for line in lines) & BONUSES


class _Payments:
    """The amounts of one deal, named as in QUA section 7."""

    __slots__ = ("is_shared", "is_won", "made", "ombre", "opponents", "options", "outcome", "partner", "pool", "unit")

    def __init__(self, outcome: QuadrilleOutcome, ombre: int, options: QuadrilleOptions, pool: int) -> None:
        self.outcome = outcome
        self.options = options
        self.ombre = ombre
        self.partner = outcome.partner
        around = [(ombre + step) % SEATS for step in range(1, SEATS)]
        self.opponents = [seat for seat in around if seat != self.partner]  # QUA-7.6
        self.pool = pool
        self.unit = unit(pool, options)
        self.is_won = outcome.result == "win"
        self.is_shared = self._shares_loss()
        self.made: list[ScoreLine] = []

    def _shares_loss(self) -> bool:
        """Return whether the partner shares the loss (QUA-7.10, 7.11)."""
        if self.partner is None or self.is_won:
            return False
        if self.outcome.contract == "forced":
            return True
        return (
            self.options.alliance_loss == "shared_if_three" and self.outcome.tricks[self.ombre] >= OWN_TRICKS_TO_SHARE
        )

    def lines(self) -> list[ScoreLine]:
        outcome, options = self.outcome, self.options
        self._vole_stakes()
        if self.is_won:
            self._win_pool()
        else:
            self._lose_pool()
        self._bonus("QUA-7.20", "matadors", outcome.matadors, to_side=self.is_won)
        self._bonus("QUA-7.21", "premiers", int(outcome.premiers), to_side=True)
        if outcome.vole == "made":
            self._bonus("QUA-7.22", "vole_made", 2, to_side=True)
        elif outcome.vole == "failed":
            self._bonus("QUA-7.23", "vole_failed", 2, to_side=False)
        self._bonus("QUA-7.24", "consolation", options.consolation_units, to_side=self.is_won)
        if outcome.contract in ("solo", "vole"):
            self._bonus("QUA-7.25", "solo_bonus", options.solo_units, to_side=self.is_won)
        self._vole_pool()
        return self.made

    def _pay(self, rule: str, source: Account, target: Account, amount: int, reason: str) -> None:
        if amount:
            self.made.append(ScoreLine(rule, source, target, amount, Words(reason)))

    def _win_pool(self) -> None:
        if self.partner is None:
            self._pay("QUA-7.12", "pool", self.ombre, self.pool, "pool_win")
            return
        half, odd = divmod(self.pool, 2)
        extra = odd if self.options.odd_point == "ombre" else 0  # QUA-7.14
        self._pay("QUA-7.13", "pool", self.ombre, half + extra, "pool_win")
        self._pay("QUA-7.13", "pool", self.partner, half, "pool_win")

    def _lose_pool(self) -> None:
        if self.outcome.result == "remise":
            self._refill("QUA-7.15", self.pool, "remise")
            return
        each, rest = divmod(self.pool, len(self.opponents))
        for seat in self.opponents:
            self._pay("QUA-7.16", "pool", seat, each, "codille_share")
        left_in_pool = rest if self.options.codille_refill == "to_double" else 0  # QUA-7.17, 7.18
        self._refill("QUA-7.18", 2 * self.pool - left_in_pool, "codille_payment")

    def _refill(self, rule: str, amount: int, reason: str) -> None:
        """Pay the loss into the pool (QUA-7.9, 7.19)."""
        if self.is_shared and self.partner is not None:
            self._pay("QUA-7.19", self.ombre, "pool", amount - amount // 2, reason)
            self._pay("QUA-7.19", self.partner, "pool", amount // 2, reason)
        else:
            self._pay(rule, self.ombre, "pool", amount, reason)

    def _bonus(self, rule: str, reason: str, units: int, *, to_side: bool) -> None:
        """Pay `units` from each opponent to the side, or to each opponent (QUA-7.7 to 7.10)."""
        amount = units * self.unit
        for place, opponent in enumerate(self.opponents):
            if to_side:
                receiver = self.ombre if self.partner is None or place == 0 else self.partner
                self._pay(rule, opponent, receiver, amount, reason)
            else:
                both_pay = self.partner is not None and (self.is_won or self.is_shared)
                payer = self.partner if both_pay and place == 1 and self.partner is not None else self.ombre
                self._pay(rule, payer, opponent, amount, reason)

    def _vole_stakes(self) -> None:
        if not self.outcome.vole:
            return
        rule = "QUA-4.14" if self.outcome.contract == "vole" else "QUA-6.19"
        for seat in range(SEATS):
            self._pay(rule, seat, "vole_pool", self.options.vole_stake, "vole_stake")

    def _vole_pool(self) -> None:
        """Pay out the vole pool (QUA-7.28 to 7.30)."""
        vole_pool = SEATS * self.options.vole_stake
        if self.outcome.vole == "made":
            share = vole_pool if self.partner is None else vole_pool // 2
            self._pay("QUA-7.28", "vole_pool", self.ombre, share, "vole_pool")
            if self.partner is not None:
                self._pay("QUA-7.28", "vole_pool", self.partner, share, "vole_pool")
        elif self.outcome.vole == "failed":
            each, rest = divmod(vole_pool, len(self.opponents))
            for seat in self.opponents:
                self._pay("QUA-7.29", "vole_pool", seat, each, "vole_pool")
            self._pay("QUA-7.29", "vole_pool", "pool", rest, "vole_pool_rest")


def stakes(event: Event, options: QuadrilleOptions) -> Words | None:
    """Return the words for what a call undertakes (QUA-4.2 to 4.4), with the stake of a vole (QUA-4.14)."""
    if not isinstance(event, BidMade) or event.call not in BIDS:
        return None
    return Words(f"stakes.{event.call}", {"stake": options.vole_stake} if event.call == "vole" else {})
