"""What a deal or the end of a match moves: score lines, and what they add up to.

`acyclic`: nothing of these can lead back to them, so that the garbage collector need not look at them when compiled.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from mypy_extensions import mypyc_attr

from ledger.i18n import Words

Place: TypeAlias = int | Literal["pool", "vole_pool", "board"]
"""Who pays or is paid: a seat, the pool, the pool of a vole, which is empty between deals, or a board:
of points that nobody pays, or of bars to be wiped."""


@mypyc_attr(acyclic=True)
class ScoreLine:  # noqa: PLW1641  (nobody needs it as a key)
    """One payment: `amount` counters from `source` to `target`, because of `rule` (None where a ruling orders it)."""

    __slots__ = ("amount", "rule", "source", "target", "words")

    def __init__(self, rule: str | None, source: Place, target: Place, amount: int, words: Words) -> None:
        self.rule = rule
        self.source = source
        self.target = target
        self.amount = amount
        self.words = words

    def __repr__(self) -> str:
        return f"ScoreLine{self._fields()}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ScoreLine) and self._fields() == other._fields()

    def _fields(self) -> tuple[str | None, Place, Place, int, Words]:
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
