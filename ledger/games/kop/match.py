"""The state carried from deal to deal, and the comparison with score sheets (KOP sections 7, 8)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, TypeAlias, get_args

import msgspec
from mypy_extensions import mypyc_attr

from ledger.events import ScoreClaimed
from ledger.games.kernel.findings import Violation
from ledger.games.kernel.payments import PaymentMatch
from ledger.games.kernel.settlement import (
    Account,
    Closing,
    ScoreLine,
    Settlement,
    amounts_words,
    comparison,
    deltas_words,
    signed,
    sum_words,
    totals_after,
)
from ledger.games.kop.deal import KopDeal
from ledger.games.kop.facts import bidder_of, effective_doublings
from ledger.games.kop.irregularities import violation
from ledger.games.kop.options import KopOptions
from ledger.games.kop.outcome import KopOutcome, KopSheet
from ledger.games.kop.pack import SEATS, Contract
from ledger.games.kop.scoring import game_points, payment_lines
from ledger.i18n import Words

Transfers: TypeAlias = Counter[tuple[Account, Account]]
"""The total amounts by payer and payee."""


@mypyc_attr(allow_interpreted_subclasses=True)  # a match is copied to try acts on
class KopMatch(PaymentMatch):
    """The match of Kop: totals start at 0 (KOP-8.1) and always add up to 0 (KOP-8.2); there is no pool (KOP-8.8)."""

    scores_after_end: ClassVar[bool] = True  # KOP-11.71

    def __init__(self, options: KopOptions, seats: int) -> None:
        super().__init__(seats, options.match_length)  # KOP-8.6
        self.options = options
        self.deal = KopDeal(options, 0)

    def start_deal(self, dealer: int) -> KopDeal:
        """Begin a deal and return its state machine."""
        self.begin(dealer)
        self.deal = KopDeal(self.options, dealer)
        return self.deal

    def wrong_dealer(self, dealer: int, version: int) -> Violation:
        """Return the violation for a deal by the wrong seat (KOP-3.2, 8.4)."""
        rule = "KOP-8.4" if self.is_redeal else "KOP-3.2"
        return violation("wrong_dealer", rule, version, dealer, due=self.expected_dealer())

    def after_match(self, seat: int | None, version: int) -> Violation:
        """Return the violation for an act after the end of the match (KOP-8.6)."""
        return violation("after_match", "KOP-8.6", version, seat)

    def ante_lines(self, dealer: int) -> list[ScoreLine]:
        """Return no lines: there are no antes (KOP-3.7)."""
        return []  # KOP-3.7

    def payment_lines(self, outcome: KopOutcome, dealer: int, pool: int) -> list[ScoreLine]:
        """Return the payments for an outcome; their words name the doublings that count."""
        return payment_lines(outcome, self.options, effective_doublings(self.deal) if outcome.doublings else ())

    def closing_lines(self) -> list[ScoreLine]:
        """Return no lines: there is no pool to pay out (KOP-8.8)."""
        return []  # KOP-8.8

    def accepted_deltas(self, claim: ScoreClaimed) -> Sequence[int] | None:
        """Return the changes by a sheet's deltas, payments or totals (KOP section 10) if they add up to 0 (KOP-8.2)."""
        deltas: Sequence[int] | None = claim.deltas
        if deltas is None and (payments := msgspec.convert(claim.sheet or {}, KopSheet).payments) is not None:
            paid = _transfers((payment.source, payment.target, payment.amount) for payment in payments)
            deltas = [_delta(paid, seat) for seat in range(SEATS)]
        elif deltas is None and claim.totals is not None:
            deltas = [total - before for total, before in zip(claim.totals, self.totals, strict=True)]
        return None if deltas is None or sum(deltas) != 0 else deltas

    def close(self) -> Closing | None:
        """End the match when the session is closed (KOP-8.5); nothing is paid out."""
        self.is_over = True
        return None

    def state(self) -> dict[str, Any]:
        """Return nothing: only the totals are carried over."""
        return {}

    def compare(self, claim: ScoreClaimed, outcome: KopOutcome | None, version: int) -> Sequence[Violation]:
        """Return the differences between a sheet and the deal; without an outcome, only whether the sheet adds up."""
        if outcome is None:
            return self._compare_sum(claim, None, version)
        sheet, settlement = msgspec.convert(claim.sheet or {}, KopSheet), self.computed(outcome)
        violations: list[Violation] = []
        points = game_points(outcome, self.options)
        if sheet.game_points not in (None, points):
            both = comparison((_points_words(sheet.game_points), _points_words(points)))
            violations.append(violation("wrong_game_points", "KOP-7.12", version, None, None, points=points, **both))
        violations.extend(self._compare_amounts(claim, sheet, settlement, version))
        violations.extend(_facts(sheet, outcome, bidder_of(self.deal), version))
        return [*violations, *self._compare_sum(claim, settlement, version)]

    def compare_amounts(self, claim: ScoreClaimed, settlement: Settlement, version: int) -> Sequence[Violation]:
        """Return differing amounts, in whatever pairs they are paid."""
        sheet = msgspec.convert(claim.sheet or {}, KopSheet)
        violations = self._compare_amounts(claim, sheet, settlement, version)
        violations = [one for one in violations if one.words.key != "other_pairing"]
        return [*violations, *self._compare_sum(claim, settlement, version)]

    def _compare_sum(self, claim: ScoreClaimed, settlement: Settlement | None, version: int) -> list[Violation]:
        """Return a sum that is not 0 (KOP-11.63): one report for one sheet (KOP-11.75)."""
        deltas = None if settlement is None else settlement.deltas
        totals = None if deltas is None else totals_after(self.totals, deltas)
        stated = ("sheet_deltas", claim.deltas, deltas, "KOP-7.18"), ("sheet_totals", claim.totals, totals, "KOP-8.2")
        for key, amounts, computed, rule in stated:
            if amounts is not None and sum(amounts) != 0:
                rest = sum(amounts)
                both = comparison(
                    (amounts_words(key, amounts), amounts_words(key, computed)), (sum_words(rest), sum_words(0))
                )
                return [violation("not_zero_sum", rule, version, None, None, rest=rest, **both)]
        return []

    def _compare_amounts(
        self, claim: ScoreClaimed, sheet: KopSheet, settlement: Settlement, version: int
    ) -> list[Violation]:
        """Return one violation for each seat whose amounts are wrong (KOP-11.61, 11.62 and 11.64)."""
        violations: list[Violation] = []
        paid = None if sheet.payments is None else _transfers((p.source, p.target, p.amount) for p in sheet.payments)
        is_paid_wrong = False
        of_deltas = _deltas_comparison(claim, paid, settlement.deltas)
        for seat, delta in enumerate(settlement.deltas):
            is_claimed_wrong = claim.deltas is not None and claim.deltas[seat] != delta
            has_paid_wrong = paid is not None and _delta(paid, seat) != delta
            is_paid_wrong = is_paid_wrong or has_paid_wrong
            if is_claimed_wrong or has_paid_wrong:
                stated = (
                    claim.deltas[seat] if claim.deltas is not None and is_claimed_wrong else _delta(paid or {}, seat)
                )
                amounts = {"delta": delta, "expected": signed(delta), "stated": signed(stated)}
                violations.append(violation("wrong_delta", "KOP-7.16", version, seat, None, **amounts, **of_deltas))
        due = _transfers((line.source, line.target, line.amount) for line in settlement.lines)
        if paid is not None and paid != due and not is_paid_wrong:
            both = {"sheet": _payments_words(paid), "computed": _payments_words(due)}
            violations.append(violation("other_pairing", "KOP-7.14", version, None, None, **both))
        if claim.totals is not None:
            totals = totals_after(self.totals, settlement.deltas)
            both = comparison((amounts_words("sheet_totals", claim.totals), amounts_words("sheet_totals", totals)))
            for seat, total in enumerate(totals):
                if claim.totals[seat] != total:
                    amounts = {"total": total, "expected": signed(total), "stated": signed(claim.totals[seat])}
                    violations.append(violation("wrong_total", "KOP-8.1", version, seat, None, **amounts, **both))
        return violations


def _deltas_comparison(claim: ScoreClaimed, paid: Transfers | None, deltas: Sequence[int]) -> dict[str, Any]:
    """Compare the changes that are written down, and those that the payments make."""
    if paid is None:
        by_payments = None
    else:
        key = "sheet_deltas" if claim.deltas is None else "sheet_paid"
        by_payments = amounts_words(key, [_delta(paid, seat) for seat in range(SEATS)]), amounts_words(key, deltas)
    return comparison((deltas_words(claim.deltas), deltas_words(deltas)), by_payments or (None, None))


def _transfers(payments: Iterable[tuple[Account, Account, int]]) -> Transfers:
    """Return the total amounts by payer and payee; zero amounts are left out."""
    transfers: Transfers = Counter()
    for source, target, amount in payments:
        transfers[source, target] += amount
    return Counter({pair: amount for pair, amount in transfers.items() if amount})


def _delta(transfers: Mapping[tuple[Account, Account], int], seat: int) -> int:
    """Return what the seat receives less what it pays (KOP-7.16)."""
    return sum(amount * ((target == seat) - (source == seat)) for (source, target), amount in transfers.items())


def _facts(sheet: KopSheet, outcome: KopOutcome, bidder: int | None, version: int) -> list[Violation]:
    """Return one violation for a wrong contract, partner or winner (KOP-11.65)."""
    is_alone = len(outcome.declarers) == 1
    wrong_contract = sheet.contract is not None and _word(sheet.contract) != outcome.contract
    wrong_partner = sheet.partner is not None and (
        is_alone or sheet.partner not in outcome.declarers or sheet.partner == bidder
    )
    side = sheet.winning_side
    if wrong_contract or wrong_partner or side not in (None, outcome.winning_side):
        rule = "KOP-5.2" if wrong_contract or wrong_partner else _rule_of_result(outcome)
        both = comparison(
            (_contract_words(sheet.contract), Words("sheet_contract", {"contract": outcome.contract})),
            (None if sheet.partner is None else _players_words([sheet.partner]), _players_words(outcome.declarers)),
            (None if side is None else Words("sheet_winning_side", {"winning_side": side}), _winner_words(outcome)),
        )
        values = {"contract": outcome.contract, "winning_side": outcome.winning_side}
        return [violation("wrong_result", rule, version, None, None, **values, **both)]
    return []


def _points_words(points: int) -> Words:
    return Words("sheet_game_points", {"points": points})


def _contract_words(contract: str | None) -> Words | None:
    if contract is None:
        return None
    is_known = _word(contract) in get_args(Contract)
    return Words("sheet_contract", {"contract": _word(contract)}) if is_known else Words("sheet_no_contract")


def _players_words(seats: Sequence[int]) -> Words:
    """Name the partner on the sheet, or the whole declarer side."""
    key = "sheet_partner" if len(seats) == 1 else "sheet_side"
    return Words(key, {"players": [Words("sheet_player", {"seat": seat}) for seat in seats]})


def _winner_words(outcome: KopOutcome) -> Words:
    """Name the side that won, and its players."""
    won = [seat for seat in range(SEATS) if (seat in outcome.declarers) == outcome.declarer_wins]
    players = [Words("sheet_player", {"seat": seat}) for seat in won]
    return Words("sheet_winner", {"winning_side": outcome.winning_side, "players": players})


def _payments_words(transfers: Transfers) -> list[Words]:
    payments = [
        Words("sheet_payment", {"seat": source, "winner": target, "amount": amount})
        for (source, target), amount in sorted(transfers.items(), key=str)
    ]
    return payments or [Words("sheet_no_payment")]


def _rule_of_result(outcome: KopOutcome) -> str:
    """Return the rule by which the deal was won or lost."""
    if outcome.contract == "baska":
        return "KOP-7.6"
    if outcome.contract.endswith("_du"):
        return "KOP-7.5"
    return "KOP-7.3" if outcome.declarer_wins else "KOP-7.4"


def _word(text: str) -> str:
    """Normalise the spelling of a contract: `Zolo du` is `zolo_du`."""
    return text.strip().casefold().replace(" ", "_").replace("ś", "s")
