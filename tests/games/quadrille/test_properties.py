"""What holds for every lawful table of Quadrille: of every game, with Quadrille's strategies, and of this one alone."""

from hypothesis import given
from hypothesis import strategies as st

from ledger.events import CardPlayed, CardsDealt
from ledger.table.fold import TableFold
from ledger.table.score import score_answer
from tests.contracts.lawful_tables import LawfulTables
from tests.games.quadrille import strategies
from tests.games.quadrille.strategies import counters_brought, lawful_tables


class TestLawfulTables(LawfulTables):
    tables = strategies
    may_be_unlisted = frozenset(("show_spadille", "reveal_partner"))  # again, when it says nothing new

    def brought(self, fold):
        return counters_brought(fold)  # QUA-7.36


@given(lawful_tables())
def test_the_vole_pool_is_empty_after_every_deal(entries):
    for deal in score_answer("t", TableFold(entries)).deals:
        paid = sum(line.amount for line in deal.lines if line.target == "vole_pool")
        assert paid == sum(line.amount for line in deal.lines if line.source == "vole_pool")  # QUA-7.30


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
        found = [[found for found in machine.apply(event, 1) if found.severity != "info"] for machine in machines]
        if found[0] != found[1] or (machines[0].ombre != machines[1].ombre and machines[0].trump is not None):
            return  # it could not have been done so in the other deal
    shown = [machine.is_spadille_shown and machine.contract == "forced" for machine in machines]
    if shown[0] and machines[0].ombre != machines[1].ombre:
        return
    assert machines[0].view(seat) == machines[1].view(seat)
