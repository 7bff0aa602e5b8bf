"""The players of the record: display names, spellings of one person, hidden players."""

from __future__ import annotations

from pathlib import Path

from ledger.log import LogStore, open_store
from ledger.table.listing import PlayerRow, check_display_name, player_rows
from ledger.table.people import LinkRow, check_link, check_player, link_rows, persons_of, recorded_name


def name_player(ledger: str | Path, player: str, name: str) -> None:
    """Set the display name of a player; the recorded name stays.

    Raise `NotFoundError` for a player who is not in the record, `ConflictError` for the name of another player.
    """

    with open_store(ledger, access="allowed") as store:
        player = recorded_name(store, player)
        check_display_name(store, player, name)  # before opening to write, which may fail
    with open_store(ledger) as store:
        store.set_display_name(player, name)


def forget_name(ledger: str | Path, player: str) -> None:
    """Erase the display name of a player; raise `NotFoundError` if there is none."""

    with open_store(ledger) as store:
        store.erase_display_name(recorded_name(store, player))


def link_players(ledger: str | Path, spelling: str, player: str) -> None:
    """Count a recorded spelling as the same person as `player`; the record does not change.

    Raise `NotFoundError` for a player who is not in the record; `ConflictError` for two who sat at one table together,
    for two who are one person already, and for a spelling that is linked to somebody else.
    """

    with open_store(ledger, access="allowed") as store:
        spelling, player = recorded_name(store, spelling), recorded_name(store, player)
        check_link(store, spelling, player)
    with open_store(ledger) as store:
        store.link_player(spelling, player)


def unlink_player(ledger: str | Path, spelling: str) -> None:
    """Undo a link; raise `NotFoundError` if there is none."""

    with open_store(ledger) as store:
        store.unlink_player(recorded_name(store, spelling))


def hide_player(ledger: str | Path, player: str) -> None:
    """Show a player by initials in rankings, plots and reports, but not at their tables.

    Raise `NotFoundError` for a player who is not in the record, `ConflictError` if the player is hidden already.
    """

    with open_store(ledger, access="allowed") as store:
        player = recorded_name(store, player)
        check_player(store, player)
    with open_store(ledger) as store:
        store.hide_player(player)


def show_player(ledger: str | Path, player: str) -> None:
    """Show a hidden player by name again; raise `NotFoundError` if the player is not hidden."""

    with open_store(ledger) as store:
        store.show_player(recorded_name(store, player))


def players(store: LogStore) -> list[PlayerRow]:
    """Return all players with the number of their tables and their display names; linked spellings are one person."""

    people = store.people()
    return list(player_rows(persons_of(store, people), people))


def player_links(store: LogStore) -> list[LinkRow]:
    """Return the linked spellings with their persons, and the tables at which a link does not count."""

    return link_rows(store)
