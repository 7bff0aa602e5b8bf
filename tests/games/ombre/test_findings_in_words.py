"""What is said of a fault of the deal, the auction, trumps and the exchange: its row, its rule, its sentence."""

import pytest

from ledger.events import BidMade, CardPlayed, CardsExchanged
from tests.games.ombre.tables import HANDS, STOCK, Record, with_winners
from tests.signs import with_signs


def dealt(**options):
    return Record(**options).start(2).dealt(HANDS, STOCK)


def auctioned(call="entrada", **options):
    return dealt(**options).won_by(0, call)


def exchanging(call="entrada", **options):
    return auctioned(call, **options).trump(0, "S")


def passed_out():
    return dealt().calls("0 pass", "1 pass", "2 pass")


AUCTION = [
    (dealt().dealt(HANDS, STOCK), "11.17", "4.16", "the auction was not over"),
    (exchanging().dealt(HANDS, STOCK), "11.10", "3.6", "cards were dealt a second time in the same deal"),
    (dealt().won_by(0).calls("1 solo"), "11.13", "4.16", "Baron called solo when the auction was over"),
    (dealt().calls("0 pass", "0 solo"), "11.14", "4.9", "Belinda called solo after having passed"),
    (dealt().calls("2 vuelta"), "11.15", "4.8", "Sir Plume called vuelta, but Belinda was in turn"),
    (Record(4).start(3).dealt().calls("3 solo"), "11.15", "2.7", "Clarissa called solo, but Belinda was in turn"),
    (dealt().calls("0 vuelta", "1 entrada"), "11.16", "4.15", "Baron called entrada, which is not allowed over vuelta"),
    (
        dealt().calls("0 vuelta", "1 solo_favour"),
        "11.16",
        "4.2",
        "Baron called solo_favour, which is not allowed over vuelta",
    ),
    (dealt().gathered(0), "11.17", "4.16", "the auction was not over"),
    (dealt().claimed(pool=5), "11.17", "4.16", "the auction was not over"),
]

TRUMP = [
    (auctioned().exchanged(0), "11.19", "5.1", "no trump suit had been fixed"),
    (auctioned("solo").said(1, "yield_exchange"), "11.19", "5.1", "no trump suit had been fixed"),
    (auctioned("vuelta").exchanged(0), "11.19", "5.4", "no trump suit had been fixed"),
    (auctioned("vuelta").said(1, "yield_exchange"), "11.19", "5.4", "no trump suit had been fixed"),
    (auctioned("vuelta").played(0, "SA"), "11.19", "5.4", "no trump suit had been fixed"),
    (auctioned("vuelta").trump(0, "H"), "11.20", "5.4", "H could not be made trumps here"),
    (auctioned("vuelta").turned("CA").trump(0, "H"), "11.20", "5.4", "H could not be made trumps here"),
    (exchanging().trump(0, "D"), "11.20", "5.7", "D could not be made trumps here"),
    (passed_out().trump(0, "D"), "11.20", "5.1", "D could not be made trumps here"),
    (auctioned().turned("CA"), "11.20", "5.1", "C could not be made trumps here"),
    (exchanging().turned("HA"), "11.20", "5.7", "H could not be made trumps here"),
    (auctioned("vuelta").turned("CA").turned("D3"), "11.20", "5.7", "D could not be made trumps here"),
    (auctioned("entrada_favour", favourite_suit="H").trump(0, "C"), "11.20", "5.2", "C could not be made trumps here"),
    (auctioned().trump(2, "H"), "11.21", "5.1", "Sir Plume named trumps, but Belinda is the Ombre"),
    (auctioned("vuelta").turned("D3"), "11.22", "5.4", "D3 was turned up, which is not the top card of the stock"),
]

EXCHANGE = [
    (exchanging().said(1, "yield_exchange"), "11.23", "5.11", "Baron could not yield the exchange here"),
    (exchanging("solo").exchanged(0), "11.24", "5.9", "Belinda was not entitled to exchange"),
    (exchanging("solo").exchanged(1).exchanged(1), "11.24", "5.15", "Baron was not entitled to exchange"),
    (exchanging().exchanged(0).exchanged(0), "11.24", "5.15", "Belinda was not entitled to exchange"),
    (passed_out().exchanged(1), "11.24", "5.15", "Baron was not entitled to exchange"),
    (exchanging().exchanged(2), "11.25", "5.8", "Sir Plume exchanged, but it was Belinda's exchange"),
    (exchanging().exchanged(0, "SQ HK"), "11.26", "5.12", "Belinda put aside cards not held: SQ"),
    (exchanging("solo").exchanged(1, HANDS[1]), "11.27", "5.14", "Baron exchanged 9 cards; at most 8 were allowed"),
    (
        exchanging().exchanged(0, HANDS[0]).exchanged(1, "SQ SJ S7 DK DQ"),
        "11.27",
        "5.13",
        "Baron exchanged 5 cards; at most 4 were allowed",
    ),
    (
        exchanging().exchanged(0, "D7 D6", drawn="D3 CA"),
        "11.28",
        "5.12",
        "Belinda cannot have drawn D3 CA: the top of the stock was different",
    ),
    (
        exchanging().exchanged(0).exchanged(1).played(0, "SA"),
        "11.29",
        "5.15",
        "Sir Plume made no exchange; it counts as none",
    ),
]

PLAY = [
    (with_winners("0").gathered(1), "11.38", "6.14", "Baron gathered the trick, which Belinda won"),
    (exchanging().gathered(1), "11.38", "6.14", "Baron gathered the trick, which nobody won"),
    (passed_out().gathered(0), "11.38", "6.14", "Belinda gathered the trick, which nobody won"),
    (passed_out().played(0, "SA"), "11.31", "6.16", "Belinda played SA when the play had ended"),
    (
        with_winners("00000").said(0, "stop").played(2, "SA"),
        "11.31",
        "6.18",
        "Sir Plume played SA when the play had ended",
    ),
    (exchanging().said(0, "stop"), "11.41", "6.19", "Belinda could not stop here"),
    (exchanging().said(0, "surrender"), "11.39", "6.23", "Belinda could not surrender here"),
    (exchanging().said(1, "defend"), "11.40", "6.26", "Baron was not being asked to defend"),
    (exchanging().said(2, "decline_defence"), "11.40", "6.26", "Sir Plume was not being asked to defend"),
    (
        passed_out().said(0, "throw_in"),
        "11.42",
        "6.33",
        "Belinda could not throw in here: the deal was not decided between two tricks",
    ),
    (with_winners("000").claimed(pool=5), "11.43", "6.16", "the play had not ended"),
    (Record().start(2).claimed(pool=5), "11.43", "6.16", "the play had not ended"),
    (
        with_winners("000").said(0, "surrender").claimed(pool=5),
        "11.30",
        "6.26",
        "the surrender was not answered first: defend or decline",
    ),
    (with_winners("000").voided(), "11.52", "3.12", "the deal was voided and does not count"),
]


@pytest.mark.parametrize(("record", "row", "rule", "words"), [*AUCTION, *TRUMP, *EXCHANGE, *PLAY])
def test_a_finding_names_its_rule_and_says_what_was_found(record, row, rule, words):
    (finding,) = record.findings()
    assert (finding.code, finding.rule, finding.message) == (f"OMB-{row}", f"OMB-{rule}", with_signs(words))
    assert finding.version == record.version


def test_a_deal_left_unfinished_is_said_to_be_so_at_its_last_event():
    record = with_winners("000").start()
    (finding,) = record.findings()
    assert (finding.version, finding.seat, finding.rule) == (record.version - 1, 2, "OMB-6.16")
    assert finding.message == "the play had not ended"


@pytest.mark.parametrize(
    ("record", "legal", "wrong", "code"),
    [
        (dealt(), {"bid_made": ["entrada", "pass", "solo", "vuelta"]}, BidMade(seat=1, call="solo"), "OMB-11.15"),
        (
            exchanging().exchanged(0),
            {"cards_exchanged": [*range(10)], "announced": ["yield_exchange"]},
            CardsExchanged(seat=2, count=0),
            "OMB-11.25",
        ),
        (with_winners("00000000"), {"card_played": ["C4"]}, CardPlayed(seat=1, card="C2"), "OMB-11.32"),
    ],
)
def test_to_ask_what_an_event_would_break_says_it_and_moves_nothing(record, legal, wrong, code):
    machine = record.fold().deals[-1].machine
    before = machine.view()
    assert (machine.turn(), machine.legal()) == (before.turn, legal)
    assert [found.code for found in machine.check(wrong)] == [code]
    assert machine.view() == before
