"""A bell between the services of one ledger: who has recorded rings it, and the others look at once.

Each service asks the ledger at intervals all the same, since a notification may be lost, and poolers may forward none.
It is sent after the commit and over a connection of its own: a transaction that notifies locks the whole server while
it commits.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import closing, suppress
from selectors import EVENT_READ, DefaultSelector
from threading import Event, Thread
from time import sleep
from typing import TYPE_CHECKING, Any, Final

from ledger.errors import LedgerError
from ledger.log.durable import Bell
from ledger.log.postgres_connection import PostgresAddress, connect, psycopg_module

if TYPE_CHECKING:
    import psycopg

_RETRY_S: Final = 5.0
"""The pause before a lost connection is replaced; the services only look less often meanwhile."""

_GAP_S: Final = 0.01
"""The shortest time between two rings, so that commits that come together ring once."""


class PostgresBell(Bell):
    """A thread with its own connection. `heard` is called in it when another process has rung. To be closed."""

    def __init__(self, where: PostgresAddress, ledger_id: str, heard: Callable[[], None]) -> None:
        self._where = where
        self._channel = f'"trickledger {ledger_id}"'
        self._heard = heard
        self._errors = (LedgerError, psycopg_module().Error)
        self._closing = Event()
        self._rung, self._ringing = os.pipe()
        os.set_blocking(self._ringing, False)
        self._thread = Thread(target=self._run, name="bell", daemon=True)
        self._thread.start()

    def ring(self) -> None:
        with suppress(BlockingIOError):  # many rings are waiting already
            os.write(self._ringing, b"\0")

    def close(self) -> None:
        self._closing.set()
        self.ring()
        self._thread.join()
        os.close(self._rung)
        os.close(self._ringing)

    def _run(self) -> None:
        while not self._closing.is_set():
            try:
                with closing(connect(self._where)) as connection:
                    self._serve(connection)
            except self._errors:
                self._closing.wait(_RETRY_S)

    def _serve(self, connection: psycopg.Connection[Any]) -> None:
        own = connection.info.backend_pid
        connection.add_notify_handler(lambda notice: None if notice.pid == own else self._heard())
        connection.execute(f"LISTEN {self._channel}")
        self._heard()  # for what was missed without a connection
        with DefaultSelector() as selector:
            selector.register(connection, EVENT_READ)
            selector.register(self._rung, EVENT_READ)
            while not self._closing.is_set():
                if all(key.fileobj is connection for key, _ in selector.select()):
                    connection.execute("SELECT 1")  # receives the notifications
                else:
                    os.read(self._rung, 4096)
                    connection.execute(f"NOTIFY {self._channel}")
                    sleep(_GAP_S)
