"""Reads TOML that anybody may have written: what would take memory out of proportion is refused first.

Values are written as the text of a TOML file, too.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from ledger.i18n import in_words, phrases

_phrase: Final = phrases("ledger.i18n")

_TOO_MANY_PARTS: Final = _phrase("library.toml_parts")

DOTS_MAX: Final = 20
"""On one line outside of texts and comments. A key of n parts takes n² of memory: 40 kB of them took 3 GB, and 1 MB
of lines with 100 parts each took 0.5 GB.
"""

TEXT_OR_COMMENT: Final = re.compile(
    r'''"""(?:\\.|[^\\])*?(?:"{3,5}|\\?\Z)|\'\'\'.*?(?:\'{3,5}|\Z)|"(?:\\[^\n]|[^"\\\n])*+"?|'[^'\n]*+'?|\#[^\n]*''',
    re.DOTALL,
)
"""A text over several lines may end in two quotes of its own before the three; what follows these is no text. One that
never ends reaches to the end of the file or of the line: else each quote in it would be tried, in square time.
"""


def parse_toml(text: str) -> dict[str, Any]:
    """What the text says; raises `ValueError` with the place, in the words of `tomllib`, or `RecursionError`."""
    bare = TEXT_OR_COMMENT.sub(lambda match: "\n" * match[0].count("\n"), text)
    for number, line in enumerate(bare.split("\n"), start=1):
        if line.count(".") > DOTS_MAX:
            raise ValueError(in_words(_phrase("library.toml_at_line", why=_TOO_MANY_PARTS, row=number, column=1)))
    return tomllib.loads(text)


_BARE_KEY: Final = re.compile(r"[A-Za-z0-9_-]+")
_DELETE: Final = "\x7f"
"""The one control character that JSON writes as it is and TOML does not take."""


def key_text(key: str) -> str:
    """A key, in quotation marks where TOML wants them."""
    return key if _BARE_KEY.fullmatch(key) else string_text(key)


def string_text(text: str) -> str:
    """A text on one line, in quotation marks."""
    return json.dumps(text, ensure_ascii=False).replace(_DELETE, "\\u007f")


def value_text(value: Any) -> str:
    """A text, number, truth, list or table on one line."""
    if isinstance(value, str):
        return string_text(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        pairs = ", ".join(f"{key_text(key)} = {value_text(item)}" for key, item in value.items())
        return f"{{ {pairs} }}" if pairs else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(value_text, value))}]"
    assert isinstance(value, int), f"no TOML for {value!r}"
    return str(value)


def lines_text(lines: Sequence[str]) -> str:
    """Lines as one text: on one line where there is only one, else between three quotation marks."""
    if len(lines) == 1:
        return string_text(lines[0])
    return "\n".join(('"""', *map(_within_marks, lines), '"""'))


def _within_marks(line: str) -> str:
    """A line between three quotation marks, where a single one may stand as it is."""
    escaped = string_text(line)[1:-1]
    return escaped if '""' in line else escaped.replace('\\"', '"')


def pair_text(key: str, value: Any) -> str:
    return f"{key_text(key)} = {value_text(value)}"


def table_text(header: str, table: Mapping[str, Any]) -> Iterable[str]:
    """The lines of a table with its header; values on one line each."""
    yield f"[{header}]"
    yield from (pair_text(key, value) for key, value in table.items())
