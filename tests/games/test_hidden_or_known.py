"""Once every card has been played, a record with hidden hands comes to the same as one with all hands written down."""

from __future__ import annotations

from random import Random

import pytest
from msgspec import structs

from ledger.events import CardPlayed, CardsDealt, Event
from ledger.games import game_named
from ledger.recording.simulate import simulate_table
from tests.games.hidden_hands import what_it_comes_to

TO_THE_END = {
    "ombre": {"throw_in_allowed": False, "surrender_allowed": False, "all_pass": "spadille_forced"},
    "quadrille": {},
    "couillon": {"concession": "none"},
    "kop": {},
    "baska": {},
}
REVOKES = ("OMB-11.36", "OMB-11.37", "QUA-11.31", "QUA-11.32", "COU-11.33", "COU-11.34", "KOP-11.44")


def played_to_the_end_with_two_cards_exchanged(game: str, chance: Random) -> list[Event]:
    """One deal in which every seat plays its whole hand, two cards of a seat in each other's place."""
    while True:
        players = ("Ada", "Ben", "Cleo", "Dan")[: chance.choice((3, 4)) if game == "ombre" else 4]
        events = simulate_table(game_named(game), players, TO_THE_END[game], 1, chance.getrandbits(32), "t")
        dealt = next(event for event in events if isinstance(event, CardsDealt))
        plays = [place for place, event in enumerate(events) if isinstance(event, CardPlayed)]
        if len(plays) == sum(len(hand or ()) for hand in dealt.hands):
            break
    seat = chance.choice([event.seat for event in events if isinstance(event, CardPlayed)])
    one, other = chance.sample([place for place in plays if getattr(events[place], "seat", None) == seat], 2)
    events[one], events[other] = events[other], events[one]
    return events


def with_hidden_cards(events: list[Event], chance: Random) -> list[Event]:
    def seen(hand: tuple[str, ...] | None) -> tuple[str, ...] | None:
        is_known = hand is not None and chance.random() > 0.3
        return tuple(card if chance.random() < 0.6 else "??" for card in hand or ()) if is_known else None

    return [
        structs.replace(event, hands=tuple(map(seen, event.hands)), deck=None)
        if isinstance(event, CardsDealt)
        else event
        for event in events
    ]


@pytest.mark.parametrize("game", TO_THE_END)
@pytest.mark.parametrize("seed", range(40))
def test_hidden_cards_change_nothing_once_all_are_played(game, seed):
    chance = Random(f"{game}-{seed}")
    events = played_to_the_end_with_two_cards_exchanged(game, chance)
    records = (with_hidden_cards(events, chance), events)
    told, known = (what_it_comes_to(record, lambda code: code in REVOKES) for record in records)
    assert told == known
