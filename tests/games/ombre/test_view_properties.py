"""What `replay` shows a seat of any lawful table: what it may do, and no card that it has not seen."""

from hypothesis import given, settings

from ledger.cards import UNKNOWN
from ledger.events import CardTurned
from ledger.table.fold import TableFold
from ledger.table.steps import replay_steps
from tests.games.ombre.strategies import lawful_tables

FEW = settings(max_examples=30)


@FEW
@given(lawful_tables(deals=2))
def test_a_seat_is_shown_no_card_that_it_has_not_seen(entries):
    fold = TableFold(entries)
    for record in fold.deals:
        for seat in range(len(fold.players)):
            turned = set()
            for step, all_seen in zip(
                replay_steps(fold, record.number, seat), replay_steps(fold, record.number), strict=True
            ):
                if isinstance(step.event, CardTurned):
                    turned.add(step.event.card)
                view = step.view
                assert view.hands[seat : seat + 1] == all_seen.view.hands[seat : seat + 1]
                others = [card for other, hand in enumerate(view.hands) if other != seat for card in hand]
                assert set(others) | set(view.stock) <= {UNKNOWN} | turned
                assert [len(hand) for hand in view.hands] == [len(hand) for hand in all_seen.view.hands]
                assert "card_played" not in view.legal or view.turn == seat
                assert "card_turned" not in view.legal
                shown = (view.tricks, view.auction, view.trump, view.contract, view.trick_counts)
                whole = all_seen.view
                assert shown == (whole.tricks, whole.auction, whole.trump, whole.contract, whole.trick_counts)


@FEW
@given(lawful_tables(deals=2))
def test_the_seat_in_turn_sees_what_it_may_do(entries):
    fold = TableFold(entries)
    for record in fold.deals:
        for step in replay_steps(fold, record.number):
            turn = step.view.turn
            if turn is None or "card_turned" in step.view.legal:
                continue
            for own in replay_steps(fold, record.number, turn):
                if own.step == step.step:
                    assert own.view.legal == step.view.legal
                    break
