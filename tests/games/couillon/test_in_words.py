"""What the findings and the score lines of a deal say, word for word (COU sections 5 to 7, 11)."""

import pytest

from tests.games.couillon.tables import Table
from tests.signs import with_signs

HANDS = {0: "SA SK HA HK D9", 1: "CA CK SQ CJ CT", 2: "HQ DK DQ DJ DT", 3: "S9 H9 DA C9 ST"}


def naming():
    """mit4, dealer 2; forehand is seat 3, Dan. Seat 1, Ben, holds SQ."""
    return Table("mit4").start(2).dealt(HANDS, "HJ HT SJ CQ")


def upcard(**options):
    return Table(**options).start(3).dealt({0: "SA HA DK C9"}, "HJ ?? ?? ?? ?? ?? ?? D9")


def told(form="basic4", **options):
    """A deal known by its result alone."""
    return Table(form, **options).start(3).result(20, 12, (3, 2) if form == "mit4" else (3, 1))


@pytest.mark.parametrize(
    ("table", "rule", "seat", "message"),
    [
        (
            Table("mit4").start(3).trump(0, "H").played(0, "HA").dealt(),
            "3.17",
            None,
            "at the first lead no cards had been dealt; 5 to each player were due",
        ),
        (naming().add(naming().entries[-1][1]), "2.11", None, "cards were dealt a second time in the same deal"),
        (
            Table().start(3).dealt({0: "CA HA DK C9"}).turned("CA"),
            "2.11",
            None,
            "CA was turned, which the record has in another place",
        ),
        (
            Table("mit4").start(3).dealt({1: "CA HA DK C9 S9"}).calls("0 defer").turned("CA"),
            "2.11",
            None,
            "CA was turned, which the record has in another place",
        ),
        (upcard().turned("CA"), "3.16", None, "CA was turned up, which is not the card that had to be turned"),
        (
            naming().calls("3 defer").turned("HA"),
            "4.14",
            None,
            "HA was turned up, which is not the card that had to be turned",
        ),
        (told().turned("HA"), "4.7", None, "HA was turned up out of its place in the deal"),
        (told("mit4").turned("HA"), "4.13", None, "HA was turned up out of its place in the deal"),
        (told().calls("1 take"), "4.4", 1, "Ben called take when trumps were decided"),
        (told("mit4").calls("1 defer"), "4.17", 1, "Ben called defer when trumps were decided"),
        (told().trump(1, "H"), "4.4", 1, "Ben called H when trumps were decided"),
        (told("mit4").trump(1, "H"), "4.17", 1, "Ben called H when trumps were decided"),
        (naming().trump(3, "D").calls("1 defer"), "4.17", 1, "Ben called defer when trumps were decided"),
        (naming().trump(3, "D").trump(1, "H"), "4.17", 1, "Ben called H when trumps were decided"),
        (upcard().turned("HJ").calls("0 take", "1 take"), "4.4", 1, "Ben called take when trumps were decided"),
        (upcard().turned("HJ").calls("0 take").trump(1, "H"), "4.4", 1, "Ben called H when trumps were decided"),
        (naming().played(3, "DA"), "4.12", 3, "Dan played before a trump suit was fixed"),
        (naming().said(1, "mit"), "5.1", 1, "Ben could not call Mit' at this moment"),
        (
            told("mit4").played(1, "SA"),
            "6.14",
            1,
            "Ben played SA in a deal whose result is recorded: all its cards are played",
        ),
        (Table().start(3).gathered(1), "6.12", 1, "Ben gathered the trick; its winner: nobody"),
        (told().said(1, "concede"), "6.15", 1, "Ben could not concede here"),
        (told(concession="rest").said(1, "concede"), "6.16", 1, "Ben could not concede here"),
        (Table(concession="rest").start(3).said(1, "concede"), "6.16", 1, "Ben could not concede here"),
    ],
)
def test_a_finding_says_who_did_what_against_which_rule(table, rule, seat, message):
    (found,) = table.findings()
    assert (found.rule, found.seat, found.message) == (f"COU-{rule}", seat, with_signs(message))
    assert found.version == table.version


def test_no_card_is_legal_where_the_result_is_recorded():
    assert told().played(1, "SA").findings()[0].legal == []


def test_an_unfinished_deal_is_found_at_its_last_event():
    table = naming().trump(3, "D")
    version = table.version
    (found,) = table.start().findings()
    assert (found.rule, found.version, found.message) == ("COU-6.14", version, "the deal was not played to its end")


def test_a_mit_that_the_cards_refute_is_said_to_be_refuted_by_them():
    table = Table("mit4").start(2).dealt().trump(3, "D").trick(3, "DA D9 CT DT").said(1, "mit")
    version = table.version
    table.trick(3, "S9 SQ CA SA")
    first, second = table.findings()
    assert (first.rule, first.version, first.seat) == ("COU-5.2", version, 1)
    assert first.message == "Ben called Mit'; the cards show that Ben did not hold the queen of spades"
    assert (second.version, second.message) == (version, "Ben could not call Mit' at this moment")


def test_calls_before_the_cards_say_what_could_not_be_called():
    table = Table("mit4").start(2).trump(3, "D").said(1, "mit").said(0, "kontra").said(3, "re").dealt(HANDS)
    assert [finding.message for finding in table.findings()] == [
        "Ben could not call Mit' at this moment",
        "Ada could not call Kontra here",
        "Dan could not call Re here",
    ]
    table = Table().start(3).turned("CA").dealt()
    assert [finding.message for finding in table.findings()] == ["♣A was turned up out of its place in the deal"]


def lines_of(table):
    """One seat's lines, that of either team."""
    lines = table.deal().lines
    return [(line.rule, line.amount, line.text) for line in lines if {line.source, line.target} & {0, 1}]


class TestScoreLines:
    def test_an_award_that_moves_nothing_has_no_line(self):
        table = Table().start(3).dealt().ruled("award", winner=1, draw_mark=1)
        assert lines_of(table) == []
        assert table.carried["need"] == [5, 5]
        assert lines_of(Table("mit4").start(3).dealt().ruled("award", winner=1, v=0)) == []

    def test_an_award_is_told_as_the_directors(self):
        table = Table().start(3).dealt().ruled("award", winner=1, strength=2, circle=True)
        assert lines_of(table) == [
            ("COU-10.3", 2, "the winners strike their side with strength 2; it is now [0 0 0]"),
            ("COU-10.3", 1, "the makers lost: a circle on one of their bars; the side is now [1 0 0 0 0]"),
        ]
        table = Table("mit4").start(3).dealt().ruled("award", winner=1, v=3, plus_one=True)
        assert lines_of(table) == [
            ("COU-10.3", 3, "as the director awarded"),
            ("COU-10.3", 1, "as the director awarded"),
        ]
