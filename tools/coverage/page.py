"""The tables of measured coverage in docs/explanation/intervals.md."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from statistics import mean
from typing import Final

from tools.coverage.measuring import DEALS, DEALS_OF_FORM, MEANS, PAIRS, SAMPLES
from tools.coverage.pools import CLUBS
from tools.coverage.summary import ENOUGH, FLOOR, ONE_KIND, Lowest, Summary, read

PAGE: Final = Path(__file__).parents[2] / "docs" / "explanation" / "intervals.md"

_HEADING: Final = "## Measured coverage\n"
_NEXT: Final = "\n## "


def with_coverage(page: str, summary: Summary) -> str:
    """Return the page with a current part on coverage."""
    before, heading, after = page.partition(_HEADING)
    assert heading, f"the page has no line {_HEADING!r}"
    _, following, rest = after.partition(_NEXT)
    return before + heading + "\n" + "\n".join(_section(summary)) + "\n" + following + rest


def write_page() -> None:
    """Write the tables of the stored measurement into the page."""
    PAGE.write_text(with_coverage(PAGE.read_text(encoding="utf-8"), read()), encoding="utf-8")


def _section(summary: Summary) -> Iterator[str]:
    lowest, largest = summary.lowest, PAIRS[-1][0]
    games = list(dict.fromkeys(_game(row) for row in lowest))
    yield f"""`python -m tools.coverage` writes these tables in a quarter of an hour.
`tools/coverage/measured/` has the forms of Couillon one by one.

Two clubs play {DEALS:,} deals of each game, {DEALS_OF_FORM:,} of each form of Couillon.
In the *even* club all play alike and well.
In the *mixed* club weak, strong, careful and bold players meet by chance.
{SAMPLES:,} samples are drawn for each case, e.g. one contract, and number of deals.
The coverage is the share of samples whose interval contains the true mean.

### The minima

An interval is shown from this number of deals on; "none" means never.
From there on, at least {100 * ENOUGH:.0f} % contain the true mean.
This holds in each club, form and case.
The error of the measurement is 0.5 %.
"""
    least = summary.minima
    cells = {game: [_number(least[kind], game) for kind in MEANS] for game in least["points"]}
    yield from _table(["game", *MEANS], ([game, *numbers] for game, numbers in cells.items()))
    yield """
| mean | of |
|---|---|
| `points` | a player, or the first leader |
| `contract` | a declarer, by contract, raise or cards exchanged |
| `du` | a declarer in a du contract of Kop |
| `declarer` | a declarer over all contracts |
| `partner`, `defender` | a partner or both, a defender |
| `gain` | the seat that gained most |
| `cards`, `calls` | cards and calls of a deal |

### Coverage from the minimum on

Cells have the lowest and the mean coverage in per cent.
They cover all numbers of deals from the minimum on, each with its worst case.
Brackets mark means without an interval, from 10 deals on.
"""
    yield from _table(["game", *MEANS], _of_means(summary, games, CLUBS))
    yield """
The same for the worst kind of player in the mixed club:
"""
    kinds = [kind for kind in MEANS if any(row.kind == kind and row.club == ONE_KIND for row in lowest)]
    yield from _table(["game", *kinds], _of_means(summary, games, [ONE_KIND], kinds))
    yield f"""
### Intervals by tables and by deals

Here whole tables are drawn.
In the mixed club, intervals by deals promise too much.
Below {summary.least_tables} tables `--by table` shows no interval.
"""
    clubs = [*CLUBS, ONE_KIND]
    from_tables = summary.least_tables or 0
    heads = [f"{kind}, {club}" for kind in ("by tables", "by deals") for club in clubs]
    by = [(kind, [club]) for kind in ("by tables", "by deals") for club in clubs]
    yield from _table(
        ["game", *heads],
        ([game, *(_cell(lowest, kind, game, chosen, from_tables) for kind, chosen in by)] for game in games),
    )
    yield f"""
### Differences of two selections

`--compare` between two kinds of players, from 20 to {largest} deals on each side.
Means are of points, shares of deals won as declarer.
"""
    compared = [(kind, club) for kind in ("means", "shares") for club in CLUBS]
    yield from _table(
        ["game", *(f"{kind}, {club}" for kind, club in compared)],
        ([game, *(_cell(lowest, kind, game, [club], 0) for kind, club in compared)] for game in games),
    )


def _of_means(
    summary: Summary, games: Sequence[str], clubs: Sequence[str], kinds: Sequence[str] = MEANS
) -> Iterator[list[str]]:
    for game in games:
        cells = []
        for kind in kinds:
            least = summary.minima[kind].get(game, FLOOR)
            cell = _cell(summary.lowest, kind, game, clubs, least or FLOOR)
            cells.append(f"({cell})" if cell and least is None else cell)
        yield [game, *cells]


def _cell(lowest: Iterable[Lowest], kind: str, game: str, clubs: Sequence[str], least: int) -> str:
    """Return the lowest and the mean share over all forms and sizes from `least` on; empty without an interval."""
    rows = [row for row in lowest if (row.kind, _game(row)) == (kind, game) and row.club in clubs]
    sizes = [
        (size if isinstance(size, int) else min(size), share) for row in rows for size, share in row.shares.items()
    ]
    shares = [share for size, share in sizes if share is not None and size >= least]
    return f"{min(shares):.1f}/{mean(shares):.1f}" if shares else ""


def _game(row: Lowest) -> str:
    """Return the game of a row, without the form."""
    return row.game.partition(" ")[0]


def _number(least: dict[str, int | None], game: str) -> str:
    return str(least[game] or "none") if game in least else ""


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(heads)} |"
    yield "|" + "---|" * len(heads)
    for row in rows:
        yield f"| {' | '.join(row)} |"
