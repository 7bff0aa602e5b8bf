"""The page and the form to withdraw one's own dispute."""

from __future__ import annotations

from typing import Any

from ledger.errors import ConflictError, LedgerError, MalformedError
from ledger.events import Slug
from ledger.streams import TABLE
from ledger.table.disputes import Dispute, dispute_at
from ledger.text.site.catalogue import say
from ledger.web.api.corrections import CorrectionSent, correct, may_withdraw
from ledger.web.http.problems import web_error
from ledger.web.http.reading import read_now, seen
from ledger.web.http.request import Request, number_of
from ledger.web.http.response import Response
from ledger.web.http.routing import form, page
from ledger.web.pages.forms import VERSION, as_first_sent, entry_ids, refusal_text, sending
from ledger.web.pages.frame import elsewhere, html

_PATH = "/t/{table}/disputes/{dispute}/withdraw"
_REASON_CHARS = 1_000


@page(_PATH, "viewer", rests_on="table", problems=("not_found",))
def withdraw(request: Request, table: Slug, dispute: str) -> Response:
    """Show the dispute, and the button that withdraws it."""
    return _shown(request, table, dispute)


@form(_PATH, "viewer", body=dict[str, str], problems=("not_found", "malformed"))
async def withdraw_submitted(request: Request, table: Slug, dispute: str) -> Response:
    """Withdraw the dispute by a correction that strikes it; it stays in the log. A form sent twice does it once."""
    form_data: dict[str, str] = request.data
    _, raised = await request.service.run_in_thread(lambda: _own(as_first_sent(request), table, dispute))
    seen_version = form_data.get(VERSION, "")
    sent = CorrectionSent(
        id=next(entry_ids(form_data)),
        action="strike",
        version=raised.version,
        reason=form_data.get("reason", "").strip()[:_REASON_CHARS] or say(request.lang, "withdraw.reason"),
        expected_version=number_of(seen_version, VERSION) if seen_version else None,
        confirm=True,
    )
    try:
        await correct(request.replace(data=sent), table)
    except (ConflictError, MalformedError) as error:
        refusal = error
        return await request.service.run_in_thread(lambda: _shown(request, table, dispute, refusal, form_data))
    return elsewhere(f"/t/{table}/{raised.deal}")


def _own(request: Request, table: str, dispute: str) -> tuple[int, Dispute]:
    """Return the table's last version and the dispute. Raise if it does not exist, or may not be withdrawn."""
    read = read_now(request, table)
    raised = dispute_at(read.fold, number_of(dispute, "version"))
    rows = seen(request).read_stream(TABLE.stream(read.slug))
    if not (request.grant.at_least("director") or may_withdraw(request.grant, read.fold, rows, raised.version)):
        raise web_error("forbidden", "not_own_dispute", text=str(raised.version))
    return rows[-1].version, raised


def _shown(
    request: Request,
    table: str,
    dispute: str,
    refusal: LedgerError | None = None,
    form_data: dict[str, Any] | None = None,
) -> Response:
    version, raised = _own(request, table, dispute)
    return html(
        request,
        "withdraw_dispute.html",
        status=200 if refusal is None else 422,
        refusal=None if refusal is None else refusal_text(refusal, request.lang),
        text=raised.text,
        reason=(form_data or {}).get("reason", ""),
        sending=sending(version),
        back=f"/t/{table}/{raised.deal}",
    )
