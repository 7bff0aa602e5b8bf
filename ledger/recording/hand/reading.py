"""The text of a hand record, parsed into its Structs; wrong TOML, keys and values are refused with line and text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, time
from itertools import takewhile
from types import MappingProxyType
from typing import Any, Final

import msgspec
from msgspec import structs

from ledger import limits
from ledger.errors import MalformedError, in_file, line_of
from ledger.i18n import Phrase, Text, phrases
from ledger.i18n.library_errors import localised
from ledger.i18n.normalisation import narrow
from ledger.limits import exceeded
from ledger.recording.catalogue import either, phrase
from ledger.recording.hand.diagnosis import diagnose
from ledger.recording.hand.file import HandRecordFile, holds_words, key_among_hands, meant_key
from ledger.recording.hand.page import KeyPath, Page
from ledger.toml import parse_toml
from ledger.validation import (
    Fault,
    MissingField,
    PatternMissed,
    UnknownChoice,
    UnknownField,
    WrongKind,
    WrongLength,
    fault_of,
)

_general: Final = phrases("ledger.i18n")

AMOUNT_KEYS: Final = ("deltas", "pool", "totals")
"""The keys of a score sheet that every game has."""

ERRORS_MAX: Final = 200
"""The number of errors after which reading a file ends."""

_PLACEHOLDERS: Final[Mapping[str, Any]] = {"game": "", "table": "table", "players": ["-"]}
"""Substitutes for missing required keys, with which the rest of a file is searched for errors."""

_OF_AMOUNTS: Final = frozenset(("options", "result", "sheet", "expect"))
"""Tables that contain numbers; everywhere else a number is an error."""

_MAX_AMOUNT: Final = 2**53 - 1
_HALF_CHARACTER: Final = re.compile("[\ud800-\udfff]")
_TOML_PLACE: Final = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_KINDS: Final = frozenset(("str", "int", "bool", "array", "object"))
"""The kinds of msgspec that TOML has, too."""

_KEY_OF_TABLE: Final = re.compile(r"(?:options|outcome|sheet)\.(\w+)")
"""The path of a field below a table, or the beginning of a plain sentence about it."""

_OUTCOME: Final = re.compile(r"^outcome\.")

_EXAMPLES: Final = {
    "game": 'game = "ombre"',
    "table": 'table = "tuesday-1"',
    "players": 'players = ["Ann", "Ben", "Cleo"]',
    "slug": 'slug = "tuesday"',
}
"""Examples of the required keys."""


def read_page(text: str, source: str) -> Page:
    """Return the text ready for reading. Raise `MalformedError` if it is too long or not Unicode."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    if len(text) > limits.HAND_RECORD_CHARS:
        raise exceeded("hand_record", len(text), limits.HAND_RECORD_CHARS, "characters", in_file(source))
    if (half := _HALF_CHARACTER.search(text)) is not None:
        line = text.count("\n", 0, half.start()) + 1
        raise MalformedError(phrase("file.no_character"), phrase("file.utf8"), half[0], line_of(source, line))
    return Page(text, source)


def read_file(page: Page, known: Mapping[str, Any] = MappingProxyType({})) -> HandRecordFile:
    """Return the file as its Struct. `known`: keys that it may leave out.

    Wrong keys and values are left out of it, and the page collects their errors. Raise `MalformedError` with all errors
    if the rest cannot be read.
    """
    data = _tidy(_parse(page), (), page)
    if not data and not page.errors:
        lines = tuple(_EXAMPLES[key] for key in ("game", "table", "players"))
        raise MalformedError(phrase("file.empty"), phrase("file.least", lines=lines), where=in_file(page.source))
    data = {**known, **data}
    while (misplaced := key_among_hands(data)) is not None:
        deal, key = misplaced
        line = page.line_of("deal", deal, "hands", key)
        page.keep(line, phrase("key.among_hands"), phrase("key.in_deal", key=key), key)
        del data["deal"][deal]["hands"][key]
    can_be_read = True
    while True:
        try:
            file = msgspec.convert(data, HandRecordFile)
            break
        except msgspec.ValidationError as error:
            fault = fault_of(error, data, HandRecordFile)
            is_lost = isinstance(fault.wrong, MissingField) and fault.wrong.field in page.lost_keys
            if not is_lost:
                page.errors.append(refused(page, fault))
            if (meant := _with_deals(page, data, fault)) is not None:
                page.read_as(meant)
                return read_file(page, known)
            can_be_read &= _leave_out(data, fault)
            if len(page.errors) > ERRORS_MAX:
                can_be_read = False
                break
    if not can_be_read:
        page.raise_errors()
    return file


def _with_deals(page: Page, data: dict[str, Any], fault: Fault) -> str | None:
    """Return the text with `[[deal]]` above its deals if they have another header; else None."""
    typed = "deal" if fault.path == ("deal",) and isinstance(data["deal"], dict) else None
    if not fault.path and isinstance(fault.wrong, UnknownField):
        meant = meant_key(fault.wrong.field, fault.wrong.known)
        typed = fault.wrong.field if meant == "deal" else None
    if typed is None:
        return None
    text = re.sub(rf"^([ \t]*)\[+{re.escape(typed)}\]+(?=[ \t]*(?:#|$))", r"\1[[deal]]", page.text, flags=re.MULTILINE)
    return text if text != page.text else None


def _leave_out(data: dict[str, Any], fault: Fault) -> bool:
    """Remove what is wrong from the data, and return whether the rest can be read without it."""
    path = fault.path
    match fault.wrong:
        case UnknownField(key):
            del _item(data, path)[key]
            return True
        case MissingField(key):
            path = (*path, key)
    if path[:1] in (("game",), ("table",), ("players",)):
        data[str(path[0])] = _PLACEHOLDERS[str(path[0])]
        return path[0] == "table"
    if path[:1] == ("deal",) and len(path) < 3:
        data["deal"] = []
        return False
    if path == ("session", "slug"):
        path = ("session",)
    keys = tuple(takewhile(lambda step: isinstance(step, str), path[2:] if path[:1] == ("deal",) else path))
    path = (*path[:2], *keys) if path[:1] == ("deal",) else keys
    del _item(data, path[:-1])[path[-1]]
    return True


def _item(data: Any, path: KeyPath) -> Any:
    for step in path:
        data = data[step]
    return data


def _parse(page: Page) -> dict[str, Any]:
    """Return the data of the file; lines that are not TOML are read as they were probably meant."""
    tried: set[str] = set()
    while True:
        try:
            return parse_toml(page.text)
        except ValueError as error:  # tomllib.TOMLDecodeError, or an integer that int() refuses
            repaired = _repaired(page, str(error))
            tried.add(page.text)
            if repaired is None or repaired in tried or len(page.errors) > ERRORS_MAX:
                page.raise_errors()
            assert repaired is not None
            page.read_as(repaired)


def _repaired(page: Page, complaint: str) -> str | None:
    """Collect the error of the TOML parser, and return the text as it was meant, if that is clear."""
    match = _TOML_PLACE.search(complaint)
    why = localised(complaint[: match.start()] if match else complaint)
    what = phrase("file.not_toml", why=why)
    if match is None:
        page.errors.append(MalformedError(what, phrase("file.hand_record"), where=in_file(page.source)))
        return None
    line = int(match[1]) if match[1] else page.text.count("\n") + 1
    lines = page.text.split("\n")
    if not lines[line - 1].strip() and not match[1]:
        line = max((place for place, text in enumerate(lines, 1) if text.strip()), default=1)
    if (slip := diagnose(page.text, line, why)) is None:
        expected = phrase("file.line_such_as", example='dealer = "Belinda"')
        page.keep(line, what, expected, lines[line - 1].strip())
        return None
    if all(error.values.get("line") != slip.line for error in page.errors):
        page.keep(slip.line, slip.wrong, slip.expected, lines[slip.line - 1].strip())
    if slip.repaired is None:
        return None
    if slip.repaired == "":
        page.lost_keys.add(lines[slip.line - 1].partition("=")[0].strip())
    lines[(slip.repaired_line or slip.line) - 1] = slip.repaired
    return "\n".join(lines)


def _tidy(value: Any, path: KeyPath, page: Page) -> Any:
    """Return dates as text and words in half width, without keys and numbers that are out of range."""
    if isinstance(value, dict):
        tidy = {}
        for key, item in value.items():
            if len(key) > limits.NAME_CHARS:
                page.errors.append(_too_long(page, (*path, key)))
            elif (one := _tidy(item, (*path, key), page)) is not None:
                tidy[key] = one
        return tidy
    if isinstance(value, list):
        items = [_tidy(item, (*path, place), page) for place, item in enumerate(value)]
        return [item for item in items if item is not None]
    if isinstance(value, str):
        return narrow(value.strip("\u3000\t")).replace("\t", " ") if holds_words(path) else value
    if isinstance(value, date | datetime | time):
        return value.isoformat()
    is_amount = not _OF_AMOUNTS.isdisjoint(path)
    if is_amount and (isinstance(value, float) or (isinstance(value, int) and abs(value) > _MAX_AMOUNT)):
        what = phrase("file.no_amount", field=_name_of(path))
        is_float = isinstance(value, float)
        expected = phrase("kind.int" if is_float else "file.digits")
        page.keep(page.line_of(*path), what, expected, f"{value:.20}" if is_float else value)
        return None
    return value


def _too_long(page: Page, path: KeyPath) -> MalformedError:
    """Return the error for a key that is longer than any name."""
    key, table = str(path[-1]), _name_of(path[:-1])
    what, expected = WrongLength(len(key), limits.NAME_CHARS, True, "character").in_words()
    named = _general("value.of_field", field=table, what=what) if table else what
    return page.refuse(page.line_of(*path), named, expected, key)


def refused(page: Page, fault: Fault, base: KeyPath = ()) -> MalformedError:
    """Return the error for a fault in the file or, below `base`, in a score sheet."""
    place, value = (*base, *fault.path), fault.value
    line, name = page.line_of(*place), _name_of(place)
    match fault.wrong:
        case UnknownField(key, known):
            keys = (*AMOUNT_KEYS, *known) if base and place == base else known
            what = phrase("file.unknown_key_in", place=name) if name else phrase("file.unknown_key")
            return page.refuse(page.line_of(*place, key), what, meant_key(key, keys), key)
        case MissingField(key):
            example = phrase("file.line_such_as", example=_EXAMPLES[key]) if key in _EXAMPLES else None
            return page.refuse(line, phrase("entry.is_missing", field=_name_of((*place, key))), example)
        case WrongLength() as length:
            wrong, expected = length.in_words()
            return page.refuse(line, _general("value.of_field", field=name, what=wrong), expected, _shown(value))
    if place == ("deal",) and isinstance(value, dict):
        return page.refuse(page.line_of("deal"), phrase("file.no_deals"), phrase("file.deals"), "[deal]")
    expected = _expected(fault)
    if place == ("players",) and isinstance(value, str):
        expected = phrase("file.line_such_as", example=_EXAMPLES["players"])
    if place and isinstance(value, list) and all(isinstance(item, dict) for item in value):
        expected = f"[{'.'.join(step for step in place if isinstance(step, str))}]"
    return page.refuse(line, phrase("file.unreadable", field=name), expected, _shown(value))


def _expected(fault: Fault) -> Text:
    match fault.wrong:
        case PatternMissed(expected):
            return expected
        case UnknownChoice(known) if known:
            return either([str(choice) for choice in known])
        case WrongKind(kinds) as wrong:
            of_toml = tuple(kind for kind in kinds if kind != "null")
            return structs.replace(wrong, kinds=of_toml).expected({kind: phrase(f"kind.{kind}") for kind in _KINDS})
    return localised(fault.sentence)


def _name_of(path: Sequence[str | int]) -> Text:
    """Return a path as messages name it, e.g. `deal 2, play`."""
    if path[:1] == ("deal",) and len(path) > 1 and isinstance(path[1], int):
        key = _name_of(path[2:])
        number = path[1] + 1
        return phrase("file.in_deal", deal=number, key=key) if key else phrase("file.deal", deal=number)
    return ".".join(str(step) for step in path if isinstance(step, str))


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def at_its_key(page: Page, error: MalformedError, base: KeyPath) -> MalformedError:
    """Return a game's error about the table at `base` with the line of the key that it names."""
    line = page.line_of(*base, *keys_named(error))
    if (unknown := _unknown_field(error.what)) is not None:
        return page.refuse(line, phrase("file.unknown_key_in", place=_name_of(base)), error.expected, unknown)
    return replace(error, what=_renamed(error.what)).at(page.where(line))


def _renamed(what: Text) -> Text:
    """Return what is wrong with the key of the file in place of the event's field."""
    if isinstance(what, str):
        return _OUTCOME.sub("result.", what)
    if isinstance(field := what.values.get("field"), str):
        return structs.replace(what, values={**what.values, "field": _OUTCOME.sub("result.", field)})
    return what


def keys_named(error: MalformedError) -> tuple[str, ...]:
    """Return the key of a table that the error is about, if any."""
    if (unknown := _unknown_field(error.what)) is not None:
        return (unknown,)
    path = error.faulty_field or (error.what if isinstance(error.what, str) else "")
    if (match := _KEY_OF_TABLE.match(path)) is not None:
        return (match[1],)
    return (error.where,) if isinstance(error.where, str) else ()


def _unknown_field(what: Text) -> str | None:
    """Return the field that `validation` does not know; the error itself names only the table."""
    while isinstance(what, Phrase) and what.key == "value.of_field":
        what = what.values["what"]
    return what.values["field"] if isinstance(what, Phrase) and what.key == "value.unknown_field" else None
