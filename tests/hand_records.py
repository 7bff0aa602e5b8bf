"""What a hand record comes to: the events of its table, and the table folded."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from ledger.events import Event
from ledger.recording.hand.record import HandRecord, read_hand_record
from ledger.table.corrections import corrected_reading
from ledger.table.fold import TableFold

REPLAYS = Path(__file__).parents[1] / "replays"


def a_third_of(records: Sequence[Path]) -> list[Any]:
    """Every third for each test run, the others for `make soak`: of what takes long and every record is alike in."""
    return [
        pytest.param(path, id=f"{path.parent.name}-{path.stem}", marks=() if place % 3 == 0 else pytest.mark.soak)
        for place, path in enumerate(records)
    ]


def record_in(path: Path) -> HandRecord:
    return read_hand_record(path.read_text(encoding="utf-8"), str(path))


def table_events(record: HandRecord) -> list[Event]:
    """The events of the table alone, without those of its evening."""
    return [event for stream, event, _ in record.events if stream == record.stream]


def fold_of(record: HandRecord) -> TableFold:
    return TableFold(corrected_reading(enumerate(table_events(record), 1)))
