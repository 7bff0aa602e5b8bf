"""Hand records: the TOML file that somebody types from a paper sheet, one table with its deals, read as events.

See `docs/hand-records.md` for the file as its writer sees it; `file.py` holds its schema.
"""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

from ledger.errors import MalformedError
from ledger.events import Event
from ledger.recording.hand.expect import Expectations
from ledger.recording.hand.reading import read_file, read_page
from ledger.recording.hand.table import TableReader

_BLANKS: Final = re.compile(r"\ufeff?(?:\s|#[^\n]*+)*+")
"""Blank lines and comments. What a comment took it keeps: else a row of `#` would be tried in all its parts."""
_TOML_START: Final = re.compile(r"""\[{1,2}\s*[A-Za-z_]|(?:[A-Za-z0-9_-]+|"[^"\n]*")\s*[.=]""")


class HandRecord(Struct, frozen=True):
    """What a hand record tells. `events`: stream, event and moment, in order; `lines`: the line that tells each."""

    stream: str
    events: list[tuple[str, Event, str | None]]
    lines: list[int]
    expectations: Expectations


def is_hand_record(text: str) -> bool:
    """Whether the text begins like TOML: a key, a table or a comment, and not like lines of JSON."""
    blanks = _BLANKS.match(text)
    assert blanks is not None
    has_comments_alone = blanks.end() == len(text) and "#" in text
    return has_comments_alone or _TOML_START.match(text, blanks.end()) is not None


def read_hand_record(text: str, source: str) -> HandRecord:
    """The events of one hand record; `source` names it in messages.

    Raises `MalformedError` with the line, the offending text and what was expected, whatever the text.
    """
    page = read_page(text, source)
    try:
        reader = TableReader(page, read_file(page))
        reader.read()
    except RecursionError:
        raise MalformedError("nested too deeply", "a hand record", where=source) from None
    return HandRecord(
        stream=reader.stream,
        events=[(told.stream, told.event, told.happened_at) for told in reader.told],
        lines=[told.line for told in reader.told],
        expectations=reader.expectations(),
    )
