"""Hand records: the TOML file that somebody types from a paper sheet, one table with its deals, read as events.

See `docs/hand-records.md` for the file as its writer sees it; `file.py` holds its schema.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from msgspec import Struct

from ledger.errors import MalformedError, in_file
from ledger.events import Event
from ledger.recording.hand.expect import Expectations
from ledger.recording.hand.file import KEYS
from ledger.recording.hand.reading import read_file, read_page
from ledger.recording.hand.slips import Slip, error_of
from ledger.recording.hand.table import NOTHING_RETYPED, TableReader
from ledger.recording.hand.trial import TypedDeal
from ledger.recording.told import Told
from ledger.recording.words import phrase
from ledger.table.fold import TableFold

_BLANKS: Final = re.compile(r"\ufeff?(?:\s|#[^\n]*+)*+")
"""Blank lines and comments. What a comment took it keeps: else a row of `#` would be tried in all its parts."""
_TOML_START: Final = re.compile(
    r"""\[{1,2}\s*[A-Za-z_]|(?:[A-Za-z0-9_-]+|"[^"\n]*")\s*[.=]"""
    rf"|[［【]|[“„「『＂][^\n=＝]*[=＝]|[^\W\d]\w*\s*[=＝]|(?:{'|'.join(sorted(KEYS))})\s*[:：\"“「『]"
)
"""A key, a table, or what somebody types for one."""


class HandRecord(Struct, frozen=True):
    """What a hand record tells: its events in order, and its table as they make it, played while it was read."""

    stream: str
    told: list[Told]
    table: TableFold
    expectations: Expectations
    slips: Sequence[Slip] = ()
    retyped: Mapping[int, TypedDeal] = NOTHING_RETYPED

    @property
    def events(self) -> list[tuple[str, Event, str | None]]:
        """Stream, event and moment, in order."""
        return [(item.stream, item.event, item.happened_at) for item in self.told]


def is_hand_record(text: str) -> bool:
    """Whether the text begins like TOML: a key, a table or a comment, and not like lines of JSON."""
    blanks = _BLANKS.match(text)
    assert blanks is not None
    has_comments_alone = blanks.end() == len(text) and "#" in text
    return has_comments_alone or _TOML_START.match(text, blanks.end()) is not None


def read_hand_record(
    text: str,
    source: str,
    *,
    retyped: Mapping[int, TypedDeal] = NOTHING_RETYPED,
    read_now: Mapping[int, Sequence[Event]] = MappingProxyType({}),
    seeks_slips: bool = True,
    refuses_slips: bool = False,
) -> HandRecord:
    """The events of one hand record; `source` names it in messages.

    `retyped` are deals read as typed otherwise, `read_now` entries read otherwise since, `seeks_slips` whether slips
    are searched for, as of `TableReader`. `refuses_slips`: what cannot have been so is told among the errors of a file.

    Raises `MalformedError` with the line, the offending text and what was expected of each error, whatever the text.
    """
    page = read_page(text, source)
    try:
        reader = TableReader(page, read_file(page), retyped=retyped, read_now=read_now, seeks_slips=seeks_slips)
        reader.read()
        expectations = reader.expectations()
    except RecursionError:
        raise MalformedError(phrase("file.nested"), phrase("file.hand_record"), where=in_file(source)) from None
    except MalformedError as error:
        raise page.with_others(error) from None
    if page.errors and refuses_slips:
        page.errors += [error_of(slip) for slip in reader.slips if slip.is_impossible]
    page.raise_errors()
    return HandRecord(reader.stream, reader.told, reader.table, expectations, reader.slips, retyped)
