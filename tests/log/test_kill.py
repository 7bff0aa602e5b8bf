"""A writer may be killed at any moment: what it had an acknowledgement for is there, and no batch is there in part."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ledger.events import Noted
from ledger.log import SqliteStore
from ledger.log.verify import verify

WRITERS = 4
"""So many write at any time: one that is killed makes room for the next."""

Acknowledged = tuple[int, int, int, int]
"""Writer, number of its batch, size of the batch, first position."""


def killed_writer(path: Path, writer: int, life_s: float) -> list[Acknowledged]:
    """What a writer had acknowledgements for that was killed `life_s` after its first one."""
    command = [sys.executable, "-S", "-m", "tests.log.writers", "until-killed", str(path), str(writer)]
    environment = {"PYTHONPATH": ":".join(entry for entry in sys.path if entry), "PYTHONDONTWRITEBYTECODE": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, cwd=Path(__file__).parents[2]) as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        time.sleep(life_s)
        process.kill()
        said = first + process.stdout.read()
    assert said, "the writer did not begin"
    # The last line may have been cut by the kill.
    lines = [line for line in said.splitlines(keepends=True) if line.endswith(b"\n")]
    return [(writer, *(int(number) for number in line.split())) for line in lines]  # type: ignore[misc]


def kill_and_check(path: Path, kills: int) -> None:
    SqliteStore.create(path).close()
    chance = random.Random(kills)
    lives_s = [chance.uniform(0, 0.1) for _ in range(kills)]
    with ThreadPoolExecutor(WRITERS) as pool:
        told = pool.map(lambda writer: killed_writer(path, writer, lives_s[writer]), range(kills))
        acknowledged = [batch for batches in told for batch in batches]
    assert verify(path).damage is None
    with SqliteStore.open(path) as store:
        events = [row.event() for row in store.read()]
    texts = [event.text for event in events if isinstance(event, Noted)]
    for writer, number, size, first_position in acknowledged:
        expected = [f"{writer} {number} {part} {size}" for part in range(size)]
        assert texts[first_position - 1 : first_position - 1 + size] == expected
    parts = Counter(tuple(text.split()[:2]) for text in texts)
    sizes = {tuple(text.split()[:2]): int(text.split()[3]) for text in texts}
    assert parts == sizes, "a batch is there in part, or twice"
    # One batch more than acknowledged may have been committed by each writer: the kill came before it could say so.
    assert kills <= len(acknowledged) <= len(parts) <= len(acknowledged) + kills


def test_fifty_kills_among_four_writers_lose_nothing(tmp_path: Path) -> None:
    kill_and_check(tmp_path / "club.ledger", kills=50)


@pytest.mark.soak
def test_a_thousand_kills_among_four_writers_lose_nothing(tmp_path: Path) -> None:
    kill_and_check(tmp_path / "club.ledger", kills=1_000)
