"""Sending a checkpoint to a witness over HTTP (c2sp.org/tlog-witness, add-checkpoint)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Final
from urllib.parse import SplitResult, urlsplit

from msgspec import Struct

from ledger import limits
from ledger.errors import ConflictError, UnreadableError, UsageError
from ledger.i18n.library_errors import localised
from ledger.limits import exceeded
from ledger.log.base import LogStore
from ledger.log.checkpoint import Checkpoint
from ledger.log.signed_note import Witness
from ledger.witness.catalogue import phrase
from ledger.witness.request import CheckpointRequest, checkpoint_request, with_cosignatures

_TIMEOUT_S: Final = 30
_TRIES: Final = 3
"""The most requests: the witness names another size only while the club sends other requests at the same time."""

_SIZE: Final = re.compile(rb"(0|[1-9][0-9]{0,18})\n")
_SHOWN: Final = 300


class _Answer(Struct, frozen=True):
    status: int
    body: bytes


def cosigned_by_service(url: str, store: LogStore, checkpoint: Checkpoint, witnesses: Sequence[Witness]) -> Checkpoint:
    """Return the checkpoint with the cosignatures that the witness at this address answers with.

    Raise `UsageError` for an address that is none, `UnreadableError` if nobody answers there, `ConflictError` if the
    witness refuses or has cosigned a larger ledger, `MalformedError` for an answer without a valid cosignature.
    """
    place = _place(url)
    size = 0
    for _ in range(_TRIES):
        answer = _posted(place, url, checkpoint_request(store, checkpoint, size))
        if answer.status == 200:
            return with_cosignatures(checkpoint, answer.body, witnesses)
        known = _SIZE.fullmatch(answer.body) if answer.status == 409 else None
        if known is None or int(known[1]) == size:
            break
        size = int(known[1])
        if size > checkpoint.tree.size:
            raise ConflictError(
                "rolled_back", phrase("answer.larger", url=url, actual=checkpoint.tree.size, expected=size)
            )
    said = answer.body[:_SHOWN].decode("utf-8", "replace").strip()
    raise ConflictError("other_past", phrase("answer.refused", url=url, status=answer.status, said=said))


def _place(url: str) -> SplitResult:
    try:
        place = urlsplit(url)
        is_address = place.scheme in ("http", "https") and bool(place.hostname) and place.port != 0
    except ValueError:  # a port that is no number
        is_address = False
    if not is_address or place.query or place.fragment or place.username:
        raise UsageError("usage", phrase("answer.no_url", text=url))
    return place


def _posted(place: SplitResult, url: str, request: CheckpointRequest) -> _Answer:
    assert place.hostname is not None, "checked by _place"
    kind = HTTPSConnection if place.scheme == "https" else HTTPConnection
    connection = kind(place.hostname, place.port, timeout=_TIMEOUT_S)
    headers = {"content-type": "text/plain; charset=utf-8"}
    try:
        connection.request("POST", f"{place.path.rstrip('/')}/add-checkpoint", request.content(), headers)
        response = connection.getresponse()
        body = response.read(limits.WITNESS_REQUEST_BYTES + 1)
    except (OSError, HTTPException) as error:
        why = localised(getattr(error, "strerror", None) or error)
        raise UnreadableError("disk", phrase("answer.unreachable", url=url, why=why)) from None
    finally:
        connection.close()
    if len(body) > limits.WITNESS_REQUEST_BYTES:
        raise exceeded("witness_answer", len(body), limits.WITNESS_REQUEST_BYTES, "bytes")
    return _Answer(response.status, body)
