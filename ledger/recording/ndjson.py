"""Lines of events: the bare form that other programs send and the whole form of an export (contract 4)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Final, NoReturn

import msgspec

from ledger import limits
from ledger.errors import MalformedError, in_file, line_of, within
from ledger.events import BareLine, Envelope
from ledger.i18n import Text
from ledger.limits import exceeded
from ledger.recording.words import phrase
from ledger.streams import stream_type
from ledger.validation import malformed

decode_line: Final = msgspec.json.Decoder(BareLine).decode
decode_envelope: Final = msgspec.json.Decoder(Envelope).decode
decode_envelopes: Final = msgspec.json.Decoder(list[Envelope]).decode

_encode: Final = msgspec.json.Encoder().encode

_SHOWN: Final = 200
"""Characters of an offending text that are shown."""

_SHOWN_AFTER_FAULT: Final = 10


def numbered_lines(blocks: Iterable[bytes], source: str) -> Iterator[tuple[int, bytes]]:
    """The lines that hold something, with their numbers from 1, of a file that comes in blocks of any size.

    Raises `MalformedError` for a line or a file beyond its limit.
    """
    blocks = _counted(blocks, source)
    number, rest = 0, b""
    for block in blocks:
        *lines, rest = (rest + block).split(b"\n")
        for line in lines:
            number += 1
            if len(line) > limits.LINE_BYTES < _size(line):
                raise _too_long(_size(line), line_of(source, number))
            if stripped := line.rstrip():
                yield number, stripped
        if _size(rest) > limits.LINE_BYTES:
            raise _too_long(len(rest) + _to_line_end(blocks), line_of(source, number + 1))
    if stripped := rest.rstrip():
        yield number + 1, stripped


def _size(line: bytes) -> int:
    """The bytes of a line without its end, which is two signs on Windows."""
    return len(line) - line.endswith(b"\r")


def _counted(blocks: Iterable[bytes], source: str) -> Iterator[bytes]:
    size = 0
    for block in blocks:
        size += len(block)
        if size > limits.FILE_BYTES:
            raise exceeded("file", size, limits.FILE_BYTES, "bytes", in_file(source))
        yield block


def _too_long(size: int, where: Text) -> MalformedError:
    return exceeded("line", size, limits.LINE_BYTES, "bytes", where)


def _to_line_end(blocks: Iterator[bytes]) -> int:
    """How many bytes come before the next line feed."""
    size = 0
    for block in blocks:
        place = block.find(b"\n")
        if place >= 0:
            return size + place
        size += len(block)
    return size


def is_whole(line: bytes) -> bool:
    """Whether a line is an entry of an export, with its place in the chain, and not a bare event."""
    try:
        fields = msgspec.json.decode(line, type=dict[str, msgspec.Raw])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    return "position" in fields or "digest" in fields


def decode_bare(lines: Iterable[tuple[int, bytes]], source: str) -> Iterator[tuple[int, BareLine, bytes]]:
    """Yield bare lines with their numbers, and with their bytes where msgspec would write the same.

    Raises `MalformedError` naming line, field, value and what was expected.
    """
    decode = decode_line
    for number, line in lines:
        try:
            read = decode(line)
            stream_type(read.stream)
            if (exact := _encode(read)) != line:
                _refuse_repetition(line)
                exact = b""
            yield number, read, exact
        except MalformedError as error:
            raise error.at(line_of(source, number)) from None
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            refuse_line(error, line, BareLine, line_of(source, number))


def decode_whole(lines: Iterable[tuple[int, bytes]], source: str) -> Iterator[tuple[int, bytes, Envelope]]:
    """Lines of an export with their numbers and bytes; errors as in `decode_bare`."""
    decode = decode_envelope
    for number, line in lines:
        try:
            read = decode(line)
            stream_type(read.stream)
            if _encode(read) != line:
                _refuse_repetition(line)
            yield number, line, read
        except MalformedError as error:
            raise error.at(line_of(source, number)) from None
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            refuse_line(error, line, Envelope, line_of(source, number))


def _refuse_repetition(line: bytes) -> None:
    """Raises `MalformedError` where an object names a field twice: of those msgspec keeps the last and says nothing.

    A line that is what it was read as, written again, needs no such search: it has each field once.
    """
    _FIELDS.decode(line.decode())


def _each_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        counts = Counter(key for key, _ in pairs)
        twice = max(counts, key=counts.__getitem__)
        raise MalformedError(phrase("file.field_twice"), phrase("file.field_once"), twice)
    return fields


_FIELDS: Final = json.JSONDecoder(object_pairs_hook=_each_once, parse_int=str, parse_float=str, strict=False)


def not_utf8(content: bytes, fault: int, where: Text) -> MalformedError:
    """The error for a line with bytes that are no text, from the place `fault` on."""
    column = len(content[content.rfind(b"\n", 0, fault) + 1 : fault].decode()) + 1
    text = content[fault : fault + _SHOWN_AFTER_FAULT].decode("utf-8", "replace")
    place = within(where, phrase("place.column", column=column))
    return MalformedError(phrase("file.not_utf8"), phrase("file.text_file"), text, place)


def refuse_line(error: Exception, line: bytes, kind: type, where: Text) -> NoReturn:
    """Raises the `MalformedError` for a line that msgspec did not take as a `kind`."""
    with suppress(msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        if isinstance(error, msgspec.ValidationError):
            raise malformed(error, msgspec.json.decode(line), kind).at(where) from None
    try:
        text = line.decode()[:_SHOWN]
    except UnicodeDecodeError as fault:
        raise not_utf8(line, fault.start, where) from None
    what, expected = phrase("file.not_json"), phrase("file.event_as_json")
    raise MalformedError(what, expected, text, where, code="not_json") from None
