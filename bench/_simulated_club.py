"""A ledger of any size for benchmarks: made-up years of a club, with the usual mistakes of a record."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from itertools import groupby
from random import Random

from ledger.events import DealStarted
from ledger.games import game_named
from ledger.log import Batch, LogStore, NewEntry
from ledger.recording.seasons.members import Member, invent_members
from ledger.recording.seasons.season import Club, invent_season
from ledger.streams import TABLE

DEALS_A_TABLE = 20
MEMBERS = tuple(member.name for member in invent_members(Random("bench")))
GAMES = ("ombre", "quadrille", "couillon", "kop")
_DEALS_OF_A_CLUB = 20_000
"""The number of deals that these members play in some years. For more deals the club has more members."""

_EVENINGS = 5_000


def fill(store: LogStore, deals: int) -> list[str]:
    """Record evenings until the ledger has `deals` deals, and return the names of their tables."""
    tables = []
    for batch in evenings(deals):
        store.append(batch, recorded_by="bench")
        if TABLE.has(batch.stream):
            tables.append(TABLE.slug(batch.stream))
    return tables


def evenings(deals: int) -> Iterator[Batch]:
    """Yield the batches of evenings until they have `deals` deals."""
    club = Club(
        members=_members(1 + deals // _DEALS_OF_A_CLUB),
        games=[game_named(name) for name in GAMES],
        first=date(2000, 1, 6),
        deals=DEALS_A_TABLE,
        seed=1,
        slug="bench",
        options={},
    )
    made = 0
    opened: set[str] = set()
    for stream, lines in groupby(invent_season(club, _EVENINGS), key=lambda line: line.stream):
        entries = tuple(NewEntry(line.event, happened_at=line.happened_at) for line in lines)
        yield Batch(stream, int(stream in opened), entries)
        opened.add(stream)
        made += sum(type(entry.event) is DealStarted for entry in entries)
        if made >= deals:
            return
    raise AssertionError("the club has played all its evenings")


def _members(times: int) -> tuple[Member, ...]:
    """Return the invented club `times` times over, with numbered names from the second time on."""
    first = invent_members(Random("bench"))
    return tuple(
        member._replace(name=f"{member.name} {time}" if time else member.name)
        for time in range(times)
        for member in first
    )
