"""The fixture of an empty ledger in memory."""

import pytest

from ledger.log.memory import MemoryStore


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()
