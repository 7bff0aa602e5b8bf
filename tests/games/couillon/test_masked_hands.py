"""What nobody wrote down is no fault: of a record with less in it, no more is found and nothing else is scored."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from ledger.table.fold import TableFold
from tests.covering import examples
from tests.games.couillon.strategies import lawful_tables
from tests.games.couillon.tables import Table
from tests.games.masked import blamed, carelessly_played, with_masked_hands, with_masked_plays


def test_a_card_shown_but_not_seen_played_may_be_the_one_that_nobody_wrote_down():
    """Forehand's SK was turned for trumps; its unwritten card may have been SK, and CQ its last (COU-11.31)."""
    table = Table("mit4").start(0).dealt().calls("1 defer").turned("SK")
    table.trick(1, "CK CA S9 SA").trick(0, "DA SQ DT DK").trick(1, "?? ST CT D9").trick(1, "HK SJ H9 HA")
    assert table.trick(2, "HJ DQ DJ CQ").closed().codes() == []


def test_the_unwritten_card_of_a_hand_known_in_part_is_no_proof_of_a_revoke():
    """Of seat 1 only SK is known; the card played to SA may have been SK, so C9 to SQ revokes from nothing."""
    table = Table("mit4").start(3).dealt({1: "SK ?? ?? ?? ??"}).trump(0, "D")
    assert table.trick(0, "SA ?? S9 ST").played(0, "SQ").played(1, "C9").codes() == []


def test_a_card_that_one_seat_may_have_played_unwritten_is_still_in_no_other_hand():
    table = Table().start(3).dealt({0: "SA ?? ?? ??"}).turned("HJ").calls("0 take")
    assert table.played(0, "??").played(1, "SA").codes() == ["11.31"]


def test_the_hand_that_is_left_over_is_known():
    """Without a stock, five hands of six tell the sixth: it must follow clubs with CQ (COU-6.6), and has SA and SJ."""
    hands = {0: "DJ D9 DT CA", 2: "HJ CT ST S9", 3: "HT HK HA HQ", 4: "SK C9 CK SQ", 5: "DA DK CJ DQ"}
    table = Table("six24").start(5).dealt(hands).trump(0, "D").played(0, "CA")
    assert sorted(table.state().hands[1]) == ["CQ", "H9", "SA", "SJ"]
    assert table.legal["card_played"] == ["CQ"]


def test_a_card_turned_from_the_hand_that_is_left_over_is_in_its_place():
    hands = {1: "CQ H9 SA SJ", 2: "HJ CT ST S9", 3: "HT HK HA HQ", 4: "SK C9 CK SQ", 5: "DA DK CJ DQ"}
    assert Table("six24").start(5).dealt(hands).calls("0 defer").turned("DT").codes() == []
    assert Table("six24").start(5).dealt(hands).calls("0 defer").turned("SA").codes() != []


def test_the_unwritten_card_of_a_hand_known_in_full_is_the_one_left():
    """0 was dealt SK, too, and played it to the first trick: the points of that trick are known."""
    table = Table("mit4").start(3).dealt({0: "SK HQ HT SJ HK"}).trump(0, "H")
    table.trick(0, "?? ST SA H9").trick(3, "HA HT CJ HJ").played(3, "DK").trick(0, "HQ SQ DA")
    table.trick(0, "HK CK CQ DT").trick(0, "SJ CA DJ S9").closed()
    assert (table.codes(), table.deal().status) == ([], "complete")
    assert sum(table.deal().outcome["card_points"]) == 38


def check_masked_against_full(entries, seed):
    chance = Random(seed)
    full = carelessly_played(entries, chance)
    less = with_masked_plays(with_masked_hands(full, chance), chance)
    assert blamed(less) <= blamed(full)
    told, known = TableFold(less).deals[0], TableFold(full).deals[0]
    assert told.outcome in (None, known.outcome)


@examples(25, many=1_000)
@given(lawful_tables(deals=1, closed=False), st.integers(0, 2**32))
def test_a_record_with_less_in_it_blames_for_nothing_more(entries, seed):
    check_masked_against_full(entries, seed)
