"""Files of a served ledger are replaced: no acknowledged act is lost, and only an altered table is `damaged`."""

import asyncio
import json
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest

import ledger
from ledger.errors import LedgerError
from ledger.log import LogStore
from ledger.log.append_rules import new_id
from ledger.log.chain import GENESIS, digest_after
from ledger.log.sqlite_check import FileCheck
from ledger.log.verify import verify
from ledger.log.watched import COMMITS_PER_CHECKPOINT
from ledger.service.live_buffer import Follower, backfill, opened_meanwhile
from ledger.service.visibility import View
from ledger.web.api.live import JsonLines
from tests.covering import sample
from tests.log.damages import swap_cards
from tests.patience import PATIENCE_S
from tests.web.club import MATCH, OPEN, REVOKE, club_of
from tests.web.lists import lines_in
from tests.web.sending import noted, problem_of, send
from tests.web.serving import ADMIN, DIRECTOR, RECORDER, SEER, VIEWER, Served, copy_of, record, serving

TABLE = "table/board"
OPENED = {"type": "table_opened", "game": "kop", "players": ["Ann", "Ben", "Cleo", "Dan"]}
NOTE = {"type": "noted", "text": "a glass fell " * 20}

ACTS = 12
"""The number of acts before the files are changed; twice as many follow."""

MOST = COMMITS_PER_CHECKPOINT - 3 * ACTS
"""The most acts before the commands have ended: a checkpoint moves acts into the file that is lost."""

SHELL = f"""
set -e
sql() {{ '{sys.executable}' -c 'import sqlite3, sys; sqlite3.connect("club").executescript(sys.argv[1])' "$@"; }}
"""

CRASH = """
mkdir crash
for file in club club-wal; do [ ! -e "folder/$file" ] || cp "folder/$file" crash; done
"""
"""The state of the disk after a kill: the next process rebuilds the index of the log."""


class Case(NamedTuple):
    outcome: str
    name: str
    commands: str


def cases() -> list[Case]:
    lines = lines_in(Path(__file__).with_name("replaced_files.txt"))
    cases = [Case(*map(str.strip, line.split("|", 2))) for line in lines]
    assert len(cases) == len({case.name for case in cases})
    return cases


def with_notes(store: LogStore) -> None:
    """Return a ledger with so many pages that a few acts change only some of them."""
    record(store, TABLE, OPENED)
    for _ in range(6):
        record(store, TABLE, *(NOTE,) * 50)


@pytest.fixture
def club(tmp_path: Path) -> Path:
    """The ledger, in a folder with the files of the commands."""
    folder = tmp_path / "folder"
    folder.mkdir()
    path = copy_of(folder, with_notes).rename(folder / "club")
    shutil.copy(path, tmp_path / "before")
    with ledger.create(folder / "older") as older, ledger.open(path) as store:
        older.append_envelopes(row.envelope() for row in store.read(until=200))
    with ledger.create(folder / "other") as other:
        with_notes(other)
    (folder / "empty").touch()
    return path


async def acknowledged(served: Served, ids: list[str]) -> bool:
    """Record an act; return False if it is refused because the ledger's files are not sound."""
    id = new_id()
    body = {"entries": [{"id": id, "event": NOTE}]}
    answer = await served.request("POST", f"/streams/{TABLE}/entries", who=RECORDER, json=body)
    if answer.status_code != 201:
        assert (answer.status_code, answer.json()["code"]) in ((503, "damaged"), (503, "rolled_back")), answer.text
        return False
    ids.append(id)
    return True


async def recorded_through(served: Served, commands: str) -> tuple[list[str], bool]:
    """Record acts before, during and after the commands; return the acknowledged ids, and whether recording went on."""
    ids: list[str] = []
    for _ in range(ACTS):
        assert await acknowledged(served, ids)
    shell = await asyncio.create_subprocess_exec("sh", "-c", SHELL + commands, cwd=served.ledger.parent)
    ending = asyncio.create_task(shell.wait())
    goes_on = True
    while goes_on and not ending.done() and len(ids) < MOST:
        goes_on = await acknowledged(served, ids)
    assert await asyncio.wait_for(ending, PATIENCE_S) == 0
    for _ in range(2 * ACTS):
        goes_on = goes_on and await acknowledged(served, ids)
    ready = await served.request("GET", "/ready", who=ADMIN)
    assert (ready.status_code == 200) == goes_on
    crash = await asyncio.create_subprocess_exec("sh", "-c", CRASH, cwd=served.ledger.parent.parent)
    await crash.wait()
    return ids, goes_on


def test_the_rescue_file_is_named_only_to_an_admin(club: Path) -> None:
    async def refused() -> None:
        assert await acknowledged(served, [])
        club.with_name("club-wal").unlink()
        assert not await acknowledged(served, [])

    rescues: list[Path | None] = []
    with serving(club) as served:
        served.service.rescued = rescues.append
        served.run(refused())
        (rescue,) = rescues
        assert rescue is not None and rescue.parent == club.parent
        assert str(rescue) in served.problem("/tables", 503, "damaged", who=ADMIN)["detail"]
        for path, who in (("/tables", RECORDER), ("/ready", None)):
            problem = served.problem(path, 503, "damaged", who=who)
            assert "rescue" not in str(problem) and str(club.parent) not in str(problem)
        assert served.get("/health").status_code == 200


def sound_ids(path: Path) -> list[str]:
    """Return the ids of the entries of a ledger, up to the first damaged one."""
    ids, digest = [], GENESIS
    try:
        with closing(FileCheck(path)) as file:
            for row in file.rows():
                digest = digest_after(digest, row.canonical())
                if row.digest != digest:
                    break
                ids.append(row.id)
    except LedgerError:
        pass
    return ids


@pytest.mark.parametrize("case", sample(cases(), 5), ids=lambda case: case.name)
def test_nothing_acknowledged_is_lost(case: Case, club: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    rescues: list[Path | None] = []
    with serving(club) as served:
        served.service.rescued = rescues.append
        ids, goes_on = served.run(recorded_through(served, case.commands))
    assert case.outcome in ("either", "goes_on" if goes_on else "stops")
    rescued = [json.loads(line)["id"] for file in rescues if file for line in file.read_bytes().splitlines()]
    assert set(ids) <= {*sound_ids(club), *rescued}
    assert set(ids) <= {*sound_ids(tmp_path / "crash" / "club"), *rescued}, "lost if it had been killed"
    assert bool(rescued) or goes_on
    if rescued:
        # The right file is the one from before, and all since then is in the rescue file.
        before = tmp_path / "before"
        with ledger.open(before) as store:
            for file in filter(None, rescues):
                ledger.import_file(store, file, ledger.Recording(by="keeper"))
            assert set(ids) <= {row.id for row in store.read()}
        assert verify(before).damage is None


@pytest.fixture(scope="module")
def altered(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, int]]:
    """The club, two cards of the table `REVOKE` swapped, and the position of the first."""
    path = club_of(tmp_path_factory.mktemp("altered"))
    position = swap_cards(path, REVOKE)
    with serving(path) as served:
        yield served, position


@pytest.mark.parametrize("path", ["", "/score", "/audit", "/disputes", "/deals/1/steps/last"])
def test_answers_about_the_altered_table_alone_report_damage(altered: tuple[Served, int], path: str) -> None:
    served, position = altered
    problem = served.problem(f"/tables/{REVOKE}{path}", 500, "damaged", who=DIRECTOR)
    assert problem["position"] == position
    assert served.get(f"/tables/{MATCH}{path}", who=DIRECTOR).status_code == 200


@pytest.mark.parametrize("path", ["/streams/table/{}/entries", "/streams/table/{}/entries?after_version=3"])
def test_altered_entries_are_not_answered(altered: tuple[Served, int], path: str) -> None:
    served, position = altered
    assert served.problem(path.format(REVOKE), 500, "damaged", who=SEER)["position"] == position
    assert served.get(path.format(MATCH)).status_code == 200


def test_the_list_says_which_table_is_damaged(altered: tuple[Served, int]) -> None:
    served, _ = altered
    assert [(row["table"], row["status"]) for row in served.ok("/tables")] == [
        (REVOKE, "damaged"), (MATCH, "closed"), (OPEN, "open"),
    ]  # fmt: skip
    assert [row["table"] for row in served.ok("/tables?game=kop")] == [MATCH]


@pytest.mark.parametrize("path", ["/", "/tables", "/record"])
def test_pages_of_all_tables_are_shown(altered: tuple[Served, int], path: str) -> None:
    served, _ = altered
    page = served.get(path, who=DIRECTOR, is_page=True)
    assert page.status_code == 200
    if path == "/tables":
        assert page.text.count(">damaged</b>") == 1


def test_statistics_name_the_position(altered: tuple[Served, int]) -> None:
    served, position = altered
    problem = served.problem("/statistics/standings", 500, "damaged", who=VIEWER)
    assert problem["position"] == position


def test_a_follower_of_a_sound_table_receives_it(altered: tuple[Served, int]) -> None:
    served, position = altered
    service = served.service
    follower = Follower(View(), frozenset({f"table/{MATCH}"}), JsonLines())
    store = service.store()
    assert opened_meanwhile(store, service.visible, position, follower) == []
    assert f'"stream":"table/{MATCH}"'.encode() in backfill(store, service.visible, 0, follower).content


def test_a_sound_table_goes_on_being_recorded(altered: tuple[Served, int]) -> None:
    served, _ = altered
    assert send(served, noted(90), who=DIRECTOR).status_code == 201
    refused = send(served, noted(91), to=f"/streams/table/{REVOKE}/entries", who=DIRECTOR)
    assert problem_of(refused) == (500, "damaged")
