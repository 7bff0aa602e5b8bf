"""The names that are shown for players: they stand outside of the log, so that they can be erased."""

from __future__ import annotations

from msgspec import Struct

from ledger.events import Name
from ledger.log.base import LogStore
from ledger.table.listing import check_display_name
from ledger.web.asking import Asked
from ledger.web.routes import Answer, route


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
async def show_name(asked: Asked, name: str) -> Answer:
    """Shows this name for a player from now on; a name shown before is erased. The record stays."""
    sent: NameSent = asked.body

    def change(store: LogStore) -> None:
        check_display_name(store, name, sent.name)
        store.set_display_name(name, sent.name)

    await asked.service.do(change)
    return Answer(body=NameShown(player=name, name=sent.name))


@route(
    "DELETE",
    "/players/{name}/name",
    "director",
    answers={204: None},
    of_whole_ledger=True,
    problems=("not_found", "busy"),
)
async def erase_name(asked: Asked, name: str) -> Answer:
    """Erases the name that is shown for a player from all that the service keeps."""
    await asked.service.do(lambda store: store.erase_display_name(name))
    return Answer(status=204)
