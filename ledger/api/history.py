"""The history: statistics, plots, reports and SQL, asked of a read model that is brought level with its ledger."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TypeAlias

from msgspec.structs import replace

from ledger import history as read_model
from ledger import limits
from ledger.history import (
    Answer,
    Bounds,
    Filters,
    History,
    HistoryComparison,
    LeagueRules,
    ParquetExport,
    StatisticAnswer,
    TableDescription,
    read_league_rules,
    statistic_named,
)
from ledger.history.questions.display_names import check_filters, display_names, resolve_player
from ledger.history.questions.filters import ALL, normalise_filters
from ledger.history.questions.saved import SavedQuestions
from ledger.history.questions.selections import check_selections, compare_statistics, group_statistic
from ledger.log.stores import file_of, open_store
from ledger.streams import SESSION
from ledger.zones import UTC, known_zone

if TYPE_CHECKING:
    from ledger.plots.rows import Figures
    from ledger.reports.facts import SessionPage

_HistorySource: TypeAlias = str | Path | History | AbstractContextManager[History]
"""Whom to ask: a ledger by its address, or its read model (`open_history`), which may be open already."""


@contextmanager
def open_history(
    ledger: str | Path,
    *,
    history: str | Path | None = None,
    rebuild: bool = False,
    progress: Callable[[int, int], None] | None = None,
    workers: int = 1,
    tz: str | None = None,
) -> Iterator[History]:
    """The read model of a ledger, level with it, open for several questions, all as of the same entry.

    It is made where there is none, in the file `history`, which lies beside the ledger by default or, where its folder
    cannot be written to, in the user's cache. `rebuild`: make it anew. With more `workers` than one, many new entries
    are read in so many processes; a program then needs the guard `if __name__ == "__main__"`. `tz`: the time zone in
    which a table without a session has its day, by default UTC; raises `MalformedError` where there is no such zone.
    """
    path = _caught_up(ledger, history, tz, rebuild=rebuild, progress=progress, workers=workers)
    with read_model.open_history(path) as source:
        yield source


def _caught_up(
    ledger: str | Path, history: str | Path | None, tz: str | None, *, rebuild: bool = False, **how: Any
) -> Path:
    """Where the read model of the ledger lies, now level with it."""
    zone = UTC if tz is None else known_zone("tz", tz)
    with open_store(ledger, access="allowed") as store:
        if history is None:
            path = read_model.choose_history_path(store, file_of(ledger), rebuild=rebuild, zone=zone)
        else:
            path = Path(history)
        read_model.catch_up(store, path, rebuild=rebuild, zone=zone, **how)
    return path


def verify_history(
    ledger: str | Path, *, progress: Callable[[int, int], None] | None = None, workers: int = 1
) -> HistoryComparison:
    """Makes the read model once more in a temporary folder, and compares every table; names the first difference.

    The ledger itself is taken as it is, which `verify` looks at. `workers` as in `open_history`. Raises
    `UnreadableError` where there is no read model of this ledger.
    """
    with open_store(ledger, access="allowed") as store:
        path = read_model.default_history_path(file_of(ledger))
        return read_model.compare(store, path, progress=progress, workers=workers)


def _history_of(ledger: _HistorySource) -> AbstractContextManager[History]:
    if isinstance(ledger, str | Path):
        return open_history(ledger)
    return ledger if isinstance(ledger, AbstractContextManager) else nullcontext(ledger)


def query(
    ledger: _HistorySource, question: str, *, timeout: float | None = None, max_rows: int | None = None
) -> Answer:
    """The answer to a question in SQL, of which only reading is possible; `ledger` may be an `open_history`.

    `timeout`, in seconds, and `max_rows` bound it, by default as on the command line. Raises `QueryError` for what is
    no such question, and where it goes past the bounds.
    """
    with _history_of(ledger) as history:
        return history.query(question, _bounds(timeout, max_rows))


def query_to_parquet(
    ledger: _HistorySource,
    question: str,
    file: BinaryIO,
    *,
    timeout: float | None = None,
    max_rows: int | None = None,
) -> None:
    """As `query`, but writes the answer into an open file, as Parquet, in the types that SQL gave it."""
    with _history_of(ledger) as history:
        history.query_to_parquet(question, file, _bounds(timeout, max_rows))


def _bounds(timeout: float | None, max_rows: int | None) -> Bounds:
    return Bounds(
        seconds=limits.QUERY_SECONDS if timeout is None else timeout,
        rows=limits.QUERY_ROWS if max_rows is None else max_rows,
    )


def query_tables(ledger: _HistorySource, *, lang: str = "en") -> list[TableDescription]:
    """The tables that a question may name, with their columns and what they mean."""
    with _history_of(ledger) as history:
        return list(history.tables(lang))


def saved_questions(ledger: str | Path) -> SavedQuestions:
    """The questions that were saved by name beside the ledger: `names()`, `sql(name)`, `save(name, sql)`."""
    return SavedQuestions(file_of(ledger))


def stats(
    ledger: _HistorySource,
    name: str,
    filters: Filters = ALL,
    *,
    names: Mapping[str, str] | None = None,
    hidden: Collection[str] = (),
) -> StatisticAnswer:
    """A statistic by name, over all deals or those that the filters leave, as of a log entry; `ledger` as in `query`.

    `names`: what messages show for players. `hidden`: persons in whose place initials stand in the answer, for example
    `store.people().hidden_persons()`; a filter knows them by these alone.

    Raises `NotFoundError` for a statistic, player, game, session, option, place or seat that there is not, for a filter
    that the statistic does not take, and for what cannot be grouped or compared; `MalformedError` for a value that a
    filter or an option cannot have.
    """
    # what is wrong in the question is said before any file is read
    check_selections(statistic_named(name), filters)
    if filters.rules is not None and not isinstance(filters.rules, LeagueRules):
        filters = replace(filters, rules=read_league_rules(Path(filters.rules)))
    selections = [filters, *([replace(filters, **filters.compare)] if filters.compare else ())]
    selections = [normalise_filters(one) for one in selections]
    with _history_of(ledger) as history:
        shown = display_names(history, names or {}, hidden)
        selections = [resolve_player(history, one, shown) for one in selections]
        grouped_answer, *others = [group_statistic(history, name, shown.with_person(one)) for one in selections]
        for other in others:
            grouped_answer = compare_statistics(grouped_answer, other)
        for one in reversed(selections):
            check_filters(history, one, shown)
    return replace(grouped_answer, answer=shown.shown(grouped_answer.answer))


def plot(
    ledger: _HistorySource,
    name: str,
    filters: Filters = ALL,
    *,
    names: Mapping[str, str] | None = None,
    hidden: Collection[str] = (),
    lang: str = "en",
) -> Figures:
    """What a plot shows, to be drawn by `picture`; filters, `hidden` and errors as in `stats`. `names` stand in it."""
    from ledger.plots.figures import check_plot_filters, figures

    filters = normalise_filters(filters)
    check_plot_filters(name, filters)  # what is wrong in the question is said before the ledger is read
    with _history_of(ledger) as history:
        shown = display_names(history, names or {}, hidden)
        filters = resolve_player(history, filters, shown)
        answer = figures(history, name, shown.with_person(filters), shown.names, lang)
        check_filters(history, filters, shown)
    return answer


def picture(figures: Figures, output: str, lang: str = "en") -> bytes:
    """A plot as the content of a file, in the form that the end of its name says: .png .svg .html, .json for Vega-Lite.

    Raises `NotFoundError` for another end.
    """
    from ledger.plots.charts import plot_spec
    from ledger.plots.export import written

    return written(plot_spec(figures, lang), output)


def report(
    ledger: str | Path,
    session: str,
    *,
    history: _HistorySource | None = None,
    names: Mapping[str, str] | None = None,
    hidden: Collection[str] = (),
    lang: str = "en",
) -> SessionPage:
    """A session as one printable page: results, score sheets, notable deals, rulings, plots, and the proof.

    `history`: the read model, where it is open already. `names`: what to show for players, by their names in the
    record. `hidden`: persons in whose place initials stand. Raises `NotFoundError` for a session that there is not.
    """
    from ledger.plots.charts import plot_spec
    from ledger.plots.export import svg
    from ledger.plots.figures import figures
    from ledger.plots.fonts import with_face
    from ledger.reports.facts import PLOTS, SessionPage
    from ledger.reports.session_report import session_report
    from ledger.text.pages import report_page

    slug = SESSION.slug(session)
    with _history_of(history or ledger) as model, open_store(ledger, access="allowed") as store:
        shown = display_names(model, names or {}, hidden).names
        gathered = session_report(store, model, slug, shown, lang)
        plot_figures = [figures(model, name, Filters(session=slug), shown, lang) for name in PLOTS]
    plots = [svg(plot_spec(one, lang)) for one in plot_figures if one.rows]
    page = with_face(report_page(gathered, plots, lang))
    return SessionPage(session=slug, position=gathered.position, digest=gathered.digest, html=page)


def export_parquet(
    ledger: str | Path,
    folder: str | Path,
    *,
    history: str | Path | None = None,
    progress: Callable[[int, int], None] | None = None,
    tz: str | None = None,
) -> ParquetExport:
    """Writes every table of the history into a new folder, as Parquet files with a data dictionary; `history` and `tz`
    as in `open_history`.
    """
    return read_model.export_parquet(_caught_up(ledger, history, tz), Path(folder), progress=progress)
