"""Sessions and players from the read model, and names, links and privacy, which are stored outside of the log."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Struct, structs

from ledger.errors import NotFoundError
from ledger.events import Name
from ledger.history import Filters, History, list_queries
from ledger.history.questions.display_names import DisplayNames, display_names
from ledger.history.questions.history import StatisticRows
from ledger.log.base import LogStore
from ledger.streams import SESSION
from ledger.table.listing import PlayerRow, check_display_name, player_rows
from ledger.table.people import check_link, check_player, recorded_name
from ledger.table.repository import no_session
from ledger.text.history import json_rows, statistic_facts
from ledger.web.api.history import from_history, hidden_from, history_route
from ledger.web.catalogue import phrase
from ledger.web.http.auth import PUBLIC
from ledger.web.http.problems import web_error
from ledger.web.http.reading import seen
from ledger.web.http.request import Request
from ledger.web.http.response import Paging, Response, paged
from ledger.web.http.routing import Handler, Method, route

Result = TypeVar("Result")

_PATIENCE_S: Final = 5.0


class SessionListed(Struct, frozen=True, kw_only=True):
    """A session by its slug; title and date are null if its opening was struck. `tables`: their number."""

    session: str
    title: str | None
    date: str | None
    club: str | None
    place: str | None
    zone: str | None
    closed: bool
    tables: int


class Sitting(Struct, frozen=True, kw_only=True):
    """A table by its slug, with its day and its number of complete deals."""

    table: str
    session: str | None
    game: str
    date: str
    closed: bool
    deals: int


class SessionPage(Struct, frozen=True, kw_only=True):
    session: SessionListed
    tables: list[Sitting]


class PlayerPage(Struct, frozen=True, kw_only=True):
    """A player by the name in the record, with the number of complete deals. `name`: the display name. Days are those
    of the first and last table.
    """

    player: str
    name: str | None
    tables: int
    deals: int
    first_played_on: str
    last_played_on: str
    sat_at: list[Sitting]


def _rows(history: History, question: str, **filters: Any) -> list[dict[str, Any]]:
    return json_rows(history.answer_to(list_queries()[question], Filters(**filters)).answer)


@history_route("/sessions", list[SessionListed], query=Paging)
async def sessions(request: Request) -> Response:
    """List all sessions, the newest first."""
    rows = await from_history(request, lambda history: _rows(history, "sessions"))
    return paged(request, msgspec.convert(rows, list[SessionListed]), lambda row: row.session)


@history_route("/sessions/{session}", SessionPage, problems=("not_found",))
async def session(request: Request, session: str) -> Response:
    """Return a session with its tables."""

    def find(history: History) -> SessionPage:
        rows = _rows(history, "sessions", session=session)
        if not rows:
            raise no_session(seen(request), session)
        tables = _rows(history, "sittings", session=session)
        return msgspec.convert({"session": rows[0], "tables": tables}, SessionPage)

    return Response(await _of_session(request, session, find))


async def _of_session(request: Request, session: str, find: Callable[[History], Result]) -> Result:
    """Return the result of a function on the read model; wait for a session that was opened a moment ago."""
    service = request.service
    try:
        return await from_history(request, find)
    except NotFoundError:
        if SESSION.stream(session) not in service.versions:
            raise
    head = request.visible.head.position
    await service.run_in_thread(lambda: service.history.is_level_with(head, within_s=_PATIENCE_S))
    return await from_history(request, find)


@history_route("/sessions/{session}/standings", StatisticRows, problems=("not_found",))
async def standings(request: Request, session: str) -> Response:
    """Return the standings of a session: the statistic `session-standings`."""

    def find(history: History) -> StatisticRows:
        if not _rows(history, "sessions", session=session):
            raise no_session(seen(request), session)
        computed, people = history.statistic("session-standings", Filters(session=session)), seen(request).people()
        shown = display_names(history, people.shown(), hidden_from(request, people))
        return statistic_facts(structs.replace(computed, answer=shown.shown(computed.answer)))

    return Response(await _of_session(request, session, find))


def listed_names(request: Request, history: History) -> DisplayNames:
    """Return the display names for lists. Recorders see all names, because they choose players by name."""
    people = seen(request).people()
    is_recorder = request.grant.at_least("recorder")
    return display_names(history, people.shown(), () if is_recorder else people.hidden_persons())


def _redacted(row: PlayerRow, initials: Mapping[str, str]) -> PlayerRow:
    if row.player not in initials:
        return row
    return structs.replace(row, player=initials[row.player], name=None, spellings=[])


def check_signed_in(request: Request, **_: str) -> None:
    """Raise `WebError` for public clients, which may not list players."""
    if request.grant is PUBLIC:
        raise web_error("unauthenticated", "no_token")


@history_route("/players", list[PlayerRow], query=Paging, guard=check_signed_in)
async def players(request: Request) -> Response:
    """List all players of the record, with their numbers of tables and display names."""

    def find(history: History) -> list[PlayerRow]:
        people = seen(request).people()
        tables = {row["player"]: row["tables"] for row in _rows(history, "players")}
        rows = [row for row in player_rows(tables, people) if row.player in tables]
        initials = listed_names(request, history).initials
        return sorted((_redacted(row, initials) for row in rows), key=lambda row: row.player)

    return paged(request, await from_history(request, find), lambda row: row.player)


@history_route("/players/{name}", PlayerPage, problems=("not_found",))
async def player(request: Request, name: str) -> Response:
    """Return a player, by recorded or display name, with the tables."""

    def find(history: History) -> PlayerPage:
        people, listing = seen(request).people(), listed_names(request, history)
        names = people.names.items()
        recorded = next((player for player, shown in names if shown == name and player not in listing.initials), name)
        person = listing.person(recorded)
        rows = _rows(history, "players", player=person)
        if not rows or recorded in listing.initials:
            raise NotFoundError("not_found", phrase("no_player", text=name), text=name)
        sat_at = _rows(history, "sittings", player=person)
        initials = listing.initials.get(person)
        names_shown = {"player": initials or person, "name": None if initials else people.shown().get(person)}
        return msgspec.convert({**rows[0], **names_shown, "sat_at": sat_at}, PlayerPage)

    return Response(await from_history(request, find))


def _player_route(
    method: Method, what: str, answers: Mapping[int, Any], problems: Sequence[str] = (), **declared: Any
) -> Callable[[Handler], Handler]:
    """Declare a director's route below `/players/{name}`."""
    usual = {"answers": answers, "of_whole_ledger": True, "problems": (*problems, "not_found", "busy")}
    return route(method, f"/players/{{name}}/{what}", "director", **usual, **declared)


class NameSent(Struct, frozen=True, forbid_unknown_fields=True):
    """The display name."""

    name: Name


class NameShown(Struct, frozen=True):
    """A player by the name in the record, and the display name."""

    player: str
    name: str


@_player_route("PUT", "name", {200: NameShown}, body=NameSent, problems=("malformed", "exists"))
async def show_name(request: Request, name: str) -> Response:
    """Set the display name of a player, erasing an earlier one."""
    sent: NameSent = request.data

    def change(store: LogStore) -> None:
        check_display_name(store, name, sent.name)
        store.set_display_name(name, sent.name)

    await request.service.do(change)
    return Response(NameShown(player=name, name=sent.name))


@_player_route("DELETE", "name", {204: None})
async def erase_name(request: Request, name: str) -> Response:
    """Erase the display name of a player from everything that the service stores."""
    await request.service.do(lambda store: store.erase_display_name(name))
    return Response(status_code=204)


class LinkSent(Struct, frozen=True, forbid_unknown_fields=True):
    """The person of a spelling, by the name in the record."""

    person: Name


class Linked(Struct, frozen=True):
    """A spelling in the record, and the person it counts as from now on."""

    player: str
    person: str


@_player_route("PUT", "link", {200: Linked}, body=LinkSent, problems=("malformed", "exists"))
async def link_player(request: Request, name: str) -> Response:
    """Count this spelling as another person in all statistics and plots."""
    sent: LinkSent = request.data

    def change(store: LogStore) -> str:
        person = recorded_name(store, sent.person)
        check_link(store, name, person)
        store.link_player(name, person)
        return store.people().person(name)

    return Response(Linked(player=name, person=await request.service.do(change)))


@_player_route("DELETE", "link", {204: None})
async def unlink_player(request: Request, name: str) -> Response:
    """Remove the link of this spelling; all statistics are as before."""
    await request.service.do(lambda store: store.unlink_player(name))
    return Response(status_code=204)


@_player_route("PUT", "hidden", {204: None}, problems=("exists",))
async def hide_player(request: Request, name: str) -> Response:
    """Show others only initials of this person, except at tables."""

    def change(store: LogStore) -> None:
        check_player(store, name)
        store.hide_player(name)

    await request.service.do(change)
    return Response(status_code=204)


@_player_route("DELETE", "hidden", {204: None})
async def show_player(request: Request, name: str) -> Response:
    """Show this person to everybody again."""
    await request.service.do(lambda store: store.show_player(name))
    return Response(status_code=204)
