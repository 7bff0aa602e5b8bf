"""Sessions and players as lists, from the read model of the service: as of the last deals that are over."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Struct, structs

from ledger.errors import NotFoundError
from ledger.history import Filters, History, list_questions
from ledger.history.questions.asking import StatisticRows
from ledger.history.questions.showing import Showing, showing
from ledger.streams import SESSION
from ledger.table.listing import PlayerRow, player_rows
from ledger.table.repository import no_session
from ledger.text.history import json_rows, statistic_facts
from ledger.web.api.history import from_history, hidden_from
from ledger.web.catalogue import phrase
from ledger.web.http.auth import PUBLIC
from ledger.web.http.links import Paging, paged
from ledger.web.http.problems import web_error
from ledger.web.http.reading import seen
from ledger.web.http.request import Request
from ledger.web.http.response import Response
from ledger.web.http.routing import route

Told = TypeVar("Told")

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
    return json_rows(history.answer_to(list_questions()[question], Filters(**filters)).answer)


@route(
    "GET", "/sessions", "viewer", query=Paging, answers={200: list[SessionListed]}, rests_on="history",
    of_whole_ledger=True,
)  # fmt: skip
async def sessions(request: Request) -> Response:
    """All sessions, the newest first."""
    rows = await from_history(request, lambda history: _rows(history, "sessions"))
    return paged(request, msgspec.convert(rows, list[SessionListed]), lambda row: row.session)


@route(
    "GET", "/sessions/{session}", "viewer", answers={200: SessionPage}, rests_on="history", of_whole_ledger=True,
    problems=("not_found",),
)  # fmt: skip
async def session(request: Request, session: str) -> Response:
    """A session with its tables."""

    def find(history: History) -> SessionPage:
        rows = _rows(history, "sessions", session=session)
        if not rows:
            raise no_session(seen(request), session)
        tables = _rows(history, "sittings", session=session)
        return msgspec.convert({"session": rows[0], "tables": tables}, SessionPage)

    return Response(await _of_session(request, session, find))


async def _of_session(request: Request, session: str, find: Callable[[History], Told]) -> Told:
    """What is found of a session; one that was opened a moment ago is waited for until the read model has it."""
    service = request.service
    try:
        return await from_history(request, find)
    except NotFoundError:
        if SESSION.stream(session) not in service.versions:
            raise
    head = request.visible.head.position
    await service.beside(lambda: service.history.is_level_with(head, within_s=_PATIENCE_S))
    return await from_history(request, find)


@route(
    "GET", "/sessions/{session}/standings", "viewer", answers={200: StatisticRows}, rests_on="history",
    of_whole_ledger=True, problems=("not_found",),
)  # fmt: skip
async def standings(request: Request, session: str) -> Response:
    """The standings of a session: the statistic `session-standings`."""

    def find(history: History) -> StatisticRows:
        if not _rows(history, "sessions", session=session):
            raise no_session(seen(request), session)
        found = history.statistic("session-standings", Filters(session=session))
        return statistic_facts(structs.replace(found, answer=_showing(request, history).shown(found.answer)))

    return Response(await _of_session(request, session, find))


def _showing(request: Request, history: History) -> Showing:
    """How players are told in a ranking to him who asks."""
    people = seen(request).people()
    return showing(history, people.shown(), hidden_from(request, people))


def _listing(request: Request, history: History) -> Showing:
    """As `_showing`; who records chooses players by their names."""
    people = seen(request).people()
    is_recorder = request.grant.at_least("recorder")
    return showing(history, people.shown(), () if is_recorder else people.hidden_persons())


def _told_to_others(row: PlayerRow, initials: Mapping[str, str]) -> PlayerRow:
    if row.player not in initials:
        return row
    return structs.replace(row, player=initials[row.player], name=None, spellings=[])


def check_signed_in(request: Request) -> None:
    """Raises `WebError` where nobody has signed in: everybody may look on, but not at a list of players."""
    if request.grant is PUBLIC:
        raise web_error("unauthenticated", "no_token")


@route(
    "GET", "/players", "viewer", query=Paging, answers={200: list[PlayerRow]}, rests_on="history", of_whole_ledger=True,
    guard=check_signed_in,
)  # fmt: skip
async def players(request: Request) -> Response:
    """All players of the record, at how many tables each sat, and which name is shown for whom."""

    def find(history: History) -> list[PlayerRow]:
        people = seen(request).people()
        tables = {row["player"]: row["tables"] for row in _rows(history, "players")}
        rows = [row for row in player_rows(tables, people) if row.player in tables]
        initials = _listing(request, history).initials
        return sorted((_told_to_others(row, initials) for row in rows), key=lambda row: row.player)

    return paged(request, await from_history(request, find), lambda row: row.player)


@route(
    "GET", "/players/{name}", "viewer", answers={200: PlayerPage}, rests_on="history", of_whole_ledger=True,
    problems=("not_found",),
)  # fmt: skip
async def player(request: Request, name: str) -> Response:
    """A player by the name in the record, or by the one that is shown: where he sat."""

    def find(history: History) -> PlayerPage:
        people, told_as = seen(request).people(), _listing(request, history)
        names = people.names.items()
        recorded = next((player for player, shown in names if shown == name and player not in told_as.initials), name)
        person = told_as.person(recorded)
        rows = _rows(history, "players", player=person)
        if not rows or recorded in told_as.initials:
            raise NotFoundError("not_found", phrase("no_player", text=name), text=name)
        sat_at = _rows(history, "sittings", player=person)
        initials = told_as.initials.get(person)
        told = {"player": initials or person, "name": None if initials else people.shown().get(person)}
        return msgspec.convert({**rows[0], **told, "sat_at": sat_at}, PlayerPage)

    return Response(await from_history(request, find))
