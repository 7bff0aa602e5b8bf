"""Legal moves as events and JSON (contract 5), cards by any seats in any order, and the seat due then (OMB-11.32)."""

from collections.abc import Sequence
from itertools import takewhile
from random import Random
from typing import Any

import pytest

from ledger.events import Announced, BidMade, CardPlayed, PartnerCalled, TrumpNamed
from ledger.games import game_named
from ledger.games.kernel.deal import Deal
from ledger.games.kernel.moves import as_json, shown, tag_of
from ledger.recording.simulate import simulate_table
from ledger.table.fold import TableFold
from ledger.table.steps import machine_before
from tests.builders import EIGHT_NAMES
from tests.covering import sample
from tests.games.kop import tables as kop
from tests.games.ombre import tables as ombre

CARDS = 15

TABLES: dict[str, tuple[str, int, dict[str, Any]]] = {
    "ombre": ("ombre", 3, {}),
    "ombre of four": ("ombre", 4, {}),
    "quadrille": ("quadrille", 4, {}),
    "couillon": ("couillon", 4, {}),
    "couillon of six": ("couillon", 6, {"form": "six24"}),
    "kop": ("kop", 4, {}),
}

WRONG_LEAD = {"ombre": "OMB-11.32", "quadrille": "QUA-11.26", "couillon": "COU-11.27 COU-11.28", "kop": "KOP-11.40"}
OUT_OF_TURN = {"ombre": "OMB-11.33", "quadrille": "QUA-11.27", "couillon": "COU-11.29", "kop": "KOP-11.41"}
SECOND_CARD = {"ombre": "OMB-11.33", "quadrille": "QUA-11.28", "couillon": "COU-11.30"}
ORDER_CODES = {
    code for table in (WRONG_LEAD, OUT_OF_TURN, SECOND_CARD) for codes in table.values() for code in codes.split()
}


def expected(game: str, order: Sequence[int], trick: Sequence[int]) -> int | None:
    """Return the seat due after these of the open trick; `order`: the active seats in the order of play."""
    start = order.index(trick[0])
    around = [*order[start:], *order[:start]]
    if game == "kop":  # KOP-11.5: those that follow the lead, whatever was played; a seat that has played is not due
        seat = around[len(trick)]
        return None if seat in trick else seat
    return next(seat for seat in around if seat not in trick)


def at_first_lead(name: str, seed: int) -> Deal | None:
    """Return a deal after legal play up to its first card; None if no card was played."""
    game, players, options = TABLES[name]
    events = simulate_table(game_named(game), EIGHT_NAMES[:players], options, 1, seed, "turns")
    before = list(takewhile(lambda event: type(event) is not CardPlayed, events))
    if len(before) == len(events):
        return None
    fold = TableFold(list(enumerate(before, start=1)))
    machine = machine_before(fold, fold.deals[0], len(before))
    return machine if machine.turn() is not None else None


def codes_of(game: str, order: Sequence[int], trick: Sequence[int], seat: int, due: int | None) -> str:
    """Return the codes of which the card must have exactly one; none if it is in order."""
    if not trick:
        return "" if seat == due else WRONG_LEAD[game]
    if game == "kop":
        due = order[(order.index(trick[0]) + len(trick)) % len(order)]
    elif seat in trick:
        return SECOND_CARD[game]
    return "" if seat == due else OUT_OF_TURN[game]


@pytest.mark.parametrize("seeds", sample([range(start, start + 20) for start in range(0, 200, 20)], 1))
@pytest.mark.parametrize("name", TABLES)
def test_the_seat_due_is_the_one_of_the_rulebook(name: str, seeds: range) -> None:
    for seed in seeds:
        check_turns(name, seed)


def check_turns(name: str, seed: int) -> None:
    game = TABLES[name][0]
    machine = at_first_lead(name, seed)
    if machine is None:
        return
    chance = Random(seed)
    first = machine.turn()
    hands = machine.view().hands
    order = [(first + step) % len(hands) for step in range(len(hands)) if hands[(first + step) % len(hands)]]
    due: int | None = first
    tricks: list[list[int]] = [[]]
    for version in range(CARDS):
        assert machine.turn() == due
        trick = tricks[-1]
        seat = due if due is not None and chance.random() < 0.4 else chance.choice(order)
        hand = machine.view().hands[seat]
        if not hand:
            return
        violations = machine.apply(CardPlayed(seat=seat, card=chance.choice(hand)), version)
        wanted = codes_of(game, order, trick, seat, due).split()
        order_codes = [violation.code for violation in violations if violation.code in ORDER_CODES]
        assert len(order_codes) == bool(wanted)
        assert set(order_codes) <= set(wanted)
        if seat in trick and game == "kop":
            assert machine.status == "unscorable"  # KOP-11.6
            return
        if seat in trick and game in ("ombre", "quadrille"):
            continue  # it is void
        trick.append(seat)
        assert [list(shown.seats) for shown in machine.view().tricks] == tricks
        due = expected(game, order, trick) if len(trick) < len(order) else machine.view().tricks[-1].winner
        if len(trick) == len(order):
            tricks.append([])
            if len(tricks) == 6 and game == "quadrille":
                return  # the choice after the sixth is another matter


def test_the_json_names_another_speaker_and_sorts_null_last():
    moves = (
        BidMade(seat=1, call="pass"),
        Announced(seat=2, what="mit"),
        Announced(seat=1, what="kontra"),
        PartnerCalled(seat=1, card=None),
        PartnerCalled(seat=1, card="HK"),
        CardPlayed(seat=1, card="S7"),
    )
    assert as_json(moves, 1) == {
        "bid_made": ["pass"],
        "announced": ["2:mit", "kontra"],
        "partner_called": ["HK", None],
        "card_played": ["S7"],
    }
    for turn in (None, 1, 2):
        assert as_json(moves, turn) == {tag_of(kind): list(values) for kind, values in shown(moves, turn).items()}


def test_a_hidden_actor_is_one_move_for_each_seat_that_it_may_be():
    record = ombre.Record(all_pass="spadille_forced").start(dealer=2).dealt(ombre.HANDS, ombre.STOCK)
    deal = record.calls("0 pass", "1 pass", "2 pass").machine()
    spades = [{move.seat for move in deal.legal(seat) if move.suit == "S"} for seat in (None, 0, 1, 2)]
    assert spades == [{0}, {0}, {0, 2}, {0, 1}]
    assert as_json(deal.legal(1), None) == as_json(deal.legal(), 0) == {"trump_named": ["C", "D", "H", "S"]}


def test_trumps_of_an_unknown_holder_of_spadille_may_be_named_by_each_who_may_hold_it():
    deal = ombre.Record(all_pass="spadille_forced").start(dealer=2).calls("0 pass", "1 pass", "2 pass").machine()
    assert {type(move) for move in deal.legal()} == {TrumpNamed}
    assert [move.seat for move in deal.legal() if move.suit == "S"] == [0, 1, 2]


def test_a_wesele_names_each_jack_that_may_be_due():
    deal = kop.Table(announce_wesele_jack=True).deal_out(kop.ORDINARY, dealer=3).machine()
    hidden = kop.Table(announce_wesele_jack=True).start(3).dealt().machine()
    named = [[move.card for move in one.legal() if move.call == "wesele"] for one in (deal, hidden)]
    assert all(not one.check(move) for one in (deal, hidden) for move in one.legal())
    assert named[1] == ["CJ", "SJ", "HJ", "DJ"]
    assert as_json(hidden.legal(), hidden.turn())["bid_made"].count("wesele") == 1
