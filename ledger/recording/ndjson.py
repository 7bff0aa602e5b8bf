"""Lines of events: the bare form that other programs send and the whole form of an export (contract 4)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final, NoReturn, TypeVar

import msgspec

from ledger.errors import MalformedError
from ledger.events import BareLine, Envelope

Shape = TypeVar("Shape", BareLine, Envelope)

_BARE: Final = msgspec.json.Decoder(BareLine)
_WHOLE: Final = msgspec.json.Decoder(Envelope)
_PATH: Final = re.compile(r"^(?P<what>.*?)(?: - at `\$(?P<path>[^`]*)`)?$", re.DOTALL)
_STEP: Final = re.compile(r"\.(?P<field>\w+)|\[(?P<place>\d+)\]")

_SHOWN: Final = 200
"""Characters of an offending text that are shown."""


def numbered_lines(content: bytes) -> Iterator[tuple[int, bytes]]:
    """The lines that hold something, with their numbers from 1."""
    for number, line in enumerate(content.split(b"\n"), 1):
        stripped = line.strip()
        if stripped:
            yield number, stripped


def is_whole(line: bytes) -> bool:
    """Whether a line is an entry of an export, with its place in the chain, and not a bare event."""
    try:
        fields = msgspec.json.decode(line, type=dict[str, msgspec.Raw])
    except msgspec.DecodeError:
        return False
    return "position" in fields or "digest" in fields


def decode_bare(lines: Iterable[tuple[int, bytes]], source: str) -> Iterator[tuple[int, BareLine]]:
    """Bare lines with their numbers; raises `MalformedError` naming line, field, value and what was expected."""
    decode = _BARE.decode
    for number, line in lines:
        try:
            yield number, decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            refuse_line(error, line, f"{source}, line {number}")


def decode_whole(lines: Iterable[tuple[int, bytes]], source: str) -> Iterator[tuple[int, bytes, Envelope]]:
    """Lines of an export with their numbers and bytes; errors as in `decode_bare`."""
    decode = _WHOLE.decode
    for number, line in lines:
        try:
            yield number, line, decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            refuse_line(error, line, f"{source}, line {number}")


def refuse_line(error: Exception, line: bytes, where: str) -> NoReturn:
    """Raises the `MalformedError` for a line that msgspec did not take."""
    if not isinstance(error, msgspec.ValidationError):
        text = line[:_SHOWN].decode("utf-8", "replace")
        raise MalformedError("not a JSON object", "one event as JSON on one line", text, where) from None
    found = _PATH.match(str(error))
    assert found is not None
    what, path = found["what"], found["path"] or ""
    what, _, expected = _without_expectation(what)
    field = path.removeprefix(".")
    raise MalformedError(f"{field}: {what}" if field else what, expected, _value_at(line, path), where) from None


def _without_expectation(what: str) -> tuple[str, str, str | None]:
    """Splits msgspec's sentence into what is wrong and what was expected."""
    if what.startswith("Expected "):
        expected, _, got = what.removeprefix("Expected ").partition(", got ")
        return (f"it is {got}" if got else "not allowed"), "", expected.replace("`", "")
    if what.startswith("Object missing required field"):
        return (
            what.replace("Object missing required field", "missing field").replace("`", ""),
            "",
            "every required field",
        )
    if what.startswith("Object contains unknown field"):
        return what.replace("Object contains unknown field", "unknown field").replace("`", ""), "", "only known fields"
    if what.startswith("Invalid value"):
        return "unknown event type", "", "a type of the contract"
    if what.startswith("Invalid enum value"):
        return "unknown value", "", "one of the values of the contract"
    return what, "", None


def _value_at(line: bytes, path: str) -> str | None:
    value: Any = msgspec.json.decode(line)
    for step in _STEP.finditer(path):
        try:
            value = value[step["field"]] if step["field"] else value[int(step["place"])]
        except (KeyError, IndexError, TypeError):
            return None
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode("utf-8")
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
