"""Amounts that a deal or the end of a match moves: score lines and their sums, and their comparison with score sheets.

`acyclic`: nothing in these objects can refer back to them, so the garbage collector need not track them when compiled.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

from mypy_extensions import mypyc_attr

from ledger.events import ScoreClaimed
from ledger.i18n import Words

Account: TypeAlias = int | Literal["pool", "vole_pool", "board"]
"""A payer or payee: a seat, the pool, the pool of a vole, or a board.

The pool of a vole is empty between deals. A board has points that nobody pays, or bars to be struck.
"""


@mypyc_attr(acyclic=True)
class ScoreLine:  # noqa: PLW1641  (nobody needs it as a key)
    """One payment: `amount` counters from `source` to `target` because of `rule` (None if a ruling orders it)."""

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
    """The effect of one deal: `deltas` per seat, antes included, the pool before and after, and every payment."""

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
    """The payments at the end of a match."""

    __slots__ = ("deltas", "lines")

    def __init__(self, deltas: list[int], lines: list[ScoreLine]) -> None:
        self.deltas = deltas
        self.lines = lines


def comparison(*pairs: tuple[Words | None, Words | None]) -> dict[str, Any]:
    """Return the two lists of values of a finding on a score sheet, `sheet` and `computed`.

    `pairs`: the sheet's words, None if it says nothing, and the computed ones, None if the record does not show them.
    """
    stated = [(said, computed) for said, computed in pairs if said is not None]
    return {
        "sheet": [said for said, _ in stated],
        "computed": [computed for _, computed in stated if computed is not None],
    }


def rest_comparison(claim: ScoreClaimed, pool_before: int, settlement: Settlement | None) -> dict[str, Any] | None:
    """Return the sum of the changes and of the pool's change, with the two lists of values, if that sum is not 0.

    Return None if it is 0, as it must be, or if the sheet lacks one of the two.
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
    """Compare the changes, the pool after them and the totals, as far as the sheet states them."""
    return comparison(
        (deltas_words(claim.deltas), deltas_words(deltas)),
        (None if pool is None else _pool_words(claim.pool), _pool_words(pool)),
        (amounts_words("sheet_totals", claim.totals), amounts_words("sheet_totals", totals)),
    )


def deltas_words(deltas: Sequence[int] | None) -> Words | None:
    """Put the change of each player's total into words."""
    return amounts_words("sheet_deltas", deltas)


def amounts_words(key: str, amounts: Sequence[int] | None) -> Words | None:
    """Put the amount of each player into a sentence of the catalogue; return None if there are none."""
    if amounts is None:
        return None
    each = [Words("sheet_amount", {"seat": seat, "amount": amount}) for seat, amount in enumerate(amounts)]
    return Words(key, {"amounts": each})


def signed(amount: int) -> str:
    """Format a change with its sign; nothing is 0."""
    return f"{amount:+d}" if amount else "0"


def bonuses_words(bonuses: Sequence[str]) -> Words:
    """Put claimed or due bonuses into words."""
    return Words("sheet_bonuses", {"bonuses": list(bonuses)}) if bonuses else Words("sheet_no_bonus")


def sum_words(amount: int) -> Words:
    """Put a sum into words."""
    return Words("sheet_sum", {"amount": amount})


def _pool_words(pool: int | None) -> Words | None:
    return None if pool is None else Words("sheet_pool", {"pool": pool})


def totals_after(totals: Sequence[int], deltas: Sequence[int]) -> tuple[int, ...]:
    """Return the totals after these changes."""
    return tuple([total + delta for total, delta in zip(totals, deltas, strict=True)])
