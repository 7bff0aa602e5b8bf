"""The ledger carried away: the bytes of `trickledger export`, as they are read from the log."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Annotated, Final

from msgspec import Meta, Struct

from ledger import api
from ledger.events import Envelope
from ledger.service.proving import DealOpenError
from ledger.service.running import Service
from ledger.web.http.links import linked
from ledger.web.http.reading import seen
from ledger.web.http.request import Asked
from ledger.web.http.routing import NDJSON, Answer, route

PIECE_BYTES: Final = 64_000
"""So large are the pieces that are sent, about: a reader is free for others between them."""


class ExportAsked(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The entries behind the position `after`, and up to `until`."""

    after: Annotated[int, Meta(ge=0)] = 0
    until: Annotated[int, Meta(ge=0)] | None = None


@route(
    "GET",
    "/export",
    "director",
    query=ExportAsked,
    answers={200: list[Envelope]},
    media=(NDJSON,),
    rests_on="head",
    of_whole_ledger=True,
    problems=("deal_open", "not_found"),
)
def export(asked: Asked) -> Answer:
    """The entries of the ledger, digests and all, one a line; those that are hidden only for who may see hands."""
    query: ExportAsked = asked.query
    until = asked.horizon.head.position if query.until is None else query.until
    if until > asked.horizon.reaches and not asked.grant.hands:
        raise DealOpenError(asked.horizon)
    pieces = _pieces(api.export(seen(asked), after=query.after, until=until))
    first = next(pieces, b"")
    name = f'attachment; filename="ledger-{query.after + 1}-{until}.ndjson"'
    return Answer(
        pieces=_sent(asked.service, first, pieces),
        media_type=NDJSON,
        headers={**linked(asked), "content-disposition": name},
    )


def _pieces(lines: Iterator[bytes]) -> Iterator[bytes]:
    piece: list[bytes] = []
    size = 0
    for line in lines:
        piece += (line, b"\n")
        size += len(line) + 1
        if size >= PIECE_BYTES:
            yield b"".join(piece)
            piece, size = [], 0
    if piece:
        yield b"".join(piece)


async def _sent(service: Service, first: bytes, others: Iterator[bytes]) -> AsyncIterator[bytes]:
    """The pieces, each read beside the event loop when the one before has been taken."""
    piece = first
    while piece:
        yield piece
        piece = await service.beside(lambda: next(others, b""))
