"""The case of a dispute with the form that rules on it, and the same for a deal without a dispute."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from msgspec import Struct

from ledger import api
from ledger.cases.facts import CaseSheet
from ledger.errors import ConflictError, MalformedError, NotFoundError
from ledger.events import Slug, Version
from ledger.recording.adding import Added
from ledger.streams import TABLE
from ledger.table.corrections import Signature
from ledger.table.repository import TableAsRead, recorders_shown
from ledger.text.site.catalogue import as_sentence, say
from ledger.text.site.desk.case_page import case_page_of, rulings_since
from ledger.text.site.desk.ruling import AMOUNTS, RulingDraft, RulingPreview, preview_of, ruling_draft, ruling_form
from ledger.text.site.replay.viewpoint import Viewpoint
from ledger.web.api.cases import check_case
from ledger.web.api.corrections import RulingSent, give_ruling
from ledger.web.http.etags import Expected
from ledger.web.http.problems import STATUSES
from ledger.web.http.reading import read_now, seen
from ledger.web.http.request import Request, number_of
from ledger.web.http.response import Response
from ledger.web.http.routing import form, page
from ledger.web.pages.forms import VERSION, entry_ids, refusal_text, sending
from ledger.web.pages.frame import elsewhere, html, reader_of
from ledger.web.pages.replay import rights_of
from ledger.web.pages.shown_tables import titled

_CASE: Final = "/t/{table}/disputes/{version}"
_RULING: Final = "/t/{table}/{deal}/ruling"
_RECORD: Final = "record"
_PREVIEW: Final = "preview"

_UNWRITTEN: Final = "–"
"""The reason in a preview, before the director has written one."""


class RulingQuery(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`about`: the version of the entry in question."""

    about: Version | None = None


class _Looked(Struct, frozen=True):
    """A case as the client may see it. `sheet`: None without a dispute; `about`: the entry in question."""

    read: TableAsRead
    at: Viewpoint
    sheet: CaseSheet | None
    about: int | None

    @property
    def version(self) -> int:
        return len(self.read.fold.recorded)


_Look = Callable[[Request], _Looked]


@page(_CASE, "viewer", rests_on="table", problems=("not_found",), guard=check_case)
def case(request: Request, table: Slug, version: str) -> Response:
    """Show everything about a dispute and, to a director, the form that rules on it."""
    return _shown(request, _disputed(request, table, version), {})


@form(_CASE, "director", body=dict[str, str], problems=("not_found", "malformed", "wrong_version"))
async def case_ruled(request: Request, table: Slug, version: str) -> Response:
    """Show what a ruling on the dispute would change, or record it."""
    return await _ruled(request, lambda request: _disputed(request, table, version))


@page(_RULING, "director", query=RulingQuery, rests_on="table", problems=("not_found",))
def ruling(request: Request, table: Slug, deal: str) -> Response:
    """Show the form that rules on a deal about which nobody raised a dispute."""
    return _shown(request, _undisputed(request, table, deal, request.query.about), {})


@form(_RULING, "director", body=dict[str, str], problems=("not_found", "malformed", "wrong_version"))
async def deal_ruled(request: Request, table: Slug, deal: str) -> Response:
    """Show what a ruling on the deal would change, or record it."""
    about = request.data.get("about", "")
    at = number_of(about, "about") if about else None
    return await _ruled(request, lambda request: _undisputed(request, table, deal, at))


def _disputed(request: Request, table: Slug, version: str) -> _Looked:
    read, store = read_now(request, table), seen(request)
    sheet = api.case_sheet(store, table, number_of(version, "version"), request.lang, store.display_names())
    return _Looked(read, _viewpoint(request, read, sheet.deal), sheet, None)


def _undisputed(request: Request, table: Slug, deal: str, about: int | None) -> _Looked:
    read = read_now(request, table)
    return _Looked(read, _viewpoint(request, read, number_of(deal, "deal")), None, about)


def _viewpoint(request: Request, read: TableAsRead, deal: int) -> Viewpoint:
    return Viewpoint(table=read.slug, deal=deal, title=titled(request, read.slug, read.fold.opened.session))


async def _ruled(request: Request, look: _Look) -> Response:
    """Record the ruling if its button was pressed and no field is wrong; otherwise show the page with a preview."""
    data: Mapping[str, str] = request.data
    in_thread = request.service.run_in_thread
    looked = await in_thread(lambda: look(request))
    record = looked.read.fold.deal(looked.at.deal)
    draft = ruling_draft(data, looked.read.fold, record, request.lang)
    faults = dict(draft.faults) if data.get("do") in (_RECORD, _PREVIEW) else {}
    is_final, conflict = data.get("do") == _RECORD, None
    if is_final and not faults and data.get(VERSION):
        try:
            await _send(request, looked, draft, expected_version=number_of(data[VERSION], VERSION))
        except ConflictError as error:
            if error.code != "wrong_version":
                faults[_field_of(draft)] = refusal_text(error, request.lang)
            else:
                conflict = number_of(data[VERSION], VERSION)
                request = request.replace(visible=request.service.visible)
                looked = await in_thread(lambda: look(request))
        except (MalformedError, NotFoundError) as error:
            faults[_field_of(draft)] = refusal_text(error, request.lang)
        else:
            return elsewhere(f"{request.path}#rulings")
    preview = None
    if draft.is_decided:
        try:
            preview = await _previewed(request, looked, draft)
        except (ConflictError, MalformedError, NotFoundError) as error:
            faults.setdefault(_field_of(draft), refusal_text(error, request.lang))
    if not is_final:
        faults.pop("text", None)  # a preview needs no reason yet
    return await in_thread(lambda: _shown(request, looked, data, faults, preview, conflict))


def _field_of(draft: RulingDraft) -> str:
    """Return the field that a refusal of the whole ruling belongs to."""
    if draft.deltas is not None:
        return AMOUNTS
    return "winner-0" if draft.award is not None else f"kind-{draft.kind}"


async def _previewed(request: Request, looked: _Looked, draft: RulingDraft) -> RulingPreview:
    added = await _send(request, looked, draft, dry_run=True)
    return await request.service.run_in_thread(lambda: preview_of(added, looked.at.deal, request.lang))


def _send(request: Request, looked: _Looked, draft: RulingDraft, **how: Any) -> Awaitable[Added]:
    """Send the ruling to the writer; a form that is sent twice has the same id."""
    assert draft.kind is not None
    sent = RulingSent(
        id=next(entry_ids(request.data)),
        deal=looked.at.deal,
        kind=draft.kind,
        text=draft.text or _UNWRITTEN,
        rule=None if "rule-id" in draft.faults else draft.rule,
        deltas=draft.deltas,
        pool=draft.pool,
        award=draft.award,
        dispute=None if looked.sheet is None else looked.sheet.dispute.version,
        **how,
    )
    return give_ruling(request, looked.read.slug, sent, Expected(sent.expected_version), is_shown=True)


def _shown(
    request: Request,
    looked: _Looked,
    data: Mapping[str, str],
    faults: Mapping[str, str] | None = None,
    preview: RulingPreview | None = None,
    conflict: int | None = None,
) -> Response:
    """Return the page. `conflict`: the version that the reader had seen when somebody else recorded something."""
    read, at, lang = looked.read, looked.at, request.lang
    rows = seen(request).read_stream(TABLE.stream(read.slug))
    shown_rows = recorders_shown(rows, seen(request).display_names())
    signed = {row.version: Signature(row.recorded_by, row.recorded_at) for row in shown_rows}
    zone = None if looked.sheet is None else looked.sheet.zone
    rights = rights_of(request, read, at)
    shown = case_page_of(read, at, reader_of(request), rights, sheet=looked.sheet, about=looked.about, signed=signed)
    faults = {field: as_sentence(lang, text) for field, text in (faults or {}).items()}
    is_refused = bool(faults) and data.get("do") in (_RECORD, _PREVIEW)
    return html(
        request,
        "case.html",
        status=STATUSES["wrong_version"] if conflict is not None else STATUSES["malformed"] if is_refused else 200,
        shown=shown,
        heading=say(lang, "ruling.title" if looked.sheet is None else "case.title", deal=shown.title),
        form=ruling_form(data, read.fold, read.fold.deal(at.deal), shown.rules, faults, lang)
        if request.grant.at_least("director")
        else None,
        about=looked.about,
        sending=sending(looked.version),
        preview=preview,
        conflict=conflict,
        meanwhile=() if conflict is None else rulings_since(read, at.deal, conflict, signed, zone, lang),
        version=looked.version,
        back=at.deal_address(at.deal),
    )
