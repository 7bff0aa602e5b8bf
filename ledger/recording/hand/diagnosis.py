"""The diagnosis of a hand record that is not TOML: the line at fault, what is wrong with it, and the line as it was
probably meant.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from ledger.i18n import Phrase, Text
from ledger.recording.canonical import days_instead
from ledger.recording.catalogue import phrase
from ledger.recording.hand.file import DealPart, holds_lines, is_moment
from ledger.recording.hand.toml_repair import LONG_MARKS, is_closed, masked, repair_line
from ledger.recording.vocabulary import is_card
from ledger.toml import TEXT_OR_COMMENT

_KEY_WITHOUT_VALUE: Final = re.compile(r"[ \t]*[A-Za-z_]+[ \t]*=[ \t\[]*")
"""The last line of an unclosed text, up to the marks that begin the next text."""

_SMART_END: Final = re.compile(r"^[ \t]*([“”„＂»«〝〞]{3})[ \t]*$", re.MULTILINE)
_KEY: Final = re.compile(r"[ \t]*([A-Za-z0-9_.-]+|\x01+)[ \t]*=")
_BARE_KEY: Final = re.compile(r"[ \t]*([A-Za-z0-9_-]+)[ \t]*=[ \t]*$")
_HEAD: Final = re.compile(r"[ \t]*\[")


_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_PLAIN_ENOUGH: Final = frozenset(("library.toml_parts", "library.toml_digits"))
"""Complaints of the TOML parser that are clear by themselves."""

_LONGEST: Final = 2_000
"""Characters of a line that may have been typed; longer lines are not repaired."""

_SHOWN: Final = 120
"""Characters of a repaired line that a message shows."""


class Diagnosis(NamedTuple):
    """A mistake in TOML. `line`: its line. `expected`: the line as it was probably meant, or what belongs there.

    `repaired`: the text that makes the rest readable, in place of `repaired_line` (else of `line`); None if there is
    none.
    """

    line: int
    wrong: Text
    expected: Text | None
    repaired: str | None = None
    repaired_line: int | None = None


def diagnose(text: str, line: int, complaint: Text) -> Diagnosis | None:
    """Return the mistake behind a complaint of the TOML parser about that line; None if no known mistake fits."""
    if _CONTROL.search(text) or (isinstance(complaint, Phrase) and complaint.key in _PLAIN_ENOUGH):
        return None
    mask = masked(text)
    return (
        _unclosed_text(text, line)
        or _twice(text, mask, line, complaint)
        or _unclosed_list(text, mask, line)
        or _one_line(text, mask, line)
    )


def _unclosed_text(text: str, line: int) -> Diagnosis | None:
    """Return an unclosed text in three quotation marks; it ends where the next one begins, or never."""
    end_of_line = sum(len(one) + 1 for one in text.split("\n")[:line])
    for match in TEXT_OR_COMMENT.finditer(text):
        mark = match[0][:3]
        if match.start() >= end_of_line:
            break
        if mark not in LONG_MARKS:
            continue
        if not is_closed(match[0]) and (smart := _SMART_END.search(text, match.start())) is not None:
            wrong = phrase("toml.smart_quotes", sign=smart[1][0])
            return Diagnosis(_line_of(text, smart.start(1)), wrong, mark, mark)
        if not is_closed(match[0]) or _KEY_WITHOUT_VALUE.fullmatch(match[0].rpartition("\n")[2].removesuffix(mark)):
            opened = _line_of(text, match.start())
            last = _last_line_of_text(text, opened)
            line_meant = text.split("\n")[last - 1]
            closed = mark if line_meant.strip() in LONG_MARKS else line_meant + mark
            return Diagnosis(opened, phrase("toml.unclosed_text"), phrase("toml.close_text", mark=mark), closed, last)
    return None


def _last_line_of_text(text: str, opened: int) -> int:
    """Return the last line of an unclosed text: other marks, else the line before the next key."""
    lines = text.split("\n")
    for number in range(opened + 1, len(lines) + 1):
        if lines[number - 1].strip() in LONG_MARKS:
            return number
        if _KEY.match(lines[number - 1]) or _HEAD.match(lines[number - 1]):
            return number - 1
    return len(lines)


def _twice(text: str, mask: str, line: int, complaint: Text) -> Diagnosis | None:
    """Return a key that its table already has; most likely `[[deal]]` is missing above it."""
    if not isinstance(complaint, Phrase) or complaint.key not in ("library.toml_overwrite", "library.toml_table_twice"):
        return None
    masks = mask.split("\n")
    for number in range(line, 0, -1):
        if (match := _KEY.match(masks[number - 1])) or _HEAD.match(masks[number - 1]):
            lines = text.split("\n")
            key = lines[number - 1][slice(*match.span(1))] if match else lines[number - 1].strip()
            begins_deal = number > 1 and not lines[number - 2].strip() and key in DealPart.__struct_fields__
            instead = ("[[deal]]", number - 1) if begins_deal else (None, None)
            return Diagnosis(number, phrase("toml.key_twice", key=key), phrase("toml.key_once"), *instead)
    return None


def _unclosed_list(text: str, mask: str, line: int) -> Diagnosis | None:
    """Return a list that runs into the next key."""
    lines = mask.split("\n")
    if not _KEY.match(lines[line - 1]) and not _HEAD.match(lines[line - 1]):
        return None
    for number in range(line - 1, 0, -1):
        if _KEY.match(lines[number - 1]):
            statement = "\n".join(lines[number - 1 : line - 1])
            if statement.count("[") > statement.count("]"):
                end = max(place for place in range(number, line) if lines[place - 1].strip("\x02 \t"))
                typed = text.split("\n")[end - 1][: len(lines[end - 1].partition("\x02")[0])].strip().rstrip(",")
                return Diagnosis(end, phrase("toml.unclosed_list"), f"{typed}]", f"{typed}]")
            return None
    return None


def _one_line(text: str, mask: str, line: int) -> Diagnosis | None:
    typed, hidden = text.split("\n")[line - 1], mask.split("\n")[line - 1]
    if (empty := _BARE_KEY.match(hidden)) is not None:
        opening = f'{empty[1]} = """' if holds_lines(empty[1]) else f'{empty[1]} = "…"'
        instead = opening if holds_lines(empty[1]) else ""
        return Diagnosis(line, phrase("toml.no_value"), phrase("file.line_such_as", example=opening), instead)
    if len(typed) > _LONGEST:
        return None
    key, _, value = typed.partition("=")
    if is_moment(key.strip()) and (days := days_instead(value.strip())) is not None:
        return Diagnosis(line, phrase("entry.no_day"), days, "")
    if (repair := repair_line(typed)) is not None:
        expected = _instead(repair.wrong) if repair.line is None else repair.line
        if repair.line is not None and len(repair.line) > _SHOWN:
            expected = repair.line[:_SHOWN] + "…"
        return Diagnosis(line, repair.wrong, expected, repair.line)
    if any(map(is_card, typed.split())):
        return Diagnosis(line, phrase("toml.outside"), phrase("toml.between", opening='play = """', closing='"""'))
    return None


def _instead(wrong: Phrase) -> Text:
    """Return what belongs there if the line could not be repaired."""
    if wrong.key == "toml.moment":
        return phrase("file.line_such_as", example="when = 2026-03-20T20:00:00")
    if wrong.key == "toml.broken_table":
        return phrase("toml.in_one_line")
    return phrase("file.line_such_as", example='dealer = "Belinda"')


def _line_of(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1
