"""The history: statistics, plots, reports and SQL, from a read model that is kept up to date with its ledger."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Literal, TypeAlias

from msgspec.structs import replace

from ledger import history as read_model
from ledger import limits
from ledger.events import Slug
from ledger.history import (
    Answer,
    Bounds,
    Dask,
    Filters,
    History,
    HistoryComparison,
    LakeManifest,
    LakeOptions,
    LeagueRules,
    ParquetExport,
    Processes,
    StatisticAnswer,
    TableDescription,
    read_league_rules,
    statistic_named,
)
from ledger.history.model.parallel import is_worth_it
from ledger.history.questions.display_names import check_filters, display_names, resolve_player
from ledger.history.questions.filters import ALL, normalise_filters
from ledger.history.questions.saved import SavedQuestions
from ledger.history.questions.selections import check_selections, compare_statistics, group_statistic
from ledger.log.base import LogStore
from ledger.log.people import People
from ledger.log.stores import open_store, sidecar_base
from ledger.streams import SESSION
from ledger.validation import converted
from ledger.zones import UTC, known_zone

if TYPE_CHECKING:
    from ledger.plots.rows import Figures
    from ledger.reports.facts import SessionPage

_HistorySource: TypeAlias = str | Path | History | AbstractContextManager[History]
"""The path of a ledger, or its read model from `open_history`, entered or not."""


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
    """Open the read model of a ledger, brought up to date, for several queries as of the same entry.

    `history`: the file, by default next to the ledger or, if its folder is not writable, in the user's cache; it is
    created if missing. `rebuild`: build it anew. `workers`: the number of processes that read many new entries; a
    program then needs the guard `if __name__ == "__main__"`. `tz`: the time zone that dates tables without a session,
    by default UTC; raise `MalformedError` if there is no such zone.
    """
    path = _caught_up(ledger, history, tz, rebuild=rebuild, progress=progress, workers=workers)
    with read_model.open_history(path) as source:
        yield source


def _caught_up(
    ledger: str | Path, history: str | Path | None, tz: str | None, *, rebuild: bool = False, **how: Any
) -> Path:
    """Return the path of the ledger's read model after bringing it up to date."""
    zone = UTC if tz is None else known_zone("tz", tz)
    with open_store(ledger, access="allowed") as store:
        if history is None:
            path = read_model.choose_history_path(store, sidecar_base(ledger), rebuild=rebuild, zone=zone)
        else:
            path = Path(history)
        read_model.catch_up(store, path, rebuild=rebuild, zone=zone, **how)
    return path


def verify_history(
    ledger: str | Path, *, progress: Callable[[int, int], None] | None = None, workers: int = 1
) -> HistoryComparison:
    """Rebuild the read model in a temporary folder and compare every table; name the first difference.

    The ledger itself is not checked; `verify` does that. `workers` as in `open_history`. Raise `UnreadableError` if
    this ledger has no read model.
    """
    with open_store(ledger, access="allowed") as store:
        path = read_model.default_history_path(sidecar_base(ledger))
        return read_model.compare(store, path, progress=progress, workers=workers)


def _history_of(ledger: _HistorySource) -> AbstractContextManager[History]:
    if isinstance(ledger, str | Path):
        return open_history(ledger)
    return ledger if isinstance(ledger, AbstractContextManager) else nullcontext(ledger)


def query(
    ledger: _HistorySource, question: str, *, timeout: float | None = None, max_rows: int | None = None
) -> Answer:
    """Answer a read-only query in SQL; `ledger` may be an `open_history`.

    `timeout`, in seconds, and `max_rows` limit it, by default as on the command line. Raise `QueryError` for a wrong
    query, and if it exceeds the limits.
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
    """Write the answer to a query into an open file as Parquet, with the types of SQL; else as `query`."""
    with _history_of(ledger) as history:
        history.query_to_parquet(question, file, _bounds(timeout, max_rows))


def _bounds(timeout: float | None, max_rows: int | None) -> Bounds:
    return Bounds(
        seconds=limits.QUERY_SECONDS if timeout is None else timeout,
        rows=limits.QUERY_ROWS if max_rows is None else max_rows,
    )


def query_tables(ledger: _HistorySource, *, lang: str = "en") -> list[TableDescription]:
    """Return the tables that a query may name, with their columns and what they mean."""
    with _history_of(ledger) as history:
        return list(history.tables(lang))


def saved_questions(ledger: str | Path) -> SavedQuestions:
    """Return the queries saved by name next to the ledger: `names()`, `sql(name)`, `save(name, sql)`."""
    return SavedQuestions(sidecar_base(ledger))


def stats(
    ledger: _HistorySource,
    name: str,
    filters: Filters = ALL,
    *,
    names: Mapping[str, str] | None = None,
    hidden: Collection[str] = (),
) -> StatisticAnswer:
    """Compute a statistic over all deals or the selected ones, as of a log entry; `ledger` as in `query`.

    `names`: display names for messages. `hidden`: persons shown by initials, e.g. `store.people().hidden_persons()`;
    filters then know them only by their initials.

    Raise `NotFoundError` for an unknown statistic, player, game, session, option, place or seat, for a filter that the
    statistic does not take, and for an impossible grouping or comparison; `MalformedError` for an invalid value of a
    filter or option.
    """
    # reject a wrong query before reading any file
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
    """Return the figures of a plot, to be drawn by `picture`; filters, `hidden` and errors as in `stats`.

    `names`: display names, which appear in the plot.
    """
    from ledger.plots.figures import check_plot_filters, figures

    filters = normalise_filters(filters)
    check_plot_filters(name, filters)  # reject a wrong query before reading the ledger
    with _history_of(ledger) as history:
        shown = display_names(history, names or {}, hidden)
        filters = resolve_player(history, filters, shown)
        answer = figures(history, name, shown.with_person(filters), shown.names, lang)
        check_filters(history, filters, shown)
    return answer


def picture(figures: Figures, output: str, lang: str = "en") -> bytes:
    """Return a plot as the content of a file whose ending sets the format: .png .svg .html, .json for Vega-Lite.

    Raise `NotFoundError` for another ending.
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
    """Return a session as one printable page: results, score sheets, notable deals, rulings, plots and the proof.

    `history`: the read model if it is open already. `names`: display names by recorded names. `hidden`: persons shown
    by initials. Raise `NotFoundError` if there is no such session.
    """
    with _history_of(history or ledger) as model, open_store(ledger, access="allowed") as store:
        return _report(store, model, SESSION.slug(session), names, hidden, lang)


def report_of_lake(
    lake: History | AbstractContextManager[History],
    session: str,
    *,
    names: Mapping[str, str] | None = None,
    hidden: Collection[str] = (),
    lang: str = "en",
) -> SessionPage:
    """Return the page of `report` from a lake of one club, the same as from the ledger.

    `lake`: from `open_lake`, entered or not; of a lake of several clubs that of `club_of_lake`.
    """
    from ledger.reports.session_report import entries_of_lake

    with _history_of(lake) as model:
        return _report(entries_of_lake(model, SESSION.slug(session)), model, SESSION.slug(session), names, hidden, lang)


def _report(
    store: LogStore,
    model: History,
    slug: str,
    names: Mapping[str, str] | None,
    hidden: Collection[str],
    lang: str,
) -> SessionPage:
    from ledger.plots.charts import plot_spec
    from ledger.plots.export import svg
    from ledger.plots.figures import figures
    from ledger.plots.fonts import with_face
    from ledger.reports.facts import PLOTS, SessionPage
    from ledger.reports.session_report import session_report
    from ledger.text.pages import report_page

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
    """Write every table of the history into a new folder as Parquet files with a data dictionary.

    `history` and `tz` as in `open_history`.
    """
    return read_model.export_parquet(_caught_up(ledger, history, tz), Path(folder), progress=progress)


def rebuild(
    ledger: str | Path,
    to: str | Path,
    *,
    partitions: int | None = None,
    engine: Literal["processes", "dask"] = "processes",
    scheduler: str | None = None,
    send_entries: bool = False,
    club: str | None = None,
    workers: int = 1,
    progress: Callable[[int, int], None] | None = None,
    tz: str | None = None,
) -> LakeManifest:
    """Fold the whole ledger anew and publish its tables as the newest snapshot of a lake, a folder of Parquet files.

    `to`: the folder, or an address in an object store, e.g. `s3://bucket/lake` (the extra `s3`); a `Path` is a folder.
    `partitions`: the number of parts, by default 8; `workers`: the number of processes that fold a large ledger; a
    program then needs the guard `if __name__ == "__main__"`. `engine`: `dask` (an extra) folds them by the workers of
    the `scheduler`, an address, or without one by local ones. `send_entries`: give the workers the entries through the
    lake, so that they need no access to the ledger. `club`: its name in a lake of several clubs, by default the id of
    the ledger. `tz` as in `open_history`.

    Raise `MalformedError` for a club that is no slug, `UnreadableError` if files cannot be written, `UsageError` if no
    scheduler answers, and `ConflictError` if the lake has a later entry of this ledger.
    """
    chosen = LakeOptions(zone=UTC if tz is None else known_zone("tz", tz), send_entries=send_entries)
    if club is not None:
        chosen = replace(chosen, club=converted(club, Slug, "club"))
    if partitions is not None:
        chosen = replace(chosen, partitions=partitions)
    with open_store(ledger, access="allowed") as store:
        base = sidecar_base(ledger)
        is_large = is_worth_it(store.head().position, chosen.partitions, workers)
        runner = Dask(workers, scheduler) if engine == "dask" else Processes(workers if is_large else 1)
        return read_model.rebuild_lake(store, base, to, runner, chosen, progress)


@contextmanager
def open_lake(lake: str | Path, *, progress: Callable[[int, int], None] | None = None) -> Iterator[History]:
    """Open the newest snapshots of a lake, as `rebuild` writes them, for the same queries as a read model.

    `lake`: as in `rebuild`; the files of an object store are downloaded first, into the user's cache. With several
    clubs, each name of a table, session or player begins with that of its club, e.g. `kent/Ann`. Raise
    `UnreadableError` if there is no lake, if another version of the program wrote it, or if it is damaged.
    """
    with read_model.open_lake(lake, progress) as source:
        yield source


def people_of_lake(lake: str | Path) -> People:
    """Return the display names, links and hidden players of a lake. Raise the errors of `open_lake`."""
    return read_model.people_of_lake(lake)


def club_of_lake(lake: str | Path, club: str) -> str:
    """Return the address of one club in a lake, which is a lake of its own, without the club's name before all others.

    Raise `NotFoundError` if no club has this name, and the errors of `open_lake`.
    """
    return read_model.club_of_lake(lake, club)
