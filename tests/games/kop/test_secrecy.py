"""What a seat is shown never depends on cards that it has not seen."""

from itertools import permutations

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from ledger.cards import UNKNOWN
from ledger.events import CardPlayed, CardsDealt
from ledger.table.fold import TableFold
from ledger.table.steps import replay_steps
from tests.games.kop.strategies import lawful_tables
from tests.games.kop.tables import CICHA, ORDINARY, Table


def views(entries, seat):
    return [step.view for step in replay_steps(TableFold(entries), 1, seat)]


@settings(max_examples=40)
@given(lawful_tables(deals=1), st.integers(0, 3), st.integers(0, 200), st.randoms(use_true_random=False))
def test_a_seat_is_shown_the_same_for_every_deal_that_looks_the_same_to_it(entries, seat, moment, random):
    """Up to any moment: the cards of the others that have not been played are mixed, and nothing changes."""
    shown = entries[: 3 + moment % (len(entries) - 2)]
    hands = [list(hand) for hand in shown[2][1].hands]
    played = {event.card for _, event in shown if isinstance(event, CardPlayed)}
    places = [
        (other, place)
        for other in range(4)
        for place, card in enumerate(hands[other])
        if other != seat and card not in played
    ]
    pool = [hands[other][place] for other, place in places]
    random.shuffle(pool)
    for (other, place), card in zip(places, pool, strict=True):
        hands[other][place] = card
    mixed = [*shown[:2], (3, CardsDealt(hands=tuple(map(tuple, hands)))), *shown[3:]]
    assert views(mixed, seat) == views(shown, seat)


@settings(max_examples=40)
@given(lawful_tables(deals=1), st.integers(0, 3))
def test_a_seat_sees_its_own_hand_and_the_play_as_they_are(entries, seat):
    fold = TableFold(entries)
    for full, own in zip(replay_steps(fold, 1), replay_steps(fold, 1, seat), strict=True):
        for field in ("phase", "turn", "dealer", "auction", "tricks", "trick_counts", "card_points"):
            assert getattr(own.view, field) == getattr(full.view, field), field
        assert own.view.hands[seat] == full.view.hands[seat]
        assert {card for other in range(4) if other != seat for card in own.view.hands[other]} <= {UNKNOWN}
        assert own.view.contract in (None, full.view.contract)
        assert own.view.declarer in (None, full.view.declarer)
        assert own.view.partner in (None, full.view.partner)
        assert own.view.legal.keys() <= full.view.legal.keys()


@settings(max_examples=40)
@given(lawful_tables(deals=1), st.integers(0, 3))
def test_the_seat_in_turn_sees_all_that_it_may_play(entries, seat):
    fold = TableFold(entries)
    for full, own in zip(replay_steps(fold, 1), replay_steps(fold, 1, seat), strict=True):
        if full.view.turn == seat:
            assert own.view.legal.get("card_played") == full.view.legal.get("card_played")
        elif own.view.phase == "play":
            assert "card_played" not in own.view.legal


def test_partners_are_secret_until_their_queens_appear():
    table = Table().deal_out(ORDINARY).passed_out()
    assert [(table.state(seat=seat).declarer, table.state(seat=seat).partner) for seat in range(4)] == [
        (None, 0),  # holds SQ
        (None, None),
        (None, None),
        (3, None),  # holds CQ
    ]
    table.trick(0, "DT DQ HT HA").trick(3, "SA CJ ST HQ").trick(2, "DA CQ")
    assert {table.state(seat=seat).declarer for seat in range(4)} == {3}
    assert [table.state(seat=seat).partner for seat in range(4)] == [0, None, None, None]
    table.played(0, "SQ")
    assert {table.state(seat=seat).partner for seat in range(4)} == {0}


def test_an_ordinary_game_and_cicha_look_alike_to_a_seat_without_old_queens():
    ordinary = Table().deal_out(("CQ HQ HJ CJ", *CICHA[1:])).passed_out().state(seat=1)
    assert ordinary.contract is None
    own = CICHA[1].split()
    others = [card for hand in CICHA for card in hand.split() if card not in own]
    seen = set()
    for first in list(permutations(others, 4))[::900]:
        rest = [card for card in others if card not in first]
        hands = (" ".join(first), CICHA[1], " ".join(rest[:4]), " ".join(rest[4:]))
        state = Table().deal_out(hands).passed_out().state(seat=1)
        seen.add((state.contract, state.declarer, state.partner))
    assert seen == {(None, None, None)}


def test_the_holder_of_one_seen_old_queen_is_no_partner_while_he_may_hold_the_other():
    table = Table().deal_out(CICHA).passed_out()
    queen = next(card for card in CICHA[0].split() if card == "SQ")
    table.played(1, CICHA[1].split()[0]).played(2, CICHA[2].split()[0]).played(3, CICHA[3].split()[0]).played(0, queen)
    assert [table.state(seat=seat).partner for seat in range(4)] == [None] * 4


def test_the_holder_of_both_old_queens_knows_that_he_plays_a_cicha():
    table = Table().deal_out(CICHA).passed_out()
    assert (table.state(seat=0).contract, table.state(seat=0).declarer) == ("cicha", 0)
    assert table.state(seat=1).contract is None


def test_the_bidder_of_a_wesele_does_not_know_his_partner_but_the_partner_does():
    table = Table().deal_out(CICHA).contract(0, "wesele")
    states = [table.state(seat=seat) for seat in range(4)]
    assert {(state.contract, state.declarer) for state in states} == {("wesele", 0)}
    assert [state.partner for state in states] == [None, 1, None, None]
    assert table.state().partner == 1


def test_the_calls_that_another_seat_may_make_are_those_that_it_could_have():
    table = Table().deal_out(ORDINARY, dealer=2).calls("3 pass")
    assert table.state().turn == 0
    assert table.state().legal == {"bid_made": ["kontra", "pass", "zolo", "zolo_du"]}
    assert table.state(seat=1).legal == {"bid_made": ["kontra", "pass", "wesele", "zolo", "zolo_du"]}
    assert table.state(seat=3).legal == table.state().legal  # 3 holds CQ itself
    assert structs.asdict(table.state(seat=0))["legal"] == table.state().legal
