"""The payments of an Ombre deal: pure functions from outcome, options and pool to score lines (OMB section 7)."""

from __future__ import annotations

from typing import Final

from ledger.events import BidMade, Event
from ledger.games.kernel.matadors import PASS
from ledger.games.kernel.settlement import Account, ScoreLine
from ledger.games.ombre.options import OmbreOptions
from ledger.games.ombre.outcome import OmbreOutcome
from ledger.games.ombre.pack import Result, active_seats, neighbours
from ledger.i18n import Words

POOL_WON: Final = Words("pool_won")


def points_of(contract: str | None, options: OmbreOptions, *, is_favour: bool) -> int:
    """Return C, the points for the contract and for the favourite suit (OMB-7.5, 7.6)."""
    favour = options.favour_points if is_favour else 0
    if contract == "vuelta":
        return options.vuelta_points + favour
    return options.solo_points + favour if contract == "solo" else favour


def is_favoured(outcome: OmbreOutcome, options: OmbreOptions) -> bool:
    """Return whether the favourite suit is trumps, with or without a favour call (OMB-7.6)."""
    return options.favourite_suit is not None and outcome.trump == options.favourite_suit


def estuche_points(outcome: OmbreOutcome, options: OmbreOptions) -> int:
    """Return E, the points for the run of top trumps (OMB-7.8). An unknown run is not paid."""
    run = outcome.estuches
    return 0 if run is None or run < options.estuche_min else options.estuche_points * run


def may_pay_estuches(result: Result, most: int, options: OmbreOptions) -> bool:
    """Return whether a run of up to `most` top trumps can affect the payments (OMB-7.8, 7.30)."""
    return result != "DEFENDED_SAVED" and most >= options.estuche_min and options.estuche_points > 0


def payment_lines(outcome: OmbreOutcome, options: OmbreOptions, seats: int, dealer: int, pool: int) -> list[ScoreLine]:
    """Return the payments of one deal, without those of 0 (OMB-7.18 to 7.32)."""
    if outcome.ombre is None:
        return []  # OMB-7.32
    return _Payments(outcome, options, seats, dealer, pool).lines()


class _Payments:
    """The amounts of one deal, named as in OMB section 7. `pool` is P, including this deal's ante."""

    __slots__ = ("active", "c", "e", "loss", "made", "ombre", "options", "others", "outcome", "pool", "r")

    def __init__(self, outcome: OmbreOutcome, options: OmbreOptions, seats: int, dealer: int, pool: int) -> None:
        assert outcome.ombre is not None
        self.outcome = outcome
        self.options = options
        self.ombre = outcome.ombre
        self.pool = pool
        self.active = active_seats(seats, dealer)
        self.others = [seat for seat in range(seats) if seat != self.ombre]  # OMB-7.4
        self.c = points_of(outcome.contract, options, is_favour=is_favoured(outcome, options))
        self.e = estuche_points(outcome, options)
        self.r = options.primeras_points if outcome.primeras else 0  # OMB-7.9
        self.loss = pool + options.stake_per_player * seats  # L, the cost of losing (OMB-7.10)
        self.made: list[ScoreLine] = []

    def lines(self) -> list[ScoreLine]:
        result = self.outcome.result
        if result in ("SACADA", "SACADA_VOLE"):
            self._win(result)
        elif result == "SACADA_VOLE_FAILED":
            self._fail_vole()
        elif result == "CODILLE":
            self._codille()
        elif result in ("PUESTA", "SURRENDER"):
            self._pay("OMB-7.26", self.ombre, "pool", self.loss, Words("loss_to_pool", {"result": result}))
            self._pay_others("OMB-7.27")
        else:
            self._defended(result or "")
        return self.made

    def _pay(self, rule: str, source: Account, target: Account, amount: int, words: Words) -> None:
        if amount:
            self.made.append(ScoreLine(rule, source, target, amount, words))

    def _points(self, key: str, primeras: int = 0, vole: int = 0) -> Words:
        """Return the words for an amount with its parts, without those of 0."""
        favour = self.options.favour_points if is_favoured(self.outcome, self.options) else 0
        parts = {
            "contract": self.c - favour, "favour": favour, "estuches": self.e, "primeras": primeras, "vole": vole
        }  # fmt: skip
        words = [Words(f"points_{part}", {"points": points}) for part, points in parts.items() if points]
        return Words(key, {"points": words})

    def _win(self, result: str) -> None:
        vole = self.options.vole_points if result == "SACADA_VOLE" else 0
        rule = "OMB-7.19" if vole or result == "SACADA_VOLE" else "OMB-7.18"
        self._pay(rule, "pool", self.ombre, self.pool, POOL_WON)
        points, words = self.c + self.e + self.r + vole, self._points("won_from_other", self.r, vole)
        for seat in self.others:
            self._pay(rule, seat, self.ombre, points, words)

    def _fail_vole(self) -> None:
        primeras = self.r if self.options.failed_vole_keeps_primeras else 0
        if self.options.failed_vole_keeps_pool:
            self._pay("OMB-7.20", "pool", self.ombre, self.pool, POOL_WON)
        for seat in self.others:
            self._pay(
                "OMB-7.21", seat, self.ombre, self.c + self.e + primeras, self._points("won_from_other", primeras)
            )
        for seat in self.others:
            self._pay("OMB-7.22", self.ombre, seat, self.options.failed_vole_points, Words("vole_failed"))

    def _codille(self) -> None:
        right, left = neighbours(self.active, self.ombre)
        winner = right if self.outcome.tricks[right] > self.outcome.tricks[left] else left
        self._pay("OMB-7.23", self.ombre, winner, self.loss, Words("loss_to_winner"))
        self._pay_others("OMB-7.24")
        if self.options.codille_takes_pool:
            self._pay("OMB-7.25", "pool", winner, self.pool, Words("codille_pool"))

    def _pay_others(self, rule: str) -> None:
        words = self._points("lost_to_other")
        for seat in self.others:
            self._pay(rule, self.ombre, seat, self.c + self.e, words)

    def _defended(self, result: str) -> None:
        defender = self.outcome.defender
        assert defender is not None
        third = next(seat for seat in self.active if seat not in (self.ombre, defender))
        if result == "DEFENDED_WON":
            self._pay("OMB-7.28", self.ombre, defender, self.loss, Words("loss_to_defender"))
            self._pay_others("OMB-7.28")
            if self.options.defend_takes_pool:
                self._pay("OMB-7.28", "pool", defender, self.pool, Words("defender_pool"))
        elif result == "DEFENDED_CODILLE":
            self._pay("OMB-7.29", self.ombre, "pool", self.loss, Words("loss_to_pool", {"result": result}))
            self._pay("OMB-7.29", defender, third, self.loss, Words("defender_codille"))
            self._pay_others("OMB-7.29")
        elif result == "DEFENDED_SAVED":
            self._pay("OMB-7.30", defender, "pool", self.loss, Words("defender_loss"))
        else:
            self._pay("OMB-7.31", self.ombre, "pool", self.loss, Words("loss_to_pool", {"result": result}))
            self._pay("OMB-7.31", defender, "pool", self.loss, Words("defender_loss"))
            self._pay_others("OMB-7.31")


def bonuses(outcome: OmbreOutcome, options: OmbreOptions) -> frozenset[str]:
    """Return the bonuses that affect the payments, in either direction (OMB-10.24, 10.25)."""
    result = outcome.result
    if result in ("DEFENDED_SAVED", "ALL_PASS"):
        return frozenset()
    names = set()
    if outcome.contract in ("vuelta", "solo"):
        names.add(outcome.contract.upper())
    if is_favoured(outcome, options):
        names.add("FAVOUR")
    if outcome.estuches is not None and outcome.estuches >= options.estuche_min:
        names.add("ESTUCHES")
    keeps_primeras = result == "SACADA_VOLE_FAILED" and options.failed_vole_keeps_primeras
    if outcome.primeras and (result in ("SACADA", "SACADA_VOLE") or keeps_primeras):
        names.add("PRIMERAS")
    if result == "SACADA_VOLE":
        names.add("VOLE")
    if result == "SACADA_VOLE_FAILED":
        names.add("VOLE_FAILED")
    return frozenset(names)


def stakes(event: Event, options: OmbreOptions) -> Words | None:
    """Return the words for what a call is worth: the pool, and each player's payment (OMB-7.18)."""
    if not isinstance(event, BidMade) or event.call == PASS:
        return None
    contract, _, favour = event.call.partition("_")
    points = points_of(contract, options, is_favour=bool(favour))
    return Words("stakes.pool_and_each", {"points": points}) if points else Words("stakes.pool")
