"""A spool returns its entries in any order, from memory and from a file."""

from collections.abc import Iterator
from contextlib import closing
from random import Random
from unittest.mock import patch

import msgspec
import pytest

from ledger.errors import UnreadableError
from ledger.events import Noted
from ledger.recording import ndjson
from ledger.recording.ndjson import Spool, bare_record, events_at, prepared_batches
from ledger.recording.pending_entry import PendingEntry

COUNT = 300


def pending(number: int) -> PendingEntry:
    text = f"{number} " + "x" * (number % 17)
    return PendingEntry(Noted(text=text), None, None, stream=f"table/{'ab'[number % 2]}", source="file", line=number)


def decode(record: bytes, line: int) -> PendingEntry:
    read = msgspec.json.decode(record)
    event = msgspec.convert(read["event"], Noted)
    return PendingEntry(event, None, None, stream=read["stream"], source="file", line=line)


@pytest.fixture(params=[0, 1_000_000], ids=["file", "memory"])
def spool(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Spool]:
    monkeypatch.setattr(ndjson, "IN_MEMORY_BYTES", request.param or 1)
    monkeypatch.setattr(ndjson, "_BLOCK_BYTES", 1_000)
    with closing(Spool(decode)) as made:
        yield made


def fill(spool: Spool, count: int = COUNT) -> None:
    for number in range(len(spool), len(spool) + count):
        spool.add(bare_record(pending(number)), number)


def test_everything_is_given_back_in_any_order(spool: Spool) -> None:
    fill(spool)
    assert list(spool) == [pending(number) for number in range(COUNT)]
    chance = Random(1)
    assert all(spool[number] == pending(number) for number in chance.choices(range(COUNT), k=COUNT))
    assert spool[3:9:2] == [pending(3), pending(5), pending(7)]


def test_it_is_read_while_it_grows(spool: Spool) -> None:
    for number in range(COUNT):
        spool.add(bare_record(pending(number)), number)
        assert spool[number // 2] == pending(number // 2)
    assert spool[COUNT - 1] == pending(COUNT - 1)


@pytest.mark.parametrize("at", [range(COUNT), range(0, COUNT, 2), [0, 1, 2, 50, 51, 299], []], ids=len)
def test_events_come_in_lists_whatever_is_left_out(spool: Spool, at: list[int]) -> None:
    fill(spool)
    assert list(events_at(spool, at)) == [pending(number).event for number in at]
    assert all(len(part) < 3_000 for part in spool.lists(at))


def test_batches_continue_the_versions_of_their_streams(spool: Spool) -> None:
    fill(spool, 7)
    batches = [batch for group in prepared_batches(spool, {"table/a": 5, "table/b": 0}) for batch in group]
    assert [(batch.stream, batch.expected_version) for batch in batches] == [
        ("table/a", 5), ("table/b", 0), ("table/a", 6), ("table/b", 1), ("table/a", 7), ("table/b", 2), ("table/a", 8),
    ]  # fmt: skip
    assert [entry.payload for batch in batches for entry in batch.entries] == [
        msgspec.json.encode(pending(number).event) for number in range(7)
    ]


def test_a_full_temporary_folder_is_named(spool: Spool) -> None:
    full = patch.object(spool._file, "write", side_effect=OSError(28, "No space left on device"))
    with full, pytest.raises(UnreadableError, match="the temporary file of the import cannot be used") as refused:
        fill(spool)
    assert refused.value.code == "no_space"
