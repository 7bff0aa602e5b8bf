"""Ombre's cards (OMB-2.13 to 2.26), and wrong cards and turns (OMB-11.31 to 11.38). Winners: `test_perft.py`."""

import pytest

from ledger.cards import INDEX, PACK_52
from ledger.games.kernel.matadors import PACK, TRUMP_TABLES, plain_order
from tests.games.naive_matadors import PLAIN, TRUMPS
from tests.games.ombre.tables import Record, in_play, with_winners
from tests.games.scripted import cases_of


def texts(order):
    return tuple(PACK_52[card] for card in order)


def test_the_pack_has_forty_cards_without_tens_nines_and_eights():
    assert len(PACK) == 40
    assert {card[1] for card in PACK} == set("AKQJ765432")


@pytest.mark.parametrize("suit", "SHDC")
def test_a_suit_ranks_as_in_the_tables_as_trumps_and_otherwise(suit):
    assert texts(TRUMP_TABLES[suit].order) == tuple(TRUMPS[suit])
    assert texts(plain_order(suit)) == tuple(PLAIN[suit])


@pytest.mark.parametrize("trump", "SHDC")
def test_every_trump_beats_every_other_card(trump):
    table = TRUMP_TABLES[trump]
    trumps = TRUMPS[trump]
    weakest = min(table.power[INDEX[card]] for card in trumps)
    assert all(table.power[INDEX[card]] < weakest for card in PACK - set(trumps))


# Trump spades. Seat 0 leads; all follow hearts once, seat 1 holds two.
HANDS = {0: "HK HQ SA S2 CK", 1: "HJ HA S3 DK", 2: "H2 S4 DQ"}


def playing(**options):
    return in_play("S", HANDS, avoid={0: "HS", 1: "HS", 2: "HS"}, **options)


def with_the_only_heart_of_seat_2_played_by_seat_1():
    return playing().trick(0, "SA H2 S4").trick(0, "HK HJ")


class TestIllegalExemptionAndRevoke:  # 11.36 illegal_exemption, 11.37 revoke
    def test_a_deal_with_a_revoke_is_scored_as_it_was_played(self):
        record = with_winners("000110022")
        version, event = record.entries[12]
        assert record.deal().status == "complete"
        record.corrected(version, "replace", type(event)(seat=event.seat, card="SA"))
        assert "11.35" in record.codes()
        assert record.deal().status == "complete"


test_each_case_of_the_file = cases_of(
    "ombre/play_faults.txt", Record, in_play, playing, with_the_only_heart_of_seat_2_played_by_seat_1, with_winners
)
