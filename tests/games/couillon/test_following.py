"""The cards that may be played and the winners, compared with a second opinion from the rulebook's tables alone."""

import tomllib
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.cards import INDEX, PACK_52, texts_in
from ledger.events import CardPlayed
from ledger.games.couillon.pack import MIT_TABLES, PACK_24, PACK_32, POINTS, TRUMP_TABLES, points_in
from ledger.games.couillon.play_rules import holder_of_mit_card
from ledger.games.kernel.moves import of_type
from ledger.table.fold import TableFold
from tests.covering import examples
from tests.games import naive_play
from tests.games.couillon import naive
from tests.games.couillon.strategies import FORMS, lawful_tables
from tests.games.couillon.tables import PLAYERS, Table

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


@examples(25)
@given(lawful_tables(deals=1))
def test_every_trick_of_a_lawful_table_goes_to_the_naive_winner(entries):
    deal = TableFold(entries).deals[0].machine
    view = deal.view()
    for trick in view.tricks:
        if trick.winner is not None:
            plays = list(zip(trick.seats, trick.cards, strict=True))
            assert naive.winner(plays, view.trump, bool(deal.raises)) == trick.winner


def test_every_form_is_in_the_strategies():
    assert {form["form"] for form in FORMS} == set(PLAYERS)
    assert set(PACK) <= set(PACK_52)
