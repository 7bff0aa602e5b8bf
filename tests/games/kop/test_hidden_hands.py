"""Hands that nobody wrote down: what the cards prove later, and what cannot be known (issue point 4)."""

from tests.games.kop.builders import CICHA, CICHA_PLAY, FOUR_QUEENS, ORDINARY_PLAY, Table

ALL = ("SQ CJ DT CA", "DQ HJ DJ ST", "HT HQ SJ DA", "HA CQ CT SA")


def hidden(*calls, **options):
    table = Table(**options).start(3)
    return table.calls(*calls) if calls else table.passed_out()


def test_a_deal_known_by_calls_and_play_alone_scores_as_with_its_hands():
    table = hidden().tricks(ORDINARY_PLAY)
    assert (table.codes(), table.deal().deltas) == ([], [1, -1, -1, 1])
    assert table.deal().outcome["declarers"] == (0, 3)


def test_nothing_is_known_of_the_sides_before_the_queens_appear():
    table = hidden()
    assert (table.state().contract, table.state().declarer) == (None, None)
    table.trick(0, "DT DQ HT HA").trick(3, "SA CJ ST HQ").trick(2, "DA CQ SQ")
    assert (table.state().contract, table.state().declarer, table.state().partner) == ("normal", 3, 0)


def test_a_revoke_is_proven_by_the_card_played_later():
    table = hidden().trick(0, "DT ST HT HA").trick(3, "SA CJ DQ HQ")
    assert [(code, version, seat) for code, version, seat, _ in table.found()] == [("11.44", 8, 1)]


def test_a_revoke_that_nothing_proves_is_none():
    assert hidden().trick(0, "DT ST HT HA").codes() == []


def test_a_failure_to_overtake_is_proven_by_the_card_played_later():
    table = hidden().trick(0, "DT DQ HT CQ").trick(2, "DA HA")
    assert [(code, seat) for code, _, seat, _ in table.found()] == [("11.46", 3)]


def test_a_failure_to_trump_is_proven_by_the_trump_played_later():
    table = hidden().trick(0, "DT DQ HT HA").trick(3, "SA CA ST HQ").trick(2, "DA CQ SQ")
    assert [(code, seat) for code, _, seat, _ in table.found()] == [("11.45", 0)]


def test_a_card_that_another_seat_has_shown_was_not_held():
    table = hidden().trick(0, "DT DQ HT HA").played(3, "HT")
    assert table.codes() == ["11.42"]


def test_a_false_wesele_is_proven_by_the_queen_of_another_seat():
    table = hidden("0 wesele", "1 pass", "2 pass", "3 pass").tricks(ORDINARY_PLAY)
    assert [(code, version, seat) for code, version, seat, _ in table.found()] == [("11.23", 3, 0)]
    assert table.deal().outcome["contract"] == "normal"
    assert table.deal().deltas == [1, -1, -1, 1]


def test_a_false_kontra_of_the_holder_of_both_old_queens_is_proven_by_them():
    table = hidden("0 kontra", "1 pass", "2 pass", "3 pass").tricks(CICHA_PLAY)
    assert [(code, version, seat) for code, version, seat, _ in table.found()] == [("11.30", 3, 0)]
    assert table.deal().outcome["doublings"] == 0


def test_a_wesele_that_nothing_disproves_stands_and_its_partner_is_found_by_his_jack():
    table = hidden("0 wesele", "1 pass", "2 pass", "3 pass").tricks(CICHA_PLAY)
    assert table.codes() == []
    assert (table.deal().outcome["contract"], table.deal().outcome["declarers"]) == ("wesele", (0, 1))
    assert table.deal().outcome == Table().deal_out(CICHA).contract(0, "wesele").tricks(CICHA_PLAY).deal().outcome


def test_a_false_jack_is_proven_by_the_jacks_that_appear():
    table = Table(announce_wesele_jack=True).start(3).named(0, "wesele", "SJ").calls("1 pass", "2 pass", "3 pass")
    assert [code for code, *_ in table.tricks(CICHA_PLAY).found()] == ["11.33"]


def test_void_doublings_show_when_the_sides_do():
    calls = ["0 kontra", "1 pass", "2 pass", "3 re", "0 pass", "1 pass", "2 pass"]
    table = hidden(*calls)
    assert table.codes() == []
    table.tricks(ORDINARY_PLAY)
    assert [(code, seat) for code, _, seat, _ in table.found()] == [("11.31", 3)]
    assert table.deal().outcome["doublings"] == 1


def test_a_du_contract_may_be_stopped_without_any_hand():
    table = hidden("0 zolo_du", "1 pass", "2 pass", "3 pass").trick(0, "CJ SQ HQ HJ").said(None, "stop")
    assert (table.codes(), table.deal().deltas) == ([], [-30, 10, 10, 10])


def test_a_concession_of_sides_that_cannot_be_known_leaves_the_deal_unscorable_without_finding():
    table = hidden(concessions=True).conceded(0, 3).closed()
    assert (table.codes(), table.deal().status) == ([], "unscorable")


def test_a_concession_that_the_cards_disprove_is_found_in_hindsight():
    hands = (None, None, None, "HA CQ CT SA")
    table = Table(concessions=True).deal_out(hands).passed_out().trick(0, "SQ DQ HT HA").conceded(0, 1).closed()
    assert table.codes() == ["11.48", "11.50"]


def test_a_baska_of_an_unknown_hand_is_believed():
    table = Table("baska").start(3).calls("0 baska")
    assert table.deal().deltas == [30, -10, -10, -10]
    assert Table("baska").deal_out((None, *FOUR_QUEENS[1:])).calls("0 baska").codes() == []
    assert Table("baska").deal_out((None, "SQ HA CJ DA", None, None)).calls("0 baska").codes() == ["11.24"]


def test_the_hand_that_is_left_over_is_known():
    table = Table().deal_out((None, *CICHA[1:])).calls("0 wesele")
    assert table.codes() == []
    table = Table().deal_out((None, *ALL[1:])).calls("0 wesele")
    assert table.codes() == ["11.23"]


# --- cards that nobody wrote down -------------------------------------------------------------------------------------


def test_a_card_that_can_only_have_been_one_is_that_one():
    plays = [*ORDINARY_PLAY[:3], (3, "?? CA DJ SJ")]
    assert Table().deal_out(ALL).passed_out().tricks(plays).deal().deltas == [1, -1, -1, 1]


def test_who_won_a_trick_with_an_unknown_card_is_told_by_who_leads_next():
    table = Table().deal_out((None, *ALL[1:])).passed_out().trick(0, "?? DQ HT HA")
    assert table.state().tricks[0].winner in (None, 3)
    assert table.played(3, "SA").codes() == []
    assert table.state().tricks[0].winner == 3


def test_who_gathered_a_trick_with_unknown_cards_tells_who_won_it():
    table = hidden().trick(0, "?? ?? ?? ??").gathered(2)
    assert (table.codes(), table.state().turn) == ([], 2)
    assert hidden().trick(0, "DT DQ HT ??").gathered(0).codes() == ["11.49"]


def test_a_deal_with_too_many_unknown_cards_cannot_be_known():
    table = hidden().tricks([(seat, "?? ?? ?? ??") for seat in (0, 1, 2, 3)]).closed()
    assert (table.codes(), table.deal().status) == ([], "unscorable")
