"""What holds for every lawful table: nothing is lost, states are folds, `legal` is exactly what is accepted."""

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from ledger.cards import PACK_52, UNKNOWN
from ledger.events import Announced, BidMade, CardPlayed, CardsDealt, Event
from ledger.games.kop.auction import CALLS
from ledger.games.kop.pack import PACK
from ledger.games.kop.sides import partner_jack
from ledger.table.fold import TableFold
from ledger.table.score import score_answer
from ledger.table.steps import replay_steps
from tests.games.kop.strategies import lawful_tables

FEW = settings(max_examples=40)


def faults(violations):
    return [violation for violation in violations if violation.severity != "info"]


def machine_before(fold, record, end):
    """The state machine before the entry at `end`."""
    machine = fold.game.make_match(fold.options, 4).start_deal(record.dealer)
    for version, event in fold.entries[record.start + 1 : end]:
        machine.apply(event, version)
    return machine


def without_hands(entries):
    """The same table from a club that writes down only the calls and the play."""
    return [entry for entry in entries if not isinstance(entry[1], CardsDealt)]


@given(lawful_tables())
def test_a_lawful_table_has_no_finding_above_info(entries):
    fold = TableFold(entries)
    assert [faults(record.violations) for record in fold.deals] == [[]] * len(fold.deals)
    assert {record.status for record in fold.deals} <= {"complete"}


@given(lawful_tables())
def test_a_deal_is_zero_sum_and_exactly_one_side_wins_it(entries):
    fold = TableFold(entries)
    for record in fold.deals:
        assert sum(record.settlement.deltas) == 0  # KOP-7.18
        assert record.outcome.winning_side in ("declarer", "defenders")  # KOP-7.20
        amounts = {abs(delta) for delta in record.settlement.deltas}
        assert len(record.outcome.declarers) == 1 or len(amounts) == 1  # KOP-7.16
    assert sum(fold.match.totals) == 0  # KOP-8.2


@given(lawful_tables())
def test_all_points_and_tricks_are_shared_out(entries):
    for record in TableFold(entries).deals:
        outcome = record.outcome
        if outcome.stopped or outcome.contract == "baska":
            continue
        assert sum(outcome.card_points) == 104  # KOP-7.19
        assert sum(outcome.tricks) == 4
        for points, tricks in zip(outcome.card_points, outcome.tricks, strict=True):
            assert points >= 8 * tricks
            assert (points == 0) == (tricks == 0)


@given(lawful_tables())
def test_the_lines_of_a_deal_add_up_to_its_deltas(entries):
    for deal in score_answer("t", TableFold(entries)).deals:
        moved = [0] * 4
        for line in deal.lines:
            assert line.amount > 0
            moved[line.source] -= line.amount
            moved[line.target] += line.amount
        assert moved == deal.deltas


@FEW
@given(lawful_tables(deals=2))
def test_every_state_holds_sixteen_different_cards(entries):
    fold = TableFold(entries)
    for record in fold.deals:
        for step in replay_steps(fold, record.number):
            if step.view.phase == "deal":
                continue
            played = [card for trick in step.view.tricks for card in trick.cards]
            held = [card for hand in step.view.hands for card in hand]
            assert sorted([*held, *played]) == sorted(PACK)


@FEW
@given(lawful_tables(deals=1))
def test_the_state_after_k_steps_is_the_fold_of_the_first_k_events(entries):
    fold = TableFold(entries)
    for step in list(replay_steps(fold, 1))[1:]:
        shorter = TableFold([entry for entry in entries if entry[0] <= step.version])
        assert list(replay_steps(shorter, 1))[-1].view == step.view


@FEW
@given(lawful_tables(deals=2))
def test_something_is_legal_as_long_as_a_deal_is_open(entries):
    fold = TableFold(entries)
    for record in fold.deals:
        views = [step.view for step in replay_steps(fold, record.number)]
        assert all(bool(view.legal) == (view.phase in ("auction", "play")) for view in views)
        assert views[-1].legal == {}


@FEW
@given(lawful_tables(deals=1), st.integers(0, 200))
def test_exactly_what_is_legal_breaks_no_rule(entries, moment):
    fold = TableFold(entries)
    record = fold.deals[0]
    deal = machine_before(fold, record, record.start + 2 + moment % (record.end - record.start - 1))
    legal, turn = deal.legal(), deal.turn()
    if deal.status != "open":
        return

    def is_accepted(event):
        return not faults(deal.check(event))

    for seat in range(4):
        for call in CALLS:
            listed = call if seat == turn else f"{seat}:{call}"
            jack = partner_jack(deal.hands, seat) if call == "wesele" else None
            card = None if jack is None else PACK_52[jack]
            assert is_accepted(BidMade(seat=seat, call=call, card=card)) == (listed in legal.get("bid_made", []))
        for word in ("ask", "close_auction"):
            assert is_accepted(Announced(seat=seat, what=word)) == (f"{seat}:{word}" in legal.get("announced", []))
        may_play = seat == (deal.leader if deal.phase == "auction" and deal.options.is_free else turn)
        for card in PACK:
            is_listed = may_play and card in legal.get("card_played", [])
            assert is_accepted(CardPlayed(seat=seat, card=card)) == is_listed
    assert is_accepted(Announced(seat=None, what="stop")) == ("stop" in legal.get("announced", []))


@FEW
@given(lawful_tables(deals=1, concessions=True), st.integers(0, 200))
def test_exactly_the_seats_of_one_side_may_concede_and_every_seat_is_listed(entries, moment):
    fold = TableFold(entries)
    record = fold.deals[0]
    deal = machine_before(fold, record, record.start + 2 + moment % (record.end - record.start - 1))
    said = deal.legal().get("announced", [])
    listed = [word for word in said if word.endswith("concede")]
    assert len(listed) == (4 if deal.phase == "play" else 0)
    if deal.phase != "play":
        return
    final = record.outcome
    for mask in range(16):
        seats = tuple(seat for seat in range(4) if mask >> seat & 1)
        others = tuple(seat for seat in range(4) if seat not in seats)
        is_side = final.declarers in (seats, others)
        event = Announced(seat=seats[0] if seats else 0, what="concede", seats=seats)
        assert bool(deal.check(event)) != is_side


@FEW
@given(lawful_tables(deals=1), st.integers(0, 200))
def test_to_check_moves_nothing(entries, moment):
    fold = TableFold(entries)
    record = fold.deals[0]
    deal = machine_before(fold, record, record.start + 1 + moment % (record.end - record.start))
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
    assert score_answer("t", TableFold(list(enumerate(events, start=1)))) == score


# --- hands that nobody wrote down -------------------------------------------------------------------------------------


@given(lawful_tables())
def test_a_deal_played_to_its_end_scores_the_same_without_its_hands(entries):
    fold, blind = TableFold(entries), TableFold(without_hands(entries))
    for record, told in zip(fold.deals, blind.deals, strict=True):
        played = sum(isinstance(event, CardPlayed) for _, event in entries[record.start : record.end])
        if played == 16:
            assert told.status == "complete"
            assert told.outcome == record.outcome
        assert faults(told.violations) == []


@given(lawful_tables(deals=1), st.integers(0, 3))
def test_one_card_that_nobody_wrote_down_changes_nothing_where_the_hands_are_known(entries, place):
    plays = [index for index, entry in enumerate(entries) if isinstance(entry[1], CardPlayed)]
    if len(plays) < 16:
        return
    index = plays[12 + place]  # of the last trick, so that no lead depends on it
    version, event = entries[index]
    blurred = [*entries[:index], (version, structs.replace(event, card=UNKNOWN)), *entries[index + 1 :]]
    first, second = TableFold(entries).deals[0], TableFold(blurred).deals[0]
    assert second.outcome == first.outcome
    assert faults(second.violations) == []
