"""What somebody says happened: one event on its way into the log."""

from __future__ import annotations

from ledger.errors import line_of
from ledger.i18n import Text
from ledger.log.base import NewEntry


class Told(NewEntry, frozen=True, gc=False, kw_only=True):
    """An event as a source tells it: the entry that it is to become, in which stream, and its place for messages.

    `line`: None where the source names a place itself.
    """

    stream: str
    source: Text
    line: int | None = None

    @property
    def where(self) -> Text:
        return self.source if self.line is None else line_of(self.source, self.line)
