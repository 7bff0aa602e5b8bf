"""Hands that nobody wrote down: what later cards prove, and what cannot be known (COU-11.33, 11.34, 7.1)."""

from tests.games.couillon.tables import Table


def hidden(**options):
    """basic4, dealer 3, nothing known but that seat 0 took the upcard HJ."""
    return Table(**options).start(3).dealt().turned("HJ").calls("0 take")


def test_a_revoke_is_proven_by_the_card_played_later():
    table = hidden().trick(0, "SA DQ SQ SJ")
    version = table.version - 2
    assert table.codes() == []
    table.trick(0, "DK SK DJ DA")
    assert table.breach() == ("11.33", "6.6", version, 1)
    assert table.findings()[0].legal == ["SK"]


def test_a_trump_withheld_from_a_trump_lead_is_proven_likewise():
    table = hidden().trick(0, "HA SK SQ SJ").trick(0, "DK HK DJ DA")
    assert [(f.code, f.seat) for f in table.findings()] == [("COU-11.34", 1)]


def test_what_no_card_proves_is_not_reported():
    assert hidden().trick(0, "SA DQ SQ SJ").trick(0, "DK CK DJ DA").codes() == []


def test_a_deal_without_hands_scores_when_all_cards_are_known():
    table = hidden().trick(0, "SA SK SQ S9").trick(0, "DK DQ DJ DA").trick(3, "CQ C9 CA CK").trick(1, "HK ST DT HA")
    outcome = table.deal().outcome
    assert (table.codes(), outcome["card_points"], outcome["tricks"]) == ([], (16, 19), (2, 2))


def test_a_card_held_by_another_hand_that_is_known_was_not_dealt_to_the_seat():
    assert Table().start(3).dealt({1: "SA SK HA HK"}).turned("HJ").calls("0 take").played(0, "SA").codes() == ["11.31"]


def test_a_hand_shown_in_full_holds_no_further_card():
    table = hidden().trick(0, "SA SK SQ SJ").trick(0, "DK DQ DJ DA").trick(3, "CQ C9 CA CK").trick(1, "HK ST DT HA")
    assert table.played(0, "CT").codes() == ["11.31"]


def test_who_won_a_trick_of_unknown_cards_is_told_by_who_gathered_it_or_leads_next():
    table = hidden().trick(0, "SJ ?? ?? ??")
    assert (table.state().turn, table.state().tricks[0].winner) == (None, None)
    assert table.gathered(2).state().tricks[0].winner == 2
    assert hidden().trick(0, "SJ ?? ?? ??").played(3, "DA").state().tricks[0].winner == 3
    assert hidden().trick(0, "HA ?? ?? ??").state().tricks[0].winner == 0


def test_card_points_that_nobody_wrote_down_leave_the_deal_unscorable_without_a_finding():
    table = hidden().trick(0, "HA ?? ?? ??").trick(0, "HK ?? ?? ??").trick(0, "HQ ?? ?? ??").trick(0, "SA ?? ?? ??")
    table.gathered(0).start()
    assert (table.codes(), table.deal(1).status) == ([], "unscorable")


def test_an_unknown_card_that_must_be_the_last_one_left_is_counted():
    """All 24 cards of the pack but one are seen."""
    hands = {0: "SA HA DK C9", 1: "SK HK DQ CA", 2: "SQ S9 DJ CK"}
    stock = "HJ HQ HT H9 DT D9 CT CJ"
    table = Table().start(3).dealt(hands, stock).turned("HJ").calls("0 take")
    table.trick(0, "SA SK SQ SJ").trick(0, "DK DQ DJ ??").gathered(3)
    table.trick(3, "CQ C9 CA CK").trick(1, "HK S9 ST HA")
    assert table.deal().status == "complete"
    assert table.deal().outcome["card_points"] == (17, 19)


def test_a_concession_is_counted_where_the_cards_out_of_play_are_known():
    table = Table("six24", concession="rest").start(5).dealt().trump(0, "H").trick(0, "HA HK HQ HJ HT H9")
    outcome = table.said(1, "concede").deal().outcome
    assert (outcome["card_points"], outcome["tricks"]) == ((40, 0), (4, 0))
    table = hidden(concession="rest").trick(0, "SA SK SQ SJ").said(1, "concede").start()
    assert (table.codes(), table.deal(1).status) == ([], "unscorable")


def test_what_was_proven_before_a_deal_was_voided_is_reported_once():
    table = Table("mit4").start(2).dealt().trump(3, "D").trick(3, "DA D9 CT DT").said(1, "mit")
    table.trick(3, "S9 SQ CA SA").voided()
    assert table.codes() == ["11.22", "11.23"]
    assert hidden().trick(0, "SA DQ SQ SJ").trick(0, "DK SK DJ DA").voided().codes() == ["11.33"]
