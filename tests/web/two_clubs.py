"""Two ledgers of a club, and their services, that differ in two hidden cards at each open table and in nothing else."""

import os
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache, partial
from itertools import count
from pathlib import Path
from random import Random
from typing import Final, NamedTuple
from unittest.mock import patch

import ledger
from ledger.access.base import NewToken
from ledger.access.grants import Grant
from ledger.access.service import AccessStore
from ledger.events import Event, Noted, SessionOpened
from ledger.games import game_named
from ledger.log import Batch, LogStore, MemoryStore, NewEntry
from ledger.log.proof_files import make_keys
from ledger.log.stores import create_store, open_store, open_watched
from ledger.recording.simulate import simulate_table
from ledger.service.hub import Hub, Pace
from ledger.service.running import Service, Settings
from ledger.table.hiding import hidden_in
from ledger.table.redaction import Hidden
from ledger.web.app import _measured
from ledger.web.http.access_log import AccessLog, LineLog
from ledger.web.pages.room import DiskState
from ledger.web.server.metrics import Metrics
from tests.access.memory import MemoryRepository
from tests.contracts.game_tables import NAMES
from tests.contracts.log_builders import FIRST_MOMENT, TickingClock, an_id
from tests.covering import IS_SOAK
from tests.service.two_worlds import CHANGES, STREAM, Change, TwoWorlds, two_worlds
from tests.web.serving import ADMIN, DIRECTOR, RECORDER, SEER, VIEWER, Served, serving

OVER: Final = "over"
"""The table without hidden cards."""

_DISK: Final = DiskState(used_bytes=1_000_000, free_bytes=10**12, signed_at=FIRST_MOMENT, backup=None)
"""Sizes and times of files, which differ between two runs of the same requests."""

WRITERS: Final = ("phone", "phone/Ann", "desk")


class OpenTable(NamedTuple):
    """A table by its `events`, and `otherwise` in the other ledger. `seat`: had neither of the two cards."""

    slug: str
    game: str
    events: Sequence[Event]
    otherwise: Sequence[Event]
    seat: int | None
    hidden: Hidden

    @property
    def stream(self) -> str:
        return f"table/{self.slug}"


class Club(NamedTuple):
    """The two ledgers, each in a folder of its own, and their tables."""

    first: Path
    second: Path
    tables: Sequence[OpenTable]


def a_club(folder: Path, seed: int, games: Sequence[str], each: int) -> Club:
    """Return a club. `each`: the number of tables of each game."""
    tables = []
    for place, game in enumerate(games):
        for number in range(each):
            change = CHANGES[(seed + place + number) % len(CHANGES)]
            but = None if (place + number) % 2 else place % 3
            tables.append(an_open_table(game, number, seed, change, but))
    return club_with(folder, tables, seed)


def club_with(folder: Path, tables: Sequence[OpenTable], seed: int) -> Club:
    base = folder / "base.ledger"
    with create_store(base, clock=TickingClock()) as store:
        begun = _session_and_table_over(store)
    make_keys("club.example", base.with_suffix(".key"), base.with_suffix(".pub"))
    paths = []
    for name in ("first", "second"):
        path = folder / name / "club.ledger"
        path.parent.mkdir()
        shutil.copyfile(base, path)
        shutil.copyfile(base.with_suffix(".key"), path.with_suffix(".key"))
        streams = [(one.stream, one.events if name == "first" else one.otherwise) for one in tables]
        with open_store(path, clock=_later_clock(1_000)) as store:
            _record_in_turns(store, streams, begun, Random(seed))
        paths.append(path)
    return Club(paths[0], paths[1], tables)


def an_open_table(game: str, number: int, seed: int, change: Change | None, but: int | None) -> OpenTable:
    for chosen in count(seed * 1000):
        worlds = two_worlds(game, chosen, change, but=but)
        if worlds is None:
            continue
        entries, otherwise = ([row.event() for row in store.read_stream(STREAM)] for store in worlds[:2])
        hidden, again = (hidden_in(list(enumerate(events, 1))) for events in (entries, otherwise))
        if hidden is not None and hidden == again:
            return OpenTable(f"{game}-{number}", game, entries, otherwise, but, hidden)
    raise AssertionError


def _session_and_table_over(store: LogStore) -> int:
    """Record a session and a finished table; return the number of entries."""
    opened = SessionOpened(title="Spring", date="2026-03-01")
    played = simulate_table(game_named("ombre"), NAMES[:3], {}, 3, 7, OVER, session="s")
    streams: list[tuple[str, Sequence[Event]]] = [("session/s", [opened]), (f"table/{OVER}", played)]
    return _record_in_turns(store, streams, 0, None)


def _record_in_turns(
    store: LogStore, streams: Sequence[tuple[str, Sequence[Event]]], begun: int, chance: Random | None
) -> int:
    """Record the streams, interleaved at random with a `chance`, and a final note; return the number of the last id."""
    ids = count(begun + 1)
    left = {stream: list(enumerate(events)) for stream, events in streams}
    while left:
        stream = next(iter(left)) if chance is None else chance.choice(list(left))
        some = len(left[stream]) if chance is None else chance.randint(1, 12)
        taken, left[stream] = left[stream][:some], left[stream][some:]
        if not left[stream]:
            del left[stream]
        entries = tuple(NewEntry(event, an_id(next(ids))) for _, event in taken)
        by = WRITERS[0] if chance is None else chance.choice(WRITERS)
        store.append(Batch(stream, taken[0][0], entries), recorded_by=by)
    if chance is not None:
        remark = NewEntry(Noted(text="the lamp is lit"), an_id(next(ids)))
        store.append(Batch("session/s", 1, (remark,)), recorded_by="desk")
    return next(ids) - 1


def _later_clock(ticks: int) -> TickingClock:
    clock = TickingClock()
    for _ in range(ticks):
        clock()
    return clock


class Tokens(AccessStore):
    """Tokens whose secrets follow from their order; each grant has one."""

    def __init__(self) -> None:
        numbers = count(1)
        super().__init__(
            MemoryRepository(),
            clock=lambda: FIRST_MOMENT,
            randomness=lambda size: next(numbers).to_bytes(size),
            elapsed_s=lambda: 0.0,
        )
        self._secrets: dict[Grant, str] = {}

    def secret_of(self, grant: Grant) -> str:
        if grant not in self._secrets:
            wanted = NewToken(
                id=grant.token, role=grant.role, tables=grant.tables, seat=grant.seat, hands=grant.hands,
                may_open=grant.may_open,
            )  # fmt: skip
            self._secrets[grant] = self.add_token(wanted).secret
        return self._secrets[grant]


def _where_both_lie(path: Path) -> Path:
    """Return the ledger at a path that does not reveal which of the two it is."""
    folder = path.parent.with_name("served")
    if folder.exists():
        shutil.rmtree(folder)
    return path.parent.rename(folder) / path.name


@contextmanager
def served_alike(path: Path) -> Iterator[tuple[Served, Callable[[], list[bytes]]]]:
    """Yield the served ledger, and a function for its log and metrics without times."""
    path = _where_both_lie(path)
    clock, ids, of_forms = _later_clock(10_000), count(900_000), count(800_000)
    opened = partial(open_store, clock=clock)
    metrics: list[Metrics] = []
    log_file = path.with_suffix(".log")
    descriptor = os.open(log_file, os.O_WRONLY | os.O_CREAT)
    lines = LineLog(descriptor, now=lambda: FIRST_MOMENT)

    def account(service: Service) -> AccessLog:
        metrics.append(_measured(service))
        return AccessLog(lines.write, metrics[0].answered)

    not_of = f'"token":"{SEER.token}"'.encode()

    def logged() -> list[bytes]:
        lines.close()
        log = re.sub(rb'"ms":[0-9.e+-]+', b"", log_file.read_bytes()).splitlines()
        counts = (line for line in metrics[0].text().splitlines() if b"_seconds" not in line)
        return [*(line for line in log if not_of not in line), *counts]

    settings = Settings(loopback=False, public=True, viewers_query=True, secret_key=path.with_suffix(".key"))
    with (
        patch.dict(os.environ, SOURCE_DATE_EPOCH="1767637800"),  # fonts in PDF have their creation time
        patch("ledger.service.running.open_store", opened),
        patch("ledger.service.running.open_watched", partial(open_watched, clock=clock)),
        patch("ledger.web.api.imports.open_store", opened),
        patch("ledger.log.append_rules.new_id", lambda: an_id(next(ids))),
        patch("ledger.web.pages.forms.new_id", lambda: an_id(next(of_forms))),
        patch("ledger.service.history._PAUSE_S", 0.0),
        patch("ledger.web.pages.room.disk_state", lambda ledger: _DISK),
        serving(path, settings, access=Tokens(), log=account) as served,
    ):
        served.service.hub = Hub(served.service.visible, Pace(ping_s=10_000.0))
        yield served, logged
    os.close(descriptor)


AT_THE_TABLE: Final = Grant(token="phone-1", role="recorder", tables=("t",))
BLIND: Final = (VIEWER, RECORDER, AT_THE_TABLE, DIRECTOR, ADMIN)
"""Clients that may not see hands."""


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
