"""Secrets: how they are generated and written, the links that carry them, and the seals of their rows.

Randomness is passed in. A token is `trk_`, 43 digits of base 62 (256 random bits), `_`, and the CRC-32 of these digits
in 8 hexadecimal digits; the checksum separates typing errors from guesses, and lets secret scanners recognise tokens.
The secret of a link is in its fragment, which browsers never send, so no log contains it.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Callable
from hashlib import sha256
from hmac import compare_digest
from secrets import token_bytes
from typing import Final, TypeAlias
from urllib.parse import urlsplit
from zlib import crc32

from msgspec import json

from ledger.access.catalogue import phrase
from ledger.errors import MalformedError

Randomness: TypeAlias = Callable[[int], bytes]
"""A source of that many unpredictable bytes, e.g. `secrets.token_bytes`."""

_BASE_62: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_SECRET_BYTES: Final = 32
_SECRET_DIGITS: Final = 43
"""The fewest digits of base 62 that hold 256 bits."""

_CODE_DIGITS: Final = 8
_CODE_BYTES: Final = 16
"""More random bytes than a code needs, so that all codes are equally likely."""

_TOKEN: Final = re.compile(rf"trk_([0-9A-Za-z]{{{_SECRET_DIGITS}}})_([0-9a-f]{{8}})", re.ASCII)
_CODE: Final = re.compile(rf"[0-9]{{{_CODE_DIGITS}}}", re.ASCII)
_SESSION: Final = re.compile(rf"[0-9A-Za-z]{{{_SECRET_DIGITS}}}", re.ASCII)


def new_token(randomness: Randomness) -> str:
    """Return a new token."""
    digits = new_session_secret(randomness)
    return f"trk_{digits}_{_checksum(digits)}"


def new_code(randomness: Randomness) -> str:
    """Return a new table code: eight digits, to be typed from a sheet on the table."""
    return f"{int.from_bytes(randomness(_CODE_BYTES)) % 10**_CODE_DIGITS:0{_CODE_DIGITS}}"


def new_session_secret(randomness: Randomness) -> str:
    """Return a new session secret."""
    return _written(randomness(_SECRET_BYTES))


def is_token(text: str) -> bool:
    """Return whether a text is a well-formed token with a valid checksum."""
    match = _TOKEN.fullmatch(text)
    return match is not None and _checksum(match[1]) == match[2]


def is_code(text: str) -> bool:
    """Return whether a text is a well-formed table code."""
    return _CODE.fullmatch(text) is not None


def is_session_secret(text: str) -> bool:
    """Return whether a text is a well-formed session secret."""
    return _SESSION.fullmatch(text) is not None


def digest_of(text: str) -> bytes:
    """Return the digest that is stored instead of a secret, or of a name after its session has ended.

    A code could be found from its digest by trying all codes; codes end within hours.
    """
    return sha256(text.encode()).digest()


def csrf_of(session_secret: str) -> str:
    """Return the token that pages of a session send with each change. It is derived from the secret and not stored."""
    return _written(sha256(b"csrf " + session_secret.encode()).digest())


def is_same(given: str, expected: str) -> bool:
    """Return whether two texts are equal, in constant time."""
    return compare_digest(given.encode("utf-8", "replace"), expected.encode("utf-8", "replace"))


def _written(content: bytes) -> str:
    number, digits = int.from_bytes(content), ""
    for _ in range(_SECRET_DIGITS):
        number, digit = divmod(number, len(_BASE_62))
        digits = _BASE_62[digit] + digits
    return digits


def _checksum(digits: str) -> str:
    return f"{crc32(digits.encode()):08x}"


_HOST: Final = re.compile(r"https?://[^\s/@?#]+(/[^\s?#]*)?", re.ASCII)


def checked_url(url: str) -> str:
    """Return the address of the service without a trailing slash. Raise `MalformedError` for an invalid address."""
    try:
        is_address = _HOST.fullmatch(url) is not None and bool(urlsplit(url).hostname) and urlsplit(url).port != 0
    except ValueError:  # an invalid port or IPv6 address
        is_address = False
    if not is_address:
        raise MalformedError(phrase("form.not_url"), phrase("form.url"), url, field="url")
    return url.rstrip("/")


def sign_in_link(url: str, secret: str) -> str:
    """Return the link that signs a browser in. Raise as `checked_url`."""
    return f"{checked_url(url)}/sign-in#{secret}"


_KEY_BYTES: Final = 32


def new_key() -> bytes:
    """Return a new key for seals."""
    return token_bytes(_KEY_BYTES)


def seal_of(key: bytes, table: str, *columns: str | bytes | None) -> bytes:
    """Return the HMAC-SHA-256 of a row, which shows whether this program wrote it.

    The key is in the same file: a seal reveals rows that were edited by hand or by a script. It does not stop anyone
    who can read and write the file; they could issue themselves a token.
    """
    return hmac.digest(key, json.encode((table, *columns)), "sha256")


def is_sealed(seal: bytes, key: bytes, table: str, *columns: str | bytes | None) -> bool:
    """Return whether the seal of a row is valid."""
    return hmac.compare_digest(seal, seal_of(key, table, *columns))
