"""The append-only log, the only source of truth."""

from ledger.log.base import (
    EMPTY,
    Acknowledgement,
    AppendRequest,
    Batch,
    Clock,
    ExpectedVersion,
    Head,
    LogStore,
    NewEntry,
    Row,
    StreamHead,
)
from ledger.log.memory import MemoryStore
from ledger.log.sqlite import SqliteStore
from ledger.log.stores import create_store, open_store

__all__ = [
    "EMPTY",
    "Acknowledgement",
    "AppendRequest",
    "Batch",
    "Clock",
    "ExpectedVersion",
    "Head",
    "LogStore",
    "MemoryStore",
    "NewEntry",
    "Row",
    "SqliteStore",
    "StreamHead",
    "create_store",
    "open_store",
]
