"""Several processes write to one ledger: nothing is lost, nothing is doubled, and nobody waits long."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from ledger.events import Noted
from ledger.log import SqliteStore
from ledger.log.verify import verify

WRITERS = 4


def compete(path: Path, entries: int) -> float:
    """Let four processes write so many entries each; answers the longest wait for an append in seconds."""
    SqliteStore.create(path).close()
    processes = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.log.writers", "many", str(path), str(writer), str(entries)],
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[2],
        )
        for writer in range(WRITERS)
    ]
    waits_s = [float(process.communicate()[0]) for process in processes]
    assert [process.returncode for process in processes] == [0] * WRITERS

    found = verify(path)
    assert (found.entries, found.damage) == (WRITERS * entries, None)
    with SqliteStore.open(path) as store:
        for writer in range(WRITERS):
            events = [row.event() for row in store.read_stream(f"table/{writer}")]
            numbers = [[int(word) for word in event.text.split()] for event in events if isinstance(event, Noted)]
            assert [first + part for _, first, part, _ in numbers] == list(range(entries))
    return max(waits_s)


def test_four_writers_lose_nothing_and_wait_less_than_a_second(tmp_path: Path) -> None:
    assert compete(tmp_path / "club.ledger", entries=1_000) < 1


@pytest.mark.soak
def test_four_writers_of_five_thousand_entries_each(tmp_path: Path) -> None:
    assert compete(tmp_path / "club.ledger", entries=5_000) < 1
