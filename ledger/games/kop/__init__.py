"""Kop and its sister game Baśka: four players, sixteen cards, secret partners (rulebook `rules.md`, prefix KOP)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, Literal, cast

from ledger.errors import MalformedError
from ledger.events import Announced, BidMade, CardPlayed, CardsDealt, Event
from ledger.games.kernel.protocol import INTERFACE, Game
from ledger.games.kernel.refusals import (
    bad_option,
    missing_speaker,
    names,
    no_seats,
    options_from,
    part_of_event,
    wrong_number_of_players,
)
from ledger.games.kop.auction import CALLS
from ledger.games.kop.irregularities import IMPOSSIBLE
from ledger.games.kop.match import KopMatch
from ledger.games.kop.options import BaskaOptions, KopOptions, phrase
from ledger.games.kop.outcome import KopOutcome, KopSheet, checked_outcome, result_form, summarise
from ledger.games.kop.pack import PACK, SCHEMES, SEATS, cutter, first_leader
from ledger.games.kop.scoring import stakes
from ledger.games.kop.simulation import KopSimulation
from ledger.i18n import Phrase
from ledger.validation import converted


def _check_players(players: int) -> None:
    if players != SEATS:
        raise wrong_number_of_players(players, names([SEATS], "KOP-2.1"))


def make_options(raw: Mapping[str, Any], players: int) -> KopOptions:
    """Return the options of a Kop table with defaults (KOP section 9). Raise `MalformedError` for invalid ones."""
    _check_players(players)
    return options_from(raw, KopOptions)


def make_baska_options(raw: Mapping[str, Any], players: int) -> BaskaOptions:
    """Return the options of a Baśka table, whose auction is always official (KOP-4.23).

    Raise `MalformedError` for invalid ones.
    """
    _check_players(players)
    options = options_from(raw, BaskaOptions)
    if options.is_free:
        expected = phrase("refusal.order_of_baska", order="official", rule="KOP-4.23")
        raise bad_option("auction_order", expected, options.auction_order)
    return options


def check_outcome(raw: Mapping[str, Any], options: KopOptions, players: int, dealer: int) -> KopOutcome:
    """Return a recorded result, complete (KOP section 7). Raise `MalformedError` if its facts contradict each other."""
    return checked_outcome(converted(raw, KopOutcome, "outcome"), options)


def check_event(event: Event) -> None:
    """Reject fields that mean nothing here: a card with a call other than wesele, several seats that do not concede."""
    kind = type(event)  # isinstance takes ten times as long on Structs
    if kind is BidMade:
        bid = cast(BidMade, event)
        if bid.card is not None and bid.call != "wesele":
            raise _unused_part("call_card", bid.call, phrase("refusal.a_jack", call="wesele"), bid.card)
    if kind is Announced:
        announced = cast(Announced, event)
        if announced.seats is not None and announced.what != "concede":
            raise _unused_part("several_seats", announced.what, no_seats(), str(list(announced.seats)))
        if announced.seat is None and announced.seats is None and announced.what != "stop":
            raise missing_speaker(announced.what)


def _unused_part(
    field: Literal["call_card", "several_seats"], word: str, expected: Phrase, value: str
) -> MalformedError:
    return MalformedError(phrase("refusal.means_nothing", field=part_of_event(field), word=word), expected, value)


GAME: Final = Game(
    interface=INTERFACE,
    name="kop",
    title="Kop",
    rule_prefix="KOP",
    package=__name__,
    pack=PACK,
    calls=CALLS,
    announcements=frozenset(("ask", "close_auction", "show_baska", "stop", "concede")),
    ruling_kinds=frozenset(("adjust", "replace", "void", "accept", "stands")),
    event_types=frozenset((CardsDealt, BidMade, Announced, CardPlayed)),
    option_type=KopOptions,
    outcome_type=KopOutcome,
    sheet_type=KopSheet,
    make_options=make_options,
    make_match=KopMatch,
    check_outcome=check_outcome,
    check_event=check_event,
    summarise=summarise,
    result_form=result_form,
    simulation=KopSimulation(),
    unfinished="KOP-11.48",
    impossible=IMPOSSIBLE,
    revokes=frozenset(("KOP-11.44", "KOP-11.45", "KOP-11.46")),
    following=("KOP-6.6", "KOP-6.7", "KOP-6.8", "KOP-6.9"),
    ranks="ATQJ",  # KOP-2.4: by their points
    seldom_said=frozenset(("concede",)),
    stakes=stakes,
    cutter=cutter,
    first_leader=first_leader,
    orders=SCHEMES,
)

BASKA: Final = replace(
    GAME,
    name="baska",
    title="Baśka",
    option_type=BaskaOptions,
    make_options=make_baska_options,
)
