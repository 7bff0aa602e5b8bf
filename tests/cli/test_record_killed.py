"""A killed recorder loses nothing that was shown as recorded, doubles nothing, and resumes where it was.

Acts of a full deal of each game and form are typed at a pseudo-terminal. The process is killed before, during and after
the commit of an act; another process resumes.
"""

import tomllib
from itertools import cycle, pairwise
from pathlib import Path

import pytest

from ledger.events import GAME_ACTION_TYPES, DealStarted, Event, ResultRecorded, TableOpened
from ledger.log import NewEntry, SqliteStore
from ledger.log.verify import verify
from ledger.recording.live import LiveTable
from ledger.recording.typed.situation import situation_of
from tests.cli.terminal import Terminal
from tests.covering import IS_SOAK, wider_in_soak
from tests.hand_records import REPLAYS, record_in, table_events
from tests.recording.typed.scripts import shortest, without_hands

DEALS = tomllib.loads(Path(__file__).with_name("killed_deals.toml").read_text(encoding="utf-8"))


def a_deal(name: str) -> list[Event]:
    """Return the opening and the longest deal that was played, as the first one."""
    events = without_hands(table_events(record_in(REPLAYS / f"{name}.toml")))
    starts = [*(place for place, event in enumerate(events) if isinstance(event, DealStarted)), len(events)]
    deals = [events[start:end] for start, end in pairwise(starts)]
    played = max((deal for deal in deals if not any(isinstance(event, ResultRecorded) for event in deal)), key=len)
    began = played[0]
    assert isinstance(began, DealStarted)
    acts = [event for event in played if type(event) in GAME_ACTION_TYPES]
    return [events[0], DealStarted(deal=1, dealer=began.dealer), *acts]


def recorded(path: Path) -> list[Event]:
    with SqliteStore(path, access="read") as store:
        return [row.event() for row in store.read()]


def line_for(path: Path, event: Event) -> str:
    """Return the line to type for the next event of the table."""
    with SqliteStore(path, access="read") as store:
        live = LiveTable.resume(store, "t")
        now = situation_of(live, live.fold.players)
        if isinstance(event, DealStarted):
            return f"x {now.players[event.dealer]}"
        if now.stage == "cards":
            return ""
        text = shortest(event, now)
        return f"!{text}" if live.judge([NewEntry(event)], as_played=True).violations else text


def opened_at(path: Path, opened: Event) -> None:
    assert isinstance(opened, TableOpened)
    with SqliteStore.create(path) as store:
        LiveTable.open(store, "t", opened, by="Ann")


def record_with_kills(folder: Path, name: str, every: int) -> int:
    """Type the deal, killing the recorder at each `every`-th act, and return the number of kills."""
    path, events = folder / "club.ledger", a_deal(name)
    opened_at(path, events[0])
    ways, kills, until_kill = cycle(("before", "during", "after")), 0, every
    while len(recorded(path)) < len(events):
        way = next(ways)
        shown: list[int] = []
        with Terminal(
            way, until_kill, "--ledger", path, "record", "t", folder=folder, module="tests.cli.killed_recorder"
        ) as terminal:
            is_alive = terminal.wait_for_prompt()
            assert is_alive, terminal.text()
            while is_alive and (known := len(recorded(path))) < len(events):
                is_alive = terminal.enter(line_for(path, events[known]))
            shown = terminal.acknowledged()
            if is_alive:
                assert terminal.leave() == 0
        stored = recorded(path)
        assert stored == events[: len(stored)], terminal.text()
        assert max(shown, default=0) <= len(stored)
        kills += not is_alive
    assert verify(path).damage is None
    return kills


def test_kills_in_a_deal_lose_and_double_nothing(tmp_path: Path) -> None:
    assert record_with_kills(tmp_path, DEALS["ombre of three"], 11) >= 3


@pytest.mark.soak
@pytest.mark.parametrize(("game", "every"), [("kop", 1), ("ombre of three", 2), *((game, 5) for game in DEALS)])
def test_a_kill_at_each_act_loses_and_doubles_nothing(tmp_path: Path, game: str, every: int) -> None:
    assert record_with_kills(tmp_path, DEALS[game], every) >= 3


@wider_in_soak
def test_a_kill_while_the_disk_is_synced_loses_and_doubles_nothing(tmp_path: Path, tracing: str) -> None:
    path, events = tmp_path / "club.ledger", a_deal("kop/01-exactly-53")
    opened_at(path, events[0])
    for call in (1, 4) if IS_SOAK else (4,):
        traced = (
            tracing, "-f", "-qq", "-o", "/dev/null", "-e", "trace=fdatasync",
            "-e", f"inject=fdatasync:signal=SIGKILL:when={call}",
        )  # fmt: skip
        with Terminal("--ledger", path, "record", "t", folder=tmp_path, before=traced) as terminal:
            is_alive = terminal.wait_for_prompt()
            while is_alive:
                known = len(recorded(path))
                is_alive = terminal.enter(line_for(path, events[known]))
            shown = terminal.acknowledged()
        stored = recorded(path)
        assert stored == events[: len(stored)]
        assert max(shown, default=0) <= len(stored)
    assert verify(path).damage is None
