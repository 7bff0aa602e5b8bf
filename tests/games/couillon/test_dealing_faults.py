"""Wrong dealers, cuts, packs and numbers of cards (COU-11.11 to 11.15): what is found, and what it does to the deal."""

import pytest

from ledger.errors import MalformedError
from ledger.games.couillon.dealing import packets_of
from ledger.games.couillon.options import make_options
from tests.games.couillon.tables import PLAYERS, Table
from tests.games.scripted import cases_of

DECKS = {
    "mit4": "SK HQ HT SQ CK CJ DJ CQ SA DT S9 HA D9 C9 DQ CT SJ HK CA ST DA HJ H9 DK",
    "basic4": "CQ H9 C9 D9 CJ DK S9 HT HJ HA SA HK SK CK DT DA CT DQ DJ SJ HQ SQ CA ST",
}


@pytest.mark.parametrize(
    ("form", "options", "packets"),
    [
        ("basic4", {}, "1 2 9 10 / 3 4 11 12 / 5 6 13 14 / 7 8 15 16 / 17 18 19 20 21 22 23 24"),
        ("mit4", {}, "1 2 3 17 18 / 4 5 6 19 20 / 7 8 9 21 22 / 10 11 12 23 24 / 13 14 15 16"),
        ("six24", {}, "1 2 13 14 / 3 4 15 16 / 5 6 17 18 / 7 8 19 20 / 9 10 21 22 / 11 12 23 24 / "),
        (
            "six32",
            {},
            "1 2 3 21 22 / 4 5 6 23 24 / 7 8 9 25 26 / 10 11 12 27 28 / 13 14 15 29 30 / 16 17 18 31 32 / 19 20",
        ),
        (
            "six32",
            {"six32_procedure": "upcard"},
            "1 2 13 14 / 3 4 15 16 / 5 6 17 18 / 7 8 19 20 / 9 10 21 22 / 11 12 23 24 / 25 26 27 28 29 30 31 32",
        ),
        ("eight32", {}, "".join(f"{n} {n + 1} {n + 16} {n + 17} / " for n in range(1, 16, 2))),
    ],
)
def test_packets_go_round_from_forehand_to_the_dealer(form, options, packets):
    shape = make_options({"form": form, **options}, PLAYERS[form]).form
    deck = tuple(str(place) for place in range(1, shape.pack.bit_count() + 1))
    hands, stock = packets_of(deck, shape, PLAYERS[form] - 1)
    assert " / ".join(" ".join(cards) for cards in (*hands, stock)) == packets


def dealt(form="mit4", **changes):
    """A deal whose hands and whose pack are recorded; changes to hands by seat, `stock` or other fields."""
    table = Table(form).start(3)
    deck = tuple(DECKS[form].split())
    hands, stock = packets_of(deck, table.options.form, 3)
    own = {seat: changes.pop(f"hand_{seat}", " ".join(hand)) for seat, hand in enumerate(hands)}
    return table.dealt(own, changes.pop("stock", " ".join(stock)), **{"deck": deck, **changes})


def test_hands_follow_from_the_pack_after_the_cut():
    table = Table("mit4").start(3).dealt(deck=tuple(DECKS["mit4"].split()))
    assert table.codes() == []
    assert table.state().hands[0] == ["SK", "SJ", "HK", "HQ", "HT"]
    assert table.state().stock == ["D9", "C9", "DQ", "CT"]


def test_hands_and_stock_written_as_unknown_follow_from_the_pack_all_the_same():
    """COU-10.8; SA is in the hand of seat 1."""
    unknown = dict.fromkeys(range(4), "?? ?? ?? ??")
    table = Table().start(3).dealt(unknown, "?? ?? ?? ?? ?? ?? ?? ??", deck=tuple(DECKS["basic4"].split()))
    assert table.codes() == []
    as_dealt = dealt("basic4").state()
    assert (table.state().hands, table.state().stock) == (as_dealt.hands, as_dealt.stock)


def test_a_hand_written_in_part_is_filled_from_the_pack_only_where_it_agrees():
    table = Table("mit4").start(3).dealt({0: "SK ?? ?? ?? HK"}, deck=tuple(DECKS["mit4"].split()))
    assert (table.codes(), table.state().hands[0]) == ([], ["SK", "SJ", "HK", "HQ", "HT"])
    table = Table("mit4").start(3).dealt({0: "HK ?? ?? ?? SK"}, deck=tuple(DECKS["mit4"].split()))
    assert table.codes() == ["11.14"]


def test_the_upcard_may_be_the_card_of_a_stock_written_down_in_part():
    """Only the number of the cards left over is wrong (COU-11.14); CT is not there twice (COU-11.11)."""
    table = Table().start(3).dealt(stock="CT").turned("CT").calls("0 pass", "1 pass", "2 take")
    table.trick(0, "HA C9 CJ HT").trick(2, "DK DA CQ D9").trick(0, "H9 HK CK S9").trick(2, "SK DT HJ SA")
    assert table.breach()[0] == "11.14"
    assert table.deal().status == "complete"


class TestBadPack:  # 11.11 bad pack
    @pytest.mark.parametrize(
        "table",
        [
            lambda: dealt(hand_1="SQ CK CJ CA SK", deck=None),
            lambda: dealt(stock="D9 C9 DQ SK", deck=None),
            lambda: dealt(stock="D9 C9 DQ", deck=None),
            lambda: dealt(stock="D9 C9 DK DK CT", deck=None),  # as bits, two DK add up to the DQ that is missing
            lambda: Table("mit4").start(3).dealt(deck=tuple(DECKS["mit4"].replace("DK", "SK").split())),
            lambda: Table("mit4").start(3).dealt(deck=tuple(DECKS["mit4"].split()[:-1])),
            lambda: Table("mit4").start(3).dealt({0: "SK HQ HT SJ HK", 2: "SK CQ SA DA HJ"}),
        ],
    )
    def test_a_card_twice_or_missing_is_one_finding_that_blocks_the_deal(self, table):
        table = table()
        code, _, version, seat = table.breach()
        assert (code, version, seat) == ("11.11", table.version, None)
        assert table.trump(0, "H").played_out().deal().status in ("unscorable", "open")

    def test_another_fault_of_the_deal_does_not_hide_a_bad_pack(self):
        table = dealt(cut_by=None)
        again = table.entries[-1][1]
        assert table.add(again).codes() == ["11.13", "11.11"]
        assert dealt(hand_1="SQ CK CJ CA SK", deck=None).add(again).codes() == ["11.11"]

    @pytest.mark.parametrize(
        ("form", "rule"),
        [("basic4", "2.11"), ("mit4", "2.11"), ("six24", "2.11"), ("six32", "2.12"), ("eight32", "2.12")],
    )
    def test_a_bad_pack_breaks_the_rule_of_the_pack_that_is_played(self, form, rule):
        seats = PLAYERS[form]
        assert Table(form).start(seats - 1).dealt({0: "SA HA SA CA"}).findings()[0].rule == f"COU-{rule}"
        assert Table(form).start(seats - 1).dealt().dealt().findings()[0].rule == f"COU-{rule}"

    def test_a_card_foreign_to_the_form_is_refused(self):
        with pytest.raises(MalformedError, match="not in the pack"):
            Table("mit4").start(3).dealt({0: "S8 HQ HT SJ HK"}).shaped()
        Table("eight32").start(3).dealt({0: "S8 HQ HT SJ"}).shaped()


class TestPackets:  # 11.14 packets
    def test_a_hand_in_another_order_than_the_packets_is_found_for_its_seat(self):
        table = dealt(hand_1="CK SQ CJ CA ST")
        assert table.breach() == ("11.14", "3.17", table.version, 1)
        assert table.trump(0, "H").played_out().deal().status == "complete"

    def test_two_hands_dealt_to_the_wrong_seats_are_two_findings(self):
        table = dealt("basic4", hand_0="C9 D9 SA HK", hand_1="CQ H9 HJ HA")
        assert [(f.code, f.seat) for f in table.findings()] == [("COU-11.14", 0), ("COU-11.14", 1)]


def test_cards_that_nobody_wrote_down_can_be_in_any_packet():
    assert dealt(hand_1="?? CK ?? CA ST").codes() == []


test_each_case_of_the_file = cases_of("couillon/dealing_faults.txt", Table, dealt)
