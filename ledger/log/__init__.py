"""The append-only log: the only place that holds truth."""

from ledger.log.base import (
    EMPTY,
    Batch,
    Clock,
    ExpectedVersion,
    Head,
    LogStore,
    NewEntry,
    Receipt,
    Row,
    StreamHead,
)
from ledger.log.memory import MemoryStore
from ledger.log.sqlite import SqliteStore

__all__ = [
    "EMPTY",
    "Batch",
    "Clock",
    "ExpectedVersion",
    "Head",
    "LogStore",
    "MemoryStore",
    "NewEntry",
    "Receipt",
    "Row",
    "SqliteStore",
    "StreamHead",
]
