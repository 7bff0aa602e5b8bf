"""The tables of measured coverage in docs/reference/statistics.md."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any, Final, TypeAlias

from tools.coverage.measuring import DEALS, DEALS_OF_FORM, MEANS, PAIRS, SAMPLES, SIZES, TABLES, Coverage

PAGE: Final = Path(__file__).parents[2] / "docs" / "reference" / "statistics.md"
ENOUGH: Final = 0.93
"""The share of 95 % intervals that must contain the true mean."""

FLOOR: Final = 10
FLOOR_OF_TABLES: Final = 5
"""Fewer deals, or tables, have no interval, whatever the measurement says."""

ERROR: Final = 0.005
"""The error of a share over that many samples, at 95 %."""

_HEADING: Final = "### Measured coverage\n"
_NEXT: Final = "\n## "

Shares: TypeAlias = dict[Any, float | None]


def with_coverage(page: str, coverages: Sequence[Coverage]) -> str:
    """Return the page with a current part on coverage."""
    before, heading, after = page.partition(_HEADING)
    assert heading, f"the page has no line {_HEADING!r}"
    _, following, rest = after.partition(_NEXT)
    return before + heading + "\n" + "\n".join(_section(coverages)) + "\n" + following + rest


def minima(coverages: Iterable[Coverage]) -> dict[str, dict[str, int | None]]:
    """Return, by mean and by game, the least number of deals from which enough intervals contain the true mean, in
    every form of the game, both clubs, and all of its cases. `None` if no measured size is enough.

    A larger size may fall short by the error of the measurement.
    """
    measured = list(coverages)
    games = dict.fromkeys(one.variant.partition(" ")[0] for one in measured)
    least: dict[str, dict[str, int | None]] = {mean: {} for mean in MEANS}
    for mean, game in product(MEANS, games):
        parts = [one for one in measured if one.kind == mean and one.variant.partition(" ")[0] == game]
        if parts:
            least[mean][game] = _least(parts, FLOOR)
    return least


def least_tables(coverages: Iterable[Coverage]) -> int | None:
    """Return the same for whole tables, over all games together."""
    return _least((one for one in coverages if one.kind == "by tables"), FLOOR_OF_TABLES)


def _shares(measured: Iterable[Coverage], *, of_each: bool = False) -> list[Shares]:
    """Return the shares of each measured case, over all players or, with `of_each`, by kind of player."""
    parts: dict[Any, list[Coverage]] = {}
    for one in measured:
        parts.setdefault((one.variant, one.club, one.what, one.who if of_each else ""), []).append(one)
    return [_over_players(coverages) for coverages in parts.values()]


def _over_players(coverages: Sequence[Coverage]) -> Shares:
    shares: Shares = {}
    for size in dict.fromkeys(size for one in coverages for size in one.shares):
        shown = [(share, one.amounts) for one in coverages if (share := one.shares.get(size)) is not None]
        every = sum(amounts for _, amounts in shown)
        shares[size] = sum(share * amounts for share, amounts in shown) / every if shown else None
    return shares


def _lowest(measured: Iterable[Coverage], *, of_each: bool = False) -> Shares:
    """Return, by size, the lowest share over all cases; `None` if no interval is shown."""
    lowest: Shares = {}
    for shares in _shares(measured, of_each=of_each):
        for size, share in shares.items():
            lowest[size] = min((one for one in (lowest.get(size), share) if one is not None), default=None)
    return lowest


def _least(measured: Iterable[Coverage], floor: int) -> int | None:
    """Return the size that is enough in all cases and no smaller than the floor."""
    sizes = [_minimum(shares) for shares in _shares(measured)]
    known = [size for size in sizes if size is not None]
    return max([floor, *known]) if len(known) == len(sizes) else None


def _minimum(shares: Shares) -> int | None:
    """Return the first size from which on all sizes are enough; sizes without an interval count as enough."""
    known = {size: 1.0 if share is None else share for size, share in shares.items()}
    for enough in (ENOUGH, ENOUGH - ERROR):
        for size, share in known.items():
            if share >= enough and all(known[more] >= ENOUGH - ERROR for more in known if more > size):
                return int(size)
    return None


def _section(coverages: Sequence[Coverage]) -> Iterator[str]:
    yield f"""`python -m tools.coverage` measures this and writes these tables. Two clubs play each game, and each form
of Couillon, {DEALS:,} deals ({DEALS_OF_FORM:,} of a form): in the *even* one all play alike and well; in the *mixed*
one chance seats weak and strong players, careful and bold callers at each table. Of {SAMPLES:,} samples, per cent whose
interval holds the true mean of that player in that club, by the number of deals in a sample. Each row is the lowest of
all its cases: each contract that came in 200 deals, rare ones included, each word that raises, each step.
*Mixed* is over all members of the club, *mixed, one kind* the lowest of its four kinds of players. In brackets: below
{100 * ENOUGH:.0f} %; blank: no interval, as all amounts but one at most are equal, or not enough deals to draw from.
"""
    yield from _rows(coverages, {mean: mean for mean in MEANS}, SIZES)
    yield f"""
The least number of deals with which at least 93 % hold in both clubs, in every form of the game and in each
of its cases, and no fewer than {FLOOR}; it may fall short by 0.5, the error of the measurement. Below it no interval
is shown; where "none" is enough, never. `points`: of a player, or of who leads; `contract`: of a declarer, by
contract, word or exchange; `du`: by a du contract of Kop, in which nearly all amounts are equal; `declarer`: over
all contracts; `partner`: also of both partners together.
"""
    least = minima(coverages)
    yield from _table(
        ["game", *MEANS],
        ([game, *(_number(least[mean], game) for mean in MEANS)] for game in least["points"]),
    )
    yield f"""
Whole tables drawn, by the number of tables, for intervals by tables (`--by table`) and by deals. Where the company
changes from table to table the deals of a table are not independent: taken so, they promise too much. Below
{least_tables(coverages)} tables no interval by tables is shown.
"""
    yield from _rows(coverages, {"tables": "by tables", "deals": "by deals"}, TABLES)
    yield """
Differences of two selections (`--compare`), by the numbers of deals of both: points of two kinds of players, and their
shares of deals won as declarer.
"""
    yield from _rows(coverages, {"means": "means", "shares": "shares"}, PAIRS)


def _rows(coverages: Sequence[Coverage], parts: Mapping[str, str], sizes: Sequence[Any]) -> Iterator[str]:
    heads = [str(size) if isinstance(size, int) else " and ".join(map(str, size)) for size in sizes]
    rows = []
    for (title, kind), variant, club in product(
        parts.items(), dict.fromkeys(one.variant for one in coverages), dict.fromkeys(one.club for one in coverages)
    ):
        measured = [one for one in coverages if (one.variant, one.club, one.kind) == (variant, club, kind)]
        if measured:
            rows.append([title, variant, club, *_cells(_lowest(measured), sizes)])
        if any(one.who for one in measured) and club == "mixed":
            rows.append([title, variant, "mixed, one kind", *_cells(_lowest(measured, of_each=True), sizes)])
    yield from _table(["of", "game", "club", *heads], rows)


def _cells(shares: Mapping[Any, float | None], sizes: Sequence[Any]) -> Iterator[str]:
    return (_cell(shares.get(size)) for size in sizes)


def _number(least: Mapping[str, int | None], game: str) -> str:
    return str(least[game] or "none") if game in least else ""


def _cell(share: float | None) -> str:
    if share is None:
        return ""
    return f"{100 * share:.1f}" if share >= ENOUGH else f"({100 * share:.1f})"


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(heads)} |"
    yield "|" + "---|" * len(heads)
    for row in rows:
        yield f"| {' | '.join(row)} |"
