"""From the text of a hand record to its Structs; wrong TOML, keys and values are refused with line and text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time
from types import MappingProxyType
from typing import Any, Final

import msgspec

from ledger import limits
from ledger.errors import MalformedError, in_file, line_of
from ledger.i18n import Phrase, Text, phrases
from ledger.i18n.foreign import retold
from ledger.i18n.keyboard import narrow
from ledger.limits import exceeded
from ledger.recording.hand.file import HandRecordFile
from ledger.recording.hand.keys import holds_words, key_among_hands, meant_key
from ledger.recording.hand.mistyped import mistyped
from ledger.recording.hand.page import Page, Path
from ledger.recording.words import either, phrase
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

_MAX_AMOUNT: Final = 2**53 - 1
_HALF_CHARACTER: Final = re.compile("[\ud800-\udfff]")
_TOML_PLACE: Final = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_KINDS: Final = frozenset(("str", "int", "bool", "array", "object"))
"""Those of msgspec's kinds that TOML has, too."""

_KEY_OF_TABLE: Final = re.compile(r"(?:options|outcome|sheet)\.(\w+)")
"""The path of a field that is about a key of a table, or the beginning of a plain sentence about it."""

_EXAMPLES: Final = {
    "game": 'game = "ombre"',
    "table": 'table = "tuesday-1"',
    "players": 'players = ["Ann", "Ben", "Cleo"]',
    "slug": 'slug = "tuesday"',
}
"""What a key looks like without which a hand record cannot be read."""


def read_page(text: str, source: str) -> Page:
    """The text made ready; raises `MalformedError` where it is no text that could be a hand record."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    if len(text) > limits.HAND_RECORD_CHARS:
        raise exceeded("hand_record", len(text), limits.HAND_RECORD_CHARS, "characters", in_file(source))
    if (half := _HALF_CHARACTER.search(text)) is not None:
        line = text.count("\n", 0, half.start()) + 1
        raise MalformedError(phrase("file.no_character"), phrase("file.utf8"), half[0], line_of(source, line))
    return Page(text, source)


def read_file(page: Page, known: Mapping[str, Any] = MappingProxyType({})) -> HandRecordFile:
    """The file as its Struct; `known` are keys that it may leave out.

    Raises `MalformedError` for TOML that cannot be read and for wrong keys and values.
    """
    data = _tidy(_parse(page), (), page)
    if not data:
        lines = tuple(_EXAMPLES[key] for key in ("game", "table", "players"))
        raise MalformedError(phrase("file.empty"), phrase("file.least", lines=lines), where=in_file(page.source))
    data = {**known, **data}
    if (misplaced := key_among_hands(data)) is not None:
        deal, key = misplaced
        line = page.line_of("deal", deal, "hands", key)
        raise page.refuse(line, phrase("key.among_hands"), phrase("key.in_deal", key=key), key)
    try:
        return msgspec.convert(data, HandRecordFile)
    except msgspec.ValidationError as error:
        raise refused(page, fault_of(error, data, HandRecordFile)) from None


def _parse(page: Page) -> dict[str, Any]:
    try:
        return parse_toml(page.text)
    except ValueError as error:  # tomllib.TOMLDecodeError, and whatever int() refuses
        words = str(error)
        found = _TOML_PLACE.search(words)
        why = retold(words[: found.start()] if found else words)
        what = phrase("file.not_toml", why=why)
        if found is None:
            raise MalformedError(what, phrase("file.hand_record"), where=in_file(page.source)) from None
        line = int(found[1]) if found[1] else page.text.count("\n") + 1
        lines = page.text.split("\n")
        if not lines[line - 1].strip() and not found[1]:
            line = max((place for place, text in enumerate(lines, 1) if text.strip()), default=1)
        if (slip := mistyped(page.text, line, why)) is not None:
            raise page.refuse(slip.line, slip.wrong, slip.expected, lines[slip.line - 1].strip()) from None
        expected = phrase("file.line_such_as", example='dealer = "Belinda"')
        raise page.refuse(line, what, expected, lines[line - 1].strip()) from None


def _tidy(value: Any, path: Path, page: Page) -> Any:
    """Dates as text, words in one width; keys and numbers that no card table knows are refused, wherever they are."""
    if isinstance(value, dict):
        for key in value:
            if len(key) > limits.NAME_CHARS:
                raise _too_long(page, (*path, key))
        return {key: _tidy(item, (*path, key), page) for key, item in value.items()}
    if isinstance(value, list):
        return [_tidy(item, (*path, place), page) for place, item in enumerate(value)]
    if isinstance(value, str):
        return narrow(value.strip("\u3000\t")).replace("\t", " ") if holds_words(path) else value
    if isinstance(value, date | datetime | time):
        return value.isoformat()
    if isinstance(value, float) or (isinstance(value, int) and abs(value) > _MAX_AMOUNT):
        expected = phrase("kind.int") if isinstance(value, float) else phrase("file.digits")
        raise page.refuse(
            page.line_of(*path),
            phrase("file.no_amount", field=_name_of(path)),
            expected,
            f"{value:.20}" if isinstance(value, float) else value,
        )
    return value


def _too_long(page: Page, path: Path) -> MalformedError:
    """The error for a key that is longer than any name."""
    key, table = str(path[-1]), _name_of(path[:-1])
    what, expected = WrongLength(len(key), limits.NAME_CHARS, True, "character").in_words()
    named = _general("value.of_field", field=table, what=what) if table else what
    return page.refuse(page.line_of(*path), named, expected, key)


def refused(page: Page, fault: Fault, base: Path = ()) -> MalformedError:
    """The error for a fault in the score sheet that stands at `base` in the file, or in the file itself."""
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
        case WrongKind(kinds, condition, _):
            told = either([phrase(f"kind.{kind}") if kind in _KINDS else kind for kind in kinds if kind != "null"])
            return phrase("kind.bounded", kinds=told, condition=condition) if condition else told
    return fault.sentence


def _name_of(path: Sequence[str | int]) -> Text:
    """How a place is called in a message: `deal 2, play`."""
    if path[:1] == ("deal",) and len(path) > 1 and isinstance(path[1], int):
        key = _name_of(path[2:])
        number = path[1] + 1
        return phrase("file.in_deal", deal=number, key=key) if key else phrase("file.deal", deal=number)
    return ".".join(str(step) for step in path if isinstance(step, str))


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def at_its_key(page: Page, error: MalformedError, base: Path) -> MalformedError:
    """The error of a game about the table at `base`, with the line of the key that it names."""
    if page.has_place_of(error):
        return error
    return error.at(page.where(page.line_of(*base, *_keys_named(error))))


def _keys_named(error: MalformedError) -> tuple[str, ...]:
    """The key of a table that the error is about, if it is about one."""
    if (unknown := _unknown_field(error.what)) is not None:
        return (unknown,)
    path = error.faulty_field or (error.what if isinstance(error.what, str) else "")
    if (found := _KEY_OF_TABLE.match(path)) is not None:
        return (found[1],)
    return (error.where,) if isinstance(error.where, str) else ()


def _unknown_field(what: Text) -> str | None:
    """The field that `validation` does not know, of which the error names only the table."""
    while isinstance(what, Phrase) and what.key == "value.of_field":
        what = what.values["what"]
    return what.values["field"] if isinstance(what, Phrase) and what.key == "value.unknown_field" else None
