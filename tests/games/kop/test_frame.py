"""Rejected events and options, the declarations of Kop and Baśka, and the cards that may be played (KOP section 6)."""

import re
from importlib.resources import files
from itertools import combinations, permutations
from pathlib import Path

import msgspec
import pytest

from ledger.cards import INDEX, mask_of, texts_in
from ledger.errors import MalformedError
from ledger.events import BidMade, DealStarted, Event, TableOpened
from ledger.games import game_named
from ledger.games.kop import GAME
from ledger.games.kop.pack import PACK, SCHEMES
from ledger.recording.validator import TableValidator
from tests.builders import NAMES
from tests.covering import sample
from tests.games.kop import naive
from tests.games.kop.tables import Table, ordinary
from tests.games.scripted import cases_of
from tests.web.lists import lines_in


def table_of(game="kop", /, players=NAMES, **options):
    so_far = TableValidator()
    so_far.take(TableOpened(game=game, players=players, options=options))
    so_far.take(DealStarted(deal=1, dealer=3))
    return so_far


def test_options_may_be_spelt_out_as_their_defaults():
    table_of(max_doublings=4, match_deals=None, auction_order="official")
    table_of("baska", match_deals="none", auction_order="official")


@pytest.mark.parametrize("players", [NAMES[:3], (*NAMES, "Thalestris")])
def test_four_players_sit_at_the_table(players):
    with pytest.raises(MalformedError, match="4 names"):
        table_of(players=players)


@pytest.mark.parametrize("line", lines_in(Path(__file__).with_name("no_entries.txt")))
def test_foreign_events_are_rejected(line):
    event = msgspec.json.decode(line, type=Event)
    with pytest.raises(MalformedError):
        table_of().take(event)


@pytest.mark.parametrize("game", ["kop", "baska"])
def test_both_games_share_one_vocabulary_and_one_rulebook(game):
    declared = game_named(game)
    assert (declared.calls, declared.package, declared.rule_prefix) == (GAME.calls, "ledger.games.kop", "KOP")
    for call in ("grand", "baska", "d8"):
        table_of(game).take(BidMade(seat=0, call=call))


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
