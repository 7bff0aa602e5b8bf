"""The page before a deal: seats, dealer and substitutions; it starts the deal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec
from msgspec import Struct

from ledger.errors import LedgerError, MalformedError
from ledger.events import CardsDealt, DealStarted, Event, PlayerSeated
from ledger.names import sorted_names
from ledger.recording.live import LiveTable
from ledger.recording.typed.situation import stage_of
from ledger.text.catalogue import title_of
from ledger.text.site.catalogue import phrase, say
from ledger.text.site.recorder.seats import roles_of, seated_players
from ledger.web.api.entries import may_open
from ledger.web.http.reading import seen
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
from ledger.web.pages.frame import below_cookie, below_of, elsewhere, html
from ledger.web.pages.shown_tables import defaults_of, titled

_NAME_CHARS: Final = 200


class StartQuery(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`dealer`: the seat that deals, if it is not the one due."""

    dealer: int | None = None


@page("/record/{table}/start", "recorder", query=StartQuery, rests_on="table", problems=("not_found",))
def start(request: Request, table: str) -> Response:
    """Show the table before the first deal."""
    return _shown(request, table, dealer=request.query.dealer)


@form("/record/{table}/start", "recorder", body=dict[str, str], problems=("not_found", "malformed"))
async def start_submitted(request: Request, table: str) -> Response:
    """Turn the picture, change seats, or start the deal."""
    form_data: Mapping[str, str] = request.data
    live = await request.service.run_in_thread(lambda: live_table(as_first_sent(request), table))
    seats = len(live.fold.players)
    here = f"/record/{live.slug}/start"
    if (below := seat_in_field(form_data, "below", seats)) is not None:
        return elsewhere(here, below_cookie(live.slug, below))
    dealer = seat_in_field(form_data, "dealer", seats)
    if form_data.get("do") == "dealer":
        return elsewhere(here if dealer is None else f"{here}?dealer={dealer}")
    try:
        names = await request.service.run_in_thread(lambda: seen(request).display_names())
        events = _events(live, form_data, names)
        others = live.dealer_due() not in (None, dealer)
        await record(request, (live.stream, events), as_played=form_data.get("do") == "begin" and others)
    except LedgerError as error:
        refusal = refusal_text(error, request.lang)
        return await request.service.run_in_thread(
            lambda: _shown(request, table, dealer=dealer, form_data=form_data, refusal=refusal)
        )
    return elsewhere(f"/record/{live.slug}" if form_data.get("do") == "begin" else here)


def _events(live: LiveTable, form_data: Mapping[str, str], names: Mapping[str, str]) -> Sequence[Event]:
    """Return the events to record. Raise `MalformedError` if the form has no choice."""
    fold = live.fold
    seats = len(fold.players)
    match form_data.get("do"):
        case "begin":
            dealer = seat_in_field(form_data, "dealer", seats)
            return [DealStarted(deal=_number(live), dealer=dealer_due(live) if dealer is None else dealer)]
        case "swap":
            one, other = seat_in_field(form_data, "one", seats), seat_in_field(form_data, "other", seats)
            if one is None or other is None or one == other:
                raise _wanted("start.two_seats")
            return [
                PlayerSeated(seat=one, player=fold.players[other]),
                PlayerSeated(seat=other, player=fold.players[one]),
            ]
        case "seat":
            seat, name = seat_in_field(form_data, "seat", seats), form_data.get("name", "")
            if seat is None or not name or len(name) > _NAME_CHARS:
                raise _wanted("start.seat_and_name")
            meant = next((player for player, shown in names.items() if shown == name), name)
            if any(player == meant for place, player in enumerate(fold.players) if place != seat):
                raise _wanted("start.sits_already")
            return [PlayerSeated(seat=seat, player=meant)]
    raise _wanted("start.nothing_chosen")


def _wanted(key: str) -> MalformedError:
    """Return the error for an incomplete form."""
    return MalformedError(phrase(key))


def _number(live: LiveTable) -> int:
    return live.fold.deals[-1].number + 1 if live.fold.deals else 1


def _begins(live: LiveTable, dealer: int) -> int | None:
    """Return the seat that acts first with this dealer."""
    players = live.fold.players
    dealt = CardsDealt(hands=(None,) * len(players))
    return live.preview([DealStarted(deal=_number(live), dealer=dealer), dealt]).turn()


def _shown(
    request: Request,
    table: str,
    *,
    dealer: int | None,
    form_data: Mapping[str, str] = {},
    refusal: str | None = None,
) -> Response:
    live = live_table(request, table)
    fold, lang = live.fold, request.lang
    players = shown_names(request, fold.players)
    stage = stage_of(live.fold)
    below = below_of(request, live.slug, len(players))
    if stage != "between":
        dealer = fold.deals[-1].dealer if fold.deals else 0
    elif dealer is None or not 0 <= dealer < len(players):
        dealer = dealer_due(live)
    around = seated_players(players, fold.game, below, dealer)
    begin = DealStarted(deal=_number(live), dealer=dealer)
    begins = _begins(live, dealer) if stage == "between" else None
    roles = roles_of(fold.game, dealer, len(players))
    who = {"deals": dealer, "cuts": roles.cuts, "leads": roles.leads}
    if begins != roles.leads:
        who["begins"] = begins
    key = "start.goes_right" if fold.game.goes_to_the_right else "start.goes_left"
    return html(
        request,
        "start_deal.html",
        status=200 if refusal is None else 422,
        table=live.slug,
        table_title=titled(request, live.slug, fold.opened.session),
        opened=live.recorded_since(0)[0].id,
        by=request.grant.recorded_by,
        game=fold.game.name,
        title=title_of(fold.game, lang),
        deal=begin.deal,
        stage=stage,
        around=around,
        next_below=(below + 1) % len(players),
        direction=say(lang, key, game=title_of(fold.game, lang), name=around[0].name, next=around[1].name),
        players=players,
        dealer=dealer,
        who=[(say(lang, f"start.{does}"), players[seat]) for does, seat in who.items() if seat is not None],
        acts=msgspec.json.encode([begin]).decode(),
        told_begin=say(lang, "start.told_begin", deal=begin.deal, name=players[dealer]),
        is_first=not fold.deals,
        session=fold.opened.session,
        may_open=may_open(request.grant),
        known=known_names(request),
        form_data=form_data,
        refusal=refusal,
        sending=sending(live.version),
    )


def known_names(request: Request) -> list[str]:
    """Return the players of the newest tables, by display name."""
    names = seen(request).display_names()
    return sorted_names({names.get(player, player) for player in defaults_of(request).players}, request.lang)
