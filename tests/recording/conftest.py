"""An empty ledger in memory, to record in."""

from __future__ import annotations

import pytest

from ledger.log.memory import MemoryStore


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()
