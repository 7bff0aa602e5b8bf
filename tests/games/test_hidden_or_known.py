"""After its last card, a record with hidden hands has the same results as one with all hands recorded."""

from collections.abc import Callable, Sequence
from random import Random

import pytest
from msgspec import structs

from ledger.events import Announced, CardPlayed, CardsDealt, DealStarted, Event
from ledger.games import game_named
from ledger.recording.simulate import simulate_table
from ledger.table.audit import audit_answer
from ledger.table.fold import TableFold
from ledger.table.score import score_answer
from tests.builders import EIGHT_NAMES
from tests.covering import sample
from tests.games.couillon.tables import PLAYERS

TO_THE_END = {
    "ombre": {"throw_in_allowed": False, "surrender_allowed": False, "all_pass": "spadille_forced"},
    "quadrille": {},
    "couillon": {"concession": "none"},
    "kop": {},
    "baska": {},
}
REVOKES = ("OMB-11.36", "OMB-11.37", "QUA-11.31", "QUA-11.32", "COU-11.33", "COU-11.34", "KOP-11.44")


def played_to_the_end_with_two_cards_exchanged(game: str, chance: Random) -> list[Event]:
    """Return one deal in which every seat plays its whole hand, with two cards of a seat swapped."""
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


def results_of(events: Sequence[Event], has_legal: Callable[[str], bool]) -> tuple[object, ...]:
    """Return findings and score of one deal, with the legal alternatives of codes for which `has_legal` is true."""
    fold = TableFold(list(enumerate(events, start=1)))
    findings = [
        (finding.version, finding.code, finding.rule, finding.seat, finding.legal if has_legal(finding.code) else None)
        for finding in audit_answer("t", fold).findings
    ]
    (deal,) = score_answer("t", fold).deals
    return findings, deal.status, deal.outcome, deal.deltas


def without_hands(events: list[Event]) -> list[Event]:
    return [
        CardsDealt(hands=(None,) * len(event.hands), stock=event.stock, cut_by=event.cut_by)
        if isinstance(event, CardsDealt)
        else event
        for event in events
    ]


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


SEEDS = sample([range(start, start + 15) for start in range(0, 150, 15)], 1)


@pytest.mark.parametrize("seeds", SEEDS)
@pytest.mark.parametrize("game", TO_THE_END)
def test_hidden_cards_do_not_matter_once_all_are_played(game, seeds):
    for seed in seeds:
        chance = Random(f"{game}-{seed}")
        events = played_to_the_end_with_two_cards_exchanged(game, chance)
        records = (with_hidden_cards(events, chance), events)
        hidden, known = (results_of(record, lambda code: code in REVOKES) for record in records)
        assert hidden == known, seed


KONTRA_AND_RE = ("COU-11.24", "COU-11.25")
"""A caller of these may, as far as known then, have been allowed to call `mit` instead."""


def faulty_deal(form: str, chance: Random) -> list[Event]:
    """Return one deal with calls that may not have been allowed, and perhaps two cards of a seat swapped."""
    players = EIGHT_NAMES[: PLAYERS[form]]
    events = simulate_table(
        game_named("couillon"), players, {"form": form, "concession": "none"}, 1, chance.random(), "faulty"
    )
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


@pytest.mark.parametrize("seeds", SEEDS)
@pytest.mark.parametrize("form", ["mit4", "six24", "eight32"])
def test_calls_of_couillon_are_judged_without_the_hands_as_with_them(form, seeds):
    for seed in seeds:
        events = faulty_deal(form, Random(f"{form}-{seed}"))
        assert sum(isinstance(event, DealStarted) for event in events) == 1
        hidden, known = (
            results_of(record, lambda code: code not in KONTRA_AND_RE) for record in (without_hands(events), events)
        )
        assert hidden == known, seed
