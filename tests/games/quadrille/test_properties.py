"""What holds for every lawful table: nothing is lost, states are folds, `legal` is exactly what is accepted."""

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.events import Announced, BidMade, CardPlayed, CardsDealt, Event, PartnerCalled, TrumpNamed
from ledger.games.kernel.matadors import PACK
from ledger.games.quadrille import GAME
from ledger.table.fold import TableFold
from ledger.table.score import score_answer
from ledger.table.steps import replay_steps
from tests.games.quadrille.strategies import lawful_tables

FEW = settings(max_examples=30)


def faults(violations):
    return [violation for violation in violations if violation.severity != "info"]


def machine_before(fold, record, end):
    """The state machine before the entry at `end`."""
    machine = fold.game.make_match(fold.options, 4).start_deal(record.dealer)
    for version, event in fold.entries[record.start + 1 : end]:
        machine.apply(event, version)
    return machine


@given(lawful_tables())
def test_a_lawful_table_has_no_finding_above_info(entries):
    fold = TableFold(entries)
    assert [faults(record.violations) for record in fold.deals] == [[]] * len(fold.deals)
    assert {record.status for record in fold.deals} <= {"complete"}


@given(lawful_tables())
def test_nothing_is_lost_between_seats_and_pool(entries):
    fold = TableFold(entries)
    for record in fold.deals:
        settlement = record.settlement
        assert sum(settlement.deltas) + settlement.pool_after - settlement.pool_before == 0  # QUA-7.35
    held = 4 * fold.options.starting_counters + fold.options.initial_pool
    assert sum(fold.match.totals) + fold.match.pool == held  # QUA-7.36


@given(lawful_tables())
def test_the_lines_of_a_deal_add_up_and_the_vole_pool_is_empty_after_it(entries):
    for deal in score_answer("t", TableFold(entries)).deals:
        moved = dict.fromkeys([0, 1, 2, 3, "pool", "vole_pool"], 0)
        for line in deal.lines:
            assert line.amount > 0
            moved[line.source] -= line.amount
            moved[line.target] += line.amount
        assert [moved[seat] for seat in range(4)] == deal.deltas
        assert moved["vole_pool"] == 0  # QUA-7.30


@FEW
@given(lawful_tables(deals=2))
def test_every_state_holds_forty_different_cards(entries):
    fold = TableFold(entries)
    for record in fold.deals:
        for step in replay_steps(fold, record.number):
            if step.view.phase != "deal":
                played = [card for trick in step.view.tricks for card in trick.cards]
                held = [card for hand in step.view.hands for card in hand]
                assert sorted([*held, *played]) == sorted(PACK)


@FEW
@given(lawful_tables(deals=1))
def test_the_state_after_k_steps_is_the_fold_of_the_first_k_events(entries):
    steps = list(replay_steps(TableFold(entries), 1))
    for step in steps[1:]:
        shorter = TableFold([entry for entry in entries if entry[0] <= step.version])
        assert list(replay_steps(shorter, 1))[-1].view == step.view


@given(lawful_tables(deals=2))
def test_something_is_legal_as_long_as_a_deal_is_open(entries):
    fold = TableFold(entries)
    for record in fold.deals:
        views = [step.view for step in replay_steps(fold, record.number)]
        assert all(bool(view.legal) == (view.phase not in ("deal", "settled")) for view in views)
        assert views[-1].legal == {}


@FEW
@given(lawful_tables(deals=1), st.integers(0, 200))
def test_exactly_what_is_legal_breaks_no_rule(entries, moment):
    fold = TableFold(entries)
    record = fold.deals[0]
    deal = machine_before(fold, record, min(record.start + 2 + moment % 60, record.end))
    legal, turn = deal.legal(), deal.turn()
    if turn is None:
        return

    def is_accepted(event):
        return not faults(deal.check(event))

    for seat in range(4):
        for call in GAME.calls:
            assert is_accepted(BidMade(seat=seat, call=call)) == (seat == turn and call in legal.get("bid_made", []))
        for suit in "SHDC":
            expected = seat == turn and suit in legal.get("trump_named", [])
            assert is_accepted(TrumpNamed(seat=seat, suit=suit)) == expected
        for card in [*PACK, None]:
            expected = seat == turn and card in legal.get("partner_called", [])
            assert is_accepted(PartnerCalled(seat=seat, card=card)) == expected
            if card is not None:
                expected = seat == turn and card in legal.get("card_played", [])
                assert is_accepted(CardPlayed(seat=seat, card=card)) == expected
        for word in GAME.announcements:
            listed = word if seat == turn else f"{seat}:{word}"
            if listed not in legal.get("announced", []) and word in ("show_spadille", "reveal_partner"):
                continue  # who has shown or revealed himself may do so again: it says nothing new
            assert is_accepted(Announced(seat=seat, what=word)) == (listed in legal.get("announced", [])), listed


@FEW
@given(lawful_tables(deals=1), st.integers(0, 200))
def test_to_check_moves_nothing(entries, moment):
    fold = TableFold(entries)
    record = fold.deals[0]
    deal = machine_before(fold, record, min(record.start + 1 + moment % 60, record.end))
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
        text = msgspec.json.encode({"type": "result_recorded", "outcome": deal.outcome})
        events += [entries[record.start][1], msgspec.json.decode(text, type=Event)]
        GAME.check_outcome(deal.outcome, fold.options, 4, record.dealer)
    events.append(entries[-1][1])
    assert score_answer("t", TableFold(list(enumerate(events, start=1)))) == score


@given(lawful_tables(deals=1), st.integers(0, 60), st.integers(0, 3), st.randoms(use_true_random=False))
def test_a_seat_sees_the_same_in_every_deal_that_looks_the_same_to_it(entries, moment, seat, random):
    """What the others hold is dealt anew: as long as the same could be done, the seat sees the same."""
    fold = TableFold(entries)
    record = fold.deals[0]
    dealt_at = record.start + 1
    end = min(dealt_at + 1 + moment, record.end)
    dealt = entries[dealt_at][1]
    done = [event for _, event in entries[dealt_at + 1 : end]]
    played = {event.card for event in done if isinstance(event, CardPlayed)}
    others = [other for other in range(4) if other != seat]
    pool = [card for other in others for card in dealt.hands[other] if card not in played]
    random.shuffle(pool)
    hands = [list(hand) for hand in dealt.hands]
    for other in others:
        hands[other] = [card if card in played else pool.pop() for card in hands[other]]
    machines = [fold.game.make_match(fold.options, 4).start_deal(record.dealer) for _ in range(2)]
    for machine, cards in zip(machines, (dealt.hands, hands), strict=True):
        machine.apply(CardsDealt(hands=tuple(map(tuple, cards))), 1)
    for event in done:
        found = [faults(machine.apply(event, 1)) for machine in machines]
        if found[0] != found[1] or (machines[0].ombre != machines[1].ombre and machines[0].trump is not None):
            return  # it could not have been done so in the other deal
    shown = [machine.is_spadille_shown and machine.contract == "forced" for machine in machines]
    if shown[0] and machines[0].ombre != machines[1].ombre:
        return
    assert machines[0].view(seat) == machines[1].view(seat)
