"""What cannot be an entry of a table of Kop or Baśka at all, and what the two games declare."""

import pytest

from ledger.errors import MalformedError
from ledger.events import Announced, BidMade, DealStarted, RulingGiven, ScoreClaimed, TableOpened, TrumpNamed
from ledger.games import game_named
from ledger.games.kop import GAME
from ledger.recording.admissible import TableSoFar
from tests.builders import NAMES


def table_of(game="kop", /, players=NAMES, **options):
    so_far = TableSoFar()
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


@pytest.mark.parametrize(
    "event",
    [
        BidMade(seat=0, call="solo"),
        BidMade(seat=0, call="zolo", card="CJ"),
        BidMade(seat=4, call="pass"),
        BidMade(seat=0, call="wesele", card="C9"),
        Announced(seat=0, what="surrender"),
        Announced(seat=None, what="ask"),
        Announced(seat=None, what="concede"),
        Announced(seat=0, what="ask", seats=(0, 1)),
        TrumpNamed(seat=0, suit="S"),
        ScoreClaimed(sheet={"contract": "zolo", "tricks": 3}),
        ScoreClaimed(sheet={"partner": 4}),
        ScoreClaimed(sheet={"payments": [{"from": 7, "to": 0, "amount": 5}]}),
        ScoreClaimed(sheet={"payments": [{"from": 0, "to": 4, "amount": 5}]}),
        ScoreClaimed(deltas=(1, -1)),
        RulingGiven(deal=1, text="", kind="award"),
        RulingGiven(deal=1, text="", kind="replace", deltas=(1, 0, 0, 0), pool=-1),
        RulingGiven(deal=1, text="", kind="replace", deltas=(1, 0, 0, 0)),
    ],
)
def test_what_the_game_does_not_have_is_refused(event):
    with pytest.raises(MalformedError):
        table_of().take(event)


@pytest.mark.parametrize("game", ["kop", "baska"])
def test_both_games_share_one_vocabulary_and_one_rulebook(game):
    declared = game_named(game)
    assert (declared.calls, declared.package, declared.rule_prefix) == (GAME.calls, "ledger.games.kop", "KOP")
    for call in ("grand", "baska", "d8"):
        table_of(game).take(BidMade(seat=0, call=call))
