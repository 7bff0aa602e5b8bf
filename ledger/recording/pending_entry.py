"""What somebody says happened: one event on its way into the log."""

from __future__ import annotations

from ledger.errors import line_of, within
from ledger.i18n import Text
from ledger.log.base import NewEntry
from ledger.recording.catalogue import phrase
from ledger.recording.event_text import word_of


class PendingEntry(NewEntry, frozen=True, gc=False, kw_only=True):
    """An event as a source tells it: the entry that it is to become, in which stream, and its place for messages.

    `line`: None where the source names a place itself. `typed`: what somebody typed in that line.
    """

    stream: str
    source: Text
    line: int | None = None
    typed: str | None = None

    @property
    def where(self) -> Text:
        return self.source if self.line is None else line_of(self.source, self.line)

    @property
    def word(self) -> str | None:
        """The word of the line that tells the event, or what is said there in all; None where it is no line."""
        return None if self.line is None else word_of(self.event, self.typed)

    @property
    def where_and_word(self) -> Text:
        word = self.word
        return self.where if word is None else within(self.where, phrase("place.word", text=word))
