"""Write `docs/reference/errors.md`, the reference of errors, from the error codes and the catalogue."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from ledger.errors import EXIT_STATUSES
from ledger.i18n import catalogue

PAGE: Final = Path(__file__).parents[1] / "docs" / "reference" / "errors.md"

_HEAD: Final = """\
# Every error

An error is one line on standard error: the cause and the remedy.
With `--format json` it is an object ([schema](../../schemas/error.json)) without empty members:

```json
{"error": {"code": "not_found", "text": "tt", "known": ["t"], "message": "there is no table tt; the ledger has t"}}
```

Programs use `code`, which never changes; `message` is for people, in the language of `--lang`.
An import of several files writes such an object for each rejected `file`.
With exit status 2, 3 or 4 nothing was recorded, nor with `no_space`.

| code | exit status | when | what to do |
|---|---|---|---|
"""


_NOT_RECORDED: Final = re.compile(r" Nothing was (recorded|stored|merged|overwritten)\.")
"""A sentence of most errors, which the page gives once, above the table."""


def page() -> str:
    """Return the whole page."""
    words = catalogue("ledger.i18n", "en")
    rows = (
        f"| `{code}` | {status} | {_shown(words[f'when.{code}'])} | {_shown(words[f'what_to_do.{code}'])} |\n"
        for code, status in EXIT_STATUSES.items()
    )
    return _HEAD + "".join(rows)


def _shown(text: str) -> str:
    return _NOT_RECORDED.sub("", text).replace("docs/reference/limits.md", "[limits](limits.md)")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
