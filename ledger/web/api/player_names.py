"""Who is who: the names that are shown, which spellings are one person, who is hidden. All of it stands outside of the
log, so that it can be taken back.
"""

from __future__ import annotations

from msgspec import Struct

from ledger.events import Name
from ledger.log.base import LogStore
from ledger.table.listing import check_display_name
from ledger.table.people import check_link, check_player
from ledger.web.http.request import Request
from ledger.web.http.response import Response
from ledger.web.http.routing import route


class NameSent(Struct, frozen=True, forbid_unknown_fields=True):
    """The name to be shown."""

    name: Name


class NameShown(Struct, frozen=True):
    """A player by the name in the record, and the name that is shown."""

    player: str
    name: str


@route(
    "PUT",
    "/players/{name}/name",
    "director",
    body=NameSent,
    answers={200: NameShown},
    of_whole_ledger=True,
    problems=("malformed", "not_found", "exists", "busy"),
)
async def show_name(request: Request, name: str) -> Response:
    """Shows this name for a player from now on; a name shown before is erased. The record stays."""
    sent: NameSent = request.data

    def change(store: LogStore) -> None:
        check_display_name(store, name, sent.name)
        store.set_display_name(name, sent.name)

    await request.service.do(change)
    return Response(NameShown(player=name, name=sent.name))


@route(
    "DELETE",
    "/players/{name}/name",
    "director",
    answers={204: None},
    of_whole_ledger=True,
    problems=("not_found", "busy"),
)
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


@route(
    "PUT",
    "/players/{name}/link",
    "director",
    body=LinkSent,
    answers={200: Linked},
    of_whole_ledger=True,
    problems=("malformed", "not_found", "exists", "busy"),
)
async def link_player(request: Request, name: str) -> Response:
    """Counts this spelling as the same person as another one, in all statistics and plots. The record stays."""
    sent: LinkSent = request.data

    def change(store: LogStore) -> str:
        check_link(store, name, sent.person)
        store.link_player(name, sent.person)
        return store.people().person(name)

    return Response(Linked(player=name, person=await request.service.do(change)))


@route(
    "DELETE",
    "/players/{name}/link",
    "director",
    answers={204: None},
    of_whole_ledger=True,
    problems=("not_found", "busy"),
)
async def unlink_player(request: Request, name: str) -> Response:
    """Takes the link of this spelling back: every number is what it was."""
    await request.service.do(lambda store: store.unlink_player(name))
    return Response(status_code=204)


@route(
    "PUT",
    "/players/{name}/hidden",
    "director",
    answers={204: None},
    of_whole_ledger=True,
    problems=("not_found", "exists", "busy"),
)
async def hide_player(request: Request, name: str) -> Response:
    """Shows others initials in the place of this person: in lists, rankings, plots and statistics, not at tables."""

    def change(store: LogStore) -> None:
        check_player(store, name)
        store.hide_player(name)

    await request.service.do(change)
    return Response(status_code=204)


@route(
    "DELETE",
    "/players/{name}/hidden",
    "director",
    answers={204: None},
    of_whole_ledger=True,
    problems=("not_found", "busy"),
)
async def show_player(request: Request, name: str) -> Response:
    """Shows everybody this person again."""
    await request.service.do(lambda store: store.show_player(name))
    return Response(status_code=204)
