"""Reading untrusted TOML, rejecting what would take memory out of proportion, and writing values as TOML."""

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
"""The most dots on one line outside of strings and comments. A key of n parts takes n² of memory: 40 kB of them took 3
GB, and 1 MB of lines with 100 parts each took 0.5 GB.
"""

TEXT_OR_COMMENT: Final = re.compile(
    r'''"""(?:\\.|[^\\])*?(?:"{3,5}|\\?\Z)|\'\'\'.*?(?:\'{3,5}|\Z)|"(?:\\[^\n]|[^"\\\n])*+"?|'[^'\n]*+'?|\#[^\n]*''',
    re.DOTALL,
)
"""A string or a comment. A multi-line string may end in two quotes of its own before the three. An unterminated one
reaches to the end of the file or line; otherwise each quote in it would be tried, in quadratic time.
"""


def parse_toml(text: str) -> dict[str, Any]:
    """Parse a TOML text; raise `ValueError` with the place, in the words of `tomllib`, or `RecursionError`."""
    bare = TEXT_OR_COMMENT.sub(lambda match: "\n" * match[0].count("\n"), text)
    for number, line in enumerate(bare.split("\n"), start=1):
        if line.count(".") > DOTS_MAX:
            raise ValueError(in_words(_phrase("library.toml_at_line", why=_TOO_MANY_PARTS, row=number, column=1)))
    return tomllib.loads(text)


_BARE_KEY: Final = re.compile(r"[A-Za-z0-9_-]+")
_DELETE: Final = "\x7f"
"""The only control character that JSON writes verbatim and TOML does not allow."""


def key_text(key: str) -> str:
    """Return a key, quoted if TOML requires it."""
    return key if _BARE_KEY.fullmatch(key) else string_text(key)


def string_text(text: str) -> str:
    """Return a string on one line, quoted."""
    return json.dumps(text, ensure_ascii=False).replace(_DELETE, "\\u007f")


def value_text(value: Any) -> str:
    """Return a string, number, boolean, list or table on one line."""
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
    """Return lines as one string: on one line if there is only one, else between triple quotes."""
    if len(lines) == 1:
        return string_text(lines[0])
    return "\n".join(('"""', *map(_within_marks, lines), '"""'))


def _within_marks(line: str) -> str:
    """Return a line for use between triple quotes, where single quotes may occur."""
    escaped = string_text(line)[1:-1]
    return escaped if '""' in line else escaped.replace('\\"', '"')


def pair_text(key: str, value: Any) -> str:
    """Return a key with its value."""
    return f"{key_text(key)} = {value_text(value)}"


def table_text(header: str, table: Mapping[str, Any]) -> Iterable[str]:
    """Yield the lines of a table with its header, one value per line."""
    yield f"[{header}]"
    yield from (pair_text(key, value) for key, value in table.items())
