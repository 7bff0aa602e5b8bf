"""Legal moves as events, the seats that they name, and the JSON that contract 5 makes of them."""

from ledger.events import Announced, BidMade, CardPlayed, PartnerCalled, TrumpNamed
from ledger.games.kernel.moves import as_json, shown, tag_of
from tests.games.kop import tables as kop
from tests.games.ombre import tables as ombre


def test_the_json_names_another_speaker_and_sorts_null_last():
    moves = (
        BidMade(seat=1, call="pass"),
        Announced(seat=2, what="mit"),
        Announced(seat=1, what="kontra"),
        PartnerCalled(seat=1, card=None),
        PartnerCalled(seat=1, card="HK"),
        CardPlayed(seat=1, card="S7"),
    )
    assert as_json(moves, 1) == {
        "bid_made": ["pass"],
        "announced": ["2:mit", "kontra"],
        "partner_called": ["HK", None],
        "card_played": ["S7"],
    }
    for turn in (None, 1, 2):
        assert as_json(moves, turn) == {tag_of(kind): list(values) for kind, values in shown(moves, turn).items()}


def test_a_hidden_actor_is_one_move_for_each_seat_that_it_may_be():
    record = ombre.Record(all_pass="spadille_forced").start(dealer=2).dealt(ombre.HANDS, ombre.STOCK)
    deal = record.calls("0 pass", "1 pass", "2 pass").machine()
    spades = [{move.seat for move in deal.legal(seat) if move.suit == "S"} for seat in (None, 0, 1, 2)]
    assert spades == [{0}, {0}, {0, 2}, {0, 1}]
    assert as_json(deal.legal(1), None) == as_json(deal.legal(), 0) == {"trump_named": ["C", "D", "H", "S"]}


def test_trumps_of_an_unknown_holder_of_spadille_may_be_named_by_each_who_may_hold_it():
    deal = ombre.Record(all_pass="spadille_forced").start(dealer=2).calls("0 pass", "1 pass", "2 pass").machine()
    assert {type(move) for move in deal.legal()} == {TrumpNamed}
    assert [move.seat for move in deal.legal() if move.suit == "S"] == [0, 1, 2]


def test_a_wesele_names_each_jack_that_may_be_due():
    deal = kop.Table(announce_wesele_jack=True).deal_out(kop.ORDINARY, dealer=3).machine()
    hidden = kop.Table(announce_wesele_jack=True).start(3).dealt().machine()
    named = [[move.card for move in one.legal() if move.call == "wesele"] for one in (deal, hidden)]
    assert all(not one.check(move) for one in (deal, hidden) for move in one.legal())
    assert named[1] == ["CJ", "SJ", "HJ", "DJ"]
    assert as_json(hidden.legal(), hidden.turn())["bid_made"].count("wesele") == 1
