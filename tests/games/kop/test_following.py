"""What a player who does not lead may play: the positions of the rulebook's section 6, word for word."""

import re
from importlib.resources import files
from itertools import combinations, permutations

import pytest

from ledger.cards import INDEX, mask_of, texts_in
from ledger.games.kop.pack import PACK
from ledger.games.kop.schemes import SCHEMES
from tests.covering import sample
from tests.games.kop import naive
from tests.games.kop.tables import Table, ordinary

_POSITION = re.compile(r"^\| (standard|new|jacks)(?:, `(\w+)` off)? \| ([A-Z ]+) \| ([A-Z ]+) \| ([A-Z ]+) \|$")


def positions():
    text = files("ledger.games.kop").joinpath("rules.md").read_text(encoding="utf-8")
    return [match.groups() for match in map(_POSITION.match, text.splitlines()) if match]


def test_all_positions_of_the_rulebook_were_read():
    assert len(positions()) == 17


@pytest.mark.parametrize(("scheme", "off", "trick", "hand", "permitted"), positions())
def test_a_position_of_the_rulebook(scheme, off, trick, hand, permitted):
    best = INDEX[naive.best(scheme, trick.split())]
    held = mask_of(INDEX[card] for card in hand.split())
    found = SCHEMES[scheme].permitted(
        held, INDEX[trick.split()[0]], best, must_trump=off != "must_trump", must_beat=off != "must_beat"
    )
    assert sorted(texts_in(found)) == sorted(permitted.split())


@pytest.mark.parametrize("led", sample(sorted(PACK), 5))
@pytest.mark.parametrize("scheme", SCHEMES)
def test_for_every_two_cards_on_the_table_and_every_two_in_hand_engine_and_decision_table_agree(scheme, led):
    for second in sorted(PACK - {led}):
        trick = [led, second]
        best = naive.best(scheme, trick)
        for hand in combinations(sorted(PACK - set(trick)), 2):
            held = mask_of(map(INDEX.__getitem__, hand))
            allowed = SCHEMES[scheme].permitted(held, INDEX[led], INDEX[best], True, True)
            assert sorted(texts_in(allowed)) == sorted(naive.may_play(scheme, trick, list(hand))), (trick, hand)


def test_the_engine_and_the_lists_of_the_rulebook_agree_on_what_beats_what():
    for name, scheme in SCHEMES.items():
        for card, other in permutations(PACK, 2):
            assert bool(scheme.beaten_by[INDEX[other]] >> INDEX[card] & 1) == naive.beats(name, card, other)


def test_the_leader_may_lead_any_card():
    assert ordinary().legal == {"card_played": ["CA", "CJ", "DT", "SQ"]}  # KOP-6.3


def test_each_player_must_overtake_as_in_the_first_example():
    table = ordinary().played(0, "DT")
    assert table.legal == {"card_played": ["DJ", "DQ", "HJ"]}
    assert table.played(1, "DQ").legal == {"card_played": ["HQ", "HT"]}
    assert table.played(2, "HT").legal == {"card_played": ["HA"]}


def test_a_table_may_do_without_the_duty_to_overtake():
    assert ordinary(must_beat=False).played(0, "DT").played(1, "DQ").legal == {"card_played": ["DA", "HQ", "HT", "SJ"]}


def test_a_table_may_do_without_the_duty_to_trump():
    table = ordinary(must_trump=False).trick(0, "DT DQ HT HA").played(3, "SA")
    assert table.legal == {"card_played": ["CA", "CJ", "SQ"]}  # KOP-6.10: and need not overtake
    assert ordinary().trick(0, "DT DQ HT HA").played(3, "SA").legal == {"card_played": ["CJ", "SQ"]}


def test_the_winner_leads_next_and_a_trump_wins_over_the_suit_led():
    state = ordinary().trick(0, "DT DQ HT HA").trick(3, "SA CJ ST HQ").state()
    assert [trick.winner for trick in state.tricks] == [3, 2]
    assert [trick.won_by for trick in state.tricks] == ["trump", "trump"]
    assert state.turn == 2
    assert (state.trick_counts, state.card_points) == ([0, 0, 1, 1], [0, 0, 26, 34])


def test_without_trumps_the_highest_card_of_the_suit_led_wins():
    table = Table("baska").deal_out(("CA HT DT SQ", "CT HQ DA SA", "CQ HA DQ ST", "CJ SJ HJ DJ")).contract(0, "grand")
    state = table.played(0, "CA").played(1, "CT").played(2, "CQ").played(3, "CJ").state()
    assert (state.tricks[0].winner, state.tricks[0].won_by) == (3, "trump")
    table = Table("baska").deal_out(("CA HT DT SQ", "CT HQ DA CJ", "CQ HA DQ ST", "SA SJ HJ DJ"), dealer=3)
    state = table.contract(0, "grand").trick(0, "DT DA DQ SA").state()
    assert (state.tricks[0].winner, state.tricks[0].won_by) == (1, "led")
