"""What every command knows: which ledger, which language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

from ledger.log.display_names import display_names
from ledger.log.sqlite import SqliteStore
from ledger.log.sqlite_file import access_to


class CliState(Struct, frozen=True):
    """The options before the command (contract 7)."""

    ledger_path: Path
    lang: str

    @contextmanager
    def store(self) -> Iterator[SqliteStore]:
        """The ledger, opened to be written to if that is possible; raises `UnreadableError` where there is none."""
        with SqliteStore.open(self.ledger_path, access=access_to(self.ledger_path)) as store:
            yield store

    def names_for(self, form: str) -> Mapping[str, str]:
        """The names to show for players: people read them in text; programs get the record as it is."""
        return display_names(self.ledger_path) if form == "text" else {}
