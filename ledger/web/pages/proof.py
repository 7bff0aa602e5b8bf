"""Proofs to take home: the checkpoint, receipts of deals, and how to verify them without trusting the club."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Annotated, Final

from msgspec import Meta, Struct

from ledger.errors import LedgerError
from ledger.events import DEAL_TYPES
from ledger.log.base import StreamHead
from ledger.log.paths import checkpoint_of, public_key_of, receipt_name
from ledger.log.proof_files import read_public_key, read_secret_key
from ledger.log.rollback_detection import sidecar_checkpoint
from ledger.recording.deal_receipts import versions_by_deal
from ledger.service.running import Service
from ledger.streams import TABLE
from ledger.table.fold import TableFold
from ledger.web.http.reading import seen
from ledger.web.http.request import Request
from ledger.web.http.response import Response
from ledger.web.http.routing import PREFIX, page
from ledger.web.pages.frame import html
from ledger.web.pages.paging import page_of_list
from ledger.web.pages.shown_tables import matching_tables, sound_table, titled

_PER_PAGE: Final = 20


class ProofQuery(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`q`: words of a table, an evening or a player; `session`: an evening; `table`: one table; `page`: from 1."""

    q: Annotated[str, Meta(max_length=200)] = ""
    session: Annotated[str, Meta(max_length=200)] = ""
    table: Annotated[str, Meta(max_length=200)] = ""
    page: Annotated[int, Meta(ge=1, le=1_000_000)] = 1


class ProvenTable(Struct, frozen=True, kw_only=True):
    """A table with its finished deals that proofs cover, and those that they do not cover yet."""

    table: str
    title: str
    deals: Sequence[int]
    later: Sequence[int]


@page("/proof", "viewer", query=ProofQuery)
def proof(request: Request) -> Response:
    """Show the checkpoint, the receipts of finished deals, and the commands that verify them."""
    query: ProofQuery = request.query
    service, reaches = request.service, request.visible.reaches
    last = sidecar_checkpoint(service.ledger)
    key = public_key_text(service)
    is_offered = service.settings.secret_key is not None or (last is not None and last.tree.size <= reaches)
    heads = matching_tables(request, query.q, "", query.session or None)
    if query.table:
        heads = [head for head in heads if TABLE.slug(head.stream) == query.table]
    filters = {name: value for name in ("q", "session", "table") if (value := getattr(query, name))}
    shown, links = page_of_list(heads, query.page, _PER_PAGE, filters)
    covered = reaches if service.settings.secret_key is not None else 0 if last is None else last.tree.size
    tables = [_proven(request, head, covered) for head in shown]
    checkpoint = checkpoint_of(service.ledger).name
    receipt = next((receipt_name(one.table, one.deals[-1]) for one in tables if one.deals), receipt_name("table", 1))
    return html(
        request,
        "proof.html",
        is_offered=is_offered,
        signs=service.settings.secret_key is not None,
        size=None if last is None else min(last.tree.size, reaches),
        head=request.visible.head.position,
        reaches=reaches,
        holds_up=len(request.visible.hidden),
        key=key,
        key_name=key.partition("+")[0],
        checkpoint=checkpoint,
        checkpoint_address=f"{PREFIX}/proof/checkpoint",
        receipts=f"{PREFIX}/proof/receipts",
        of_receipt=f"trickledger verify --receipt {shlex.quote(receipt)} --key {shlex.quote(key)}",
        of_ledger=(
            f"trickledger --ledger COPY.ledger verify --consistent-with {shlex.quote(checkpoint)}"
            f" --key {shlex.quote(key)}"
        ),
        tables=tables,
        asked_for=query,
        **links,
    )


def public_key_text(service: Service) -> str:
    """Return the public key that verifies the checkpoints, as text; empty if there is none."""
    try:
        if service.settings.secret_key is not None:
            return str(read_secret_key(service.settings.secret_key).public())
        return str(read_public_key(public_key_of(service.ledger)))
    except (OSError, LedgerError):
        return ""


def _proven(request: Request, head: StreamHead, covered: int) -> ProvenTable:
    """Return the deals of a table. `covered`: the number of entries that proofs cover."""
    slug, fold = TABLE.slug(head.stream), sound_table(request, head)
    ends = {} if fold is None else _ends(request, head, fold)
    return ProvenTable(
        table=slug,
        title=slug if fold is None else titled(request, slug, fold.opened.session),
        deals=[deal for deal, end in ends.items() if end <= covered],
        later=[deal for deal, end in ends.items() if end > covered],
    )


def _ends(request: Request, head: StreamHead, fold: TableFold) -> dict[int, int]:
    """Return the position of the last act of each finished deal; a receipt needs a checkpoint that covers it."""
    deals = tuple(record.number for record in fold.deals if record.status != "open")
    key = ("ends-of-deals", head.stream, head.version, deals)
    ends: dict[int, int] | None = request.service.folds.get(key)
    if ends is None:
        rows = seen(request).read_stream(head.stream)
        entries = [(row.version, row.event()) for row in rows]
        positions = {row.version: row.position for row in rows}
        acts = {version: positions[version] for version, event in entries if type(event) in DEAL_TYPES}
        versions = versions_by_deal(entries, deals)
        ends = {deal: max((acts.get(one, 0) for one in of_deal), default=0) for deal, of_deal in versions.items()}
        request.service.folds.keep(key, ends, len(ends) + 1)
    return ends
