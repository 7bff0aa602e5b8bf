"""The summary of a measurement: the lowest shares by size, and the minima of deals and tables; kept in `measured/`."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any, Final, TypeAlias

from msgspec import Struct

from tools.coverage.measuring import MEANS, PAIRS, SIZES, TABLES, Coverage

FOLDER: Final = Path(__file__).parent / "measured"
ENOUGH: Final = 0.93
"""The share of 95 % intervals that must contain the true mean."""

FLOOR: Final = 10
FLOOR_OF_TABLES: Final = 5
"""Fewer deals, or tables, have no interval, whatever the measurement says."""

ERROR: Final = 0.005
"""The error of a share over that many samples, at 95 %."""

ONE_KIND: Final = "mixed, one kind"
"""The club of a row about the worst of the four kinds of players in the mixed club."""

_FILES: Final[Mapping[str, tuple[tuple[str, ...], Sequence[Any]]]] = {
    "means": (MEANS, SIZES),
    "tables": (("by tables", "by deals"), TABLES),
    "differences": (("means", "shares"), PAIRS),
}
"""The kinds of intervals in each file, and the sample sizes in its columns."""

Shares: TypeAlias = dict[Any, float | None]


class Lowest(Struct, frozen=True):
    """The lowest share over all cases of one kind of interval in a game and a club, by sample size, in per cent.

    A share is `None` if no interval is shown.
    """

    kind: str
    game: str
    club: str
    shares: Shares


class Summary(Struct, frozen=True, kw_only=True):
    """A measurement in short. `minima`: the least number of deals by mean and game; `None` if no number is enough."""

    lowest: list[Lowest]
    minima: dict[str, dict[str, int | None]]
    least_tables: int | None


def summarise(coverages: Sequence[Coverage]) -> Summary:
    """Return the summary of a measurement."""
    kinds = [kind for of_file, _ in _FILES.values() for kind in of_file]
    parts = product(kinds, _distinct(one.variant for one in coverages), _distinct(one.club for one in coverages))
    lowest = [row for kind, game, club in parts for row in _rows(coverages, kind, game, club)]
    return Summary(lowest=lowest, minima=minima(coverages), least_tables=least_tables(coverages))


def write(summary: Summary, folder: Path = FOLDER) -> None:
    """Write the summary as tables, one file for each group of intervals and one for the minima."""
    for name, (kinds, sizes) in _FILES.items():
        rows = [row for kind in kinds for row in summary.lowest if row.kind == kind]
        lines = ([row.kind, row.game, row.club, *(_text(row.shares.get(size)) for size in sizes)] for row in rows)
        _write(folder / f"{name}.tsv", ["kind", "game", "club", *map(_heading, sizes)], lines)
    lines = (
        [kind, game, str(least or "none")] for kind, games in summary.minima.items() for game, least in games.items()
    )
    of_tables = ["by tables", "", str(summary.least_tables or "none")]
    _write(folder / "minima.tsv", ["kind", "game", "least"], [*lines, of_tables])


def read(folder: Path = FOLDER) -> Summary:
    """Return the summary that was written."""
    lowest = []
    for name, (_, sizes) in _FILES.items():
        for kind, game, club, *shares in _read(folder / f"{name}.tsv"):
            numbers = (float(share) if share else None for share in shares)
            lowest.append(Lowest(kind, game, club, dict(zip(sizes, numbers, strict=True))))
    least: dict[str, dict[str, int | None]] = {}
    for kind, game, number in _read(folder / "minima.tsv"):
        least.setdefault(kind, {})[game] = None if number == "none" else int(number)
    return Summary(lowest=lowest, least_tables=least.pop("by tables")[""], minima=least)


def minima(coverages: Iterable[Coverage]) -> dict[str, dict[str, int | None]]:
    """Return, by mean and by game, the least number of deals from which enough intervals contain the true mean, in
    every form of the game, both clubs, and all of its cases. `None` if no measured size is enough.

    A larger size may fall short by the error of the measurement.
    """
    measured = list(coverages)
    games = _distinct(one.variant.partition(" ")[0] for one in measured)
    least: dict[str, dict[str, int | None]] = {mean: {} for mean in MEANS}
    for mean, game in product(MEANS, games):
        parts = [one for one in measured if one.kind == mean and one.variant.partition(" ")[0] == game]
        if parts:
            least[mean][game] = _least(parts, FLOOR)
    return least


def least_tables(coverages: Iterable[Coverage]) -> int | None:
    """Return the same for whole tables, over all games together."""
    return _least((one for one in coverages if one.kind == "by tables"), FLOOR_OF_TABLES)


def _rows(coverages: Sequence[Coverage], kind: str, game: str, club: str) -> Iterator[Lowest]:
    measured = [one for one in coverages if (one.kind, one.variant, one.club) == (kind, game, club)]
    if measured:
        yield Lowest(kind, game, club, _lowest(measured))
    if any(one.who for one in measured) and club == "mixed":
        yield Lowest(kind, game, ONE_KIND, _lowest(measured, of_each=True))


def _shares(measured: Iterable[Coverage], *, of_each: bool = False) -> list[Shares]:
    """Return the shares of each measured case, over all players or, with `of_each`, by kind of player."""
    parts: dict[Any, list[Coverage]] = {}
    for one in measured:
        parts.setdefault((one.variant, one.club, one.what, one.who if of_each else ""), []).append(one)
    return [_over_players(coverages) for coverages in parts.values()]


def _over_players(coverages: Sequence[Coverage]) -> Shares:
    shares: Shares = {}
    for size in _distinct(size for one in coverages for size in one.shares):
        shown = [(share, one.amounts) for one in coverages if (share := one.shares.get(size)) is not None]
        every = sum(amounts for _, amounts in shown)
        shares[size] = sum(share * amounts for share, amounts in shown) / every if shown else None
    return shares


def _lowest(measured: Iterable[Coverage], *, of_each: bool = False) -> Shares:
    """Return, by size, the lowest share over all cases in per cent; `None` if no interval is shown."""
    lowest: Shares = {}
    for shares in _shares(measured, of_each=of_each):
        for size, share in shares.items():
            known = None if share is None else 100 * share
            lowest[size] = min((one for one in (lowest.get(size), known) if one is not None), default=None)
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


def _distinct(values: Iterable[Any]) -> list[Any]:
    return list(dict.fromkeys(values))


def _heading(size: Any) -> str:
    return str(size) if isinstance(size, int) else " and ".join(map(str, size))


def _text(share: float | None) -> str:
    return "" if share is None else f"{share:.1f}"


def _write(path: Path, heads: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(heads)
        writer.writerows(rows)


def _read(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file, delimiter="\t"))[1:]
