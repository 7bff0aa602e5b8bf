"""The page that changes one act of the deal: it offers alternatives and previews their effect."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from msgspec import Struct

from ledger.errors import ConflictError, LedgerError, MalformedError
from ledger.events import Slug
from ledger.log.append_rules import new_id
from ledger.recording.correcting import EntryReference
from ledger.recording.moved_seats import EntryCorrection
from ledger.streams import TABLE
from ledger.text.site.catalogue import say
from ledger.text.site.recorder.acts import PURPOSES, ActFormatter, act_formatter_of, may_strike
from ledger.text.site.recorder.change_act import ProposedChange, Selection, preview_of, proposed_change
from ledger.web.api.corrections import check_may_change, correct_acts
from ledger.web.http.reading import read_now, seen
from ledger.web.http.request import Request, number_of
from ledger.web.http.response import Response
from ledger.web.http.routing import form, page
from ledger.web.pages.forms import refusal_text, sending
from ledger.web.pages.frame import elsewhere, html
from ledger.web.pages.record import signed_by

_PATH: Final = "/record/{table}/deal/{version}"


class ActQuery(Selection, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The choices made so far."""


class ActSent(Selection, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The change to record. `version`: of the last entry that the reader has seen."""

    version: int
    ids: str = ""


class _Looked(Struct, frozen=True):
    """An act as its recorder sees it. `choice`: None if it cannot be changed."""

    slug: Slug
    version: int
    by: str
    act: str
    word: str
    formatter: ActFormatter
    is_card: bool
    choice: ProposedChange | None


@page(_PATH, "recorder", query=ActQuery, rests_on="table", problems=("not_found",))
async def record_act(request: Request, table: str, version: str) -> Response:
    """Show the alternatives to an act and the effect of the chosen one, or of striking the act."""
    return await _shown(request, table, version, request.query)


@form(_PATH, "recorder", body=ActSent, problems=("not_found", "malformed", "wrong_version"))
async def record_act_changed(request: Request, table: str, version: str) -> Response:
    """Record the change, unless somebody recorded something since it was shown."""
    sent: ActSent = request.data
    looked = await request.service.run_in_thread(lambda: _looked(request, table, version, sent))
    if looked.choice is not None and looked.choice.changes:
        ids = sent.ids.split()
        try:
            await correct_acts(
                request, looked.slug, looked.choice.changes, _reason(looked, sent, request.lang),
                id=ids[0] if ids else new_id(), expected_version=sent.version,
            )  # fmt: skip
        except (ConflictError, MalformedError) as error:
            return await _shown(request, table, version, sent, error)
    return elsewhere(f"/record/{looked.slug}/deal")


def _reason(looked: _Looked, chosen: Selection, lang: str) -> str:
    if chosen.action != "replace":
        return say(lang, "rec.undone")
    return say(lang, "rec.was_another_card" if looked.is_card else "rec.was_another_act")


def _looked(request: Request, table: str, version: str, chosen: Selection) -> _Looked:
    at = number_of(version, "version")
    read = read_now(request, table)
    fold, grant = read.fold, request.grant
    EntryReference(version=at).place(fold)
    rows = seen(request).read_stream(TABLE.stream(read.slug))
    check_may_change(grant, fold, at, rows)
    signed = signed_by(request, rows)
    formatter = act_formatter_of(fold, request.lang)
    is_director = grant.at_least("director")
    event = next((event for entries in (fold.entries, fold.recorded) for one, event in entries if one == at), None)
    choice = proposed_change(
        fold, at, chosen, formatter, lambda other: is_director or may_strike(other, fold, signed, grant.recorded_by)
    )
    return _Looked(
        slug=read.slug,
        version=at,
        by=signed[at].name if at in signed else "",
        act="" if event is None else formatter.with_name(event),
        word="" if event is None else formatter.action(event),
        formatter=formatter,
        is_card=type(event) in PURPOSES,
        choice=choice if at > 1 else None,  # the opening of the table cannot change
    )


async def _shown(
    request: Request, table: str, version: str, chosen: Selection, refusal: LedgerError | None = None
) -> Response:
    looked = await request.service.run_in_thread(lambda: _looked(request, table, version, chosen))
    choice = looked.choice
    if choice is None:
        return elsewhere(f"/record/{looked.slug}/deal")
    status = 200 if refusal is None else 422
    shown: dict[str, Any] = {"preview": None}
    if choice.changes:
        try:
            shown = await _preview(request, looked, choice.changes, chosen)
        except (ConflictError, MalformedError) as error:
            refusal = refusal or error
    lang = request.lang
    return await request.service.run_in_thread(
        lambda: html(
            request,
            "change_act.html",
            status=status,
            table=looked.slug,
            entry=looked.version,
            by=looked.by,
            act=looked.act,
            title=_title(looked, chosen, lang),
            chooser=choice.chooser,
            refusal=None if refusal is None else refusal_text(refusal, lang),
            **shown,
        )
    )


def _title(looked: _Looked, chosen: Selection, lang: str) -> str:
    if chosen.action == "strike":
        return say(lang, "rec.undo_what", what=looked.word)
    if chosen.action == "restore":
        return say(lang, "rec.read_again")
    return say(lang, "rec.another_card" if looked.is_card else "rec.another_act")


async def _preview(
    request: Request, looked: _Looked, changes: Sequence[EntryCorrection], chosen: Selection
) -> dict[str, Any]:
    """Return what would be read differently, and the hidden fields of the form that records it."""
    reason = _reason(looked, chosen, request.lang)
    added = await correct_acts(request, looked.slug, changes, reason, id=new_id(), dry_run=True)
    return {
        "preview": await request.service.run_in_thread(lambda: preview_of(added, changes, looked.formatter)),
        "sending": sending(len(added.before.recorded)),
        "sent": chosen,
        "button": {"strike": "rec.undo_this", "restore": "rec.read_again"}.get(chosen.action, "rec.change_it"),
    }
