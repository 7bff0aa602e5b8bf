"""The statistics by name. Each is one .sql file under `sql/statistics/`; a new file there is a new statistic.

A file begins with one sentence, then the filters that it takes (`-- parameters: player game …`), which its SQL names
`$player`, `$game` and so on; null where a filter is not given.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Final

from msgspec import Struct

from ledger.errors import NotFoundError

FILTERS: Final = ("player", "game", "since", "until", "session")
"""All filters that a statistic may take."""

_PARAMETERS: Final = "parameters:"


class Statistic(Struct, frozen=True, kw_only=True):
    """One statistic: what it tells, which filters it takes, and its SQL."""

    name: str
    sentence: str
    parameters: tuple[str, ...]
    sql: str


@cache
def statistics() -> dict[str, Statistic]:
    """All statistics by name."""
    return _questions("statistics")


@cache
def plot_questions() -> dict[str, Statistic]:
    """What is asked for plots alone, by name, in the same form; each is one .sql file under `sql/plots/`."""
    return _questions("plots")


@cache
def report_questions() -> dict[str, Statistic]:
    """What is asked for session reports alone, by name; each is one .sql file under `sql/reports/`."""
    return _questions("reports")


def _questions(folder_name: str) -> dict[str, Statistic]:
    folder = files(__package__).joinpath("sql", folder_name)
    found = [file for file in folder.iterdir() if file.name.endswith(".sql")]
    read = [_read(file.name.removesuffix(".sql"), file.read_text(encoding="utf-8")) for file in found]
    return {statistic.name: statistic for statistic in sorted(read, key=lambda statistic: statistic.name)}


def statistic_named(name: str) -> Statistic:
    """The statistic of that name; raises `NotFoundError` naming those that there are."""
    found = statistics().get(name)
    if found is None:
        raise NotFoundError(f"there is no statistic {name}; there are {', '.join(statistics())}")
    return found


def _read(name: str, sql: str) -> Statistic:
    sentence, parameters = (line.removeprefix("--").strip() for line in sql.splitlines()[:2])
    assert parameters.startswith(_PARAMETERS), f"{name}.sql: the second line tells the parameters"
    names = tuple(parameters.removeprefix(_PARAMETERS).split())
    assert set(names) <= set(FILTERS), f"{name}.sql: unknown parameters"
    return Statistic(name=name, sentence=sentence, parameters=names, sql=sql)
