"""Properties of every lawful table of Couillon: those of every game, and those of this one alone."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from ledger.cards import UNKNOWN
from ledger.events import CardsDealt, DealStarted
from ledger.games.couillon import GAME
from ledger.games.couillon.outcome import team_of
from ledger.recording.simulate import simulate_table
from ledger.table.fold import TableFold
from ledger.table.score import score_answer
from ledger.table.steps import replay_steps
from tests.contracts.any_record import AnyRecord
from tests.contracts.lawful_tables import LawfulTables
from tests.covering import examples
from tests.games.couillon import strategies
from tests.games.couillon.strategies import lawful_tables
from tests.games.couillon.tables import NAMES
from tests.games.masked import blamed, carelessly_played, with_masked_hands, with_masked_plays
from tests.games.section_11 import rows


class TestLawfulTables(LawfulTables):
    tables = strategies

    def is_fault(self, violation):
        """Return True: lawful play has no violation at all."""
        return True


class TestAnyRecord(AnyRecord):
    """No record, however wrong, stops its reading."""

    tables = strategies

    def check_score(self, score, findings):
        said_after_the_end = "COU-11.46"
        codes = {code for code, row in rows("couillon").items() if row.blocks} - {said_after_the_end}
        blocked = {finding.deal for finding in findings if finding.code in codes}
        for deal in score.deals:
            is_ruled = any(ruling.in_force and ruling.kind != "stands" for ruling in deal.rulings)
            if deal.deal in blocked and not is_ruled:
                assert deal.status in ("unscorable", "voided"), deal
            if deal.status != "complete":
                assert set(deal.deltas) == {0}


@examples(25)
@given(lawful_tables())
def test_a_board_pays_and_is_paid_by_seats_alone(entries):
    score = score_answer("t", TableFold(entries))
    for deal in score.deals:
        assert (deal.pool_before, deal.pool_after) == (0, 0)
        assert all((line.source == "board") != (line.target == "board") for line in deal.lines)
    assert score.closing is None


@examples(25)
@given(lawful_tables())
def test_need_and_game_points_move_as_the_invariants_say(entries):
    """COU-7.37 to 7.43."""
    fold = TableFold(entries)
    options, state = fold.options, None
    for record in fold.deals:
        before = state or fold.game.make_match(options, len(fold.players)).state()
        state = TableFold(entries[: record.end]).match.state()
        outcome, key = record.outcome, "gp" if options.is_on_points else "need"
        assert sum(outcome.tricks) == options.form.hand
        fell = [old - new for old, new in zip(before[key], state[key], strict=True)]
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
            assert state["draw_mark"] == 0
        if outcome.tricks[loser] == 0:
            assert outcome.result == "ALL_TRICKS"


@examples(15)
@given(lawful_tables(deals=1))
def test_card_points_and_the_cards_out_of_play_make_forty(entries):
    record = TableFold(entries).deals[0]
    out = sum({"A": 4, "K": 3, "Q": 2, "J": 1}.get(card[1], 0) for card in record.machine.stock)
    assert sum(record.outcome.card_points) + out == 40


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


@examples(25, many=1_000)
@given(lawful_tables(deals=1, closed=False), st.integers(0, 2**32))
def test_a_record_with_less_detail_blames_for_nothing_more(entries, seed):
    chance = Random(seed)
    full = carelessly_played(entries, chance)
    less = with_masked_plays(with_masked_hands(full, chance), chance)
    assert blamed(less) <= blamed(full)
    partial, known = TableFold(less).deals[0], TableFold(full).deals[0]
    assert partial.outcome in (None, known.outcome)
