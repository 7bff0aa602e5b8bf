"""The entries of a deal, and the form that corrects any entry of a table, with a preview."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from ledger.errors import ConflictError, MalformedError, NotFoundError
from ledger.events import Slug
from ledger.log.base import Row
from ledger.recording.adding import Added
from ledger.recording.correcting import CorrectionAction, check_is_original
from ledger.recording.moved_seats import EntryCorrection
from ledger.streams import TABLE
from ledger.table.repository import TableAsRead, recorders_shown
from ledger.text.site.catalogue import as_sentence, say
from ledger.text.site.desk.entries import EntryView, entries_of, entry_of
from ledger.text.site.recorder.acts import act_formatter_of
from ledger.text.site.recorder.change_act import ChangePreview, preview_of
from ledger.web.api.corrections import CorrectionSent, correct_entry
from ledger.web.http.etags import Expected
from ledger.web.http.problems import STATUSES
from ledger.web.http.reading import read_now, seen
from ledger.web.http.request import Request, number_of
from ledger.web.http.response import Response
from ledger.web.http.routing import form, page
from ledger.web.pages.forms import VERSION, entry_ids, refusal_text, sending
from ledger.web.pages.frame import elsewhere, html
from ledger.web.pages.shown_tables import titled

_CORRECT: Final = "/t/{table}/entries/{version}/correct"
_ACTIONS: Final = ("replace", "insert_after", "strike", "restore")
_FIELDS: Final = ("action-replace", "words", "reason")
"""The ids of the fields with messages, in the order of the form."""

_WITH_WORDS: Final = frozenset(("replace", "insert_after"))
_UNWRITTEN: Final = "–"
"""The reason in a preview, before the director has written one."""

_REASON_CHARS: Final = 1_000


@page("/t/{table}/{deal}/entries", "director", rests_on="table", problems=("not_found",))
def entries(request: Request, table: Slug, deal: str) -> Response:
    """Show the entries of a deal as written and as read, each with a link to correct it."""
    read, number = read_now(request, table), number_of(deal, "deal")
    rows = _rows(request, read)
    title = titled(request, read.slug, read.fold.opened.session)
    return html(
        request,
        "correct_entry_list.html",
        title=say(request.lang, "replay.deal_of", table=title, deal=number),
        entries=entries_of(read, number, rows, request.lang),
        table=read.slug,
        deal=number,
        neighbours=[one.number for one in read.fold.deals if abs(one.number - number) == 1],
    )


@page(_CORRECT, "director", rests_on="table", problems=("not_found",))
def correction(request: Request, table: Slug, version: str) -> Response:
    """Show an entry and the form that corrects it."""
    return _shown(request, table, version, {}, {}, None)


@form(_CORRECT, "director", body=dict[str, str], problems=("not_found", "malformed", "wrong_version"))
async def correction_submitted(request: Request, table: Slug, version: str) -> Response:
    """Show what a correction would change, or record it."""
    form_data: Mapping[str, str] = request.data
    lang, in_thread = request.lang, request.service.run_in_thread
    entry = await in_thread(lambda: _entry(request, table, version))
    faults = _faults(form_data, lang)
    is_final = form_data.get("do") == "record"
    is_conflict, preview = False, None
    field = "words" if form_data.get("action") in _WITH_WORDS else "action-replace"
    if is_final and not faults and form_data.get(VERSION):
        try:
            await _send(request, table, entry, expected_version=number_of(form_data[VERSION], VERSION))
        except ConflictError as error:
            is_conflict = error.code == "wrong_version"
            if not is_conflict:
                faults[field] = refusal_text(error, lang)
            request = request.replace(visible=request.service.visible)
        except (MalformedError, NotFoundError) as error:
            faults[field] = refusal_text(error, lang)
        else:
            deal = entry.deal
            return elsewhere(f"/t/{table}" if deal is None else f"/t/{table}/{deal}/entries#e{entry.version}")
    if not {"action-replace", "words"} & set(faults):
        try:
            added = await _send(request, table, entry, dry_run=True)
            preview = await in_thread(lambda: _previewed(request, table, entry, added))
        except (ConflictError, MalformedError, NotFoundError) as error:
            faults[field] = refusal_text(error, lang)
    if not is_final:
        faults.pop("reason", None)  # a preview needs no reason yet
        if form_data.get("do") != "preview":
            faults = {name: text for name, text in faults.items() if name == "words" and form_data.get("words")}
    return await in_thread(lambda: _shown(request, table, version, form_data, faults, preview, is_conflict=is_conflict))


def _rows(request: Request, read: TableAsRead) -> Sequence[Row]:
    store = seen(request)
    return recorders_shown(store.read_stream(TABLE.stream(read.slug)), store.display_names())


def _entry(request: Request, table: Slug, version: str) -> EntryView:
    """Return the entry. Raise `NotFoundError` if it does not exist or is itself a correction."""
    read, at = read_now(request, table), number_of(version, "version")
    check_is_original(read.fold.recorded, at)
    return entry_of(read, at, _rows(request, read), request.lang)


def _faults(form_data: Mapping[str, str], lang: str) -> dict[str, str]:
    faults = {}
    if form_data.get("action") not in _ACTIONS:
        faults["action-replace"] = say(lang, "entries.choose")
    elif form_data["action"] in _WITH_WORDS and not form_data.get("words", "").strip():
        faults["words"] = say(lang, "entries.write_words")
    if not form_data.get("reason", "").strip():
        faults["reason"] = say(lang, "entries.write_reason")
    return faults


async def _send(request: Request, table: Slug, entry: EntryView, **how: Any) -> Added:
    """Send the correction to the writer; the page itself confirms corrections of disputes and rulings."""
    form_data: Mapping[str, str] = request.data
    action = cast(CorrectionAction, form_data["action"])
    sent = CorrectionSent(
        id=next(entry_ids(form_data)),
        action=action,
        version=entry.version,
        words=form_data["words"] if action in _WITH_WORDS else None,
        reason=form_data.get("reason", "").strip()[:_REASON_CHARS] or _UNWRITTEN,
        confirm=True,
        keep_seats=bool(form_data.get("keep_seats")),
        **how,
    )
    return await correct_entry(request, table, sent, Expected(sent.expected_version), is_shown=True)


def _previewed(request: Request, table: Slug, entry: EntryView, added: Added) -> ChangePreview:
    action = cast(CorrectionAction, request.data["action"])
    formatter = act_formatter_of(read_now(request, table).fold, request.lang)
    return preview_of(added, [EntryCorrection(entry.version, action)], formatter)


def _shown(
    request: Request,
    table: Slug,
    version: str,
    form_data: Mapping[str, str],
    faults: Mapping[str, str],
    preview: ChangePreview | None,
    *,
    is_conflict: bool = False,
) -> Response:
    read, entry = read_now(request, table), _entry(request, table, version)
    seen_version, last = form_data.get(VERSION, ""), len(read.fold.recorded)
    title = titled(request, read.slug, read.fold.opened.session)
    faulty = {field: as_sentence(request.lang, faults[field]) for field in _FIELDS if field in faults}
    is_sent = bool(form_data.get("do"))  # a script asks for the preview without a button
    return html(
        request,
        "correct_entry.html",
        status=STATUSES["wrong_version"] if is_conflict else STATUSES["malformed"] if faulty and is_sent else 200,
        entry=entry,
        table=read.slug,
        table_title=title,
        actions=[one for one in _ACTIONS if one != "restore" or entry.correction],
        chosen=form_data.get("action", ""),
        words=form_data.get("words", "") if form_data else entry.words,
        reason=form_data.get("reason", ""),
        keep_seats=bool(form_data.get("keep_seats")),
        faults=faulty,
        preview=preview,
        is_conflict=is_conflict,
        first=int(seen_version) + 1 if is_conflict else 0,
        last=last,
        sending=sending(last),
        back=f"/t/{read.slug}" if entry.deal is None else f"/t/{read.slug}/{entry.deal}/entries",
    )
