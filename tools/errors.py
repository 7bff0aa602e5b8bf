"""Write `docs/reference/errors.md`, the reference of errors, from the error codes and the catalogue."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from ledger.errors import EXIT_STATUSES
from ledger.i18n import catalogue

PAGE: Final = Path(__file__).parents[1] / "docs" / "reference" / "errors.md"

_HEAD: Final = """\
# Every error

An error is one line on standard error, with the cause and the remedy.
With `--format json` it is one object ([`schemas/error.json`](../../schemas/error.json)) without empty members:

```json
{"error": {"code": "not_found", "text": "tt", "known": ["t"], "message": "there is no table tt; the ledger has t"}}
```

`code` never changes, so programs use it.
`message` is for people, in the language of `--lang`, and may change.
An import of several files writes one such object, with its `file`, for each rejected file.

| code | exit status | when | what to do |
|---|---|---|---|
"""


def page() -> str:
    """Return the whole page."""
    words = catalogue("ledger.i18n", "en")
    rows = (
        f"| `{code}` | {status} | {words[f'when.{code}']} | {words[f'what_to_do.{code}']} |\n"
        for code, status in EXIT_STATUSES.items()
    )
    return _HEAD + "".join(rows)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
