"""Proofs for whoever wants to check the record without trusting the club: checkpoints and receipts (docs/proof.md)."""

from __future__ import annotations

from ledger.log.companions import receipt_name
from ledger.table.repository import slug_of
from ledger.web.http.numbers import number_of
from ledger.web.http.request import Asked
from ledger.web.http.routing import Answer, route

TEXT = "text/plain; charset=utf-8"


@route("GET", "/proof/checkpoint", "viewer", answers={200: str}, media=(TEXT,), problems=("not_found", "deal_open"))
def checkpoint(asked: Asked) -> Answer:
    """The newest checkpoint that may be told: a signed note over the ledger as far as no deal is open."""
    service = asked.service
    made = service.prover.checkpoint(service.store(), asked.horizon)
    return Answer(body=str(made).encode(), media_type=TEXT)


@route(
    "GET",
    "/proof/receipts/{table}/{deal}",
    "viewer",
    answers={200: str},
    media=(TEXT,),
    problems=("not_found", "deal_open"),
)
def receipt(asked: Asked, table: str, deal: str) -> Answer:
    """The receipt of a deal: a small file that proves what the ledger holds of it."""
    service = asked.service
    number = number_of(deal, "deal")
    made = service.prover.receipt(service.store(), asked.horizon, table, number)
    name = receipt_name(slug_of(table), number)
    return Answer(
        body=made.content(), media_type=TEXT, headers={"content-disposition": f'attachment; filename="{name}"'}
    )
