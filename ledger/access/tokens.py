"""Secrets that are given out: how they are made and written, the links that carry them, and the seals of their rows.

Randomness is passed in. A token is `trk_`, 43 digits of base 62 (256 random bits), `_`, and the CRC-32 of these digits
in 8 hexadecimal ones, by which a slip of the pen is told from a guess, and programs that look for leaked secrets know
one. The secret of a link is in its fragment, which browsers send to nobody, so no log has it.
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
"""Makes so many bytes that nobody can guess, as `secrets.token_bytes`."""

_BASE_62: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_SECRET_BYTES: Final = 32
_SECRET_DIGITS: Final = 43
"""The fewest digits of base 62 that hold 256 bits."""

_CODE_DIGITS: Final = 8
_CODE_BYTES: Final = 16
"""So many more than a code holds that each of them is as likely as the next."""

_TOKEN: Final = re.compile(rf"trk_([0-9A-Za-z]{{{_SECRET_DIGITS}}})_([0-9a-f]{{8}})", re.ASCII)
_CODE: Final = re.compile(rf"[0-9]{{{_CODE_DIGITS}}}", re.ASCII)
_SESSION: Final = re.compile(rf"[0-9A-Za-z]{{{_SECRET_DIGITS}}}", re.ASCII)


def new_token(randomness: Randomness) -> str:
    digits = new_session_secret(randomness)
    return f"trk_{digits}_{_checksum(digits)}"


def new_code(randomness: Randomness) -> str:
    """Eight digits, for who types them from a sheet on the table."""
    return f"{int.from_bytes(randomness(_CODE_BYTES)) % 10**_CODE_DIGITS:0{_CODE_DIGITS}}"


def new_session_secret(randomness: Randomness) -> str:
    return _written(randomness(_SECRET_BYTES))


def is_token(text: str) -> bool:
    match = _TOKEN.fullmatch(text)
    return match is not None and _checksum(match[1]) == match[2]


def is_code(text: str) -> bool:
    return _CODE.fullmatch(text) is not None


def is_session_secret(text: str) -> bool:
    return _SESSION.fullmatch(text) is not None


def digest_of(text: str) -> bytes:
    """All that is kept of a secret, or of a name after its session has ended.

    Codes could be found from it by trying them all; they end within hours.
    """
    return sha256(text.encode()).digest()


def csrf_of(session_secret: str) -> str:
    """What a page of this session sends along with each change. It follows from the secret, so it is kept nowhere."""
    return _written(sha256(b"csrf " + session_secret.encode()).digest())


def is_same(given: str, expected: str) -> bool:
    """Compared in a time that says nothing of where they differ."""
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
    """The address of the service, without a slash at its end; raises `MalformedError` for what is none."""
    try:
        is_address = _HOST.fullmatch(url) is not None and bool(urlsplit(url).hostname) and urlsplit(url).port != 0
    except ValueError:  # a port or an IPv6 address that cannot be
        is_address = False
    if not is_address:
        raise MalformedError(phrase("form.not_url"), phrase("form.url"), url, field="url")
    return url.rstrip("/")


def sign_in_link(url: str, secret: str) -> str:
    """Raises as `checked_url`."""
    return f"{checked_url(url)}/sign-in#{secret}"


_KEY_BYTES: Final = 32


def new_key() -> bytes:
    return token_bytes(_KEY_BYTES)


def seal_of(key: bytes, table: str, *columns: str | bytes | None) -> bytes:
    """Return the HMAC-SHA-256 of a row, which shows whether this program wrote it.

    The key is in the same file. So a seal shows a row that something else wrote or changed, by hand or by a script; it
    stops nobody who can read and write the file, who could as well give themselves a token by this program.
    """
    return hmac.digest(key, json.encode((table, *columns)), "sha256")


def is_sealed(seal: bytes, key: bytes, table: str, *columns: str | bytes | None) -> bool:
    return hmac.compare_digest(seal, seal_of(key, table, *columns))
