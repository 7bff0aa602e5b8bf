"""What holds for every lawful table: states are folds, `legal` is exactly what is accepted, no seat sees too much."""

from __future__ import annotations

from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.cards import UNKNOWN, texts_in
from ledger.events import Announced, BidMade, CardPlayed, CardsDealt, CardTurned, DealStarted, Event, TrumpNamed
from ledger.games.couillon import GAME
from ledger.games.couillon.outcome import team_of
from ledger.recording.admissible import TableSoFar
from ledger.recording.simulate import simulate_table
from ledger.table.fold import TableFold
from ledger.table.score import score_answer
from ledger.table.steps import replay_steps
from tests.games.couillon.strategies import FORMS, lawful_tables, players_of, settled
from tests.games.couillon.tables import NAMES

FEW = settings(max_examples=40)


def machine_before(fold, record, end):
    """The state machine before the entry at `end`."""
    machine = fold.game.make_match(fold.options, len(fold.players)).start_deal(record.dealer)
    for version, event in fold.entries[record.start + 1 : end]:
        machine.apply(event, version)
    return machine


@given(lawful_tables())
def test_a_lawful_table_is_taken_by_the_log_and_has_no_finding(entries):
    so_far = TableSoFar()
    for _, event in entries:
        so_far.take(event)
    fold = TableFold(entries)
    assert [record.violations for record in fold.deals] == [[]] * len(fold.deals)
    assert {record.status for record in fold.deals} <= {"complete"}


@given(lawful_tables())
def test_the_lines_of_a_deal_add_up_to_its_deltas_and_the_deltas_to_the_totals(entries):
    score = score_answer("t", TableFold(entries))
    for deal in score.deals:
        moved = [0] * len(deal.deltas)
        for line in deal.lines:
            assert line.amount > 0
            assert (line.source == "board") != (line.target == "board")
            if line.source == "board":
                moved[line.target] += line.amount
            else:
                moved[line.source] -= line.amount
        assert moved == deal.deltas
        assert (deal.pool_before, deal.pool_after) == (0, 0)
    assert score.totals == [sum(column) for column in zip(*(deal.deltas for deal in score.deals), strict=True)]
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


@FEW
@given(lawful_tables(deals=1))
def test_every_state_holds_the_whole_pack(entries):
    fold = TableFold(entries)
    pack = texts_in(fold.options.form.pack)
    for step in replay_steps(fold, 1):
        if step.view.phase != "deal":
            played = [card for trick in step.view.tricks for card in trick.cards]
            held = [card for hand in step.view.hands for card in hand]
            assert sorted([*held, *step.view.stock, *played]) == sorted(pack)


@FEW
@given(lawful_tables(deals=1))
def test_the_state_after_k_steps_is_the_fold_of_the_first_k_events(entries):
    fold = TableFold(entries)
    for step in list(replay_steps(fold, 1))[1:]:
        shorter = TableFold([entry for entry in entries if entry[0] <= step.version])
        assert list(replay_steps(shorter, 1))[-1].view == step.view


@given(lawful_tables(deals=2))
def test_something_is_legal_as_long_as_a_deal_is_open(entries):
    fold = TableFold(entries)
    for record in fold.deals:
        views = [step.view for step in replay_steps(fold, record.number)]
        assert all(bool(view.legal) == (view.phase not in ("deal", "settled")) for view in views)
        assert all(values == sorted(values) for view in views for values in view.legal.values())
        assert views[-1].legal == {}


@settings(max_examples=100)
@given(lawful_tables(deals=1), st.integers(0, 200))
def test_exactly_what_is_legal_breaks_no_rule(entries, moment):
    fold = TableFold(entries)
    record = fold.deals[0]
    deal = machine_before(fold, record, min(record.start + 2 + moment % 45, record.end))
    legal, turn, seats = deal.legal(), deal.turn(), range(len(fold.players))
    if turn is None:
        assert legal == {}
        return

    def is_accepted(event):
        return not deal.check(event)

    for seat in seats:
        for call in GAME.calls:
            assert is_accepted(BidMade(seat=seat, call=call)) == (seat == turn and call in legal.get("bid_made", []))
        for suit in "SHDC":
            listed = seat == turn and suit in legal.get("trump_named", [])
            assert is_accepted(TrumpNamed(seat=seat, suit=suit)) == listed
        for word in GAME.announcements:
            listed = word if seat == turn else f"{seat}:{word}"
            assert is_accepted(Announced(seat=seat, what=word)) == (listed in legal.get("announced", []))
        for card in texts_in(fold.options.form.pack):
            listed = seat == turn and card in legal.get("card_played", [])
            assert is_accepted(CardPlayed(seat=seat, card=card)) == listed
    for card in texts_in(fold.options.form.pack):
        assert is_accepted(CardTurned(card=card)) == (card in legal.get("card_turned", []))


@FEW
@given(lawful_tables(deals=1), st.integers(0, 200))
def test_to_check_moves_nothing(entries, moment):
    fold = TableFold(entries)
    record = fold.deals[0]
    deal = machine_before(fold, record, min(record.start + 1 + moment % 45, record.end))
    before = deal.view()
    for _, event in entries[2:]:
        deal.check(event)
    assert deal.view() == before


@given(lawful_tables())
def test_the_outcome_recorded_alone_scores_the_same(entries):
    """A deal known only by the outcome that `score` answered gives the same lines (contract 5)."""
    fold = TableFold(entries)
    score = score_answer("t", fold)
    events = [entries[0][1]]
    for deal, record in zip(score.deals, fold.deals, strict=True):
        events.append(entries[record.start][1])
        text = msgspec.json.encode({"type": "result_recorded", "outcome": deal.outcome})
        events.append(msgspec.json.decode(text, type=Event))
    events.append(entries[-1][1])
    so_far = TableSoFar()
    for event in events:
        so_far.take(event)
    assert score_answer("t", TableFold(list(enumerate(events, start=1)))) == score


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
