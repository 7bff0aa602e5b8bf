"""Reads TOML that anybody may have written: what would take memory out of proportion is refused first."""

from __future__ import annotations

import re
import tomllib
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
    bare = TEXT_OR_COMMENT.sub(lambda found: "\n" * found[0].count("\n"), text)
    for number, line in enumerate(bare.split("\n"), start=1):
        if line.count(".") > DOTS_MAX:
            raise ValueError(in_words(_phrase("library.toml_at_line", why=_TOO_MANY_PARTS, row=number, column=1)))
    return tomllib.loads(text)
