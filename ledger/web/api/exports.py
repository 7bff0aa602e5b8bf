"""The export of the ledger, and proofs for checking the record without trusting the club: checkpoints and receipts
(docs/reference/proof-format.md).
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Annotated, Final

from msgspec import Meta, Struct

from ledger import api
from ledger.events import Envelope
from ledger.log.paths import receipt_name
from ledger.service.proving import DealOpenError
from ledger.service.running import Service
from ledger.streams import TABLE
from ledger.web.http.reading import seen
from ledger.web.http.request import Request, number_of
from ledger.web.http.response import Response, StreamResponse, linked
from ledger.web.http.routing import NDJSON, route

PIECE_BYTES: Final = 64_000
"""The approximate size of the pieces that are sent; a reader thread is free for others between them."""


class ExportQuery(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The entries after the position `after`, up to `until`."""

    after: Annotated[int, Meta(ge=0)] = 0
    until: Annotated[int, Meta(ge=0)] | None = None


@route(
    "GET",
    "/export",
    "director",
    query=ExportQuery,
    answers={200: list[Envelope]},
    media=(NDJSON,),
    rests_on="head",
    of_whole_ledger=True,
    problems=("deal_open", "not_found"),
)
def export(request: Request) -> Response:
    """Return the entries of the ledger with their digests, one a line."""
    query: ExportQuery = request.query
    until = request.visible.head.position if query.until is None else query.until
    if until > request.visible.reaches and not request.grant.hands:
        raise DealOpenError(request.visible)
    pieces = _pieces(api.export(seen(request), after=query.after, until=until))
    first = next(pieces, b"")
    name = f'attachment; filename="ledger-{query.after + 1}-{until}.ndjson"'
    headers = {**linked(request), "content-disposition": name}
    return StreamResponse(_sent(request.service, first, pieces), headers, NDJSON)


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
    """Yield the pieces, each read in a thread once the previous one has been taken."""
    piece = first
    while piece:
        yield piece
        piece = await service.run_in_thread(lambda: next(others, b""))


TEXT = "text/plain; charset=utf-8"


@route("GET", "/proof/checkpoint", "viewer", answers={200: str}, media=(TEXT,), problems=("not_found", "deal_open"))
def checkpoint(request: Request) -> Response:
    """Return the newest checkpoint, up to the first open deal."""
    service = request.service
    made = service.prover.checkpoint(service.store(), request.visible)
    return Response(str(made).encode(), media_type=TEXT)


@route(
    "GET",
    "/proof/receipts/{table}/{deal}",
    "viewer",
    answers={200: str},
    media=(TEXT,),
    problems=("not_found", "deal_open"),
)
def receipt(request: Request, table: str, deal: str) -> Response:
    """Return the receipt of a deal."""
    service = request.service
    number = number_of(deal, "deal")
    made = service.prover.receipt(service.store(), request.visible, table, number)
    name = receipt_name(TABLE.slug(table), number)
    return Response(made.content(), media_type=TEXT, headers={"content-disposition": f'attachment; filename="{name}"'})
