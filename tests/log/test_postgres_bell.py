"""The bell between services: whoever rings wakes the others, and nobody depends on it."""

from collections.abc import Iterator
from queue import Empty, Queue

import pytest

from ledger.log import postgres_bell
from ledger.log.postgres_bell import PostgresBell
from ledger.log.stores import database_of
from tests.patience import PATIENCE_S
from tests.postgres import PostgresServer

Heard = Queue[str]


@pytest.fixture
def bells(postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Heard, list[PostgresBell]]]:
    """Return three bells that listen, the last one of another ledger, and the queue of those who hear."""
    monkeypatch.setattr(postgres_bell, "_RETRY_S", 0.01)
    heard: Heard = Queue()
    address = database_of(postgres.address())
    assert address is not None
    ledgers = {"one": "a-ledger", "other": "a-ledger", "third": "another-ledger"}
    made = [PostgresBell(address, id, lambda name=name: heard.put(name)) for name, id in ledgers.items()]  # type: ignore[misc]
    assert next_of(heard, 3) == {"one", "other", "third"}  # each looks when it begins to listen
    yield heard, made
    for bell in made:
        bell.close()


def next_of(heard: Heard, count: int) -> set[str]:
    return {heard.get(timeout=PATIENCE_S) for _ in range(count)}


def test_only_the_others_of_the_same_ledger_hear(bells: tuple[Heard, list[PostgresBell]]) -> None:
    heard, (one, other, _) = bells
    one.ring()
    assert next_of(heard, 1) == {"other"}
    other.ring()
    assert next_of(heard, 1) == {"one"}
    with pytest.raises(Empty):
        heard.get_nowait()


def test_a_lost_connection_is_replaced(postgres: PostgresServer, bells: tuple[Heard, list[PostgresBell]]) -> None:
    heard, (one, _, _) = bells
    postgres.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'")
    assert next_of(heard, 3) == {"one", "other", "third"}
    one.ring()
    assert next_of(heard, 1) == {"other"}
