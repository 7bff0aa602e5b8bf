"""Seals on the rows that let somebody in: which ones this program wrote.

The key lies in the same file. So a seal shows a row that something else wrote or changed, by hand or by a script; it
stops nobody who can read and write the file, who could as well give themselves a token by this program.
"""

from __future__ import annotations

import hmac
from secrets import token_bytes
from typing import Final

from msgspec import json

_KEY_BYTES: Final = 32


def new_key() -> bytes:
    return token_bytes(_KEY_BYTES)


def seal_of(key: bytes, table: str, *columns: str | bytes | None) -> bytes:
    """Return the HMAC-SHA-256 of a row."""
    return hmac.digest(key, json.encode((table, *columns)), "sha256")


def is_sealed(seal: bytes, key: bytes, table: str, *columns: str | bytes | None) -> bool:
    return hmac.compare_digest(seal, seal_of(key, table, *columns))
