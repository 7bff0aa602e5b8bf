"""The page and the form to raise a dispute about a deal, or about the act at one step of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final

from msgspec import Meta, Struct

from ledger.errors import ConflictError, LedgerError, MalformedError
from ledger.events import Slug, Version
from ledger.table.disputes import ruling_of
from ledger.table.repository import TableAsRead
from ledger.text.site.replay.navigation import Rights
from ledger.text.site.replay.replay_page import replay_of
from ledger.text.site.replay.viewpoint import Viewpoint
from ledger.web.api.corrections import DisputeSent, dispute, may_dispute
from ledger.web.http.problems import web_error
from ledger.web.http.request import Request, number_of
from ledger.web.http.response import Response
from ledger.web.http.routing import form, page
from ledger.web.pages.forms import IDS, entry_ids, refusal_text, seat_in_field, sending
from ledger.web.pages.frame import elsewhere, html, reader_of
from ledger.web.pages.replay import ReplayQuery, looked_at

_PATH: Final = "/t/{table}/{deal}/dispute"
_TEXT_CHARS: Final = 1_000


class DisputedStep(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`step`: the step that the reader comes from; None: the deal as a whole. `about`: the ruling that an appeal is
    against, by its version.
    """

    step: Annotated[int, Meta(ge=1)] | None = None
    about: Version | None = None


@page(_PATH, "viewer", query=DisputedStep, rests_on="table", problems=("not_found", "forbidden"))
def raise_dispute(request: Request, table: Slug, deal: str) -> Response:
    """Show the form: what is disputed, and by whom."""
    return _shown(request, table, deal, {})


@form(_PATH, "viewer", body=dict[str, str], problems=("not_found", "forbidden", "malformed"))
async def dispute_submitted(request: Request, table: Slug, deal: str) -> Response:
    """Raise the dispute, and show the deal with it. The same form sent twice raises it once."""
    form_data: Mapping[str, str] = request.data
    read, at = await request.service.run_in_thread(lambda: _looked_at(request, table, deal))
    step, about = form_data.get("step", ""), form_data.get("about", "")
    sent = DisputeSent(
        id=next(entry_ids(form_data)),
        deal=at.deal,
        text=form_data.get("text", "").strip()[:_TEXT_CHARS],
        step=number_of(step, "step") if step and not about else None,
        version=number_of(about, "about") if about else None,
        seat=seat_in_field(form_data, "seat", len(read.fold.players)) if request.grant.seat is None else None,
    )
    try:
        await dispute(request.replace(data=sent), table)
    except (ConflictError, MalformedError) as error:
        refusal = error
        return await request.service.run_in_thread(lambda: _shown(request, table, deal, form_data, refusal))
    return elsewhere(f"/t/{table}/{at.deal}/{sent.step}" if sent.step else f"/t/{table}/{at.deal}")


def _looked_at(request: Request, table: Slug, deal: str) -> tuple[TableAsRead, Viewpoint]:
    if not may_dispute(request.grant):
        raise web_error("forbidden", "not_seated")
    return looked_at(request.replace(query=ReplayQuery()), table, deal)


def _shown(
    request: Request, table: Slug, deal: str, form_data: Mapping[str, str], refusal: LedgerError | None = None
) -> Response:
    read, at = _looked_at(request, table, deal)
    query = request.query if isinstance(request.query, DisputedStep) else DisputedStep()
    step = number_of(form_data["from"], "step") if form_data.get("from") else query.step
    about = form_data.get("about", "" if query.about is None else str(query.about))
    shown = replay_of(read, at, step, reader_of(request), Rights())
    is_player = request.grant.seat is not None and not request.grant.at_least("director")
    return html(
        request,
        "raise_dispute.html",
        status=200 if refusal is None else 422,
        faults={} if refusal is None else {"text": refusal_text(refusal, request.lang)},
        title=shown.title,
        about=about,
        ruling=ruling_of(read.fold, number_of(about, "about")).text if about else None,
        step=None if about else step,
        step_text=shown.step_text,
        is_about_step=step is not None and form_data.get("step", str(step)) == str(step),
        ids=form_data.get(IDS) or sending()[IDS],
        text=form_data.get("text", ""),
        players=None if is_player else read.fold.deal(at.deal).players,
        seat=form_data.get("seat", ""),
        back=at.deal_address(at.deal) if step is None else at.step_address(step),
    )
