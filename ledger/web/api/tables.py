"""Tables as they are read: which there are, who sits there, the score, the audit, what is in dispute."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any

from msgspec import Meta, Struct, field

from ledger import api
from ledger.events import Slug
from ledger.games import game_named
from ledger.games.kernel.views import DealStatus
from ledger.log.base import LogStore, StreamHead
from ledger.table.answers import AuditAnswer, ScoreAnswer, TableStatus
from ledger.table.disputes import Dispute
from ledger.table.fold import DealRecord, TableFold
from ledger.table.listing import TableListed, table_listed
from ledger.table.repository import TABLE_PREFIX, slug_of
from ledger.table.steps import last_step
from ledger.web.http.links import linked
from ledger.web.http.paging import Paging, page_of, paged
from ledger.web.http.reading import TableReading, seen, table_asked, version_of
from ledger.web.http.request import Asked
from ledger.web.http.routing import PREFIX, Answer, route


class TableSearch(Paging, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Tables of a session, of a game, and those that are still open, or are not."""

    session: Slug | None = None
    game: Annotated[str, Meta(min_length=1)] | None = None
    is_open: bool | None = field(name="open", default=None)


class SeatTaken(Struct, frozen=True, kw_only=True):
    """Who sits at a seat now."""

    seat: int
    player: str


class DealListed(Struct, frozen=True, kw_only=True):
    """One deal of a table; `version`: of its `deal_started`. `steps`: the last of its states, as `replay` counts them.

    `links`: where to read on.
    """

    deal: int
    dealer: int
    status: DealStatus
    version: int
    steps: int
    links: dict[str, str]


class TableDetail(Struct, frozen=True, kw_only=True):
    """One table. `options`: those that differ from the game's own. `version`: of the last entry that is read.

    `links`: where to read on.
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
def tables(asked: Asked) -> Answer:
    """The tables, in the order in which they were opened."""
    wanted: TableSearch = asked.query
    if wanted.game is not None:
        game_named(wanted.game)
    store = seen(asked)
    heads = store.streams(TABLE_PREFIX)
    if (wanted.session, wanted.game, wanted.is_open) == (None, None, None):
        page, following = page_of(asked, heads, lambda head: slug_of(head.stream))
        return Answer(body=list(listed(asked, store, page)), headers=linked(asked, next=following))
    found = [one for one in listed(asked, store, heads) if _is_wanted(one, wanted)]
    return paged(asked, found, lambda one: one.table)


def listed(asked: Asked, store: LogStore, heads: Iterable[StreamHead]) -> Iterator[TableListed]:
    """What a list tells of these tables; of each version of a table it is read once."""
    kept = asked.service.listed
    for head in heads:
        key = (head.stream, head.version)
        row: TableListed | None = kept.get(key)
        if row is None:
            row = table_listed(store, slug_of(head.stream))
            if row.status != "damaged":
                kept.keep(key, row, 1)
        yield row


def _is_wanted(row: TableListed, wanted: TableSearch) -> bool:
    return (
        wanted.session in (None, row.session)
        and wanted.game in (None, row.game)
        and wanted.is_open in (None, row.status == "open")
    )


@route(
    "GET",
    "/tables/{table}",
    "viewer",
    query=TableReading,
    answers={200: TableDetail},
    rests_on="table",
    problems=("not_found",),
)
def table(asked: Asked, table: str) -> Answer:
    """One table: who sits where, its options and its deals, with links to all that is told of them."""
    read = table_asked(asked, table)
    fold = read.fold
    at = f"{PREFIX}/tables/{table}"
    detail = TableDetail(
        table=table,
        game=fold.game.name,
        players=tuple(fold.players),
        session=fold.opened.session,
        version=version_of(asked, read),
        status="closed" if fold.is_closed else "open",
        seats=tuple(SeatTaken(seat=seat, player=player) for seat, player in enumerate(fold.players)),
        options=dict(fold.opened.options),
        deals=tuple(_deal(fold, record, f"{at}/deals/{record.number}") for record in fold.deals),
        links={
            **{name: f"{at}/{name}" for name in ("score", "audit", "disputes", "now")},
            "entries": f"{PREFIX}/streams/{TABLE_PREFIX}{table}/entries",
            "live": f"{PREFIX}/live?streams={TABLE_PREFIX}{table}",
            **({} if fold.opened.session is None else {"session": f"{PREFIX}/sessions/{fold.opened.session}"}),
        },
    )
    return Answer(body=detail, headers=linked(asked))


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


@route(
    "GET",
    "/tables/{table}/score",
    "viewer",
    query=TableReading,
    answers={200: ScoreAnswer},
    rests_on="table",
    problems=("not_found",),
)
def score(asked: Asked, table: str) -> Answer:
    """What each deal came to, line by line, and the totals."""
    return Answer(body=api.score(seen(asked), table_asked(asked, table), lang=asked.lang), headers=linked(asked))


@route(
    "GET",
    "/tables/{table}/audit",
    "viewer",
    query=TableReading,
    answers={200: AuditAnswer},
    rests_on="table",
    problems=("not_found",),
)
def audit(asked: Asked, table: str) -> Answer:
    """What the record of a table breaks, each with its rule."""
    return Answer(body=api.audit(seen(asked), table_asked(asked, table), lang=asked.lang), headers=linked(asked))


@route(
    "GET",
    "/tables/{table}/disputes",
    "viewer",
    query=TableReading,
    answers={200: list[Dispute]},
    rests_on="table",
    problems=("not_found",),
)
def disputes(asked: Asked, table: str) -> Answer:
    """The disputes of a table, and what became of them."""
    return Answer(body=api.disputes(seen(asked), table_asked(asked, table)), headers=linked(asked))
