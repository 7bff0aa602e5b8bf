"""A small club for tests of reads: a finished table, one in dispute, and one with an open deal."""

from pathlib import Path
from typing import Final

from ledger.events import DisputeRaised, HandsOpened, TableClosed
from ledger.log.base import LogStore
from tests.web.serving import OMBRE, copy_of, record

REPLAYS: Final = Path(__file__).parents[2] / "replays"
REVOKE: Final = "ombre-revoke"
"""One deal of 38 entries; entry 39 is a dispute that `viewer-1` has raised about entry 20."""
MATCH: Final = "kop-match-official"
"""A whole match of ten deals, closed."""
OPEN: Final = "open"
"""Its first deal is being played, and its cards are hidden."""


def club_of(folder: Path) -> Path:
    return copy_of(folder, _go_on, REPLAYS / "ombre" / "revoke.toml", REPLAYS / "kop" / "match-official.toml")


def _go_on(store: LogStore) -> None:
    record(store, MATCH, TableClosed(), HandsOpened(deal=10))  # it was stopped
    record(store, REVOKE, DisputeRaised(deal=1, version=20, text="he had a diamond"), by="viewer-1")
    record(store, OPEN, *OMBRE)
