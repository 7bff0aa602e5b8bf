"""The lists of the tables and players of a ledger."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from ledger.errors import ConflictError, SkippingDamage
from ledger.events import Corrected, DealStarted, PlayerSeated, TableClosed, TableOpened
from ledger.log.base import LogStore, Row
from ledger.log.people import People, checked_display_name
from ledger.names import folded, only_fit
from ledger.streams import TABLE
from ledger.table.answers import PlayerPoints, TableStatus
from ledger.table.catalogue import phrase
from ledger.table.corrections import corrected_reading
from ledger.table.people import known_players, no_such_player, seatings
from ledger.table.repository import AS_CORRECTED, ReadAs, fold_tables, known_session, no_table, not_opened, players_of
from ledger.table.score import substitutes_points


def _beginning(kind: type[Struct]) -> bytes:
    """Return the first bytes of the payload of every entry of this type: its canonical form begins with the type."""
    return f'{{"type":"{kind.__struct_config__.tag}"'.encode()


TableState: TypeAlias = Literal["open", "over", "closed"]

_LISTED: Final[tuple[type[Struct], ...]] = (TableOpened, PlayerSeated, DealStarted, TableClosed)
_CORRECTED: Final = _beginning(Corrected)
_RELEVANT: Final = (*map(_beginning, _LISTED),)


class TableRow(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One table in the list.

    `table`, `session`: slugs. `players`, `totals`: by seat, the current players and the totals; `deals`: the number of
    started deals. `state`: `over` once the match has ended by its rules, `closed` once the table is closed. `points`:
    by player, if a player was substituted: each has the points of the deals that they played.
    """

    table: str
    game: str
    session: str | None
    players: list[str]
    deals: int
    closed: bool
    totals: list[int]
    state: TableState
    points: list[PlayerPoints] = []


class TableFilter(Struct, frozen=True, kw_only=True):
    """A filter of the list of tables by session, player, game or state; None allows all."""

    session: str | None = None
    player: str | None = None
    game: str | None = None
    state: TableState | None = None


class TableListed(Struct, frozen=True, kw_only=True):
    """One table among many, without replaying its deals.

    `version`: of its last entry; the rest as in `TableRow`. Of a damaged table nothing else is known.
    """

    table: str
    game: str
    players: tuple[str, ...]
    session: str | None
    version: int
    deals: int
    status: TableStatus | Literal["damaged"]


_ALL_TABLES: Final = TableFilter()


class PlayerRow(Struct, frozen=True, kw_only=True):
    """One player of the record, with the display name `name` and the number of tables they sat at.

    `spellings`: the other names of the same person in the record. `hidden`: whether others see initials instead of the
    name.
    """

    player: str
    name: str | None
    tables: int
    spellings: list[str] = []
    hidden: bool = False


def table_rows(
    store: LogStore, read_as: ReadAs = AS_CORRECTED, wanted: TableFilter = _ALL_TABLES
) -> Iterator[TableRow]:
    """Yield the tables, in the order in which they were opened.

    Raise `NotFoundError` for a session or player missing from the ledger, before the first of them.
    """
    session = None if wanted.session is None else known_session(store, wanted.session)
    spellings = None if wanted.player is None else _spellings(store, wanted.player, read_as.names)
    for slug, fold in fold_tables(store, read_as):
        state: TableState = "closed" if fold.is_closed else "over" if fold.match.is_over else "open"
        if (
            session in (None, fold.opened.session)
            and wanted.game in (None, fold.game.name)
            and wanted.state in (None, state)
            and (spellings is None or not all(map(spellings.isdisjoint, seatings(fold.entries))))
        ):
            yield TableRow(
                table=slug,
                game=fold.game.name,
                session=fold.opened.session,
                players=fold.players,
                deals=len(fold.deals),
                closed=fold.is_closed,
                totals=fold.match.totals,
                state=state,
                points=substitutes_points(fold),
            )


def _spellings(store: LogStore, player: str, names: Mapping[str, str]) -> frozenset[str]:
    """Return the names under which a player is listed, all spellings of that person."""
    shown, known = store.display_names(), players_of(store)
    players = {shown.get(one, one): one for one in known} | {one: one for one in known}
    named = only_fit(player, players)
    if named is None:
        raise no_such_player(player, players)
    return frozenset(names.get(one, one) for one in store.people().spellings(players[named]))


def table_listed(store: LogStore, slug: str) -> TableListed:
    """Return a table as corrected, or as damaged. Raise `NotFoundError` for one that does not exist."""
    with SkippingDamage():
        return _table_listed(store, slug)
    version = len(store.read_stream(TABLE.stream(slug), verified=False))
    return TableListed(table=slug, game="", players=(), session=None, version=version, deals=0, status="damaged")


def _table_listed(store: LogStore, slug: str) -> TableListed:
    rows = store.read_stream(TABLE.stream(slug))
    if not rows:
        raise no_table(store, slug)
    reading = corrected_reading([(row.version, row.event()) for row in _relevant_rows(rows)])
    _, opened = reading[0]
    if type(opened) is not TableOpened:
        raise not_opened(slug)
    players = list(opened.players)
    deals, is_closed = 0, False
    for _, event in reading:
        kind = type(event)
        if kind is DealStarted:
            deals += 1
        elif kind is TableClosed:
            is_closed = True
        elif type(event) is PlayerSeated:
            players[event.seat] = event.player
    return TableListed(
        table=slug,
        game=opened.game,
        players=tuple(players),
        session=opened.session,
        version=rows[-1].version,
        deals=deals,
        status="closed" if is_closed else "open",
    )


def _relevant_rows(rows: Sequence[Row]) -> Sequence[Row]:
    """Return the entries that a list needs, chosen by their types without decoding: a tenth of the time.

    A correction may insert any event, so with one all entries are returned.
    """
    if any(row.payload.startswith(_CORRECTED) for row in rows):
        return rows
    return [row for row in rows if row.payload.startswith(_RELEVANT)]


def player_rows(tables: Mapping[str, int], people: People) -> Iterator[PlayerRow]:
    """Yield all players by name. `tables`: the number of tables of each person."""
    names, hidden = people.shown(), people.hidden_persons()
    others: dict[str, list[str]] = defaultdict(list)
    for spelling, person in people.persons().items():
        others[person].append(spelling)
    for player in sorted(tables.keys() | (names.keys() - people.links.keys())):
        yield PlayerRow(
            player=player,
            name=names.get(player),
            tables=tables.get(player, 0),
            spellings=others[player],
            hidden=player in hidden,
        )


def check_display_name(store: LogStore, player: str, name: str) -> None:
    """Raise an error if this name may not be shown for a player.

    `NotFoundError`: the record does not have the player, so the name would never be shown; `ConflictError`: the name of
    another player, which would mislead.
    """
    known = known_players(store)
    if player not in known:
        raise no_such_player(player, known.values())
    if folded(name) in (folded(other) for other in known if other != player):
        raise ConflictError("exists", phrase("another_player", text=name))
    checked_display_name(name)
