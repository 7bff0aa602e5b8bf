"""Once all cards of a deal have been played, a record without the hands comes to the same as one with them."""

from random import Random

import pytest

from ledger.events import Announced, CardPlayed, CardsDealt, DealStarted, Event
from ledger.games.couillon import GAME
from ledger.recording.simulate import simulate_table
from tests.games.couillon.tables import NAMES, PLAYERS
from tests.games.hidden_hands import what_it_comes_to

KONTRA_AND_RE = ("COU-11.24", "COU-11.25")
"""Whoever called those in vain may have been allowed to call `mit` instead, as far as one could know then."""


def faulty_deal(form: str, chance: Random) -> list[Event]:
    """One deal with calls that nobody may have been allowed to make, and two cards of a seat in each other's place."""
    players = NAMES[: PLAYERS[form]]
    events = simulate_table(GAME, players, {"form": form, "concession": "none"}, 1, chance.random(), "faulty")
    start = next(place for place, event in enumerate(events) if isinstance(event, CardPlayed))
    if chance.random() < 0.5:
        seat = chance.randrange(len(players))
        own = [place for place, event in enumerate(events) if isinstance(event, CardPlayed) and event.seat == seat]
        one, other = chance.sample(own, 2)
        events[one], events[other] = events[other], events[one]
    for _ in range(chance.randrange(5)):
        what = chance.choice(["mit", "mit", "mit", "kontra", "re"])
        place = chance.randrange(start, start + len(players) + 2)
        events.insert(place, Announced(seat=chance.randrange(len(players)), what=what))
    return events


def without_hands(events: list[Event]) -> list[Event]:
    return [
        CardsDealt(hands=(None,) * len(event.hands), stock=event.stock, cut_by=event.cut_by)
        if isinstance(event, CardsDealt)
        else event
        for event in events
    ]


@pytest.mark.parametrize("form", ["mit4", "six24", "eight32"])
@pytest.mark.parametrize("seed", range(60))
def test_a_deal_without_hands_comes_to_the_same_as_one_with_them(form, seed):
    events = faulty_deal(form, Random(f"{form}-{seed}"))
    assert sum(isinstance(event, DealStarted) for event in events) == 1
    told, known = (
        what_it_comes_to(record, lambda code: code not in KONTRA_AND_RE) for record in (without_hands(events), events)
    )
    assert told == known
