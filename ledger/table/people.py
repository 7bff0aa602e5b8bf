"""The persons at a table, by linked spellings. Two players who sat together are two persons, whatever is linked."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from msgspec import Struct

from ledger.errors import ConflictError, NotFoundError
from ledger.events import PlayerSeated, TableOpened
from ledger.log.base import LogStore
from ledger.log.people import People, linked
from ledger.names import hint
from ledger.table.catalogue import phrase
from ledger.table.corrections import Entry
from ledger.table.repository import entries_of_tables, players_of


class LinkRow(Struct, frozen=True, kw_only=True):
    """A spelling of the record that is linked to another one of the same person.

    `player`: the spelling it was linked to; `person`: the spelling that represents all linked ones. `apart`: the slugs
    of the tables at which it sat together with another spelling of the person: there they are different persons.
    """

    spelling: str
    player: str
    person: str
    apart: list[str]


def seatings(reading: Iterable[Entry]) -> set[tuple[str, ...]]:
    """Return the groups of players who sat together at a table, by seat; consecutive changes of seats count as one."""
    groups: set[tuple[str, ...]] = set()
    players: list[str] = []
    is_recorded = True
    for _, event in reading:
        if type(event) is PlayerSeated:
            players[event.seat] = event.player
            is_recorded = False
            continue
        if type(event) is TableOpened:
            players, is_recorded = list(event.players), False
            continue
        if not is_recorded:
            groups.add(tuple(players))
            is_recorded = True
    return {*groups, tuple(players)}


def persons_at(reading: Sequence[Entry], persons: Mapping[str, str]) -> dict[str, str]:
    """Return the person for each spelling at a table that belongs to another one. `persons`: by linked spelling."""
    if not persons:
        return {}
    together = seatings(reading)
    spellings: dict[str, set[str]] = defaultdict(set)
    for player in chain.from_iterable(together):
        spellings[persons.get(player, player)].add(player)
    return {
        player: person
        for person, players in spellings.items()
        if not any(len(players.intersection(seating)) > 1 for seating in together)
        for player in players
        if player != person
    }


def check_player(store: LogStore, *players: str) -> None:
    """Raise `NotFoundError` for a player missing from the record."""
    known = known_players(store)
    for player in players:
        if player not in known:
            raise no_such_player(player, known.values())


def known_players(store: LogStore) -> dict[str, str]:
    """Return the names to suggest, by the players of the record and, with handles, everyone who has a name."""
    recorded = dict.fromkeys(players_of(store))
    if not store.has_handles:
        return {name: name for name in recorded}
    shown = store.display_names()
    return {handle: shown.get(handle, handle) for handle in (*recorded, *shown)}


def recorded_name(store: LogStore, name: str) -> str:
    """Return the name in the record of a typed one: with handles, a display name means its handle."""
    return store.handles_of([name], creates=False).get(name, name) if store.has_handles else name


def no_such_player(player: str, known: Iterable[str]) -> NotFoundError:
    """Return the error for a player missing from the record, with similar names."""
    advice = hint(player, known, phrase("players_are_listed"))
    return NotFoundError("not_found", phrase("no_player_in_record", text=player, hint=advice))


def check_link(store: LogStore, spelling: str, player: str) -> None:
    """Raise an error if two spellings cannot be one person.

    `NotFoundError`: the record lacks one of them; `ConflictError`: both sat at one table together, or as `linked`.
    """
    check_player(store, spelling, player)
    people = store.people()
    linked(people, spelling, player)
    ours, theirs = people.spellings(spelling), people.spellings(player)
    for table, reading in entries_of_tables(store):
        for seating in seatings(reading):
            one, other = ours.intersection(seating), theirs.intersection(seating)
            if one and other:
                sat = phrase("sat_together", text=min(one), player=min(other), table=table)
                raise ConflictError("exists", sat, text=table)


def link_rows(store: LogStore) -> list[LinkRow]:
    """Return all links, by the spelling, with the tables where each does not apply."""
    people = store.people()
    persons = people.persons()
    apart: dict[str, list[str]] = defaultdict(list)
    for table, reading in entries_of_tables(store) if persons else ():
        for spelling in _apart(reading, persons):
            apart[spelling].append(table)
    return [
        LinkRow(spelling=spelling, player=people.links[spelling], person=person, apart=apart[spelling])
        for spelling, person in persons.items()
    ]


def _apart(reading: Sequence[Entry], persons: Mapping[str, str]) -> Iterator[str]:
    """Return the linked spellings at a table that are different persons there."""
    counted = persons_at(reading, persons)
    there = set(chain.from_iterable(seatings(reading)))
    return (spelling for spelling in persons if spelling in there and spelling not in counted)


def persons_of(store: LogStore, people: People) -> dict[str, int]:
    """Return the number of tables by person, as `players_of` with all spellings of a person as one."""
    persons = people.persons()
    if not persons:
        return players_of(store)
    tables: Counter[str] = Counter()
    for _, reading in entries_of_tables(store):
        counted = persons_at(reading, persons)
        tables.update({counted.get(player, player) for player in chain.from_iterable(seatings(reading))})
    return dict(sorted(tables.items()))
