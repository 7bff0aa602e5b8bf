"""The acts of the deal so far, to undo or to restore, without any script."""

from __future__ import annotations

from msgspec import Struct

from ledger.errors import ConflictError
from ledger.recording.correcting import CorrectionAction
from ledger.recording.moved_seats import EntryCorrection
from ledger.streams import TABLE
from ledger.text.catalogue import title_of
from ledger.text.site.catalogue import say
from ledger.text.site.recorder.acts import act_formatter_of, deal_history
from ledger.web.api.corrections import correct_acts
from ledger.web.http.reading import read_now, seen, version_of
from ledger.web.http.request import Request
from ledger.web.http.response import Response
from ledger.web.http.routing import form, page
from ledger.web.pages.forms import IDS, entry_ids, sending
from ledger.web.pages.frame import elsewhere, html
from ledger.web.pages.record import signed_by
from ledger.web.pages.shown_tables import titled

_ACTS = 1_000
"""The most entries that are undone at once."""


class DealQuery(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`meanwhile`: somebody recorded something before the form was sent."""

    meanwhile: bool = False


class UndoSent(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The fields of a button in the list. `strike`: versions, last first, separated by blanks; `restore`: one version.

    `version`: of the last entry that the reader has seen.
    """

    version: int
    ids: str = ""
    strike: str = ""
    restore: str = ""


@page("/record/{table}/deal", "recorder", query=DealQuery, rests_on="table", problems=("not_found",))
def record_deal(request: Request, table: str) -> Response:
    """Show the acts of the deal, last act first; own acts may be undone."""
    read = read_now(request, table)
    fold, lang = read.fold, request.lang
    rows = seen(request).read_stream(TABLE.stream(read.slug))
    formatter = act_formatter_of(fold, lang)
    grant = request.grant
    game = title_of(fold.game, lang)
    return html(
        request,
        "record_deal.html",
        table=read.slug,
        table_title=titled(request, read.slug, fold.opened.session),
        acts=deal_history(
            fold, signed_by(request, rows), grant.recorded_by, formatter, is_director=grant.at_least("director")
        ),
        sending=sending(version_of(request, read)),
        meanwhile=request.query.meanwhile,
        heading=say(lang, "rec.title", game=game, deal=fold.deals[-1].number) if fold.deals else game,
    )


@form("/record/{table}/deal", "recorder", body=UndoSent, problems=("not_found", "malformed", "wrong_version"))
async def record_deal_undone(request: Request, table: str) -> Response:
    """Undo acts, the last one first, all or none, or restore one."""
    undone: UndoSent = request.data
    slug = TABLE.slug(table)
    steps: list[tuple[CorrectionAction, str]] = [("strike", one) for one in undone.strike.split()[:_ACTS]]
    steps += [("restore", one) for one in undone.restore.split()[:1]]
    changes = [EntryCorrection(int(one), action) for action, one in steps if _is_version(one)]
    reason, id = say(request.lang, "rec.undone"), next(entry_ids({IDS: undone.ids}))
    try:
        if changes:
            await correct_acts(request, slug, changes, reason, id=id, expected_version=undone.version)
    except ConflictError as error:
        if error.code not in ("wrong_version", "id_used"):
            raise
        return elsewhere(f"/record/{slug}/deal?meanwhile=true")
    return elsewhere(f"/record/{slug}/deal")


def _is_version(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 10
