"""Queries of the read model: statistics, plots and SQL, with limits on time, memory and number."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import date
from typing import Annotated, Any, Final, Literal, TypeAlias, TypeVar

import msgspec
from msgspec import Meta, Struct, structs

from ledger import api, limits
from ledger.events import Name, Seat, Slug, Word
from ledger.history import Bounds, History, parquet_bytes, statistic_named
from ledger.history.questions.answers import Answer as QueryAnswer
from ledger.history.questions.filters import SeasonFrom, SeasonName, options_by_name
from ledger.history.questions.history import StatisticRows
from ledger.history.questions.saved import SavedQuestions
from ledger.history.questions.selections import typed_filters
from ledger.history.questions.statistics import ListedQuestion
from ledger.log.people import People
from ledger.plots.figures import plot_named
from ledger.recording.typed.opening import option_named
from ledger.text.history import csv_text, json_list, json_rows, json_text, listed_facts, statistic_facts
from ledger.validation import malformed
from ledger.web.http.problems import web_error
from ledger.web.http.reading import seen
from ledger.web.http.request import Request
from ledger.web.http.response import Response
from ledger.web.http.routing import JSON, Handler, route

CSV: Final = "text/csv"
PARQUET: Final = "application/vnd.apache.parquet"

Result = TypeVar("Result")


OptionText: TypeAlias = Annotated[str, Meta(min_length=1, max_length=200)]
"""An option and its value, e.g. `ante=10`, or a filter and its value, e.g. `season=2025`."""


class Filters(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The selection of deals. `player`: by the name in the record or the display name; `since`, `until`: days, both
    included.

    `option`, repeatable: an option of the table, e.g. `ante=10` (defaults included); `place`: of the session;
    `weekday`: of the deal; `season`: by the year in which it begins, e.g. `2025` or `2025/26`; `season_from`: the day
    of the year on which seasons begin.
    """

    player: Name | None = None
    game: Word | None = None
    since: date | None = None
    until: date | None = None
    session: Slug | None = None
    option: tuple[OptionText, ...] = ()
    place: Name | None = None
    weekday: Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"] | None = None
    season: SeasonName | None = None
    season_from: SeasonFrom | None = None


class StatisticFilters(Filters, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`seat`: of the player in a row; `min_deals`: only players and pairs with that many deals; `by`: the unit that
    intervals of means take as independent; `group_by`: the statistic for each value of this filter, in a first column
    `group`.

    `compare`, repeatable: a filter with another value, e.g. `season=2025`: the deals with these filters replaced are a
    second selection, which is compared with the first.
    """

    seat: Seat | None = None
    min_deals: Annotated[int, Meta(ge=1)] | None = None
    by: Literal["table"] | None = None
    group_by: Literal["season", "place", "weekday", "seat"] | None = None
    compare: tuple[OptionText, ...] = ()


class QuerySent(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A query in SQL. `seconds` and `rows`: its limits."""

    sql: Annotated[str, Meta(min_length=1, max_length=limits.QUERY_CHARS)]
    seconds: Annotated[float, Meta(gt=0, le=limits.QUERY_SECONDS)] = limits.QUERY_SECONDS
    rows: Annotated[int, Meta(ge=1, le=limits.QUERY_ROWS)] = limits.QUERY_ROWS


class SavedQuestion(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    sql: Annotated[str, Meta(min_length=1, max_length=limits.QUERY_CHARS)]


class NamedQuestion(Struct, frozen=True, kw_only=True):
    name: str
    sql: str


def history_route(path: str, answer: Any, **declared: Any) -> Callable[[Handler], Handler]:
    """Declare a route that reads the read model: of all tables, and so not for tokens bound to some."""
    usual = {"answers": {200: answer}, "rests_on": "history", "of_whole_ledger": True}
    return route("GET", path, "viewer", **usual, **declared)


async def from_history(request: Request, work: Callable[[History], Result]) -> Result:
    """Run a function on the read model in one of its threads; equal requests share the answer.

    Raise `ConflictError` if too many queries wait.
    """
    key = (
        request.path,
        request.query,
        request.rests_on,
        request.visible.names,
        request.lang,
        request.media,
        request.grant.role,
    )
    return await asyncio.wrap_future(request.service.history.query(work, key))


def hidden_from(request: Request, people: People) -> frozenset[str]:
    """Return the persons whom this client sees only by initials."""
    return frozenset() if request.grant.at_least("director") else people.hidden_persons()


def names_for(request: Request) -> dict[str, Any]:
    """Return the display names for this client, and the persons whom it sees only by initials."""
    people = seen(request).people()
    return {"names": people.shown(), "hidden": hidden_from(request, people)}


def filters_of(request: Request, query: Filters) -> api.Filters:
    """Return the filters as the API takes them."""
    people = seen(request).people()
    hidden = hidden_from(request, people)
    shown = {name: player for player, name in people.names.items() if people.person(player) not in hidden}
    words = query.compare if isinstance(query, StatisticFilters) else ()
    compared = {"compare": _compared(request, words) if words else None}
    settled = {
        "player": None if query.player is None else shown.get(query.player, query.player),
        "option": options_by_name(map(option_named, query.option)),
        "season_from": query.season_from or request.service.settings.season_from,
    }
    return api.Filters(**{**structs.asdict(query), **settled, **compared})


def _compared(request: Request, words: tuple[str, ...]) -> dict[str, Any]:
    """Return the filters of the second selection, as the API takes them."""
    typed = typed_filters(words)
    values = {key: tuple(values) if key == "option" else values[0] for key, values in typed.items()}
    try:
        query = msgspec.convert(values, StatisticFilters, strict=False)
    except msgspec.ValidationError as error:
        raise malformed(error, values, StatisticFilters) from None
    filters = filters_of(request, query)
    return {key: getattr(filters, key) for key in typed}


@route("GET", "/statistics", "viewer", answers={200: list[ListedQuestion]}, rests_on="program")
async def statistics(request: Request) -> Response:
    """List the statistics, with descriptions and the filters of each."""
    return Response(listed_facts(api.statistics(request.lang)))


@history_route(
    "/statistics/{name}", StatisticRows, query=StatisticFilters, media=(JSON, CSV, PARQUET),
    problems=("not_found", "query_refused"),
)  # fmt: skip
async def statistic(request: Request, name: str) -> Response:
    """Return a statistic over all finished deals, or those that fit the filters."""
    statistic_named(name)  # report a wrong name before querying

    def find(history: History) -> Response:
        computed = api.stats(history, name, filters_of(request, request.query), **names_for(request))
        match request.media:
            case "text/csv":
                return file_response(
                    csv_text(computed.answer.columns, computed.answer.rows).encode(), CSV, f"{name}.csv"
                )
            case "application/vnd.apache.parquet":
                return file_response(parquet_bytes(computed.answer), PARQUET, f"{name}.parquet")
            case _:
                return Response(json_text(statistic_facts(computed)).encode())

    return await from_history(request, find)


def file_response(content: bytes, media: str, name: str) -> Response:
    """Return a file to be saved under a name."""
    return Response(content, media_type=media, headers={"content-disposition": f'attachment; filename="{name}"'})


_PICTURES: Final = {".svg": "image/svg+xml", ".png": "image/png", ".json": JSON}


def _plot_route(form: str, answer: Any) -> Callable[[Handler], Handler]:
    path, media, problems = f"/plots/{{name}}{form}", (_PICTURES[form],), ("not_found", "not_installed")
    return history_route(path, answer, query=Filters, media=media, problems=problems)


async def _plot(request: Request, name: str, form: str) -> Response:
    plot_named(name)

    def draw(history: History) -> Response:
        figures = api.plot(history, name, filters_of(request, request.query), lang=request.lang, **names_for(request))
        return Response(api.picture(figures, f"{name}{form}", request.lang), media_type=_PICTURES[form])

    return await from_history(request, draw)


@_plot_route(".svg", str)
async def plot_svg(request: Request, name: str) -> Response:
    """Return a plot as SVG."""
    return await _plot(request, name, ".svg")


@_plot_route(".png", bytes)
async def plot_png(request: Request, name: str) -> Response:
    """Return a plot as PNG."""
    return await _plot(request, name, ".png")


@_plot_route(".json", dict[str, Any])
async def plot_json(request: Request, name: str) -> Response:
    """Return a plot as a Vega-Lite specification with its data."""
    return await _plot(request, name, ".json")


@route(
    "POST", "/query", "director", or_viewers=True, body=QuerySent, answers={200: list[dict[str, Any]]},
    media=(JSON, CSV, PARQUET), of_whole_ledger=True, problems=("query_refused", "busy"),
)  # fmt: skip
async def query(request: Request) -> Response:
    """Query the read model in SQL."""
    sent: QuerySent = request.data

    def find(history: History) -> QueryAnswer:
        return history.query(sent.sql, Bounds(seconds=sent.seconds, rows=sent.rows))

    answer = await asyncio.wrap_future(request.service.history.query_sql(find))
    if request.media == JSON:
        return Response(json_list(json_rows(answer)).encode())
    return await request.service.run_in_thread(lambda: _table(answer, request.media))


def _table(answer: QueryAnswer, media: str) -> Response:
    if media == CSV:
        return file_response(csv_text(answer.columns, answer.rows).encode(), CSV, "answer.csv")
    return file_response(parquet_bytes(answer), PARQUET, "answer.parquet")


@route("GET", "/queries", "director", answers={200: list[str]}, of_whole_ledger=True)
def queries(request: Request) -> Response:
    """List the names of the saved queries."""
    return Response(api.saved_questions(request.service.ledger).names())


@route(
    "GET", "/queries/{name}", "director", answers={200: NamedQuestion}, of_whole_ledger=True, problems=("not_found",)
)
def saved_query(request: Request, name: str) -> Response:
    """Return a saved query."""
    return Response(NamedQuestion(name=name, sql=_saved(request, name).sql(name)))


def _saved(request: Request, name: str) -> SavedQuestions:
    """Return the saved queries. Raise `WebError` if this one is missing, without naming a folder of this machine."""
    saved = api.saved_questions(request.service.ledger)
    if name not in (known := saved.names()):
        raise web_error("not_found", "no_saved_question", text=name, known=tuple(known))
    return saved


@route(
    "PUT", "/queries/{name}", "director", body=SavedQuestion, answers={200: NamedQuestion, 201: NamedQuestion},
    of_whole_ledger=True,
)  # fmt: skip
def save_query(request: Request, name: str) -> Response:
    """Save a query under a name, replacing an earlier one."""
    sent: SavedQuestion = request.data
    is_replaced = api.saved_questions(request.service.ledger).replace(name, sent.sql)
    return Response(NamedQuestion(name=name, sql=sent.sql), status_code=200 if is_replaced else 201)


@route("DELETE", "/queries/{name}", "director", answers={204: None}, of_whole_ledger=True, problems=("not_found",))
def remove_query(request: Request, name: str) -> Response:
    """Remove a saved query."""
    _saved(request, name).remove(name)
    return Response(status_code=204)
