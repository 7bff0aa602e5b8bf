"""What somebody says happened: one event on its way into the log."""

from __future__ import annotations

from ledger.log.base import NewEntry


class Told(NewEntry, frozen=True, gc=False, kw_only=True):
    """An event as a source tells it: the entry that it is to become, in which stream, and its place for messages.

    `line`: None where the source names a place itself.
    """

    stream: str
    source: str
    line: int | None = None

    @property
    def where(self) -> str:
        return self.source if self.line is None else f"{self.source}, line {self.line}"
