"""A survey as a kind of stream: players answer a question, and their answers are hidden from others until it is closed.

It uses events of the contract: `session_opened` asks, `noted` answers, `session_closed` closes, `corrected` corrects.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import ClassVar, Final

from msgspec import structs

from ledger.errors import MalformedError
from ledger.events import Corrected, Event, Noted, SessionClosed, SessionOpened
from ledger.history.model.projections import PROJECTIONS, Projection
from ledger.history.model.rows import HistoryRow, Rows
from ledger.log.bulk import BulkReader
from ledger.recording.validator import VALIDATORS
from ledger.service.visibility import REDACTIONS, Redaction
from ledger.streams import STREAM_TYPES, StreamType
from ledger.table.corrections import Entry, corrected_reading
from ledger.table.redaction import Hidden, Viewer

SURVEY: Final = StreamType("survey", frozenset((SessionOpened, Noted, SessionClosed, Corrected)))


class SurveyValidator:
    """The state of a survey: opened first, answered, closed."""

    def __init__(self) -> None:
        self.entries: MutableSequence[Entry] = []

    def check(self, event: Event) -> None:
        if type(event) not in SURVEY.events or isinstance(event, SessionOpened) == bool(self.entries):
            raise MalformedError("type", None, type(event).__name__)

    def take(self, event: Event) -> None:
        self.check(event)
        self.entries.append((len(self.entries) + 1, event))

    def copy(self) -> SurveyValidator:
        other = SurveyValidator()
        other.entries = list(self.entries)
        return other


def hidden_in(entries: Sequence[Entry]) -> Hidden | None:
    if any(isinstance(event, SessionClosed) for _, event in entries):
        return None
    first = next((version for version, event in entries if isinstance(event, Noted)), None)
    return None if first is None else Hidden(first, first, 0)


def is_hidden(version: int, event: Event, hidden: Hidden | None) -> bool:
    return hidden is not None and version >= hidden.version and isinstance(event, Noted)


def redacted(entry: Entry, hidden: Hidden | None, viewer: Viewer) -> Event:
    version, event = entry
    if not is_hidden(version, event, hidden) or viewer.is_writer:
        return event
    return structs.replace(event, text="??")


class AnswerRow(HistoryRow, frozen=True, gc=False, kw_only=True):
    TABLE: ClassVar[str] = "survey_answers"
    survey: str
    version: int
    answer: str


def collect(rows: Rows, survey: str, source: BulkReader, until: int) -> None:
    for version, event in corrected_reading(enumerate(source.events(SURVEY.stream(survey), until), start=1)):
        if isinstance(event, Noted):
            rows[AnswerRow].append(AnswerRow(survey=survey, version=version, answer=event.text))


SCHEMA: Final = """
CREATE TABLE survey_answers (survey VARCHAR NOT NULL, version INTEGER NOT NULL, answer VARCHAR NOT NULL);
"""


def register() -> None:
    """Add an entry to each registry; `routes` adds its routes."""
    STREAM_TYPES[SURVEY.name] = SURVEY
    VALIDATORS[SURVEY.name] = SurveyValidator
    REDACTIONS[SURVEY.name] = Redaction(hidden_in, redacted, is_hidden)
    PROJECTIONS[SURVEY.name] = Projection(SURVEY, "survey", (AnswerRow,), collect, SCHEMA)
