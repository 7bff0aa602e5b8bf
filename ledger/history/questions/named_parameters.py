"""Named parameters of saved queries, e.g. `$player`: found in the SQL, and replaced by values."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

_PART: Final = re.compile(
    r"""
    (?P<other> '(?:[^']|'')*' | "(?:[^"]|"")*" | --[^\n]* | /\*.*?\*/ | \$(?P<tag>\w*)\$.*?\$(?P=tag)\$ )
    | \$(?P<name>[A-Za-z_]\w*)
    """,
    re.DOTALL | re.VERBOSE,
)
"""A text, name, comment or dollar-quoted text, in which nothing is a parameter; or a parameter."""


def parameters_in(sql: str) -> list[str]:
    """Return the names of the parameters, in their order, each once."""
    return list(dict.fromkeys(match["name"] for match in _PART.finditer(sql) if match["name"] is not None))


def with_values(sql: str, values: Mapping[str, str]) -> str:
    """Return the SQL with a text in place of each parameter, or NULL where it has no value.

    DuckDB compares a text with a number as a number, and with a date as a date.
    """

    def value(match: re.Match[str]) -> str:
        if match["name"] is None:
            return match[0]
        text = values.get(match["name"], "")
        return "'" + text.replace("'", "''") + "'" if text else "NULL"

    return _PART.sub(value, sql)
