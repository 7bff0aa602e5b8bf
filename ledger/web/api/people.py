"""Sessions and players as lists, from the read model of the service: as of the last deals that are over;
and who is who, all of it outside of the log: the names that are shown, which spellings are one person, who is hidden.
"""

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
from ledger.table.people import check_link, check_player
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
    """A session by its slug; title and date are null where its opening was struck. `tables`: how many it has."""

    session: str
    title: str | None
    date: str | None
    club: str | None
    place: str | None
    zone: str | None
    closed: bool
    tables: int


class Sitting(Struct, frozen=True, kw_only=True):
    """A table by its slug, with the day on which it was played and how many complete deals it has."""

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
    """A player by his name in the record, with how many complete deals he has; `name`: what is shown instead. Days are
    those of the first and last table.
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
    """All sessions, the newest first."""
    rows = await from_history(request, lambda history: _rows(history, "sessions"))
    return paged(request, msgspec.convert(rows, list[SessionListed]), lambda row: row.session)


@history_route("/sessions/{session}", SessionPage, problems=("not_found",))
async def session(request: Request, session: str) -> Response:
    """A session with its tables."""

    def find(history: History) -> SessionPage:
        rows = _rows(history, "sessions", session=session)
        if not rows:
            raise no_session(seen(request), session)
        tables = _rows(history, "sittings", session=session)
        return msgspec.convert({"session": rows[0], "tables": tables}, SessionPage)

    return Response(await _of_session(request, session, find))


async def _of_session(request: Request, session: str, find: Callable[[History], Result]) -> Result:
    """What is found of a session; one that was opened a moment ago is waited for until the read model has it."""
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
    """The standings of a session: the statistic `session-standings`."""

    def find(history: History) -> StatisticRows:
        if not _rows(history, "sessions", session=session):
            raise no_session(seen(request), session)
        computed, people = history.statistic("session-standings", Filters(session=session)), seen(request).people()
        shown = display_names(history, people.shown(), hidden_from(request, people))
        return statistic_facts(structs.replace(computed, answer=shown.shown(computed.answer)))

    return Response(await _of_session(request, session, find))


def _listing(request: Request, history: History) -> DisplayNames:
    """How players are told in a list to him who asks; who records chooses players by their names."""
    people = seen(request).people()
    is_recorder = request.grant.at_least("recorder")
    return display_names(history, people.shown(), () if is_recorder else people.hidden_persons())


def _redacted(row: PlayerRow, initials: Mapping[str, str]) -> PlayerRow:
    if row.player not in initials:
        return row
    return structs.replace(row, player=initials[row.player], name=None, spellings=[])


def check_signed_in(request: Request) -> None:
    """Raises `WebError` where nobody has signed in: everybody may look on, but not at a list of players."""
    if request.grant is PUBLIC:
        raise web_error("unauthenticated", "no_token")


@history_route("/players", list[PlayerRow], query=Paging, guard=check_signed_in)
async def players(request: Request) -> Response:
    """All players of the record, at how many tables each sat, and which name is shown for whom."""

    def find(history: History) -> list[PlayerRow]:
        people = seen(request).people()
        tables = {row["player"]: row["tables"] for row in _rows(history, "players")}
        rows = [row for row in player_rows(tables, people) if row.player in tables]
        initials = _listing(request, history).initials
        return sorted((_redacted(row, initials) for row in rows), key=lambda row: row.player)

    return paged(request, await from_history(request, find), lambda row: row.player)


@history_route("/players/{name}", PlayerPage, problems=("not_found",))
async def player(request: Request, name: str) -> Response:
    """A player by the name in the record, or by the one that is shown: where he sat."""

    def find(history: History) -> PlayerPage:
        people, listing = seen(request).people(), _listing(request, history)
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
    """Declare what a director does with `/players/{name}`."""
    usual = {"answers": answers, "of_whole_ledger": True, "problems": (*problems, "not_found", "busy")}
    return route(method, f"/players/{{name}}/{what}", "director", **usual, **declared)


class NameSent(Struct, frozen=True, forbid_unknown_fields=True):
    """The name to be shown."""

    name: Name


class NameShown(Struct, frozen=True):
    """A player by the name in the record, and the name that is shown."""

    player: str
    name: str


@_player_route("PUT", "name", {200: NameShown}, body=NameSent, problems=("malformed", "exists"))
async def show_name(request: Request, name: str) -> Response:
    """Shows this name for a player from now on; a name shown before is erased. The record stays."""
    sent: NameSent = request.data

    def change(store: LogStore) -> None:
        check_display_name(store, name, sent.name)
        store.set_display_name(name, sent.name)

    await request.service.do(change)
    return Response(NameShown(player=name, name=sent.name))


@_player_route("DELETE", "name", {204: None})
async def erase_name(request: Request, name: str) -> Response:
    """Erases the name that is shown for a player from all that the service keeps."""
    await request.service.do(lambda store: store.erase_display_name(name))
    return Response(status_code=204)


class LinkSent(Struct, frozen=True, forbid_unknown_fields=True):
    """Whose spelling it is, by the name in the record."""

    person: Name


class Linked(Struct, frozen=True):
    """A spelling of the record, and the person as who it counts from now on."""

    player: str
    person: str


@_player_route("PUT", "link", {200: Linked}, body=LinkSent, problems=("malformed", "exists"))
async def link_player(request: Request, name: str) -> Response:
    """Counts this spelling as the same person as another one, in all statistics and plots. The record stays."""
    sent: LinkSent = request.data

    def change(store: LogStore) -> str:
        check_link(store, name, sent.person)
        store.link_player(name, sent.person)
        return store.people().person(name)

    return Response(Linked(player=name, person=await request.service.do(change)))


@_player_route("DELETE", "link", {204: None})
async def unlink_player(request: Request, name: str) -> Response:
    """Takes the link of this spelling back: every number is what it was."""
    await request.service.do(lambda store: store.unlink_player(name))
    return Response(status_code=204)


@_player_route("PUT", "hidden", {204: None}, problems=("exists",))
async def hide_player(request: Request, name: str) -> Response:
    """Shows others initials in the place of this person: in lists, rankings, plots and statistics, not at tables."""

    def change(store: LogStore) -> None:
        check_player(store, name)
        store.hide_player(name)

    await request.service.do(change)
    return Response(status_code=204)


@_player_route("DELETE", "hidden", {204: None})
async def show_player(request: Request, name: str) -> Response:
    """Shows everybody this person again."""
    await request.service.do(lambda store: store.show_player(name))
    return Response(status_code=204)
