"""The hand records of `replays/`, with the events and the fold of each table."""

from collections.abc import Collection, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from ledger.events import Event
from ledger.recording.hand.record import HandRecord, read_hand_record
from ledger.table.corrections import corrected_reading
from ledger.table.fold import TableFold
from tests.covering import IS_SOAK, sample

REPLAYS = Path(__file__).parents[1] / "replays"
RECORDS = sorted(REPLAYS.rglob("*.toml"))


def some_records(each: int, records: Sequence[Path] = RECORDS, *, is_soak: bool = IS_SOAK) -> list[Any]:
    """Return parameters: `each` records of every folder, evenly spread; a soak run adds the others."""
    folders = [list(paths) for _, paths in groupby(records, lambda path: path.parent)]
    return _parameters(records, {path for paths in folders for path in sample(paths, each, is_soak=False)}, is_soak)


def _parameters(records: Sequence[Path], chosen: Collection[Path], is_soak: bool) -> list[Any]:
    return [
        pytest.param(path, id=f"{path.parent.name}-{path.stem}", marks=() if path in chosen else pytest.mark.soak)
        for path in records
        if path in chosen or is_soak
    ]


def record_in(path: Path) -> HandRecord:
    return read_hand_record(path.read_text(encoding="utf-8"), str(path))


def table_events(record: HandRecord) -> list[Event]:
    """Return the events of the table without those of its evening."""
    return [event for stream, event, _ in record.events if stream == record.stream]


def fold_of(record: HandRecord) -> TableFold:
    return TableFold(corrected_reading(enumerate(table_events(record), 1)))
