"""Turns what msgspec says of a value into our own error: which field, which text, what was expected."""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches
from types import UnionType
from typing import Any, Final, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec

from ledger.errors import MalformedError

Converted = TypeVar("Converted")

_PATH: Final = re.compile(r"^(?P<what>.*?)(?: - at `\$(?P<path>[^`]*)`)?$", re.DOTALL)
_STEP: Final = re.compile(r"\.(?P<field>\w+)|\[(?P<place>\d+)\]")
_FIELD: Final = re.compile(r"field `(?P<field>[^`]*)`")

_LENGTH: Final = re.compile(r"`(?P<kind>str|array)` of length (?P<bound><=|>=) (?P<limit>\d+)")
_UNITS: Final = {"str": "character", "array": "item"}

_SHOWN: Final = 200
"""Characters of an offending text that are shown."""

_PATTERNS: Final = {
    "^[a-z0-9-]{1,64}": "a slug of a–z, 0–9 and -, 1 to 64 characters",
    "^(table|session)/[a-z0-9-]{1,64}": "table/ or session/ and a slug of a–z, 0–9 and -, 1 to 64 characters",
    "^[a-z][a-z0-9_]{0,39}": "a word in lower case",
    "^[A-Z]{3}-[0-9]+[.][0-9]+": "a rule id such as OMB-6.8",
    "^[0-9]{4}-[0-9]{2}-[0-9]{2}": "a day such as 2026-01-05",
    "^[0-9a-f]{64}": "64 hexadecimal digits",
}
"""What the patterns of the contract ask for, in words; without their end."""

_PATTERN_END: Final = r"(?!\\n)$"
"""The end of those patterns as msgspec quotes it."""


def converted(raw: Any, kind: type[Converted], field: str) -> Converted:
    """`raw` as a `kind`; raises `MalformedError` naming the field below `field`, the value and what was expected."""
    try:
        return msgspec.convert(raw, kind)
    except msgspec.ValidationError as error:
        raise malformed(error, raw, kind, field) from None


def malformed(error: msgspec.ValidationError, value: Any, kind: Any, field: str = "") -> MalformedError:
    """The error for a `value` that msgspec did not take as a `kind`; `field` is the name of the whole value."""
    found = _PATH.match(str(error))
    assert found is not None
    path = found["path"] or ""
    steps = [step["field"] or int(step["place"]) for step in _STEP.finditer(path)]
    name = f"{field}{path}".removeprefix(".")
    what, expected = _in_words(found["what"], value, kind, steps)
    return MalformedError(f"{name}: {what}" if name else what, expected, _text_at(value, steps))


def _in_words(sentence: str, value: Any, kind: Any, steps: list[str | int]) -> tuple[str, str]:
    """What is wrong, and what was expected."""
    named = _FIELD.search(sentence)
    if sentence.startswith("Object missing required field") and named is not None:
        return "a field is missing", named["field"]
    if sentence.startswith("Object contains unknown field") and named is not None:
        known = _fields(_kind_at(kind, value, steps))
        close = get_close_matches(named["field"], known, 1)
        expected = f"perhaps {close[0]}" if close else f"only {', '.join(known)}"
        return f"unknown field {named['field']}", expected
    if (length := length_fault(sentence, _value_at(value, steps))) is not None:
        return length
    if sentence.startswith("Invalid enum value"):
        return "unknown value", " or ".join(map(str, _choices(_kind_at(kind, value, steps)))) or "a known value"
    if sentence.startswith("Invalid value"):
        tags = sorted(_tagged(_kind_at(kind, value, steps[:-1])))
        close = get_close_matches(str(_value_at(value, steps)), tags, 1)
        return "unknown type", f"a type of the contract, perhaps {close[0]}" if close else "a type of the contract"
    expected, _, got = sentence.removeprefix("Expected ").replace("`", "").partition(", got ")
    for pattern, words in _PATTERNS.items():
        expected = expected.replace(f"str matching regex '{pattern}{_PATTERN_END}'", words)
    if "T[0-9]{2}" in expected:
        expected = "a moment such as 2026-01-05T18:30:00.000000Z"
    return (f"not allowed, {got}" if got else "not allowed"), expected


def length_fault(sentence: str, value: Any) -> tuple[str, str] | None:
    """What msgspec's sentence says of a length, with the length found, and what was expected; else None."""
    found = _LENGTH.search(sentence)
    if found is None or not isinstance(value, str | list | tuple):
        return None
    unit, limit = _UNITS[found["kind"]], int(found["limit"])
    is_long = found["bound"] == "<="
    what = f"too {'long' if is_long else 'short'}, {_counted(len(value), unit)}"
    return what, f"at {'most' if is_long else 'least'} {_counted(limit, unit)}"


def _counted(number: int, unit: str) -> str:
    return f"{number:,} {unit}" + ("" if number == 1 else "s")


# --- values and types along a path ------------------------------------------------------------------------------------


def _value_at(value: Any, steps: list[str | int]) -> Any:
    for step in steps:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return None
    return value


def _text_at(value: Any, steps: list[str | int]) -> str:
    found = _value_at(value, steps)
    text = found if isinstance(found, str) else msgspec.json.encode(found).decode("utf-8")
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"


def _alternatives(kind: Any) -> list[Any]:
    """The members of a union, and what is annotated without its notes."""
    if hasattr(kind, "__metadata__"):
        return _alternatives(get_args(kind)[0])
    if get_origin(kind) in (Union, UnionType):
        return [member for part in get_args(kind) for member in _alternatives(part)]
    return [kind]


def _tagged(kind: Any) -> dict[str, type]:
    """The Structs of a tagged union by their tags."""
    structs = [part for part in _alternatives(kind) if isinstance(part, type) and issubclass(part, msgspec.Struct)]
    return {str(part.__struct_config__.tag): part for part in structs}


def _kind_at(kind: Any, value: Any, steps: list[str | int]) -> Any:
    """The type that the value at the end of the path should have; null where that cannot be told."""
    for step in [*steps, None]:
        structs = _tagged(kind)
        tag = str(value.get("type")) if isinstance(value, Mapping) else ""
        if structs:
            kind = structs.get(tag) or (next(iter(structs.values())) if len(structs) == 1 else kind)
        if step is None:
            return kind
        if isinstance(step, int):
            items = [part for part in _alternatives(kind) if get_args(part)]
            kind = get_args(items[0])[0] if items else None
        else:
            kind = _hints(kind).get(step)
        value = _value_at(value, [step])
    return kind


def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind, include_extras=True) if isinstance(kind, type) else {}


def _fields(kind: Any) -> tuple[str, ...]:
    is_struct = isinstance(kind, type) and issubclass(kind, msgspec.Struct)
    return kind.__struct_encode_fields__ if is_struct else ()


def _choices(kind: Any) -> list[Any]:
    literals = [part for part in _alternatives(kind) if get_origin(part) is Literal]
    return [choice for literal in literals for choice in get_args(literal)]
