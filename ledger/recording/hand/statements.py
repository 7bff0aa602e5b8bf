"""The text of a TOML file as statements: headers and pairs as typed, each with the comments that belong to it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

_TEXT: Final = re.compile(r'''"""(?:\\.|[^\\])*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:\\.|[^"\\\n])*"|'[^'\n]*\'''', re.DOTALL)
_KEY_AND_SIGN: Final = re.compile(r"""(?:[^=\n"']|"(?:\\.|[^"\\\n])*"|'[^'\n]*')*=[ \t]*""")


class Statement(Struct, frozen=True):
    """A pair, or a header without a value. `above`: the comments before it, an empty one for a blank line between them;
    `beside`: the comment after it in its line, or none. `key` and `value` as they were typed.
    """

    key: str
    value: str | None
    above: tuple[str, ...]
    beside: str


class Statements(Struct, frozen=True):
    """All of a file; `after` are the comments after the last statement."""

    all: tuple[Statement, ...]
    after: tuple[str, ...]


def statements_of(text: str) -> Statements:
    """The statements of a text that is known to be TOML."""
    found: list[Statement] = []
    above: list[str] = []
    place = 0
    while place < len(text):
        end = _end_of_line(text, place)
        line = text[place:end].strip()
        if not line or line.startswith("#"):
            above.append(line)
            place = end + 1
            continue
        key, value, place = _pair(text, place) if line[0] != "[" else _header(text, place)
        end = _end_of_line(text, place)
        found.append(Statement(key, value, _tidy(above), text[place:end].strip()))
        above, place = [], end + 1
    return Statements(tuple(found), _tidy(above))


def comments_within(value: str) -> Iterator[str]:
    """The comments of a value over several lines, outside of its texts."""
    bare = _TEXT.sub("", value)
    return (line.partition("#")[2].strip() for line in bare.split("\n") if "#" in line)


def _tidy(comments: Sequence[str]) -> tuple[str, ...]:
    """Comments without the blank lines around them, and with one between them at most."""
    told: list[str] = []
    for comment in comments:
        if comment or (told and told[-1]):
            told.append(comment)
    return tuple(told)


def _end_of_line(text: str, place: int) -> int:
    end = text.find("\n", place)
    return len(text) if end < 0 else end


def _header(text: str, place: int) -> tuple[str, None, int]:
    end = place
    while end < len(text) and text[end] not in "#\n":
        quoted = _TEXT.match(text, end)
        end = end + 1 if quoted is None else quoted.end()
    return text[place:end].strip(), None, end


def _pair(text: str, place: int) -> tuple[str, str, int]:
    sign = _KEY_AND_SIGN.match(text, place)
    assert sign is not None, "a pair has a sign of equality"
    end = _end_of_value(text, sign.end())
    return sign[0].rstrip().removesuffix("=").strip(), text[sign.end() : end].strip(), end


def _end_of_value(text: str, place: int) -> int:
    depth = 0
    while place < len(text):
        quoted = _TEXT.match(text, place)
        if quoted is not None:
            place = quoted.end()
            continue
        sign = text[place]
        if not depth and sign in "#\n":
            return place
        if sign == "#":
            place = _end_of_line(text, place)
            continue
        depth += (sign in "[{") - (sign in "]}")
        place += 1
    return place
