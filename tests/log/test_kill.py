"""Several processes write to one ledger and may be killed at any moment: nothing acknowledged is lost or doubled."""

import os
import random
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ledger.log import SqliteStore, open_store
from ledger.log.stores import HOME
from ledger.log.verify import verify

WRITERS = 4
"""The number of concurrent writers: a killed one is replaced by the next."""

Acknowledged = tuple[int, int, int, int]
"""Writer, number of its batch, size of the batch, first position."""


def start_writer(*words: object) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-S", "-m", "tests.log.writers", *map(str, words)]
    environment = {"PYTHONPATH": ":".join(entry for entry in sys.path if entry), "PYTHONDONTWRITEBYTECODE": "1"}
    environment |= {HOME: os.environ[HOME]} if HOME in os.environ else {}
    return subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, cwd=Path(__file__).parents[2])


def texts_in(path: Path | str, stream: str | None = None) -> list[str]:
    """Return the remarks of an undamaged ledger, or of one of its streams."""
    assert verify(path).damage is None
    with open_store(path) as store:
        return [row.event().text for row in (store.read() if stream is None else store.read_stream(stream))]


def said_by(writer: int, said: bytes) -> list[Acknowledged]:
    """Return the acknowledged batches in the lines of a writer, of which a kill may have cut the last one."""
    lines = [line for line in said.splitlines(keepends=True) if line.endswith(b"\n")]
    return [(writer, *(int(number) for number in line.split())) for line in lines]  # type: ignore[misc]


def check_whole(path: Path | str, acknowledged: list[Acknowledged]) -> int:
    """Check that acknowledged batches are where they were said to be, and no batch is there in part or twice; return
    how many there are.
    """
    texts = texts_in(path)
    for writer, number, size, first_position in acknowledged:
        expected = [f"{writer} {number} {part} {size}" for part in range(size)]
        assert texts[first_position - 1 : first_position - 1 + size] == expected
    parts = Counter(tuple(text.split()[:2]) for text in texts)
    sizes = {tuple(text.split()[:2]): int(text.split()[3]) for text in texts}
    assert parts == sizes, "a batch is there in part, or twice"
    assert len(acknowledged) <= len(parts)
    return len(parts)


def killed_writer(path: Path | str, writer: int, life_s: float, *stream: str) -> list[Acknowledged]:
    """Return the acknowledged batches of a writer that was killed `life_s` after its first one."""
    with start_writer("until-killed", path, writer, *stream) as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        time.sleep(life_s)
        process.kill()
        said = first + process.stdout.read()
    assert said, "the writer did not begin"
    return said_by(writer, said)


def killed_writers(path: Path | str, kills: int) -> list[Acknowledged]:
    """Return what so many writers acknowledged, of which `WRITERS` wrote at a time until they were killed."""
    chance = random.Random(kills)
    lives_s = [chance.uniform(0, 0.1) for _ in range(kills)]
    with ThreadPoolExecutor(WRITERS) as pool:
        batches_by_writer = pool.map(lambda writer: killed_writer(path, writer, lives_s[writer]), range(kills))
        return [batch for batches in batches_by_writer for batch in batches]


@pytest.mark.parametrize("kills", [12, pytest.param(300, marks=pytest.mark.soak)])
def test_kills_among_four_writers_lose_nothing(tmp_path: Path, kills: int) -> None:
    path = tmp_path / "club.ledger"
    SqliteStore.create(path).close()
    acknowledged = killed_writers(path, kills)
    # One batch more than acknowledged may have been committed by each writer: the kill came before it could say so.
    assert kills <= len(acknowledged) <= check_whole(path, acknowledged) <= len(acknowledged) + kills


@pytest.mark.parametrize("entries", [250, pytest.param(2_000, marks=pytest.mark.soak)])
def test_four_writers_lose_and_double_nothing(tmp_path: Path, entries: int) -> None:
    path = tmp_path / "club.ledger"
    SqliteStore.create(path).close()
    processes = [start_writer("many", path, writer, entries) for writer in range(WRITERS)]
    for process in processes:
        process.communicate()
    assert [process.returncode for process in processes] == [0] * WRITERS
    assert len(texts_in(path)) == WRITERS * entries
    for writer in range(WRITERS):
        numbers = [[int(word) for word in text.split()] for text in texts_in(path, f"table/{writer}")]
        assert [first + part for _, first, part, _ in numbers] == list(range(entries))
