"""The SQL console: a question to the read model, its answer and files, saved questions, and what there is to ask."""

from __future__ import annotations

import asyncio
import re
from ast import literal_eval
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, NamedTuple

from msgspec import Meta, Struct

from ledger import api, limits
from ledger.errors import LedgerError, QueryError
from ledger.history import Bounds, History, split_statements
from ledger.history.questions.answers import Answer
from ledger.history.questions.history import TableDescription
from ledger.history.questions.named_parameters import parameters_in, with_values
from ledger.history.questions.saved import KEYWORDS, has_statement, is_name
from ledger.i18n import Phrase
from ledger.text.history import json_text
from ledger.text.site.catalogue import as_sentence, say
from ledger.web.api.history import CSV, PARQUET, QuerySent, SavedQuestion, from_history, remove_query, save_query
from ledger.web.api.history import query as query_route
from ledger.web.http.problems import STATUSES, web_error
from ledger.web.http.request import Request
from ledger.web.http.response import Response
from ledger.web.http.routing import JSON, form, page
from ledger.web.pages.frame import elsewhere, html

_PATH: Final = "/sql"
_SECONDS: Final = 20
"""The longest time of a question on the page; programs may take longer."""

_SHOWN_ROWS: Final = 200
_SHOWN_CHARS: Final = 160
_PARAMETER: Final = "p-"
_FILES: Final = {"json": JSON, "csv": CSV, "parquet": PARQUET}
_TABLES_BYTES: Final = 100_000
"""The size of the descriptions of all tables in a language, roughly."""

_NUMBERS: Final = ("DECIMAL", "DOUBLE", "FLOAT", "BIGINT", "INTEGER", "SMALLINT", "TINYINT", "HUGEINT", "U")
"""The beginnings of types of numbers; `U` is that of integers without a sign, and of UUID."""

_PLACE: Final = re.compile(r" \(at ('.*'|\".*\")\)$")
"""The end of a message of DuckDB: the text at the place of the error."""


class SqlQuery(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`sql`: fills in the question, which is not run; `question`: the name of a saved one that does."""

    sql: Annotated[str, Meta(max_length=limits.QUERY_CHARS)] = ""
    question: Annotated[str, Meta(max_length=200)] = ""


class Refusal(NamedTuple):
    """A question without an answer. `statement`: its beginning. `line`, `column`: of the error, 0 if unknown."""

    why: str
    advice: str
    statement: str
    line: int = 0
    column: int = 0


class ShownAnswer(Struct, frozen=True, kw_only=True):
    """An answer as a table. `rows`: the first ones as text; `count`: of all; `numbers`: the columns of numbers."""

    columns: Sequence[str]
    numbers: Sequence[bool]
    rows: Sequence[Sequence[str | None]]
    count: int
    position: int


_OPEN: Final[dict[str, Any]] = {"or_viewers": True, "of_whole_ledger": True}


@page(_PATH, "director", query=SqlQuery, problems=("busy", "not_found"), **_OPEN)
async def sql_page(request: Request) -> Response:
    """Show the console, filled in by the address; nothing is run."""
    query: SqlQuery = request.query
    sql, name = query.sql, ""
    if query.question and _may_save(request):
        name = query.question
        sql = await request.service.run_in_thread(lambda: _saved_sql(request, name))
    return await _shown(request, sql, name=name)


@form(_PATH, "director", body=dict[str, str], problems=("busy", "query_refused"), **_OPEN)
async def sql_submitted(request: Request) -> Response:
    """Answer the question as a table or a file, or save it."""
    form_data: dict[str, str] = request.data
    sql, do, name = form_data.get("sql", ""), form_data.get("do", "run"), form_data.get("name", "")
    if do in ("save", "replace", "remove"):
        return await _saved(request, sql, do, name)
    if not has_statement(sql):
        return await _shown(request, sql, faults={"sql": say(request.lang, "sql.nothing_typed")}, name=name)
    values = {key.removeprefix(_PARAMETER): text for key, text in form_data.items() if key.startswith(_PARAMETER)}
    whole = with_values(sql, values)
    try:
        if do in _FILES:
            sent = QuerySent(sql=whole, seconds=_SECONDS)
            file: Response = await query_route(request.replace(data=sent, media=_FILES[do]))
            return file
        answer = await _answer_to(request, whole)
    except QueryError as error:
        return await _shown(request, sql, name=name, values=values, refusal=_refusal(request.lang, error, whole))
    return await _shown(request, sql, name=name, values=values, answer=answer)


def _saved_sql(request: Request, name: str) -> str:
    """Return a saved question. Raise `WebError` if it is missing, without naming a folder of this machine."""
    saved = api.saved_questions(request.service.ledger)
    if name not in (known := saved.names()):
        raise web_error("not_found", "no_saved_question", text=name, known=tuple(known))
    return saved.sql(name).strip()


async def _answer_to(request: Request, sql: str) -> ShownAnswer:
    def find(history: History) -> tuple[Answer, int]:
        return history.query(sql, Bounds(seconds=_SECONDS)), history.head.position

    answer, position = await asyncio.wrap_future(request.service.history.query_sql(find))
    return ShownAnswer(
        columns=answer.columns,
        numbers=[kind.startswith(_NUMBERS) for kind in answer.types],
        rows=[[None if cell is None else _cell(cell) for cell in row] for row in answer.rows[:_SHOWN_ROWS]],
        count=len(answer.rows),
        position=position,
    )


def _cell(value: Any) -> str:
    return (value if isinstance(value, str) else json_text(value))[:_SHOWN_CHARS]


async def _saved(request: Request, sql: str, do: str, name: str) -> Response:
    """Save or remove a question. A question of that name is replaced only by a button that says so."""
    lang, service = request.lang, request.service
    faults: dict[str, str] = {}
    if not _may_save(request):
        faults["name"] = say(lang, "sql.directors_save")
    elif not is_name(name):
        faults["name"] = say(lang, "sql.name_wrong", count=limits.SLUG_CHARS)
    elif do == "save" and name in api.saved_questions(service.ledger).names():
        faults["replace"] = say(lang, "sql.name_taken", name=name)
    elif do != "remove" and not has_statement(sql):
        faults["sql"] = say(lang, "sql.nothing_typed")
    if not faults:
        try:
            if do == "remove":
                await service.run_in_thread(lambda: remove_query(request, name))
                return await _shown(request, sql, notice=say(lang, "sql.removed", name=name))
            sent = request.replace(data=SavedQuestion(sql=sql))
            await service.run_in_thread(lambda: save_query(sent, name))
            return elsewhere(f"{_PATH}?question={name}")
        except LedgerError as error:
            faults["name"] = as_sentence(lang, error.message(lang))
    return await _shown(request, sql, name=name, faults=faults)


async def _shown(
    request: Request,
    sql: str,
    *,
    name: str = "",
    values: Mapping[str, str] | None = None,
    answer: ShownAnswer | None = None,
    refusal: Refusal | None = None,
    faults: Mapping[str, str] | None = None,
    notice: str = "",
) -> Response:
    tables = await _tables(request)

    def make() -> Response:
        names = api.saved_questions(request.service.ledger).names() if _may_save(request) else []
        return html(
            request,
            "sql.html",
            status=STATUSES["query_refused"] if refusal or faults else 200,
            sql=sql,
            name=name,
            parameters={one: (values or {}).get(one, "") for one in parameters_in(sql)},
            answer=answer,
            refusal=refusal,
            faults=faults or {},
            notice=notice,
            tables=tables,
            saved=names,
            may_save=_may_save(request),
            keywords=" ".join(KEYWORDS),
            seconds=_SECONDS,
            shown_rows=_SHOWN_ROWS,
            most_rows=limits.QUERY_ROWS,
        )

    return await request.service.run_in_thread(make)


async def _tables(request: Request) -> Sequence[TableDescription]:
    """Return the tables and columns with their meanings, which are the same as long as the program runs."""
    key, lang = ("tables-to-query", request.lang), request.lang
    tables: Sequence[TableDescription] | None = request.service.answers.get(key)
    if tables is None:
        tables = await from_history(request, lambda history: history.tables(lang))
        request.service.answers.keep(key, tables, _TABLES_BYTES)
    return tables


def _may_save(request: Request) -> bool:
    return request.grant.at_least("director")


def _refusal(lang: str, error: QueryError, sql: str) -> Refusal:
    """Return why a question has no answer, for people at a page instead of a command line."""
    key = error.said.key if isinstance(error.said, Phrase) else ""
    words = str(error.said.values.get("words", "")) if isinstance(error.said, Phrase) else ""
    statement = " ".join(sql.split())
    statement = statement if len(statement) <= 80 else f"{statement[:79]}…"
    allowed = say(lang, "sql.allowed")
    match key:
        case "query.not_one":
            count = len(split_statements(f"{sql};")[0])
            return Refusal(say(lang, "sql.not_one", count=count), say(lang, "sql.one_each"), statement)
        case "query.not_reading":
            return Refusal(say(lang, "sql.not_reading", word=statement.partition(" ")[0]), allowed, statement)
        case "query.outside":
            return Refusal(say(lang, "sql.outside"), allowed, statement)
        case "query.machine":
            return Refusal(say(lang, "sql.machine", word=words[:60].strip()), allowed, statement)
        case "query.time":
            return Refusal(say(lang, "sql.time", seconds=_SECONDS), say(lang, "sql.ask_less"), statement)
        case "query.rows":
            return Refusal(say(lang, "sql.rows", count=f"{limits.QUERY_ROWS:,}"), say(lang, "sql.ask_less"), statement)
        case "query.memory" | "query.size" | "query.disk" | "query.broken":
            return Refusal(say(lang, "sql.too_much"), say(lang, "sql.ask_less"), statement)
        case "query.sql":
            place = _PLACE.search(words)
            line, column = (0, 0) if place is None else _place_of(literal_eval(place[1]), sql)
            advice = say(lang, "sql.look_up")
            return Refusal(_PLACE.sub("", words), advice, "" if line else statement, line, column)
    return Refusal(as_sentence(lang, error.message(lang)), say(lang, "sql.look_up"), statement)


def _place_of(text: str, sql: str) -> tuple[int, int]:
    """Return line and column of a text, from 1; 0 if it is missing or not unique."""
    if sql.count(text) != 1:
        return 0, 0
    before = sql[: sql.index(text)]
    return before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1
