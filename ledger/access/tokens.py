"""Secrets that are given out: how they are made and written, and what of them may be kept. Randomness is passed in.

A token is `trk_`, 43 digits of base 62 (256 random bits), `_`, and the CRC-32 of these digits in 8 hexadecimal ones, by
which a slip of the pen is told from a guess, and programs that look for leaked secrets know one.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from hashlib import sha256
from hmac import compare_digest
from typing import Final, TypeAlias
from zlib import crc32

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
    digits = _random_digits(randomness)
    return f"trk_{digits}_{_checksum(digits)}"


def new_code(randomness: Randomness) -> str:
    """Eight digits, for who types them from a sheet on the table."""
    return f"{int.from_bytes(randomness(_CODE_BYTES)) % 10**_CODE_DIGITS:0{_CODE_DIGITS}}"


def new_session_secret(randomness: Randomness) -> str:
    return _random_digits(randomness)


def is_token(text: str) -> bool:
    found = _TOKEN.fullmatch(text)
    return found is not None and _checksum(found[1]) == found[2]


def is_code(text: str) -> bool:
    return _CODE.fullmatch(text) is not None


def is_session_secret(text: str) -> bool:
    return _SESSION.fullmatch(text) is not None


def digest_of(secret: str) -> bytes:
    """All that is kept of a secret. Codes could be found from it by trying them all; they end within hours."""
    return sha256(secret.encode()).digest()


def digest_of_writer(recorded_by: str) -> bytes:
    """All that is kept of a name after its session has ended: enough to give it to nobody else."""
    return sha256(recorded_by.encode()).digest()


def csrf_of(session_secret: str) -> str:
    """What a page of this session sends along with each change. It follows from the secret, so it is kept nowhere."""
    return _written(sha256(b"csrf " + session_secret.encode()).digest())


def is_same(told: str, kept: str) -> bool:
    """Compared in a time that says nothing of where they differ."""
    return compare_digest(told.encode("utf-8", "replace"), kept.encode("utf-8", "replace"))


def _random_digits(randomness: Randomness) -> str:
    return _written(randomness(_SECRET_BYTES))


def _written(content: bytes) -> str:
    number, digits = int.from_bytes(content), ""
    for _ in range(_SECRET_DIGITS):
        number, digit = divmod(number, len(_BASE_62))
        digits = _BASE_62[digit] + digits
    return digits


def _checksum(digits: str) -> str:
    return f"{crc32(digits.encode()):08x}"
