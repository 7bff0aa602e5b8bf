"""Values as the text of a TOML file: what a hand record is written with. What the values mean is told elsewhere."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

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
