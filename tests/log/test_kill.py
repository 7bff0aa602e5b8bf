"""A writer may be killed at any moment: what it had an acknowledgement for is there, and no batch is there in part."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from ledger.events import Noted
from ledger.log import SqliteStore
from ledger.log.verify import verify

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


def kill_and_check(path: Path, rounds: int) -> None:
    SqliteStore.create(path).close()
    chance = random.Random(rounds)
    acknowledged: list[Acknowledged] = []
    for writer in range(rounds):
        acknowledged += killed_writer(path, writer, chance.uniform(0, 0.05))
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
    assert len(acknowledged) <= len(parts) <= len(acknowledged) + rounds


def test_two_hundred_killed_writers_lose_nothing(tmp_path: Path) -> None:
    kill_and_check(tmp_path / "club.ledger", rounds=200)
