"""Reads of tables: the list, players, score, audit and disputes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any

from msgspec import Meta, Struct, field

from ledger import api
from ledger.events import Slug
from ledger.games import game_named
from ledger.games.kernel.views import DealStatus
from ledger.log.base import LogStore, StreamHead
from ledger.streams import TABLE
from ledger.table.answers import AuditAnswer, ScoreAnswer, TableStatus
from ledger.table.disputes import Dispute
from ledger.table.fold import DealRecord, TableFold
from ledger.table.listing import TableListed, table_listed
from ledger.table.steps import last_step
from ledger.web.http.reading import requested_table, seen, table_route, version_of
from ledger.web.http.request import Request
from ledger.web.http.response import Paging, Response, linked, page_of, paged
from ledger.web.http.routing import PREFIX, route


class TableSearch(Paging, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Tables of a session, of a game, and those that are still open, or are not."""

    session: Slug | None = None
    game: Annotated[str, Meta(min_length=1)] | None = None
    is_open: bool | None = field(name="open", default=None)


class SeatTaken(Struct, frozen=True, kw_only=True):
    """A seat and its current player."""

    seat: int
    player: str


class DealListed(Struct, frozen=True, kw_only=True):
    """One deal of a table. `version`: of its `deal_started`. `steps`: the number of its last state, as in `replay`.

    `links`: to its other resources.
    """

    deal: int
    dealer: int
    status: DealStatus
    version: int
    steps: int
    links: dict[str, str]


class TableDetail(Struct, frozen=True, kw_only=True):
    """One table. `options`: those that differ from the game's defaults. `version`: of the last entry in the reading.

    `links`: to its other resources.
    """

    table: str
    game: str
    players: tuple[str, ...]
    session: str | None
    version: int
    status: TableStatus
    seats: tuple[SeatTaken, ...]
    options: dict[str, Any]
    deals: tuple[DealListed, ...]
    links: dict[str, str]


@route("GET", "/tables", "viewer", query=TableSearch, answers={200: list[TableListed]}, rests_on="head")
def tables(request: Request) -> Response:
    """List the tables, in the order in which they were opened."""
    wanted: TableSearch = request.query
    if wanted.game is not None:
        game_named(wanted.game)
    store = seen(request)
    heads = store.streams(TABLE.prefix)
    if (wanted.session, wanted.game, wanted.is_open) == (None, None, None):
        page, following = page_of(request, heads, lambda head: TABLE.slug(head.stream))
        return Response(list(listed(request, store, page)), headers=linked(request, next=following))
    matches = [one for one in listed(request, store, heads) if _is_wanted(one, wanted)]
    return paged(request, matches, lambda one: one.table)


def listed(request: Request, store: LogStore, heads: Iterable[StreamHead]) -> Iterator[TableListed]:
    """Yield the list rows of these tables; each version of a table is read once."""
    cache = request.service.listed
    for head in heads:
        key = (head.stream, head.version)
        row: TableListed | None = cache.get(key)
        if row is None:
            row = table_listed(store, TABLE.slug(head.stream))
            if row.status != "damaged":
                cache.keep(key, row, 1)
        yield row


def _is_wanted(row: TableListed, wanted: TableSearch) -> bool:
    return (
        wanted.session in (None, row.session)
        and wanted.game in (None, row.game)
        and wanted.is_open in (None, row.status == "open")
    )


@table_route("/tables/{table}", TableDetail)
def table(request: Request, table: str) -> Response:
    """Return one table: seats, options and deals, with links to its other resources."""
    read = requested_table(request, table)
    fold = read.fold
    at = f"{PREFIX}/tables/{table}"
    detail = TableDetail(
        table=table,
        game=fold.game.name,
        players=tuple(fold.players),
        session=fold.opened.session,
        version=version_of(request, read),
        status="closed" if fold.is_closed else "open",
        seats=tuple(SeatTaken(seat=seat, player=player) for seat, player in enumerate(fold.players)),
        options=dict(fold.opened.options),
        deals=tuple(_deal(fold, record, f"{at}/deals/{record.number}") for record in fold.deals),
        links={
            **{name: f"{at}/{name}" for name in ("score", "audit", "disputes", "now")},
            "entries": f"{PREFIX}/streams/{TABLE.prefix}{table}/entries",
            "live": f"{PREFIX}/live?streams={TABLE.prefix}{table}",
            **({} if fold.opened.session is None else {"session": f"{PREFIX}/sessions/{fold.opened.session}"}),
        },
    )
    return Response(detail, headers=linked(request))


def _deal(fold: TableFold, record: DealRecord, at: str) -> DealListed:
    return DealListed(
        deal=record.number,
        dealer=record.dealer,
        status=record.status,
        version=record.version,
        steps=last_step(fold, record),
        links={
            "steps": f"{at}/steps",
            "last": f"{at}/steps/last",
            "picture": f"{at}/steps/last.svg",
            "readings": f"{at}/readings",
            "record": f"{at}.toml",
        },
    )


@table_route("/tables/{table}/score", ScoreAnswer)
def score(request: Request, table: str) -> Response:
    """Return the score of each deal, line by line, and the totals."""
    return Response(
        api.score(seen(request), requested_table(request, table), lang=request.lang), headers=linked(request)
    )


@table_route("/tables/{table}/audit", AuditAnswer)
def audit(request: Request, table: str) -> Response:
    """Return the rule breaks in the record of a table, each with its rule."""
    return Response(
        api.audit(seen(request), requested_table(request, table), lang=request.lang), headers=linked(request)
    )


@table_route("/tables/{table}/disputes", list[Dispute])
def disputes(request: Request, table: str) -> Response:
    """Return the disputes of a table and their outcomes."""
    return Response(api.disputes(seen(request), requested_table(request, table)), headers=linked(request))
