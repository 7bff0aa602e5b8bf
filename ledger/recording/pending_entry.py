"""One event on its way into the log."""

from __future__ import annotations

from ledger.errors import line_of, within
from ledger.i18n import Text
from ledger.log.base import NewEntry
from ledger.recording.catalogue import phrase
from ledger.recording.event_text import word_of


class PendingEntry(NewEntry, frozen=True, gc=False, kw_only=True):
    """An event of a source: the entry it will become, its stream, and its place for messages.

    `line`: None if `source` is the whole place. `typed`: the text of that line.
    """

    stream: str
    source: Text
    line: int | None = None
    typed: str | None = None

    @property
    def where(self) -> Text:
        """The place for messages: the source and the line, if any."""
        return self.source if self.line is None else line_of(self.source, self.line)

    @property
    def word(self) -> str | None:
        """The word of the line that expresses the event, or the line if no single word does; None without a line."""
        return None if self.line is None else word_of(self.event, self.typed)

    @property
    def where_and_word(self) -> Text:
        """The place with the word, for messages."""
        word = self.word
        return self.where if word is None else within(self.where, phrase("place.word", text=word))
