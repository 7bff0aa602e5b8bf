"""What holds for every lawful table: nothing is lost, states are folds, `legal` is exactly what is accepted."""

from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.cards import UNKNOWN
from ledger.events import Announced, BidMade, CardPlayed, CardsExchanged, CardTurned, TrumpNamed
from ledger.games.kernel.matadors import PACK
from ledger.games.ombre import GAME
from ledger.table.fold import TableFold
from ledger.table.score import score_answer
from ledger.table.steps import replay_steps
from tests.games.ombre.strategies import lawful_tables

FEW = settings(max_examples=30)


def faults(violations):
    return [violation for violation in violations if violation.severity != "info"]


def machine_before(fold, record, end):
    """The state machine before the entry at `end`."""
    machine = fold.match.start_deal(record.dealer)
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
        assert sum(settlement.deltas) + settlement.pool_after - settlement.pool_before == 0
    assert sum(fold.match.totals) + fold.match.pool == 0


@given(lawful_tables())
def test_totals_are_the_sum_of_the_deals_and_the_closing(entries):
    score = score_answer("t", TableFold(entries))
    parts = [deal.deltas for deal in score.deals] + [score.closing.deltas if score.closing else [0] * len(score.totals)]
    assert score.totals == [sum(column) for column in zip(*parts, strict=True)]


@given(lawful_tables())
def test_the_lines_of_a_deal_add_up_to_its_deltas(entries):
    for deal in score_answer("t", TableFold(entries)).deals:
        moved = [0] * len(deal.deltas)
        for line in deal.lines:
            assert line.amount > 0
            if line.source != "pool":
                moved[line.source] -= line.amount
            if line.target != "pool":
                moved[line.target] += line.amount
        assert moved == deal.deltas


@FEW
@given(lawful_tables(deals=2))
def test_every_state_holds_forty_different_cards(entries):
    fold = TableFold(entries)
    for record in fold.deals:
        put_aside: list[str] = []
        for step in replay_steps(fold, record.number):
            if isinstance(step.event, CardsExchanged):
                put_aside.extend(step.event.discarded)
            if step.view.phase == "deal":
                continue
            played = [card for trick in step.view.tricks for card in trick.cards]
            held = [card for hand in step.view.hands for card in hand]
            assert sorted([*held, *step.view.stock, *played, *put_aside]) == sorted(PACK)


@FEW
@given(lawful_tables(deals=1))
def test_the_state_after_k_steps_is_the_fold_of_the_first_k_events(entries):
    fold = TableFold(entries)
    steps = list(replay_steps(fold, 1))
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
    deal = machine_before(fold, record, min(record.start + 2 + moment % 45, record.end))
    legal, turn = deal.legal(), deal.turn()
    if turn is None:
        return

    def is_accepted(event):
        return not faults(deal.check(event))

    for call in GAME.calls:
        assert is_accepted(BidMade(seat=turn, call=call)) == (call in legal.get("bid_made", []))
    for suit in "SHDC":
        assert is_accepted(TrumpNamed(seat=turn, suit=suit)) == (suit in legal.get("trump_named", []))
    for card in PACK:
        assert is_accepted(CardPlayed(seat=turn, card=card)) == (card in legal.get("card_played", []))
        assert is_accepted(CardTurned(card=card)) == (card in legal.get("card_turned", []))
    for word in GAME.announcements:
        for seat in range(len(fold.players)):
            listed = word if seat == turn else f"{seat}:{word}"
            assert is_accepted(Announced(seat=seat, what=word)) == (listed in legal.get("announced", []))
    own = [card for card in deal.view().hands[turn] if card != UNKNOWN]
    for count in range(len(own) + 1):
        event = CardsExchanged(seat=turn, count=count, discarded=tuple(own[:count]))
        assert is_accepted(event) == (count in legal.get("cards_exchanged", []))
    for seat in set(range(len(fold.players))) - {turn}:
        assert not is_accepted(BidMade(seat=seat, call="pass"))
        assert not is_accepted(CardsExchanged(seat=seat, count=0))
        assert all(not is_accepted(CardPlayed(seat=seat, card=card)) for card in deal.view().hands[seat])


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
    score = score_answer("t", TableFold(entries))
    events = [entries[0][1]]
    for deal, record in zip(score.deals, TableFold(entries).deals, strict=True):
        events.append(entries[record.start][1])
        events.append(_recorded(deal.outcome))
    events.append(entries[-1][1])
    again = score_answer("t", TableFold(list(enumerate(events, start=1))))
    assert again == score


def _recorded(outcome):
    import msgspec

    from ledger.events import Event

    text = msgspec.json.encode({"type": "result_recorded", "outcome": outcome})
    return msgspec.json.decode(text, type=Event)
