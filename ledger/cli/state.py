"""What every command knows: which ledger, which language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path

from msgspec import Struct

from ledger.log import LogStore, open_store
from ledger.log.people import People


class CliState(Struct, frozen=True):
    """The options before the command (contract 7)."""

    ledger_path: Path
    lang: str
    tz: str | None = None

    @contextmanager
    def store(self) -> Iterator[LogStore]:
        """The ledger, opened to be written to if that is possible; raises `UnreadableError` where there is none."""
        with open_store(self.ledger_path, access="allowed") as store:
            yield store

    def names_for(self, form: str, store: LogStore | None = None) -> Mapping[str, str]:
        """The names to show for players: people read them in text; programs get the record as it is.

        `store`: the ledger, where it is open already.
        """
        if form != "text":
            return {}
        with self.store() if store is None else nullcontext(store) as opened:
            return opened.display_names()

    def people(self) -> People:
        """Who is who among the players of the record."""
        with self.store() as opened:
            return opened.people()
