"""A ledger in which any byte was changed reads as before or says that it is damaged; it never reads differently."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.errors import UnreadableError
from ledger.log import Row, SqliteStore
from ledger.log.verify import verify
from tests.contracts.log_builders import RECORDER, batch, play, remark

Original = tuple[Path, bytes, list[Row]]


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Original]:
    """A ledger of 400 entries: some fifty pages, with inner ones."""
    path = tmp_path_factory.mktemp("flips") / "club.ledger"
    with SqliteStore.create(path) as store:
        for number in range(100):
            events = [remark(f"Zoë {number}"), play("SA"), play("SK"), play("SQ")]
            store.append(batch(*events, stream=f"table/{number % 7}"), recorded_by=RECORDER)
        rows = list(store.read())
    yield path, path.read_bytes(), rows


def is_noticed(path: Path) -> bool:
    try:
        return verify(path).damage is not None
    except UnreadableError:
        return True


def flip_and_check(original: Original, places: Iterator[int], chance: random.Random) -> int:
    """Flip a bit at each place in turn; answers how many flips were noticed."""
    path, content, rows = original
    noticed = 0
    for place in places:
        flipped = bytearray(content)
        flipped[place] ^= 1 << chance.randrange(8)
        for left in path.parent.glob(f"{path.name}-*"):
            left.unlink()
        path.write_bytes(flipped)
        if is_noticed(path):
            noticed += 1
            continue
        with SqliteStore.open(path, readonly=True) as store:
            assert list(store.read()) == rows, f"a flip in byte {place} was not noticed"
    path.write_bytes(content)
    return noticed


def test_flipped_bits_anywhere_are_noticed_or_do_no_harm(original: Original) -> None:
    chance = random.Random(20260105)
    places = (chance.randrange(len(original[1])) for _ in range(300))
    assert flip_and_check(original, places, chance) > 150


def test_flipped_bits_in_the_header_and_the_schema_are_noticed_or_do_no_harm(original: Original) -> None:
    chance = random.Random(1)
    assert flip_and_check(original, (chance.randrange(4096) for _ in range(150)), chance) > 50


@pytest.mark.soak
def test_every_fifth_byte_of_the_file(original: Original) -> None:
    """All bytes take seven minutes, and have been tried."""
    places = range(random.randrange(5), len(original[1]), 5)
    assert flip_and_check(original, iter(places), random.Random(7)) > len(places) // 2


def test_every_byte_of_a_written_remark_is_guarded(original: Original) -> None:
    """The bytes of an entry itself are never harmless: the position is named."""
    path, content, _ = original
    start = content.index("Zoë 50".encode())
    for place in range(start, start + 7):
        flipped = bytearray(content)
        flipped[place] ^= 1
        path.write_bytes(flipped)
        damage = verify(path).damage
        assert damage is not None
        assert damage.position == 201
    path.write_bytes(content)
