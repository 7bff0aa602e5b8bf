"""What was turned and said before the cards stand in the record (COU-11.11, 11.16, 11.23 to 11.25, 11.49)."""

from tests.games.couillon.tables import Table
from tests.games.scripted import cases_of


def upcard():
    """basic4, dealer 3: CA is turned before any cards were dealt."""
    return Table().start(3).turned("CA")


def bottom():
    """The same, and D9 after all have passed."""
    return upcard().passed_out().turned("D9")


def deferred():
    """mit4, dealer 3: forehand has deferred, and HA is turned before any cards were dealt."""
    return Table("mit4").start(3).calls("0 defer").turned("HA")


def test_a_card_turned_that_was_dealt_to_somebody_is_a_bad_pack_and_blocks_the_deal():
    for table in (upcard().dealt({0: "CA HA S9 H9"}), deferred().dealt({1: "SK HQ HT SJ HA"})):
        assert table.codes() == ["11.11", "11.49"]
        assert table.findings()[0].message.startswith(table.findings()[1].message[:2])
        assert table.played_out().deal().status == "unscorable"


def said_early():
    """mit4, dealer 2: D is named, and a Mit', a Kontra and a Re are called before any cards were dealt."""
    return Table("mit4").start(2).trump(3, "D").said(1, "mit").said(0, "kontra").said(3, "re")


test_each_case_of_the_file = cases_of("couillon/before_the_cards.txt", Table, bottom, deferred, said_early, upcard)
