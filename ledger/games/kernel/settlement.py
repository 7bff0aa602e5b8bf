"""What a deal or the end of a match moves: score lines, and what they add up to.

`acyclic`: nothing of these can lead back to them, so that the garbage collector need not look at them when compiled.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

from mypy_extensions import mypyc_attr

from ledger.events import ScoreClaimed
from ledger.i18n import Words

Account: TypeAlias = int | Literal["pool", "vole_pool", "board"]
"""Who pays or is paid: a seat, the pool, the pool of a vole, which is empty between deals, or a board:
of points that nobody pays, or of bars to be wiped."""


@mypyc_attr(acyclic=True)
class ScoreLine:  # noqa: PLW1641  (nobody needs it as a key)
    """One payment: `amount` counters from `source` to `target`, because of `rule` (None where a ruling orders it)."""

    __slots__ = ("amount", "rule", "source", "target", "words")

    def __init__(self, rule: str | None, source: Account, target: Account, amount: int, words: Words) -> None:
        self.rule = rule
        self.source = source
        self.target = target
        self.amount = amount
        self.words = words

    def __repr__(self) -> str:
        return f"ScoreLine{self._fields()}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ScoreLine) and self._fields() == other._fields()

    def _fields(self) -> tuple[str | None, Account, Account, int, Words]:
        return self.rule, self.source, self.target, self.amount, self.words


@mypyc_attr(acyclic=True)
class Settlement:  # noqa: PLW1641
    """What one deal moved: `deltas` per seat, antes included, the pool before and after, and every payment."""

    __slots__ = ("deltas", "lines", "pool_after", "pool_before")

    def __init__(self, deltas: list[int], pool_before: int, pool_after: int, lines: list[ScoreLine]) -> None:
        self.deltas = deltas
        self.pool_before = pool_before
        self.pool_after = pool_after
        self.lines = lines

    def __repr__(self) -> str:
        return f"Settlement{self._fields()}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Settlement) and self._fields() == other._fields()

    def _fields(self) -> tuple[list[int], int, int, list[ScoreLine]]:
        return self.deltas, self.pool_before, self.pool_after, self.lines


@mypyc_attr(acyclic=True)
class Closing:
    """What the end of the match pays out."""

    __slots__ = ("deltas", "lines")

    def __init__(self, deltas: list[int], lines: list[ScoreLine]) -> None:
        self.deltas = deltas
        self.lines = lines


def comparison(*pairs: tuple[Words | None, Words | None]) -> dict[str, Any]:
    """The two lists of a finding. `pairs`: what the sheet says, None where it is silent, and what was computed, None
    where the record does not tell.
    """
    stated = [(said, computed) for said, computed in pairs if said is not None]
    return {
        "sheet": [said for said, _ in stated],
        "computed": [computed for _, computed in stated if computed is not None],
    }


def rest_comparison(claim: ScoreClaimed, pool_before: int, settlement: Settlement | None) -> dict[str, Any] | None:
    """What the changes and the change of the pool make in all, and the two lists of it; None where that is nothing, as
    it must be, or the sheet tells but one of them.
    """
    if claim.deltas is None or claim.pool is None:
        return None
    rest = sum(claim.deltas) + claim.pool - pool_before
    if not rest:
        return None
    deltas, pool = (None, None) if settlement is None else (settlement.deltas, settlement.pool_after)
    pairs = (deltas_words(claim.deltas), deltas_words(deltas)), (_pool_words(claim.pool), _pool_words(pool))
    return {"rest": rest} | comparison(*pairs, (sum_words(rest), sum_words(0)))


def amounts_comparison(
    claim: ScoreClaimed, deltas: Sequence[int], totals: Sequence[int], pool: int | None = None
) -> dict[str, Any]:
    """The changes, the pool after them and the totals, as far as the sheet tells them."""
    return comparison(
        (deltas_words(claim.deltas), deltas_words(deltas)),
        (None if pool is None else _pool_words(claim.pool), _pool_words(pool)),
        (amounts_words("sheet_totals", claim.totals), amounts_words("sheet_totals", totals)),
    )


def deltas_words(deltas: Sequence[int] | None) -> Words | None:
    """By how much each player's total changes."""
    return amounts_words("sheet_deltas", deltas)


def amounts_words(key: str, amounts: Sequence[int] | None) -> Words | None:
    """A sentence with the amount of each player; None where there are none."""
    if amounts is None:
        return None
    each = [Words("sheet_amount", {"seat": seat, "amount": amount}) for seat, amount in enumerate(amounts)]
    return Words(key, {"amounts": each})


def signed(amount: int) -> str:
    """A change as people write it: with its sign, nothing as 0."""
    return f"{amount:+d}" if amount else "0"


def bonuses_words(bonuses: Sequence[str]) -> Words:
    """The bonuses that were claimed, or are due."""
    return Words("sheet_bonuses", {"bonuses": list(bonuses)}) if bonuses else Words("sheet_no_bonus")


def sum_words(amount: int) -> Words:
    """What amounts make in all."""
    return Words("sheet_sum", {"amount": amount})


def _pool_words(pool: int | None) -> Words | None:
    return None if pool is None else Words("sheet_pool", {"pool": pool})


def totals_after(totals: Sequence[int], deltas: Sequence[int]) -> tuple[int, ...]:
    """Return the totals that these changes make."""
    return tuple([total + delta for total, delta in zip(totals, deltas, strict=True)])
