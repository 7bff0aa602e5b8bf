"""The tables of measured coverage as they stand in docs/statistics.md."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from tools.coverage.measuring import POINTS, REST, SAMPLES, SAMPLES_TO_BOOTSTRAP, SIZES, SIZES_OF, TABLES, Coverage

PAGE: Final = Path(__file__).parents[2] / "docs" / "statistics.md"
ENOUGH: Final = 0.93
"""Of a 95 % interval: the share that has to hold the true mean."""

ERROR: Final = 0.005
"""Of a share among so many samples, at 95 %."""

MINIMA: Final = {"points": POINTS, **{kind: (kind,) for kind in REST}}
"""What has a minimum of its own in a game, and what was measured for it."""

_HEADING: Final = "### Measured coverage\n"
_NEXT: Final = "\n## "
_SHOWN: Final = "as statistics show it"


def with_coverage(page: str, found: Sequence[Coverage]) -> str:
    """The page with its part on coverage written anew."""
    before, heading, after = page.partition(_HEADING)
    assert heading, f"the page has no line {_HEADING!r}"
    _, following, rest = after.partition(_NEXT)
    return before + heading + "\n" + "\n".join(_section(found)) + "\n" + following + rest


def minima(found: Iterable[Coverage], kinds: Sequence[str]) -> dict[str, int | None]:
    """By game, from how many deals on enough of the shown intervals hold the true mean, whatever is told of whoever
    plays. None where none of the sizes is enough.

    A larger size may fall short by the error of the measurement.
    """
    by_game: dict[str, list[dict[int, float]]] = {}
    for one in found:
        if one.kind in kinds and one.method is None:
            by_game.setdefault(one.game, []).append(one.shares)
    return {game: _minimum(_lowest(shares)) for game, shares in by_game.items()}


def _lowest(shares: Sequence[Mapping[int, float]]) -> dict[int, float]:
    return {size: min(share[size] for share in shares) for size in shares[0]}


def _minimum(lowest: Mapping[int, float]) -> int | None:
    for size, share in lowest.items():
        if share >= ENOUGH and all(lowest[more] >= ENOUGH - ERROR for more in lowest if more > size):
            return size
    return None


def _section(found: Sequence[Coverage]) -> Iterator[str]:
    yield f"""Per cent of {SAMPLES:,} samples whose 95 % interval holds the true mean, by the number of deals in a
sample; in brackets what is below {100 * ENOUGH:.0f} %. `python -m tools.coverage` measures it and writes these tables.
"""
    yield from _table(
        ["game", "who plays", "points of", *map(str, SIZES)],
        ([one.game, one.policy, _told(one), *_cells(one, SIZES)] for one in found if _is_shown(one, POINTS)),
    )
    yield """
The same of other means: what the seat that gained most made, by step of the ladder (`doublings`), cards and calls by
contract (`deal-lengths`).
"""
    yield from _table(
        ["game", "who plays", "mean of", *map(str, SIZES_OF["cards"])],
        ([one.game, one.policy, _told(one), *_cells(one, SIZES_OF["cards"])] for one in found if _is_shown(one, REST)),
    )
    yield """
The smallest number with which it is enough whoever plays and whatever is told; with more deals it may fall short by
0.5, the error of the measurement. Below it no interval is shown.
"""
    least = {kind: minima(found, kinds) for kind, kinds in MINIMA.items()}
    yield from _table(
        ["game", *MINIMA],
        ([game, *(str(least[kind].get(game, "")) for kind in MINIMA)] for game in least["points"]),
    )
    yield "\nWhole tables drawn, intervals by tables (`--by table`), by the number of tables:\n"
    yield from _table(
        ["game", "who plays", *map(str, TABLES)],
        ([one.game, one.policy, *_cells(one, TABLES)] for one in found if one.kind == "tables"),
    )
    yield """
The same where the company matters: everybody else plays blindly at one table and counts at the next, and whole tables
are drawn. Taken as independent, the deals of a table promise too much. Below five tables no interval by tables is
shown.
"""
    yield from _table(
        ["game", "who plays", "interval by", *map(str, TABLES)],
        ([one.game, one.policy, one.what, *_cells(one, TABLES)] for one in found if one.kind == "company"),
    )
    yield f"""
The methods that were weighed: of all rows of the first table the lowest. Bootstraps were tried on
{SAMPLES_TO_BOOTSTRAP:,} samples.
"""
    yield from _table(["method", *map(str, SIZES)], _methods(found))


def _methods(found: Iterable[Coverage]) -> Iterator[list[str]]:
    by_method: dict[str, list[Coverage]] = {}
    for one in found:
        if one.kind in POINTS:
            by_method.setdefault(one.method or _SHOWN, []).append(one)
    for method, measured in by_method.items():
        yield [method, *(_cell(min(one.shares[size] for one in measured)) for size in SIZES)]


def _is_shown(one: Coverage, kinds: Sequence[str]) -> bool:
    return one.method is None and one.kind in kinds


def _told(one: Coverage) -> str:
    return f"{one.kind}, {one.what}" if one.what else one.kind


def _cells(one: Coverage, sizes: Iterable[int]) -> Iterator[str]:
    return (_cell(one.shares.get(size)) for size in sizes)


def _cell(share: float | None) -> str:
    if share is None:
        return ""
    return f"{100 * share:.1f}" if share >= ENOUGH else f"({100 * share:.1f})"


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(heads)} |"
    yield "|" + "---|" * len(heads)
    for row in rows:
        yield f"| {' | '.join(row)} |"
