"""Hand records: the TOML file that a person types from a paper sheet, one table with its deals, read as events.

`docs/reference/hand-records.md` describes the file for its writers; `file.py` has its schema. This module asks about
typos in it, or rejects them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from msgspec import Struct, structs

from ledger.errors import AgainstRulesError, MalformedError, in_file
from ledger.events import Event
from ledger.i18n import Text
from ledger.recording.catalogue import phrase
from ledger.recording.hand.deal import TypedDeal
from ledger.recording.hand.file import KEYS
from ledger.recording.hand.reading import read_file, read_page
from ledger.recording.hand.seats import Expectations
from ledger.recording.hand.slips import Slip, SlipError, error_of
from ledger.recording.hand.table import NOTHING_RETYPED, TableReader
from ledger.recording.pending_entry import PendingEntry
from ledger.table.fold import TableFold

_BLANKS: Final = re.compile(r"\ufeff?(?:\s|#[^\n]*+)*+")
"""Blank lines and comments. Possessive: otherwise a row of `#` would be tried in all its parts."""
_TOML_START: Final = re.compile(
    r"""\[{1,2}\s*[A-Za-z_]|(?:[A-Za-z0-9_-]+|"[^"\n]*")\s*[.=]"""
    rf"|[［【]|[“„「『＂][^\n=＝]*[=＝]|[^\W\d]\w*\s*[=＝]|(?:{'|'.join(sorted(KEYS))})\s*[:：\"“「『]"
)
"""A key or a table, or a common mistyping of one."""


class HandRecord(Struct, frozen=True):
    """A hand record that was read: its events in order, and its table, played while it was read."""

    stream: str
    entries: list[PendingEntry]
    table: TableFold
    expectations: Expectations
    slips: Sequence[Slip] = ()
    retyped: Mapping[int, TypedDeal] = NOTHING_RETYPED

    @property
    def events(self) -> list[tuple[str, Event, str | None]]:
        """Stream, event and moment of each entry, in order."""
        return [(item.stream, item.event, item.happened_at) for item in self.entries]


def is_hand_record(text: str) -> bool:
    """Return whether the text begins like TOML (a key, a table or a comment) rather than like lines of JSON."""
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
    """Read the events of one hand record. `source`: its name in messages.

    `retyped`: deals to read as corrected. `read_now`: events to read in place of corrected entries. `seeks_slips`:
    whether to search for typos. All three are those of `TableReader`. `refuses_slips`: impossible deals count among the
    errors of the file.

    Raise `MalformedError`, for any text whatever, with the line, the offending text and the expectation of each error.
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
    return HandRecord(reader.stream, reader.entries, reader.table, expectations, reader.slips, retyped)


SlipAnswer: TypeAlias = Literal["take", "as_typed", "stop"]
"""The possible answers: read the deal as suggested, record it as typed, or record nothing of the file."""

AskAboutSlip: TypeAlias = Callable[[Slip, Sequence[SlipAnswer]], SlipAnswer]
"""Callback that gets a slip with the possible answers, and returns one of them."""

STOP: Final[SlipAnswer] = "stop"


class SlipMessage(Struct, frozen=True):
    """A slip in the answer to a program: deal and line of the file, and the sentence."""

    deal: int
    line: int
    message: str


def read_with_answers(text: str, source: str, ask: AskAboutSlip | None, refuses_slips: bool) -> HandRecord:
    """Read a hand record, and ask about each slip. Without `ask`, the record contains the slips.

    Raise `SlipError` if a typo makes a line unreadable, or the answer is to stop; else raise as `read_hand_record`.
    """
    retyped: dict[int, TypedDeal] = {}
    answered: set[int] = set()
    while True:
        try:
            record = read_hand_record(text, source, retyped=retyped, refuses_slips=refuses_slips)
        except SlipError as error:
            slip = error.slip
            is_all = all(isinstance(other, SlipError) for other in error.others)
            if ask is None or slip is None or slip.place in answered or slip.instead is None or not is_all:
                raise
            can_be_read = False
        else:
            open_slips = [slip for slip in record.slips if slip.place not in answered]
            if not open_slips:
                return structs.replace(record, slips=())
            if ask is None:
                return record
            slip, can_be_read = open_slips[0], True
        answer = ask(slip, _answers(slip, can_be_read))
        answered.add(slip.place)
        if answer == "take" and slip.instead is not None:
            retyped[slip.place] = slip.instead
        elif answer == STOP or not can_be_read:
            raise error_of(slip)


def _answers(slip: Slip, can_be_read: bool) -> Sequence[SlipAnswer]:
    take: tuple[SlipAnswer, ...] = ("take",) if slip.instead is not None else ()
    as_typed: tuple[SlipAnswer, ...] = ("as_typed",) if can_be_read else ()
    return (*take, *as_typed, STOP)


class RefusedSlips(SlipError):
    """The impossible deals of a file, and the way to record them nevertheless."""

    @property
    def said(self) -> Text:
        return phrase("slip.refused", slips=super().said)


def refuse_impossible(slips: Sequence[Slip]) -> None:
    """Raise `RefusedSlips` if a slip makes a deal impossible."""
    errors = [error_of(slip) for slip in slips if slip.is_impossible]
    if errors:
        first, *others = errors
        raise RefusedSlips(first.what, where=first.where, slip=first.slip, others=others)


def refuse_slips(slips: Sequence[Slip]) -> None:
    """Raise `AgainstRulesError` for the first slip, as a strict import does."""
    for slip in slips:
        fault = slip.fault
        assert fault is not None  # a readable deal has a slip only if it breaks a rule
        raise AgainstRulesError(slip.said, fault.code, fault.rule, (), slip.where, fault.seat)


def slip_messages(slips: Sequence[Slip], lang: str) -> tuple[SlipMessage, ...]:
    """Return the slips as the answer to a program has them, in the language."""
    return tuple(SlipMessage(slip.number, slip.line, error_of(slip).message(lang)) for slip in slips)
