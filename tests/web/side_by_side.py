"""Two ledgers that differ in two hidden cards, served side by side to compare their answers (contract of HTTP, 4)."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import Final

import ledger
from ledger.access.grants import Grant
from ledger.log import MemoryStore
from tests.covering import IS_SOAK, covering
from tests.service.two_worlds import GAMES, Change, TwoWorlds, against_the_rules, dealt_anew, disturbed, two_worlds
from tests.web.serving import ADMIN, DIRECTOR, RECORDER, VIEWER, Served, serving

AT_THE_TABLE: Final = Grant(token="phone-1", role="recorder", tables=("t",))
BLIND: Final = (VIEWER, RECORDER, AT_THE_TABLE, DIRECTOR, ADMIN)
"""Clients that may not see hands."""

GAMES_AND_CHANGES: Final = covering(GAMES, (against_the_rules, disturbed, dealt_anew, None))


def askers(number: int) -> tuple[Grant, ...]:
    """Return the clients that send a request: all in a soak run, else one for each request, in turn."""
    return BLIND if IS_SOAK else (BLIND[number % len(BLIND)],)


@cache
def worlds_of(game: str, change: Change | None) -> TwoWorlds:
    return next(worlds for seed in range(100) if (worlds := two_worlds(game, seed, change)) is not None)


@contextmanager
def both_served(game: str, change: Change | None, folder: Path) -> Iterator[tuple[Served, Served]]:
    worlds = worlds_of(game, change)
    with ExitStack() as both:
        first, second = (
            both.enter_context(serving(_on_disk(store, folder / name)))
            for name, store in (("first", worlds.first), ("second", worlds.second))
        )
        yield first, second


def _on_disk(store: MemoryStore, folder: Path) -> Path:
    """Write both ledgers under the same file name, which pages show."""
    folder.mkdir()
    path = folder / "club.ledger"
    with ledger.create(path) as made:
        made.append_envelopes(row.envelope() for row in store.read())
    return path
