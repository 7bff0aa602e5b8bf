"""The table's paper sheet compared with the rules, and what to do if they differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import structs

from ledger.errors import LedgerError
from ledger.events import DisputeRaised, Event, ScoreClaimed
from ledger.i18n import sentence
from ledger.limits import TEXT_CHARS
from ledger.recording.live import LiveTable
from ledger.table.fold import DealRecord
from ledger.table.score import score_lines
from ledger.text.audit import in_one_line
from ledger.text.cards import amounts_text
from ledger.text.catalogue import label, title_of
from ledger.text.score import payments_of
from ledger.text.site.catalogue import say
from ledger.text.site.recorder.score_sheet import SheetAmounts, guess, parse_amounts, rows
from ledger.web.http.request import Request
from ledger.web.http.response import Response
from ledger.web.http.routing import form, page
from ledger.web.pages.forms import live_table, record, refusal_text, seat_in_field, sending, shown_names
from ledger.web.pages.frame import elsewhere, html

_RECORDS: Final = frozenset(("right", "keep", "call"))


@page("/record/{table}/sheet", "recorder", rests_on="table", problems=("not_found",))
def sheet(request: Request, table: str) -> Response:
    """Show the score of the last deal by the rules, and fields for the paper sheet."""
    return _shown(request, table, {})


@form("/record/{table}/sheet", "recorder", body=dict[str, str], problems=("not_found", "malformed"))
async def sheet_filled_in(request: Request, table: str) -> Response:
    """Show the comparison, or record the chosen outcome."""
    form_data: Mapping[str, str] = request.data
    if form_data.get("do") not in _RECORDS:
        return await request.service.run_in_thread(lambda: _shown(request, table, form_data))
    live = await request.service.run_in_thread(lambda: live_table(request, table))
    last = _last(live)
    events = [] if last is None else _events(request, live, last, form_data)
    if not events:
        return await request.service.run_in_thread(lambda: _shown(request, table, form_data, is_final=True))
    try:
        await record(request, (live.stream, events), as_played=True)
    except LedgerError as error:
        refusal = refusal_text(error, request.lang)
        return await request.service.run_in_thread(lambda: _shown(request, table, form_data, refusal=refusal))
    return elsewhere(f"/record/{live.slug}")


def _last(live: LiveTable) -> DealRecord | None:
    """Return the last deal if it is over; no other one can have a sheet."""
    settled = live.settled
    if not settled.deals or settled.deals[-1].settlement is None or live.fold.deals[-1].machine.status == "open":
        return None
    return settled.deals[-1]


def _events(request: Request, live: LiveTable, last: DealRecord, form_data: Mapping[str, str]) -> list[Event]:
    """Return the events to record: the score of the sheet or of the rules, and a dispute if called for.

    Empty if the sheet cannot be read.
    """
    settlement = last.settlement
    assert settlement is not None
    typed = parse_amounts(form_data, len(last.players))
    if form_data["do"] == "right":
        return [ScoreClaimed(deltas=tuple(settlement.deltas))]
    claim = _claim(typed)
    if form_data["do"] == "keep":
        return [] if claim is None else [claim]
    if typed.wrong or (claim is None and not typed.is_empty):
        return []
    text = form_data.get("text", "")[:TEXT_CHARS] or _about(request, last, claim)
    whose = seat_in_field(form_data, "seat", len(last.players))
    return [*([] if claim is None else [claim]), DisputeRaised(deal=last.number, text=text, seat=whose)]


def _claim(typed: SheetAmounts) -> ScoreClaimed | None:
    """Return the sheet as an event; None if a number is missing or invalid."""
    if not typed.is_whole:
        return None
    return ScoreClaimed(deltas=tuple(one for one in typed.deltas if one is not None), pool=typed.pool)


def _about(request: Request, last: DealRecord, claim: ScoreClaimed | None) -> str:
    """Return the text of a dispute for which nobody typed one."""
    assert last.settlement is not None
    players = shown_names(request, last.players)
    rules = amounts_text(last.settlement.deltas, players, request.lang)
    if claim is None or claim.deltas is None:
        return say(request.lang, "sheet.dispute_without", rules=rules)
    return say(request.lang, "sheet.dispute", sheet=amounts_text(claim.deltas, players, request.lang), rules=rules)


def _reasons(live: LiveTable, claim: ScoreClaimed | None, players: Sequence[str], lang: str) -> list[tuple[str, str]]:
    """Return the rule breaks that recording the sheet would cause, each with its rule."""
    if claim is None:
        return []
    ahead = live.preview([claim])
    fold = ahead.settled
    violations = [one for one in fold.deals[-1].violations if one.version > live.version and one.severity != "info"]
    sentences = [
        (one.rule, sentence(fold.game.package, one.words, players, lang, is_written=True)) for one in violations
    ]
    return list(in_one_line(sentences, lambda one: one, lambda one, message: (one[0], message), lang))


def _shown(
    request: Request,
    table: str,
    form_data: Mapping[str, str],
    *,
    refusal: str | None = None,
    is_final: bool = False,
) -> Response:
    live = live_table(request, table)
    lang, game, last = request.lang, live.fold.game, _last(live)
    shown: dict[str, Any] = {
        "status": 422 if is_final or refusal is not None else 200,
        "table": live.slug,
        "title": title_of(game, lang),
        "game": game.name,
        "refusal": refusal,
        "sending": sending(live.version),
        "deal": None if last is None else last.number,
    }
    if last is None:
        return html(request, "score_sheet.html", **shown)
    assert last.settlement is not None
    players = shown_names(request, last.players)
    typed = parse_amounts(form_data, len(players))
    if is_final and form_data.get("do") == "keep":
        typed = structs.replace(typed, wrong=typed.wrong | typed.left_out)
    claim = _claim(typed)
    sheet_rows = rows(last, players, form_data, typed, label(lang, "pool"), lang)
    return html(
        request,
        "score_sheet.html",
        **shown,
        rows=sheet_rows,
        players=players,
        lines=list(
            payments_of(score_lines(live.settled, last.settlement.lines, players, lang, is_written=True), players, lang)
        ),
        reasons=_reasons(live, claim, players, lang),
        guess=guess(last.settlement.deltas, typed, lang),
        differs=any(row.differs for row in sheet_rows),
        is_empty=typed.is_empty,
        is_whole=claim is not None,
        missing=is_final and claim is None,
        form_data=form_data,
    )
