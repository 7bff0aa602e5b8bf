"""The canonical bytes of an entry and the digest that chains it to the one before. No storage here.

See docs/reference/log-format.md. The canonical form is the exported line without its digest: the envelope as compact
JSON in the field order of the contract.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from typing import Final

import msgspec

GENESIS: Final = bytes(32)
"""The previous digest of the first entry."""

_encode = msgspec.json.Encoder().encode


@lru_cache(maxsize=1024)
def _quoted(text: str) -> str:
    """Return the text as a JSON string; cached, since a ledger has few recorders (saves 0.1 µs of 1 µs an entry)."""
    return _encode(text).decode()


def canonical(
    position: int,
    stream: str,
    version: int,
    id: str,
    recorded_at: str,
    recorded_by: str,
    happened_at: str | None,
    payload: bytes,
) -> bytes:
    """Return the bytes that the digest covers, equal to msgspec's encoding of the `Envelope` without `digest`.

    Joined by hand because the event is stored as JSON already: 1.0 µs instead of 1.6 µs with decoding it first. Only
    `recorded_by` can need escapes; streams, ids and times have no such characters.
    """
    happened = "" if happened_at is None else f'"happened_at":"{happened_at}",'
    head = (
        f'{{"position":{position},"stream":"{stream}","version":{version},"id":"{id}","recorded_at":"{recorded_at}",'
        f'"recorded_by":{_quoted(recorded_by)},{happened}"event":'
    )
    return b"%b%b}" % (head.encode(), payload)


def digest_after(previous: bytes, canonical_bytes: bytes) -> bytes:
    """Return the digest (32 bytes) of an entry that follows the one with the digest `previous`."""
    return sha256(previous + canonical_bytes).digest()


def with_digest(canonical_bytes: bytes, digest: bytes) -> bytes:
    """Return the exported line of an entry, without line feed."""
    return b'%b,"digest":"%b"}' % (canonical_bytes[:-1], digest.hex().encode())
