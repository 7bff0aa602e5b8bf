"""The form for a result without the play: the game's questions, and the score before it is recorded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from ledger.errors import LedgerError, MalformedError
from ledger.events import DealStarted, Event, ResultRecorded
from ledger.games.kernel.result_form import ResultForm
from ledger.recording.forms import result_form
from ledger.recording.live import LiveTable
from ledger.recording.typed.situation import stage_of
from ledger.table.score import points_of
from ledger.text.catalogue import title_of
from ledger.text.site.recorder.score_sheet import ScoredDeal, result_form_view, scored_deal, unanswered
from ledger.web.http.request import Request
from ledger.web.http.response import Response
from ledger.web.http.routing import form, page
from ledger.web.pages.forms import (
    as_first_sent,
    dealer_due,
    live_table,
    record,
    refusal_text,
    seat_in_field,
    sending,
    shown_names,
)
from ledger.web.pages.frame import elsewhere, html

_DEALER = "dealer"


class ResultQuery(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`done`: the deal that was recorded just now."""

    done: int | None = None


@page("/record/{table}/result", "recorder", query=ResultQuery, rests_on="table", problems=("not_found",))
def result(request: Request, table: str) -> Response:
    """Show the form for the result of the next deal, or of the one that has begun."""
    return _shown(request, table, {})


@form("/record/{table}/result", "recorder", body=dict[str, str], problems=("not_found", "malformed"))
async def result_filled_in(request: Request, table: str) -> Response:
    """Show the form as far as it is filled in with its score, or record it."""
    form_data: Mapping[str, str] = request.data
    if form_data.get("do") != "record":
        return await request.service.run_in_thread(lambda: _shown(request, table, form_data))
    live = await request.service.run_in_thread(lambda: live_table(as_first_sent(request), table))
    try:
        deal, events = _events(live, form_data)
        if events is None:
            return await request.service.run_in_thread(lambda: _shown(request, table, form_data, status=422))
        await record(request, (live.stream, events), as_played=_is_other_dealer(live, form_data))
    except LedgerError as error:
        refusal = refusal_text(error, request.lang)
        typed = {} if error.code == "id_used" else form_data  # else they would be offered for the next deal
        return await request.service.run_in_thread(lambda: _shown(request, table, typed, refusal=refusal, status=422))
    return elsewhere(f"/record/{live.slug}/result?done={deal}")


def _dealer(live: LiveTable, form_data: Mapping[str, str]) -> int:
    """Return the dealer: of the open deal, else the chosen one, else the one due."""
    seats = len(live.fold.players)
    if stage_of(live.fold) != "between":
        return live.fold.deals[-1].dealer if live.fold.deals else 0
    if (chosen := seat_in_field(form_data, _DEALER, seats)) is not None:
        return chosen
    return dealer_due(live)


def _is_other_dealer(live: LiveTable, form_data: Mapping[str, str]) -> bool:
    """Return whether a player deals who is not due: a fault, which is recorded as it happened."""
    return stage_of(live.fold) == "between" and live.dealer_due() not in (None, _dealer(live, form_data))


def _number(live: LiveTable) -> int:
    deals = live.fold.deals
    return (deals[-1].number if deals else 0) + (stage_of(live.fold) == "between")


def _form(live: LiveTable, form_data: Mapping[str, str]) -> ResultForm:
    fold = live.fold
    return result_form(fold.game, form_data, fold.options, len(fold.players), _dealer(live, form_data))


def _events(live: LiveTable, form_data: Mapping[str, str]) -> tuple[int, Sequence[Event] | None]:
    """Return the deal and its events; None while answers are missing. Raise `MalformedError`."""
    fold, deal, dealer = live.fold, _number(live), _dealer(live, form_data)
    outcome = _form(live, form_data).outcome
    if outcome is None:
        return deal, None
    fold.game.check_outcome(dict(outcome), fold.options, len(fold.players), dealer)
    started = [DealStarted(deal=deal, dealer=dealer)] if stage_of(live.fold) == "between" else []
    return deal, [*started, ResultRecorded(outcome=dict(outcome))]


def _question_at_fault(form: ResultForm, error: MalformedError) -> str | None:
    """Return the first question about the wrong field of the outcome."""
    field = (error.faulty_field or "").removeprefix("outcome.").partition("[")[0]
    return next((one.name for one in form.questions if one.name.partition(".")[0] == field), None)


def _shown(
    request: Request, table: str, form_data: Mapping[str, str], *, refusal: str | None = None, status: int = 200
) -> Response:
    live = live_table(request, table)
    fold, lang = live.fold, request.lang
    players = shown_names(request, fold.players)
    score: ScoredDeal | None = None
    form = _form(live, form_data)
    faults = unanswered(form, lang) if form_data.get("do") == "record" else {}
    try:
        _, events = _events(live, form_data)
        if events is not None:
            ahead = live.preview(events).settled
            score = scored_deal(ahead.deals[-1], fold.game, points_of(ahead, ahead.players), players, lang)
    except MalformedError as error:
        if (question := _question_at_fault(form, error)) is None:
            refusal = refusal or refusal_text(error, lang)
        else:
            refusal, faults[question] = None, refusal_text(error, lang)
    return html(
        request,
        "record_result.html",
        status=status,
        table=live.slug,
        title=title_of(fold.game, lang),
        deal=_number(live),
        stage="begun" if fold.deals and stage_of(live.fold) == "acts" else stage_of(live.fold),
        players=players,
        dealer=_dealer(live, form_data),
        form=result_form_view(form, fold.game, players, lang, faults),
        is_wrong=bool(faults or refusal),
        score=score,
        refusal=refusal,
        done=_done(request, live),
        sending=sending(live.version),
    )


def _done(request: Request, live: LiveTable) -> dict[str, Any] | None:
    """Return the deal that was recorded just now."""
    number = getattr(request.query, "done", None)
    settled = live.settled
    if not settled.deals or settled.deals[-1].number != number or settled.deals[-1].settlement is None:
        return None
    record_of = settled.deals[-1]
    players = shown_names(request, record_of.players)
    return {
        "deal": number,
        "score": scored_deal(record_of, live.fold.game, points_of(settled, record_of.players), players, request.lang),
        "is_over": settled.match.is_over,
    }
