"""Numbers in paths."""

from __future__ import annotations

from typing import Final

from ledger.web.http.problems import web_error

_DIGITS: Final = 18


def number_of(text: str, what: str) -> int:
    """A number of a path; what is none names nothing: raises `WebError` (not found)."""
    if not (text.isascii() and text.isdecimal() and len(text) <= _DIGITS):
        raise web_error("not_found", "no_number", where=what, text=text[:100])
    return int(text)
