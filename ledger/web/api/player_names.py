"""Who is who: the names that are shown, which spellings are one person, who is hidden. All of it stands outside of the
log, so that it can be taken back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from ledger.events import Name
from ledger.log.base import LogStore
from ledger.table.listing import check_display_name
from ledger.table.people import check_link, check_player
from ledger.web.http.request import Request
from ledger.web.http.response import Response
from ledger.web.http.routing import Handler, Method, route


def _player_route(
    method: Method, what: str, answers: Mapping[int, Any], problems: Sequence[str] = (), **declared: Any
) -> Callable[[Handler], Handler]:
    """Declare what a director does with `/players/{name}`."""
    told = {"answers": answers, "of_whole_ledger": True, "problems": (*problems, "not_found", "busy")}
    return route(method, f"/players/{{name}}/{what}", "director", **told, **declared)


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
