"""Proofs for whoever wants to check the record without trusting the club: checkpoints and receipts (docs/proof.md)."""

from __future__ import annotations

from ledger.log.paths import receipt_name
from ledger.streams import TABLE
from ledger.web.http.request import Request, number_of
from ledger.web.http.response import Response
from ledger.web.http.routing import route

TEXT = "text/plain; charset=utf-8"


@route("GET", "/proof/checkpoint", "viewer", answers={200: str}, media=(TEXT,), problems=("not_found", "deal_open"))
def checkpoint(request: Request) -> Response:
    """The newest checkpoint that may be told: a signed note over the ledger as far as no deal is open."""
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
    """The receipt of a deal: a small file that proves what the ledger holds of it."""
    service = request.service
    number = number_of(deal, "deal")
    made = service.prover.receipt(service.store(), request.visible, table, number)
    name = receipt_name(TABLE.slug(table), number)
    return Response(made.content(), media_type=TEXT, headers={"content-disposition": f'attachment; filename="{name}"'})
