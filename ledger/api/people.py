"""The players of the record: which name is shown for whom, who is one person, who is hidden."""

from __future__ import annotations

from pathlib import Path

from ledger.log import LogStore, open_store
from ledger.table.listing import PlayerRow, check_display_name, player_rows
from ledger.table.people import LinkRow, check_link, check_player, link_rows, persons_of


def name_player(ledger: str | Path, player: str, name: str) -> None:
    """Shows this name for a player, whose name in the record stays.

    Raises `NotFoundError` for a player whom the record does not know, `ConflictError` for the name of another one.
    """

    with open_store(ledger, access="allowed") as store:
        check_display_name(store, player, name)  # before it is opened to write: where that fails, too, mend this first
    with open_store(ledger) as store:
        store.set_display_name(player, name)


def forget_name(ledger: str | Path, player: str) -> None:
    """Erases the name that is shown for a player; raises `NotFoundError` where there is none."""

    with open_store(ledger) as store:
        store.erase_display_name(player)


def link_players(ledger: str | Path, spelling: str, player: str) -> None:
    """From now on a spelling of the record is the same person as `player`; the record stays as it is.

    Raises `NotFoundError` for somebody whom the record does not know, `ConflictError` for two who sat at one table
    together, for two who are one already, and for a spelling that is linked to somebody else.
    """

    with open_store(ledger, access="allowed") as store:
        check_link(store, spelling, player)
    with open_store(ledger) as store:
        store.link_player(spelling, player)


def unlink_player(ledger: str | Path, spelling: str) -> None:
    """Takes a link back; raises `NotFoundError` where there is none."""

    with open_store(ledger) as store:
        store.unlink_player(spelling)


def hide_player(ledger: str | Path, player: str) -> None:
    """From now on others see initials in the place of a player: in rankings, plots and reports, not at his tables.

    Raises `NotFoundError` for somebody whom the record does not know, `ConflictError` where he is hidden already.
    """

    with open_store(ledger, access="allowed") as store:
        check_player(store, player)
    with open_store(ledger) as store:
        store.hide_player(player)


def show_player(ledger: str | Path, player: str) -> None:
    """Takes that back; raises `NotFoundError` where he is not hidden."""

    with open_store(ledger) as store:
        store.show_player(player)


def players(store: LogStore) -> list[PlayerRow]:
    """All players of the record, at how many tables each sat, and which name is shown for whom; linked spellings as one
    person.
    """

    people = store.people()
    return list(player_rows(persons_of(store, people), people))


def player_links(store: LogStore) -> list[LinkRow]:
    """Which spellings of the record are the same person as another one, and at which tables that does not count."""

    return link_rows(store)
