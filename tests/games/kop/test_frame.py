"""Events and options that a table of Kop or Baśka rejects, and the declarations of the two games."""

from pathlib import Path

import msgspec
import pytest

from ledger.errors import MalformedError
from ledger.events import BidMade, DealStarted, Event, TableOpened
from ledger.games import game_named
from ledger.games.kop import GAME
from ledger.recording.validator import TableValidator
from tests.builders import NAMES
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
