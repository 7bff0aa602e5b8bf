"""The tables of measured coverage as they stand in docs/statistics.md."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from tools.coverage.measuring import DEALS, MEANS, PAIRS, SAMPLES, SIZES, TABLES, Coverage

PAGE: Final = Path(__file__).parents[2] / "docs" / "statistics.md"
ENOUGH: Final = 0.93
"""Of a 95 % interval: the share that has to hold the true mean."""

ERROR: Final = 0.005
"""Of a share among so many samples, at 95 %."""

_HEADING: Final = "### Measured coverage\n"
_NEXT: Final = "\n## "


def with_coverage(page: str, found: Sequence[Coverage]) -> str:
    """The page with its part on coverage written anew."""
    before, heading, after = page.partition(_HEADING)
    assert heading, f"the page has no line {_HEADING!r}"
    _, following, rest = after.partition(_NEXT)
    return before + heading + "\n" + "\n".join(_section(found)) + "\n" + following + rest


def minima(found: Iterable[Coverage]) -> dict[str, dict[str, int | None]]:
    """By what a mean is of, and by game: from how many deals on enough of the intervals hold the true mean, in every
    form of the game, both clubs, and whatever it is told for. None where none of the sizes is enough.

    A larger size may fall short by the error of the measurement.
    """
    least: dict[str, dict[str, int | None]] = {}
    for mean, kinds in MEANS.items():
        by_game: dict[str, list[Coverage]] = {}
        for one in found:
            if one.kind in kinds:
                by_game.setdefault(one.variant.partition(" ")[0], []).append(one)
        least[mean] = {game: _minimum(_lowest(measured)) for game, measured in by_game.items()}
    return least


def least_tables(found: Iterable[Coverage]) -> int | None:
    """The same of whole tables, for all games together."""
    return _minimum(_lowest([one for one in found if one.kind == "by tables"]))


def _lowest(measured: Iterable[Coverage]) -> dict[Any, float | None]:
    """By size the lowest share; None where no interval is shown."""
    lowest: dict[Any, float | None] = {}
    for one in measured:
        for size, share in one.shares.items():
            known = [each for each in (lowest.get(size), share) if each is not None]
            lowest[size] = min(known, default=None)
    return lowest


def _minimum(lowest: Mapping[int, float | None]) -> int | None:
    """The first size with enough after which none has too little; where nothing is shown, nothing is wrong."""
    known = {size: 1.0 if share is None else share for size, share in lowest.items()}
    for size, share in known.items():
        if share >= ENOUGH and all(known[more] >= ENOUGH - ERROR for more in known if more > size):
            return size
    return None


def _section(found: Sequence[Coverage]) -> Iterator[str]:
    yield f"""`python -m tools.coverage` measures this and writes these tables. Two clubs play each game, and each form
of Couillon, {DEALS:,} deals each: in the *even* one all play alike and well; in the *mixed* one weak and strong players
and careful and bold callers sit at weak, strong and mixed tables. Of {SAMPLES:,} samples, per cent whose interval holds
the true mean, by the number of deals in a sample. Each row is the lowest of all that is told for: each kind of player,
each contract that came in 200 deals, rare ones included, each word that raises, each role. In brackets: below
{100 * ENOUGH:.0f} %; blank: no interval, as all amounts but one at most are equal.
"""
    yield from _rows(found, {mean: (mean, kinds) for mean, kinds in MEANS.items()}, SIZES)
    yield """
The least number of deals with which at least 93 % hold in both clubs, in every form of the game, whatever it is told
for; with more deals it may fall short by 0.5, the error of the measurement. Below it no interval is shown. `points`:
of a player, or of who leads; `contract`: by contract, word or exchange; `role`: by role, and of two partners.
"""
    least = minima(found)
    yield from _table(
        ["game", *MEANS],
        ([game, *(str(least[mean].get(game, "")) for mean in MEANS)] for game in least["points"]),
    )
    yield f"""
Whole tables drawn, by the number of tables, for intervals by tables (`--by table`) and by deals. At tables that are
weak and strong in turn the deals of a table are not independent: taken so, they promise too much. Below
{least_tables(found)} tables no interval by tables is shown.
"""
    yield from _rows(found, {f"by {by}": (by, (f"by {by}",)) for by in ("tables", "deals")}, TABLES)
    yield """
Differences of two selections (`--compare`), by the numbers of deals of both: points of two kinds of players, and their
shares of deals won as declarer.
"""
    yield from _rows(found, {kind: (kind, (kind,)) for kind in ("means", "shares")}, PAIRS)


def _rows(
    found: Sequence[Coverage], parts: Mapping[str, tuple[str, Sequence[str]]], sizes: Sequence[Any]
) -> Iterator[str]:
    heads = [str(size) if isinstance(size, int) else " and ".join(map(str, size)) for size in sizes]
    rows = []
    for title, kinds in parts.values():
        for variant, club in dict.fromkeys((one.variant, one.club) for one in found):
            measured = [one for one in found if (one.variant, one.club) == (variant, club) and one.kind in kinds]
            if measured:
                lowest = _lowest(measured)
                rows.append([title, variant, club, *(_cell(lowest[size]) for size in sizes)])
    yield from _table(["of", "game", "club", *heads], rows)


def _cell(share: float | None) -> str:
    if share is None:
        return ""
    return f"{100 * share:.1f}" if share >= ENOUGH else f"({100 * share:.1f})"


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(heads)} |"
    yield "|" + "---|" * len(heads)
    for row in rows:
        yield f"| {' | '.join(row)} |"
