"""The cards that may be played to a lead: the positions of the rulebook's section 6, word for word."""

import re
from importlib.resources import files
from itertools import combinations, permutations

import pytest

from ledger.cards import INDEX, mask_of, texts_in
from ledger.games.kop.pack import PACK, SCHEMES
from tests.covering import sample
from tests.games.kop import naive
from tests.games.kop.tables import Table, ordinary
from tests.games.scripted import cases_of

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
    allowed = SCHEMES[scheme].permitted(
        held, INDEX[trick.split()[0]], best, must_trump=off != "must_trump", must_beat=off != "must_beat"
    )
    assert sorted(texts_in(allowed)) == sorted(permitted.split())


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


test_each_case_of_the_file = cases_of("kop/following.txt", Table, ordinary)
