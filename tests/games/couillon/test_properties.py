"""Properties of every lawful table of Couillon, and its legal cards compared with the rulebook's tables alone."""

import tomllib
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.cards import INDEX, PACK_52, UNKNOWN, texts_in
from ledger.events import CardPlayed, CardsDealt, DealStarted
from ledger.games.couillon import GAME
from ledger.games.couillon.outcome import team_of
from ledger.games.couillon.pack import MIT_TABLES, PACK_24, PACK_32, POINTS, TRUMP_TABLES, points_in
from ledger.games.couillon.play_rules import holder_of_mit_card
from ledger.games.kernel.moves import of_type
from ledger.recording.simulate import simulate_table
from ledger.table.fold import TableFold
from ledger.table.score import score_answer
from ledger.table.steps import replay_steps
from tests.contracts.any_record import AnyRecord
from tests.contracts.lawful_tables import LawfulTables
from tests.covering import examples
from tests.games import naive_play
from tests.games.couillon import naive, strategies
from tests.games.couillon.strategies import FORMS, lawful_tables
from tests.games.couillon.tables import NAMES, PLAYERS, Table
from tests.games.masked import blamed, carelessly_played, with_masked_hands, with_masked_plays
from tests.games.test_section_11 import rows


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


PACK = texts_in(PACK_32)
suits = st.sampled_from("SHDC")


@examples(50)
@given(st.lists(st.sampled_from(PACK), min_size=2, max_size=6, unique=True), suits, st.booleans())
def test_the_playable_cards_are_those_of_the_decision_table(held, trump, mit):
    led, *hand = held
    mask = sum(1 << INDEX[card] for card in hand)
    allowed = (MIT_TABLES if mit else TRUMP_TABLES)[trump].playable(mask, INDEX[led])
    assert sorted(texts_in(allowed)) == naive.may_play(hand, led, trump, mit)


@pytest.mark.parametrize("mit", [False, True])
@pytest.mark.parametrize("trump", "SHDC")
def test_trumps_rank_as_in_the_table_and_beat_every_other_card(trump, mit):
    table = (MIT_TABLES if mit else TRUMP_TABLES)[trump]
    order = [trump + rank for rank in "AKQJT987"]
    if mit:
        order = [card for card in order if card != "SQ"]
        order.insert(1, "SQ")
    assert sorted(texts_in(table.trumps), key=lambda card: table.beaten_by[INDEX[card]].bit_count()) == order
    plain = [card for card in PACK if card not in order]
    assert all(not table.trumps & ~table.beaten_by[INDEX[card]] for card in plain)


def test_with_a_mit_the_plain_spades_lack_their_queen():
    table = MIT_TABLES["H"]
    spades = texts_in(table.follows[INDEX["SA"]])
    ranked = sorted(spades, key=lambda card: table.beaten_by[INDEX[card]].bit_count())
    assert " ".join(ranked) == "SA SK SJ ST S9 S8 S7"


@pytest.mark.parametrize("pack", [PACK_24, PACK_32])
def test_either_pack_holds_forty_points_ten_in_each_suit(pack):
    assert points_in(pack) == 40
    assert {points_in(pack & sum(1 << INDEX[card] for card in PACK if card[0] == suit)) for suit in "SHDC"} == {10}
    worth = {"SQ": 2, "HA": 4, "DK": 3, "CJ": 1, "ST": 0, "H9": 0, "D8": 0, "C7": 0}
    assert {card: POINTS[INDEX[card]] for card in worth} == worth


def continuations(deal, depth=99):
    """Count the ways to play on with the state machine."""
    plays = of_type(deal.legal(), CardPlayed)
    if not depth or not plays:
        return 1
    total = 0
    for play in plays:
        after = deal.copy()
        assert not after.apply(play, 0)
        total += continuations(after, depth - 1)
    return total


PERFT = tomllib.loads(Path(__file__).with_name("perft.toml").read_text(encoding="utf-8"))["rows"]
"""The numbers are fixed, to catch a fault that engine and enumerator share."""


@pytest.mark.parametrize("mit", [False, True])
@pytest.mark.parametrize(("form", "seed", "played", "depth", "number"), PERFT)
def test_the_engine_and_the_naive_enumerator_count_as_many_continuations(form, seed, played, depth, number, mit):
    chance = Random(seed)
    deal = dealt_for_play(form, chance, mit)
    if deal is None:
        return
    for _ in range(played):
        deal.apply(chance.choice(of_type(deal.legal(), CardPlayed)), 0)
    has_mit = bool(deal.raises)
    expected = naive_play.continuations(
        lambda trick, hand: naive.may_play(hand, trick[0] if trick else None, deal.trumps.suit, has_mit),
        lambda trick: naive.winner(trick, deal.trumps.suit, has_mit),
        [texts_in(held) for held in deal.holdings.known],
        deal.turn(),
        depth,
    )
    assert continuations(deal, depth) == expected
    assert expected == number or (mit and expected > 1)


def dealt_for_play(form, chance, mit):
    """Return a deal at the first lead; None for a Mit' if there is none."""
    table = Table(form).start(PLAYERS[form] - 1)
    deck = tuple(chance.sample(texts_in(table.options.form.pack), table.options.form.pack.bit_count()))
    table.dealt(deck=deck)
    if form == "basic4":
        upcard = table.legal["card_turned"][0]
        table.turned(upcard).calls("0 take")
    else:
        table.trump(0, chance.choice("SHDC"))
    if mit:
        holder = holder_of_mit_card(table.machine())
        if holder is None or not table.options.has_mit:
            return None
        table.said(holder, "mit")
    return table.machine()


def test_every_form_is_in_the_strategies():
    assert {form["form"] for form in FORMS} == set(PLAYERS)
    assert set(PACK) <= set(PACK_52)
