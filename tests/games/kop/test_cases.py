"""Cases of the rulebook of Kop; the text file of each test says what it is about."""

from itertools import permutations

import pytest

from ledger.events import Announced
from ledger.table.score import score_answer
from tests.games.kop.tables import ALONE, ALONE_PLAY, CICHA, ORDINARY, ORDINARY_PLAY, Table, bidding, free, ordinary
from tests.games.scripted import cases_of


def dealt(*hands, **fields):
    return Table().deal_out(hands or ORDINARY, **fields)


def hidden(*calls, **options):
    table = Table(**options).start(3)
    return table.calls(*calls) if calls else table.passed_out()


def proven():
    """Return a deal with a revoke of seat 1, found at entry 8 when it plays HQ."""
    return hidden().trick(0, "DT ST HT HA").trick(3, "SA CJ DQ HQ")


@pytest.mark.parametrize("seats", [(), (0, 1, 2, 3)])
def test_neither_nobody_nor_everybody_concedes_even_where_no_side_is_known(seats):
    table = hidden(concessions=True)
    table.add(Announced(seat=None, what="concede", seats=seats))
    assert table.finding() == ("11.50", 7, None, None)


def result_only():
    """Return a deal known only by its result."""
    return Table().start(0).result(contract="cicha", declarers=[2], card_points=[79, 25], tricks=[3, 1])


class TestPayments:
    @pytest.mark.parametrize(("points", "tricks", "doublings", "text"), [
        ([60, 44], [2, 2], 0, "ゾロ:基本点 5"),
        ([25, 79], [1, 3], 0, "ゾロ:基本点 5 × ベズ・ビエスチア 2 × デクレアラーの負け 2"),
        ([104, 0], [4, 0], 1, "ゾロ:基本点 5 × コントラ 2 × ベズ・ビトキ 3"),
    ])  # fmt: skip
    def test_in_japanese_each_factor_has_its_own_name(self, points, tricks, doublings, text):
        table = Table("baska").start(0)
        table.result(contract="zolo", declarers=[1], card_points=points, tricks=tricks, doublings=doublings)
        (deal,) = score_answer("t", table.fold(), "ja").deals
        assert {line.text for line in deal.lines} == {text}


def test_a_deal_left_unfinished_is_unscorable_and_nothing_is_legal_in_it():
    table = ordinary().start(0)
    deal = table.fold().deals[0].machine
    assert (deal.view().phase, deal.status, deal.legal(), deal.turn()) == ("unscorable", "unscorable", (), None)


def test_the_jack_named_with_a_wesele_is_shown_with_the_call():
    table = Table(announce_wesele_jack=True).deal_out(CICHA).named(0, "wesele", "CJ")
    (call,) = table.state().auction
    assert (call.seat, call.call, call.card) == (0, "wesele", "CJ")
    (call,) = Table().deal_out(CICHA).calls("0 pass").state().auction
    assert call.card is None


def alone(bid="zolo_du", **options):
    return Table(**options).deal_out(ALONE).contract(0, bid)


def test_an_ordinary_game_and_cicha_look_alike_to_a_seat_without_old_queens():
    assert Table().deal_out(("CQ HQ HJ CJ", *CICHA[1:])).passed_out().state(seat=1).contract is None
    own = CICHA[1].split()
    others = [card for hand in CICHA for card in hand.split() if card not in own]
    seen = set()
    for first in list(permutations(others, 4))[::900]:
        rest = [card for card in others if card not in first]
        hands = (" ".join(first), CICHA[1], " ".join(rest[:4]), " ".join(rest[4:]))
        state = Table().deal_out(hands).passed_out().state(seat=1)
        seen.add((state.contract, state.declarer, state.partner))
    assert seen == {(None, None, None)}


def settled():
    """Return KOP-12.1: 0 and 3 win one point each."""
    return ordinary().tricks(ORDINARY_PLAY)


def solo():
    return Table().deal_out(ALONE).contract(0, "zolo_du").tricks(ALONE_PLAY)


def replaced():
    return settled().ruled("replace", deltas=[-3, 1, 1, 1])


test_auction = cases_of("kop/auction.txt", Table, bidding, free)
test_auction_faults = cases_of("kop/auction_faults.txt", Table, bidding, free, ordinary)
test_dealing = cases_of("kop/dealing.txt", Table, dealt)
test_hidden_hands = cases_of("kop/hidden_hands.txt", Table, hidden, proven)
test_in_words = cases_of("kop/in_words.txt", Table, bidding, free, ordinary, result_only)
test_phases = cases_of("kop/phases.txt", Table, bidding, free, ordinary)
test_play_faults = cases_of("kop/play_faults.txt", Table, alone, ordinary)
test_secrecy = cases_of("kop/secrecy.txt", Table, bidding)
test_sheet = cases_of("kop/sheet.txt", Table, ordinary, replaced, settled, solo)
