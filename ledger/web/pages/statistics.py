"""The statistics: their list by subject, and each with its filters, its table, its graphs, its SQL and its files."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from types import NoneType
from typing import Annotated, Any, Final, TypeVar, get_args
from urllib.parse import urlencode

import msgspec
from msgspec import Meta, Struct, structs

from ledger import api
from ledger.errors import LedgerError, MalformedError
from ledger.history import FILTERS, History, Statistic, StatisticAnswer, parquet_bytes, statistic_named
from ledger.history.questions.display_names import DisplayNames, check_filters, display_names, resolve_player
from ledger.history.questions.facets import Facets, PlayedTogether, count_facets, played_together
from ledger.history.questions.filters import describe_filters, normalise_filters
from ledger.history.questions.selections import check_selections
from ledger.history.questions.statements import filled_sql
from ledger.history.questions.statistics import POSTPROCESSORS
from ledger.text.files import as_of
from ledger.text.history import csv_text, json_text, statistic_facts
from ledger.text.site.answer_table import AnswerPage, AnswerTable, Reader, head_text, page_of, table_of
from ledger.text.site.catalogue import as_sentence, say
from ledger.text.site.graphs import intervals_graph
from ledger.text.site.statistics import (
    PLOTS_OF,
    chosen_comparison,
    chosen_option,
    compare_choices,
    described,
    facet_fields,
    filter_label,
    group_choices,
    has_page,
    listed_plots,
    option_choices,
    plot_title,
    statistic_title,
    subjects,
)
from ledger.validation import malformed
from ledger.web.api.history import (
    CSV,
    PARQUET,
    StatisticFilters,
    file_response,
    filters_of,
    hidden_from,
    names_for,
)
from ledger.web.http.auth import PUBLIC
from ledger.web.http.problems import STATUSES, web_error
from ledger.web.http.reading import seen
from ledger.web.http.request import Request
from ledger.web.http.response import Response
from ledger.web.http.routing import JSON, PREFIX, page
from ledger.web.pages.frame import html, reader_of

Result = TypeVar("Result")

Typed = Annotated[str, Meta(max_length=200)]
Several = tuple[Typed, ...]

_CACHED_ROWS: Final = 1_000
"""The longest answer that is cached as a whole."""

_PLAYED_BYTES: Final = 300
_FACETS_BYTES: Final = 20_000
"""The sizes of a row of complete deals and of facets, roughly."""


class StatisticQuery(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The filters as they are typed, an empty one for none. `sort`: a column, with `-` descending; `page`: from 1."""

    player: Typed = ""
    game: Typed = ""
    since: Typed = ""
    until: Typed = ""
    session: Typed = ""
    option: Several = ()
    place: Typed = ""
    weekday: Typed = ""
    season: Typed = ""
    season_from: Typed = ""
    seat: Typed = ""
    min_deals: Typed = ""
    by: Typed = ""
    group_by: Typed = ""
    compare: Several = ()
    sort: Typed = ""
    page: Annotated[int, Meta(ge=1, le=1_000_000)] = 1

    def filters(self) -> dict[str, Any]:
        """Return the filters that are set, as they are typed."""
        values = {name: getattr(self, name) for name in StatisticFilters.__struct_fields__}
        several = {name: tuple(one for one in values[name] if one.strip()) for name in ("option", "compare")}
        return {name: value for name, value in (values | several).items() if value}


class Wrong(Struct, frozen=True):
    """A filter that cannot be used. `message`: why; `without`: the address without it."""

    name: str
    message: str
    without: str


class Without(Struct, frozen=True):
    """A filter that leaves nothing. `deals`: the complete deals without it; `address`: the page without it."""

    label: str
    deals: int
    address: str


class _Result(Struct, frozen=True):
    """The answer for one reader. `page`: one page of a long answer, of which `computed` then has the same rows."""

    computed: StatisticAnswer
    page: AnswerPage | None
    shown: DisplayNames
    facets: Facets
    sql: str


class Kind(Struct, frozen=True):
    """The pages of statistics, or of plots. `folder`: of their addresses; `compute`: returns the answer of a name.

    `title`: in a language; `endings`: of their files.
    """

    folder: str
    compute: Callable[[Request, History, str, api.Filters], StatisticAnswer]
    title: Callable[[str, str], str]
    endings: Sequence[str]


def _computed(request: Request, history: History, name: str, filters: api.Filters) -> StatisticAnswer:
    return api.stats(history, name, filters, **names_for(request))


STATISTICS: Final = Kind("/statistics", _computed, statistic_title, ("csv", "json", "parquet"))


@page("/statistics", "viewer", of_whole_ledger=True)
def list_statistics(request: Request) -> Response:
    """Show all statistics and plots by subject."""
    plots = listed_plots(request.lang) if has_plots() else []
    return html(request, "statistics.html", subjects=subjects(request.lang), plots=plots)


@page(
    "/statistics/{name}", "viewer", query=StatisticQuery, rests_on="history", of_whole_ledger=True,
    problems=("not_found", "busy"),
)  # fmt: skip
async def show_statistic(request: Request, name: str) -> Response:
    """Show a statistic over the deals that match the filters."""
    return await answer_page(request, STATISTICS, _statistic(name, request.lang))


async def answer_page(request: Request, kind: Kind, question: Statistic) -> Response:
    """Return the page of a statistic or a plot: its answer, or the filters that cannot be used."""
    typed = request.query.filters()
    key = (kind.folder, name_of(request), tuple(typed.items()))
    query: StatisticQuery = request.query
    try:
        result = await from_read_model(request, key, _find(request, kind, question, typed))
        if result.page is not None and (query.sort or query.page > 1):
            find = _find(request, kind, question, typed, sort=query.sort, page=query.page)
            result = await from_read_model(request, (*key, query.sort, query.page), find)
    except LedgerError as error:
        if error.code in ("busy", "not_installed"):
            raise
        wrong = await from_read_model(request, None, _wrong_filters(request, question, typed, error))
        return await _shown_wrong(request, kind, question, typed, wrong)
    return await request.service.run_in_thread(lambda: _shown(request, kind, question, typed, result))


def _statistic(name: str, lang: str) -> Statistic:
    statistic = statistic_named(name)
    if not has_page(name):
        raise web_error("not_found", "no_route", text=name)
    return described(statistic, lang)


async def from_read_model(request: Request, key: Any, work: Callable[[History], Result]) -> Result:
    """Run a function on the read model in one of its threads. Equal keys of readers with equal rights share the result;
    None: nobody does.
    """
    whole = (
        None
        if key is None
        else ("page", key, request.rests_on, request.visible.names, request.lang, request.grant.role)
    )
    return await asyncio.wrap_future(request.service.history.query(work, whole))


def _find(
    request: Request, kind: Kind, statistic: Statistic, typed: Mapping[str, Any], *, sort: str = "", page: int = 1
) -> Callable[[History], _Result]:
    """Return a function that computes the answer; of a long one it keeps this page, as many filters may be cached."""

    def find(history: History) -> _Result:
        filters = filters_of(request, _converted(typed))
        computed = kind.compute(request, history, name_of(request), filters)
        shown = names_shown(request, history)
        within = normalise_filters(resolve_player(history, filters, shown))
        facets = facets_of(request, history, shown.with_person(within))
        # a hidden person stays the initials that were typed, also in the SQL
        in_sql = within if within.player in shown.initials.values() else shown.with_person(within)
        sql = filled_sql(statistic, structs.replace(in_sql, group_by=None, compare=None))
        if len(computed.answer.rows) <= _CACHED_ROWS:
            return _Result(computed, None, shown, facets, sql)
        part = page_of(computed.answer, sort=sort, page=page)
        return _Result(structs.replace(computed, answer=part.answer), part, shown, facets, sql)

    return find


def names_shown(request: Request, history: History) -> DisplayNames:
    """Return the names that statistics show to this client."""
    people = seen(request).people()
    return display_names(history, people.shown(), hidden_from(request, people))


def facets_of(request: Request, history: History, filters: api.Filters) -> Facets:
    """Return the facets under these filters, as `count_facets` takes them; they are counted once until the read model
    advances.
    """
    answers = request.service.answers
    head = (request.rests_on, history.head.position)
    chosen = structs.replace(filters, group_by=None, compare=None, min_deals=None, by=None)
    key = ("facets", *head, msgspec.json.encode(structs.asdict(chosen)))
    facets: Facets | None = answers.get(key)
    if facets is None:
        rows: Sequence[PlayedTogether] | None = answers.get(("played", *head))
        if rows is None:
            rows = played_together(history)
            answers.keep(("played", *head), rows, len(rows) * _PLAYED_BYTES)
        facets = count_facets(rows, chosen)
        answers.keep(key, facets, _FACETS_BYTES)
    return facets


def _required(declared: Any) -> Any:
    """Return the type of a filter that is set: without null."""
    kinds = [one for one in get_args(declared) if one is not NoneType]
    return kinds[0] if NoneType in get_args(declared) else declared


_KINDS: Final = {field.name: _required(field.type) for field in structs.fields(StatisticFilters)}


def _converted(typed: Mapping[str, Any]) -> StatisticFilters:
    """Return the typed filters. Raise `MalformedError` for the first impossible one."""
    filters = {}
    for name, value in typed.items():
        try:
            filters[name] = msgspec.convert(value, _KINDS[name], strict=False)
        except msgspec.ValidationError as error:
            raise malformed(error, value, _KINDS[name]) from None
    return StatisticFilters(**filters)


def _wrong_filters(
    request: Request, statistic: Statistic, typed: Mapping[str, Any], otherwise: LedgerError
) -> Callable[[History], list[Wrong]]:
    """Return a function that finds the filters at fault, each tried alone; `otherwise`: the fault of all together."""

    def find(history: History) -> list[Wrong]:
        shown = names_shown(request, history)
        wrong = []
        for name in typed:
            needed = {other: typed[other] for other in _DEPENDS_ON.get(name, ()) if other in typed}
            try:
                _check(request, history, statistic, {**needed, name: typed[name]}, shown)
            except LedgerError as error:
                wrong.append((name, error))
        named = {name for name, _ in wrong}
        # what is wrong beside a wrong filter is not reported a second time
        left = [(name, error) for name, error in wrong if not named & set(_DEPENDS_ON.get(name, ()))]
        return [
            _wrong(request, name, error)
            for name, error in left or [("compare" if "compare" in typed else "", otherwise)]
        ]

    return find


_DEPENDS_ON: Final[Mapping[str, Sequence[str]]] = {
    "option": ("game",),
    "season": ("season_from",),
    "compare": ("game", "group_by", "season_from"),
}
"""The filters that decide with another one whether it is possible."""


def _check(
    request: Request, history: History, statistic: Statistic, typed: Mapping[str, Any], shown: DisplayNames
) -> None:
    """Raise the error of impossible filters."""
    filters = filters_of(request, _converted(typed))
    check_selections(statistic, filters)
    for one in (filters, *([structs.replace(filters, **filters.compare)] if filters.compare else ())):
        check_filters(history, resolve_player(history, normalise_filters(one), shown), shown)


def _wrong(request: Request, name: str, error: LedgerError) -> Wrong:
    lang, typed = request.lang, request.query.filters()
    typed.pop(name, None)
    message = as_sentence(lang, error.message(lang))
    if isinstance(error, MalformedError) and name:
        message = say(lang, "stats.wrong_value", name=filter_label(name, lang), message=error.message(lang))
    return Wrong(name, message, address(request.path, typed if name else {}))


def address(path: str, parameters: Mapping[str, Any]) -> str:
    """Return an address with parameters, of which some may have several values."""
    encoded = urlencode(parameters, doseq=True)
    return f"{path}?{encoded}" if encoded else path


async def _shown_wrong(
    request: Request, kind: Kind, statistic: Statistic, typed: Mapping[str, Any], wrong: Sequence[Wrong]
) -> Response:
    """Return the form with what is wrong in it, and no answer."""

    def find(history: History) -> tuple[Facets, DisplayNames]:
        return facets_of(request, history, api.Filters()), names_shown(request, history)

    facets, shown = await from_read_model(request, "facets", find)

    def show() -> Response:
        return html(
            request,
            "statistics_answer.html",
            status=STATUSES["malformed"],
            **_form(request, kind, statistic, typed, facets, shown, None),
            wrong=wrong,
            wrong_by_name={one.name: one.message for one in wrong},
            table=None,
        )

    return await request.service.run_in_thread(show)


def _form(
    request: Request,
    kind: Kind,
    statistic: Statistic,
    typed: Mapping[str, Any],
    facets: Facets,
    shown: DisplayNames,
    player: str | None,
) -> dict[str, Any]:
    """Return what the form of a statistic shows. `player`: the typed player, as the form shows it."""
    lang, game = request.lang, typed.get("game")
    values = dict(typed) if player is None else {**typed, "player": player}
    options, compared = typed.get("option", ()), typed.get("compare", ())
    return {
        "statistic": statistic,
        "title": kind.title(name_of(request), lang),
        "path": f"{kind.folder}/{name_of(request)}",
        "is_plot": kind.folder != STATISTICS.folder,
        "typed": {name: getattr(request.query, name) for name in StatisticFilters.__struct_fields__} | values,
        "is_filtered": bool(typed),
        "fields": facet_fields(statistic.parameters, facets, values, shown, lang),
        "options": option_choices(facets, game, options, lang) if "option" in statistic.parameters else [],
        "chosen_options": [chosen_option(one, game, lang) for one in options],
        "chosen_comparisons": [chosen_comparison(one, shown, lang) for one in compared],
        "groups": group_choices(statistic, typed.get("group_by", ""), lang) if kind is STATISTICS else [],
        "comparisons": compare_choices(statistic, facets, compared, shown, lang) if kind is STATISTICS else [],
        "sort": request.query.sort,
        "has_more": any(name in typed for name in _MORE),
    }


_MORE: Final = ("since", "until", "season_from", "min_deals", "by", "option", "group_by", "compare")
"""The fields that are folded unless one of them is set."""


def _shown(request: Request, kind: Kind, statistic: Statistic, typed: Mapping[str, Any], result: _Result) -> Response:
    query: StatisticQuery = request.query
    lang, computed, shown = request.lang, result.computed, result.shown
    reader = reader_of_answers(request, shown)
    part = result.page or page_of(computed.answer, sort=query.sort, page=query.page)
    table = table_of(part, statistic, reader, sort=query.sort)
    person = computed.filters.get("player")
    player = None if person is None else shown.initials.get(person, person)
    sent = {**typed, **({"sort": query.sort} if query.sort else {})}
    pictured = {name: value for name, value in typed.items() if name in FILTERS}
    files = {
        ending: plot_address(name_of(request), pictured, lang, ending)
        if kind is not STATISTICS
        else address(f"{request.path}.{ending}", sent)
        for ending in kind.endings
    }
    return html(
        request,
        "statistics_answer.html",
        **_form(request, kind, statistic, typed, result.facets, shown, player),
        wrong=[],
        wrong_by_name={},
        table=table,
        only=describe_filters(computed.filters, shown.names, lang),
        compared=describe_filters(computed.compared_filters, shown.names, lang),
        as_of=as_of(computed.position, computed.digest, lang),
        sorted_address=lambda column: address(request.path, {**typed, "sort": column}),
        before=address(request.path, {**sent, "page": table.number - 1}) if table.number > 1 else None,
        after=address(request.path, {**sent, "page": table.number + 1}) if table.number < table.last else None,
        files=files,
        graph=_graph(table, statistic, lang),
        estimate=head_text(statistic, table.estimate),
        pictures=_pictures(request, kind, pictured),
        sql=result.sql,
        is_finished_by_program=kind is not STATISTICS
        or statistic.name in POSTPROCESSORS
        or any(name in typed for name in ("group_by", "compare")),
        excluded=_excluded(request, typed, result.facets) if not table.count else [],
    )


def reader_of_answers(request: Request, shown: DisplayNames) -> Reader:
    """Return the reader of tables, with the names that they may see."""
    initials = frozenset(shown.initials.values())
    return Reader(reader_of(request), shown.names, initials, request.grant is not PUBLIC)


def _graph(table: AnswerTable, statistic: Statistic, lang: str) -> str:
    """Return the graph of the intervals, if the table has two or more; else nothing."""
    if len(table.estimates) < 2:
        return ""
    name = table.estimate
    is_share = name.startswith("share") and not name.endswith("_difference")
    return intervals_graph(table.estimates, head_text(statistic, name), lang, is_share=is_share)


def _pictures(request: Request, kind: Kind, filters: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the address and the title of each plot of a page."""
    if not has_plots():
        return []
    name, lang = name_of(request), request.lang
    names = PLOTS_OF.get(name, ()) if kind is STATISTICS else (name,)
    return [(plot_address(one, filters, lang), plot_title(one, lang)) for one in names]


def name_of(request: Request) -> str:
    """Return the name of the statistic or plot of a page."""
    name: str = request.path_params["name"]
    return name


def plot_address(name: str, filters: Mapping[str, Any], lang: str, ending: str = "svg") -> str:
    """Return the address of a plot as a picture."""
    return address(f"{PREFIX}/plots/{name}.{ending}", {**filters, "lang": lang})


@cache
def has_plots() -> bool:
    """Return whether this installation can draw plots."""
    return find_spec("vl_convert") is not None and find_spec("altair") is not None


def _excluded(request: Request, typed: Mapping[str, Any], facets: Facets) -> list[Without]:
    """Return the filters without which some deals are left, the most first."""
    without = sorted(facets.without.items(), key=lambda one: -one[1])
    return [
        Without(
            filter_label(name, request.lang),
            deals,
            address(request.path, {key: value for key, value in typed.items() if key != name}),
        )
        for name, deals in without
        if deals and name in typed
    ]


def _file_page(ending: str, media: str) -> Callable[[Any], Any]:
    return page(
        f"/statistics/{{name}}.{ending}", "viewer", query=StatisticQuery, media=(media,), rests_on="history",
        of_whole_ledger=True, problems=("not_found", "busy"),
    )  # fmt: skip


async def _file(request: Request, name: str, write: Callable[[StatisticAnswer], Response]) -> Response:
    _statistic(name, request.lang)
    typed = request.query.filters()

    def find(history: History) -> Response:
        filters = filters_of(request, _converted(typed))
        return write(api.stats(history, name, filters, **names_for(request)))

    return await from_read_model(request, (request.media, name, tuple(typed.items())), find)


@_file_page("json", JSON)
async def statistic_json(request: Request, name: str) -> Response:
    """Return a statistic as JSON, as the API does."""
    return await _file(request, name, lambda one: Response(json_text(statistic_facts(one)).encode()))


@_file_page("csv", CSV)
async def statistic_csv(request: Request, name: str) -> Response:
    """Return a statistic as CSV, as the API does."""

    def write(one: StatisticAnswer) -> Response:
        return file_response(csv_text(one.answer.columns, one.answer.rows).encode(), CSV, f"{name}.csv")

    return await _file(request, name, write)


@_file_page("parquet", PARQUET)
async def statistic_parquet(request: Request, name: str) -> Response:
    """Return a statistic as Parquet, as the API does."""
    return await _file(request, name, lambda one: file_response(parquet_bytes(one.answer), PARQUET, f"{name}.parquet"))
