"""From the text of a hand record to its Structs; wrong TOML, keys and values are refused with line and text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime, time
from difflib import get_close_matches
from typing import Any, Final, NoReturn

import msgspec

from ledger import limits
from ledger.errors import MalformedError
from ledger.limits import exceeded
from ledger.recording.hand.file import (
    DealPart,
    ExpectPart,
    HandRecordFile,
    SessionPart,
    TableExpectPart,
)
from ledger.recording.hand.page import Page, Path
from ledger.toml import parse_toml
from ledger.validation import length_fault

AMOUNT_KEYS: Final = ("deltas", "pool", "totals")
"""The keys of a score sheet that every game has."""

_MAX_AMOUNT: Final = 2**53 - 1
_TOML_PLACE: Final = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_SHAPE_ERROR: Final = re.compile(r"^(?P<what>.*?)(?: - at `\$(?P<path>[^`]*)`)?$", re.DOTALL)
_STEP: Final = re.compile(r"\.(?P<key>[^.\[]+)|\[(?P<place>\d+)\]|(?P<any>\[\.\.\.\])")
_KINDS: Final = {
    "str": "a text in quotes",
    "int": "a whole number",
    "bool": "true or false",
    "array": "a list",
    "object": "a table",
    "null": "nothing",
}
_EXAMPLES: Final = {
    "game": 'game = "ombre"',
    "table": 'table = "tuesday-1"',
    "players": 'players = ["Ann", "Ben", "Cleo"]',
    "slug": 'slug = "tuesday"',
}
"""What a key looks like without which a hand record cannot be read."""

_PYTHON_KINDS: Final[dict[str, type]] = {"str": str, "int": int, "bool": bool, "array": list, "object": dict}


def read_page(text: str, source: str) -> Page:
    """The text made ready; raises `MalformedError` where it is no text that could be a hand record."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    if len(text) > limits.HAND_RECORD_CHARS:
        raise exceeded("too long a hand record", len(text), limits.HAND_RECORD_CHARS, "characters", source)
    for place, sign in enumerate(text):
        if "\ud800" <= sign <= "\udfff":
            line = text.count("\n", 0, place) + 1
            raise MalformedError("not a character", "text in UTF-8", sign, f"{source}, line {line}")
    return Page(text, source)


def read_file(page: Page) -> HandRecordFile:
    """The file as its Struct; raises `MalformedError` for TOML that cannot be read and for wrong keys and values."""
    data = _tidy(_parse(page), (), page)
    if not data:
        expected = ", ".join(_EXAMPLES[key] for key in ("game", "table", "players")) + " and a [[deal]] for each deal"
        raise MalformedError("the hand record is empty", expected, where=page.source)
    try:
        return msgspec.convert(data, HandRecordFile)
    except msgspec.ValidationError as error:
        refuse_shape(page, str(error), data, ())


def _parse(page: Page) -> dict[str, Any]:
    try:
        return parse_toml(page.text)
    except ValueError as error:  # tomllib.TOMLDecodeError, and whatever int() refuses
        words = str(error)
        found = _TOML_PLACE.search(words)
        what = words[: found.start()] if found else words
        if found is None:
            raise MalformedError(f"not TOML: {what}", "a hand record", where=page.source) from None
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


def refuse_shape(page: Page, words: str, data: Any, base: Path, game_keys: Sequence[str] = ()) -> NoReturn:
    """Raises the `MalformedError` for what msgspec said of `data`, which stands at `base` in the file.

    `game_keys`: the keys that the game has for the table there, where it is the game's.
    """
    found = _SHAPE_ERROR.match(words)
    assert found is not None
    path, value = _followed(data, found["path"] or "", found["what"])
    place = (*base, *path)
    what = found["what"]
    if what.startswith("Object contains unknown field"):
        key = what.split("`")[1]
        raise page.refuse(
            page.line_of(*place, key), f"unknown key{_in(place)}", _known_keys(place, key, game_keys), key
        ) from None
    if what.startswith("Object missing required field"):
        key = what.split("`")[1]
        example = f"a line such as {_EXAMPLES[key]}" if key in _EXAMPLES else None
        raise page.refuse(page.line_of(*place), f"{_name_of((*place, key))} is missing", example) from None
    if (length := length_fault(what, value)) is not None:
        raise page.refuse(page.line_of(*place), f"{_name_of(place)}: {length[0]}", length[1], _shown(value)) from None
    expected, _, _ = what.removeprefix("Expected ").partition(", got ")
    if what.startswith("Expected "):
        kinds = [kind for kind in re.split(r"`| \| ", expected) if kind and kind != "null"]
        expected = " or ".join(_KINDS.get(kind, kind.strip()) for kind in kinds if kind in _KINDS)
        expected += "".join(kind for kind in kinds if kind not in _KINDS)
    if what.startswith("Expected `str` matching regex"):
        is_offset = place == ("utc_offset",)
        expected = 'an offset such as "+09:00"' if is_offset else "1 to 64 lower-case letters, digits or -"
    if place == ("deal",) and isinstance(value, dict):
        raise page.refuse(page.line_of("deal"), "not a list of deals", "[[deal]] above each deal", "[deal]") from None
    line = page.line_of(*place)
    raise page.refuse(line, f"{_name_of(place)} cannot be read", expected, _shown(value)) from None


def _followed(data: Any, path: str, what: str) -> tuple[Path, Any]:
    """The path and the value at which msgspec stopped; of table values, which it does not name, the first wrong one."""
    followed: list[str | int] = []
    for step in _STEP.finditer(path):
        key: str | int
        if step["any"]:
            if not isinstance(data, dict):
                break
            key = next((name for name, value in data.items() if not _may_be(value, what)), next(iter(data), ""))
        else:
            key = step["key"] or int(step["place"])
        try:
            data = data[key]
        except (KeyError, IndexError, TypeError):
            break
        followed.append(key)
    return tuple(followed), data


def _may_be(value: Any, what: str) -> bool:
    kinds = [kind for name, kind in _PYTHON_KINDS.items() if f"`{name}" in what.partition(", got ")[0]]
    return not kinds or isinstance(value, tuple(kinds))


def _name_of(path: Sequence[str | int]) -> str:
    """How a place is called in a message: `deal 2, play`."""
    if path[:1] == ("deal",) and len(path) > 1 and isinstance(path[1], int):
        rest = _name_of(path[2:])
        return f"deal {path[1] + 1}, {rest}" if rest else f"deal {path[1] + 1}"
    return ".".join(str(step) for step in path if isinstance(step, str))


def _in(path: Path) -> str:
    name = _name_of(path)
    return f" in {name}" if name else ""


def _known_keys(path: Path, key: str, game_keys: Sequence[str]) -> str:
    """The keys of the table at `path`, or only the one that was probably meant."""
    names = tuple(step for step in path if isinstance(step, str))
    shape = {
        (): HandRecordFile,
        ("session",): SessionPart,
        ("expect",): TableExpectPart,
        ("deal",): DealPart,
        ("deal", "expect"): ExpectPart,
    }.get(names)
    keys = [*AMOUNT_KEYS, *game_keys] if shape is None else list(shape.__struct_fields__)
    close = get_close_matches(key, keys, 1, 0.7)
    return close[0] if close else f"one of {', '.join(keys)}" if keys else "a known key"


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def refuse_game_shape(page: Page, error: MalformedError, base: Path) -> MalformedError:
    """The error of a game about a table at `base`, with the line of the key that it names."""
    if error.where is not None and error.where.startswith(page.source):
        return error
    found = re.search(r"at `\$\.(\w+)|unknown field `?(\w+)|^(?:options|outcome|sheet)\.(\w+)", error.what)
    key = next((name for name in found.groups() if name), None) if found else None
    if key is None and error.where is not None:
        key = error.where
    return error.at(page.where(page.line_of(*base, key) if key else page.line_of(*base)))
