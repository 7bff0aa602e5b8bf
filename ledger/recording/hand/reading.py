"""From the text of a hand record to its Structs; wrong TOML, keys and values are refused with line and text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime, time
from difflib import get_close_matches
from typing import Any, Final

import msgspec

from ledger import limits
from ledger.errors import MalformedError, in_file, line_of
from ledger.i18n import Text, in_words
from ledger.limits import exceeded
from ledger.recording.hand.file import HandRecordFile
from ledger.recording.hand.page import Page, Path
from ledger.toml import parse_toml
from ledger.validation import Fault, MissingField, PatternMissed, UnknownField, WrongKind, WrongLength, fault_of

AMOUNT_KEYS: Final = ("deltas", "pool", "totals")
"""The keys of a score sheet that every game has."""

_MAX_AMOUNT: Final = 2**53 - 1
_HALF_CHARACTER: Final = re.compile("[\ud800-\udfff]")
_TOML_PLACE: Final = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_KINDS: Final = {
    "str": "a text in quotes",
    "int": "a whole number",
    "bool": "true or false",
    "array": "a list",
    "object": "a table",
}
"""What msgspec's kinds are called in TOML."""

_NAMED_KEY: Final = re.compile(r"unknown field (\w+)|^(?:options|outcome|sheet)\.(\w+)")
"""Where `validation.malformed`, and the games like it, name the key of a table."""

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
        raise MalformedError("not a character", "text in UTF-8", half[0], line_of(source, line))
    return Page(text, source)


def read_file(page: Page) -> HandRecordFile:
    """The file as its Struct; raises `MalformedError` for TOML that cannot be read and for wrong keys and values."""
    data = _tidy(_parse(page), (), page)
    if not data:
        expected = ", ".join(_EXAMPLES[key] for key in ("game", "table", "players")) + " and a [[deal]] for each deal"
        raise MalformedError("the hand record is empty", expected, where=in_file(page.source))
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
        what = words[: found.start()] if found else words
        if found is None:
            raise MalformedError(f"not TOML: {what}", "a hand record", where=in_file(page.source)) from None
        line = int(found[1]) if found[1] else page.text.count("\n") + 1
        lines = page.text.split("\n")
        if not lines[line - 1].strip() and not found[1]:
            line = max((place for place, text in enumerate(lines, 1) if text.strip()), default=1)
        raise page.refuse(
            line, f"not TOML: {what}", 'a line such as dealer = "Belinda"', lines[line - 1].strip()
        ) from None


def _tidy(value: Any, path: Path, page: Page) -> Any:
    """Dates as text; numbers that no card table knows are refused here, wherever they stand."""
    if isinstance(value, dict):
        return {key: _tidy(item, (*path, key), page) for key, item in value.items()}
    if isinstance(value, list):
        return [_tidy(item, (*path, place), page) for place, item in enumerate(value)]
    if isinstance(value, date | datetime | time):
        return value.isoformat()
    if isinstance(value, float) or (isinstance(value, int) and abs(value) > _MAX_AMOUNT):
        expected = "a whole number" if isinstance(value, float) else "a number with at most 15 digits"
        raise page.refuse(
            page.line_of(*path),
            f"{_name_of(path)} is no amount",
            expected,
            f"{value:.20}" if isinstance(value, float) else value,
        )
    return value


def refused(page: Page, fault: Fault, base: Path = (), own_keys: Sequence[str] = ()) -> MalformedError:
    """The error for a fault in the table that stands at `base` in the file.

    `own_keys`: the keys that the game has for the table there, where it is the game's.
    """
    place, value = (*base, *fault.path), fault.value
    line, name = page.line_of(*place), _name_of(place)
    match fault.wrong:
        case UnknownField(key, known):
            keys = (*AMOUNT_KEYS, *own_keys) if base else known
            return page.refuse(page.line_of(*place, key), f"unknown key{_in(place)}", _meant(key, keys), key)
        case MissingField(key):
            example = f"a line such as {_EXAMPLES[key]}" if key in _EXAMPLES else None
            return page.refuse(line, f"{_name_of((*place, key))} is missing", example)
        case WrongLength() as length:
            what, expected = length.in_words()
            return page.refuse(line, f"{name}: {what}", expected, _shown(value))
    if place == ("deal",) and isinstance(value, dict):
        return page.refuse(page.line_of("deal"), "not a list of deals", "[[deal]] above each deal", "[deal]")
    return page.refuse(line, f"{name} cannot be read", _expected(fault), _shown(value))


def _expected(fault: Fault) -> Text:
    match fault.wrong:
        case PatternMissed(expected):
            return expected
        case WrongKind(kinds, condition, _):
            return " or ".join(_KINDS.get(kind, kind) for kind in kinds if kind != "null") + condition
    return fault.sentence


def _name_of(path: Sequence[str | int]) -> str:
    """How a place is called in a message: `deal 2, play`."""
    if path[:1] == ("deal",) and len(path) > 1 and isinstance(path[1], int):
        rest = _name_of(path[2:])
        return f"deal {path[1] + 1}, {rest}" if rest else f"deal {path[1] + 1}"
    return ".".join(str(step) for step in path if isinstance(step, str))


def _in(path: Path) -> str:
    name = _name_of(path)
    return f" in {name}" if name else ""


def _meant(key: str, keys: Sequence[str]) -> str:
    """The keys that there are, or only the one that was probably meant."""
    close = get_close_matches(key, keys, 1, 0.7)
    return close[0] if close else f"one of {', '.join(keys)}" if keys else "a known key"


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def at_its_key(page: Page, error: MalformedError, base: Path) -> MalformedError:
    """The error of a game about the table at `base`, with the line of the key that it names."""
    if error.values.get("file") == page.source:
        return error
    found = _NAMED_KEY.search(in_words(error.what))
    key = next(name for name in found.groups() if name) if found else error.where and in_words(error.where)
    return error.at(page.where(page.line_of(*base, key) if key else page.line_of(*base)))
