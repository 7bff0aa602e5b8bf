"""What a form for the result of a deal of Kop or Baśka asks (KOP-7.1 to 7.6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from msgspec import UnsetType

from ledger.games.kernel.result_form import Asking, ResultForm
from ledger.games.kop.options import KopOptions
from ledger.games.kop.outcome import BASKA_CONTRACTS, PAIR_CONTRACTS
from ledger.games.kop.pack import ALL_POINTS, DU_CONTRACTS, SEATS, TRICKS, Contract
from ledger.i18n import Words


def result_form(told: Mapping[str, str], options: KopOptions, seats: int, dealer: int) -> ResultForm:
    """Who played what, alone or with whom, how often it was doubled, and what the side took; the rest follows."""
    ask = Asking(told)
    known = [one for one in get_args(Contract) if options.is_baska or one not in BASKA_CONTRACTS]  # KOP-4.3, 4.4
    contract = ask.word("contract", Words("result.contract"), known)
    first = ask.seat("declarers.0", Words("result.who_played"), range(SEATS))
    declarers = [first]
    if contract in PAIR_CONTRACTS:  # KOP-5.2
        others = [seat for seat in range(SEATS) if seat != first]
        declarers.append(ask.seat("declarers.1", Words("result.partner"), others))
    facts: dict[str, Any] = {"contract": contract, "declarers": declarers}
    if contract == "baska":  # KOP-7.6: it is laid open, and won
        return ask.form(facts)
    doublings = ask.number("doublings", Words("result.doublings"), range(options.max_doublings + 1), default="0")
    stopped = contract in DU_CONTRACTS and ask.truth("stopped", Words("result.stopped"), is_rare=True)
    tricks = _tricks(ask, stopped)
    points = ask.amount("card_points.0", Words("result.points"), 0, ALL_POINTS)
    if stopped:
        others_points = ask.amount("card_points.1", Words("result.points_of_others"), 0, ALL_POINTS)
    else:
        others_points = ALL_POINTS - points if isinstance(points, int) else points
        ask.follows(Words("result.rest_of_others", {"points": others_points, "tricks": tricks[1]}))
    return ask.form(
        {
            **facts,
            "doublings": doublings,
            "card_points": [points, others_points],
            "tricks": tricks,
            "stopped": stopped,
        }
    )


def _tricks(ask: Asking, stopped: bool) -> list[int | UnsetType | None]:
    """Of the declarer side, then of the others; where the deal was stopped, some are missing (KOP-6.15)."""
    own = ask.number("tricks.0", Words("result.tricks"), range(TRICKS + 1))
    if not stopped:
        return [own, TRICKS - own if isinstance(own, int) else own]
    left = TRICKS - own if isinstance(own, int) else TRICKS
    return [own, ask.number("tricks.1", Words("result.tricks_of_others"), range(left + 1))]
