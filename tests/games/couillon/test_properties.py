"""What holds for every lawful table of Couillon: of every game, with Couillon's strategies, and of this one alone."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings

from ledger.cards import UNKNOWN
from ledger.events import CardsDealt, CardTurned, DealStarted
from ledger.games.couillon import GAME
from ledger.games.couillon.outcome import team_of
from ledger.recording.simulate import simulate_table
from ledger.table.fold import TableFold
from ledger.table.score import score_answer
from ledger.table.steps import replay_steps
from tests.contracts.lawful_tables import LawfulTables
from tests.games.couillon import strategies
from tests.games.couillon.strategies import FORMS, lawful_tables, players_of, settled
from tests.games.couillon.tables import NAMES

FEW = settings(max_examples=40)


class TestLawfulTables(LawfulTables):
    tables = strategies

    def is_fault(self, found):
        """Nothing at all is said of lawful play."""
        return True


@given(lawful_tables())
def test_a_board_pays_and_is_paid_by_seats_alone(entries):
    score = score_answer("t", TableFold(entries))
    for deal in score.deals:
        assert (deal.pool_before, deal.pool_after) == (0, 0)
        assert all((line.source == "board") != (line.target == "board") for line in deal.lines)
    assert score.closing is None


@given(lawful_tables())
def test_need_and_game_points_move_as_the_invariants_say(entries):
    """COU-7.37 to 7.43."""
    fold = TableFold(entries)
    options, standing = fold.options, None
    for record in fold.deals:
        before = standing or fold.game.make_match(options, len(fold.players)).state()
        standing = TableFold(entries[: record.end]).match.state()
        outcome, key = record.outcome, "gp" if options.is_on_points else "need"
        assert sum(outcome.tricks) == options.form.hand
        fell = [old - new for old, new in zip(before[key], standing[key], strict=True)]
        assert record.settlement.deltas == [fell[team_of(seat)] for seat in range(len(fold.players))]
        if outcome.winner is None:
            assert fell == [0, 0]
            continue
        loser = 1 - outcome.winner
        if options.is_on_points:
            assert 1 <= fell[outcome.winner] <= 5
            assert fell[loser] in (0, -1)
        else:
            strength = 1 + (before["draw_mark"] if options.draw_mark_accumulates else min(before["draw_mark"], 1))
            assert fell[outcome.winner] == min(strength, before["need"][outcome.winner])
            made = outcome.maker is not None and team_of(outcome.maker) == loser
            assert fell[loser] == (-1 if made else 0)
            assert standing["draw_mark"] == 0
        if outcome.tricks[loser] == 0:
            assert outcome.result == "ALL_TRICKS"


@FEW
@given(lawful_tables(deals=1))
def test_card_points_and_the_cards_out_of_play_make_forty(entries):
    record = TableFold(entries).deals[0]
    out = sum({"A": 4, "K": 3, "Q": 2, "J": 1}.get(card[1], 0) for card in record.machine.stock)
    assert sum(record.outcome.card_points) + out == 40


# --- what a seat could know -------------------------------------------------------------------------------------------


def exchanged(deal, seat, chance):
    """Another deal of the cards that the seat has not seen: the hands of the others and the stock, mixed anew.

    Null where it would not look the same to the seat: what was turned, called and played must stay possible.
    """
    _, dealt = deal
    hidden = [card for other, hand in enumerate(dealt.hands) if other != seat for card in hand] + list(dealt.stock)
    mixed = chance.sample(hidden, len(hidden))
    hands = []
    for other, hand in enumerate(dealt.hands):
        hands.append(hand if other == seat else tuple(mixed[: len(hand)]))
        if other != seat:
            del mixed[: len(hand)]
    return CardsDealt(hands=tuple(hands), stock=tuple(mixed), cut_by=dealt.cut_by)


@pytest.mark.parametrize("form", FORMS, ids=lambda form: "-".join(map(str, form.values())))
def test_a_seat_sees_the_same_in_every_deal_that_looks_the_same_to_it(form):
    """The other hands are dealt anew; what was said and played so far is put on top of them and looks the same."""
    players = players_of(form)
    options = {**form, "concession": "rest"}
    for seed in range(6):
        events = simulate_table(GAME, NAMES[:players], options, 1, seed, "leak", closed=False)
        started, dealt, rest = events[1], events[2], events[3:]
        chance = Random(seed)
        for seat in range(players):
            other = exchanged((started, dealt), seat, chance)
            machines = [GAME.make_match(settled(options), players).start_deal(started.dealer) for _ in range(2)]
            for machine, cards in zip(machines, (dealt, other), strict=True):
                machine.apply(cards, 1)
            assert machines[0].view(seat) == machines[1].view(seat)
            for version, event in enumerate(rest, start=2):
                for machine in machines:
                    machine.apply(event, version)
                assert machines[0].view(seat) == machines[1].view(seat), (form, seed, seat, event)


@FEW
@given(lawful_tables(deals=1))
def test_a_seat_sees_its_own_cards_those_played_and_those_turned(entries):
    fold = TableFold(entries)
    dealt = next(event for _, event in entries if isinstance(event, CardsDealt))
    for seat in (0, 1):
        turned = set()
        for step in replay_steps(fold, 1, seat):
            if isinstance(step.event, CardTurned):
                turned.add(step.event.card)
            own = [card for card in step.view.hands[seat] if card != UNKNOWN]
            assert set(own) <= set(dealt.hands[seat])
            others = {card for other, hand in enumerate(step.view.hands) if other != seat for card in hand}
            assert {*others, *step.view.stock} <= {UNKNOWN, *turned}


def test_forehand_decides_after_its_first_packet_and_before_any_other_is_dealt():
    events = simulate_table(GAME, NAMES[:4], {"form": "mit4"}, 1, 1, "first", closed=False)
    fold = TableFold(list(enumerate(events, start=1)))
    forehand = (events[1].dealer + 1) % 4
    for seat in range(4):
        before, after = list(replay_steps(fold, 1, seat))[2:4]
        seen = [card for card in before.view.hands[seat] if card != UNKNOWN]
        assert sorted(seen) == sorted(events[2].hands[seat][:3] if seat == forehand else ())
        assert UNKNOWN not in after.view.hands[seat]
        assert isinstance(before.event, CardsDealt)
        assert isinstance(events[1], DealStarted)
