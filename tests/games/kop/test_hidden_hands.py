"""Hands that nobody wrote down: what the cards prove later, and what cannot be known."""

import pytest

from ledger.events import Announced
from tests.games.kop.tables import CICHA, CICHA_PLAY, ORDINARY_PLAY, Table
from tests.games.scripted import cases_of

ALL = ("SQ CJ DT CA", "DQ HJ DJ ST", "HT HQ SJ DA", "HA CQ CT SA")


def hidden(*calls, **options):
    table = Table(**options).start(3)
    return table.calls(*calls) if calls else table.passed_out()


def test_a_wesele_that_nothing_disproves_stands_and_its_partner_is_found_by_his_jack():
    table = hidden("0 wesele", "1 pass", "2 pass", "3 pass").tricks(CICHA_PLAY)
    assert table.codes() == []
    assert (table.deal().outcome["contract"], table.deal().outcome["declarers"]) == ("wesele", (0, 1))
    assert table.deal().outcome == Table().deal_out(CICHA).contract(0, "wesele").tricks(CICHA_PLAY).deal().outcome


def test_who_conceded_tells_the_sides_once_one_seat_is_known_to_be_of_one():
    """KOP-6.17: all seats of one side concede. Seat 0 shows the old queen of spades."""
    for conceded in ((0, 3), (1, 2)):
        deals = [
            Table(concessions=True).deal_out(hands).passed_out().trick(0, "SQ DQ HT HA").conceded(*conceded)
            for hands in (ALL, (None,) * 4)
        ]
        full, told = (table.deal() for table in deals)
        assert (told.status, told.deltas, told.outcome) == ("complete", full.deltas, full.outcome)
        assert told.outcome["declarers"] == (0, 3)


def test_a_seat_that_concedes_against_three_plays_alone():
    """KOP-4.40: without a bid, one against three is a cicha."""
    for conceded in ((0,), (1, 2, 3)):
        full = Table(concessions=True).deal_out(CICHA).passed_out().conceded(*conceded).deal()
        told = hidden(concessions=True).conceded(*conceded).deal()
        assert (told.status, told.deltas, told.outcome) == ("complete", full.deltas, full.outcome)
        assert (told.outcome["contract"], told.outcome["declarers"]) == ("cicha", (0,))


class TestCardsThatNobodyWroteDown:
    def test_who_won_a_trick_with_an_unknown_card_is_told_by_who_leads_next(self):
        table = Table().deal_out((None, *ALL[1:])).passed_out().trick(0, "?? DQ HT HA")
        assert table.state().tricks[0].winner in (None, 3)
        assert table.played(3, "SA").codes() == []
        assert table.state().tricks[0].winner == 3


def proven():
    """A revoke of seat 1, found at entry 8 when it plays HQ."""
    return hidden().trick(0, "DT ST HT HA").trick(3, "SA CJ DQ HQ")


class TestAfterTheDealWasVoidedOrTold:
    def test_cards_written_down_after_the_calls_were_dealt_before_them(self):
        dealt = Table().deal_out(ALL).entries[-1][1]
        table = hidden().add(dealt).tricks(ORDINARY_PLAY)
        assert (table.codes(), table.deal().deltas) == ([], [1, -1, -1, 1])
        table = proven().add(dealt)
        assert table.codes() == ["11.44"]
        assert sorted(table.state().hands[0]) == ["CA", "SQ"]
        assert table.add(dealt).codes() == ["11.44", "11.10"]
        assert table.deal().status == "voided"

    def test_a_false_call_is_told_by_the_hands_written_down_after_it(self):
        table = hidden("0 wesele", "1 pass").add(Table().deal_out(ALL).entries[-1][1]).calls("2 pass", "3 pass")
        assert [(code, version) for code, version, *_ in table.found()] == [("11.23", 3)]
        assert table.tricks(ORDINARY_PLAY).deal().outcome["contract"] == "normal"


class TestPlayThatWentOn:
    def test_a_false_baska_is_proven_by_the_cards_played_on(self):
        """KOP-11.24: it counts as a pass (KOP-11.2), so what followed was the auction and the play of a cicha."""
        table = Table("baska").start(3).calls("0 pass", "1 baska", "2 pass", "3 pass").tricks(CICHA_PLAY).closed()
        assert [(code, version, seat) for code, version, seat, _ in table.found()] == [("11.24", 4, 1)]
        assert table.deal().deltas == Table("baska").deal_out(CICHA).passed_out().tricks(CICHA_PLAY).deal().deltas


class TestConcessionsOfUnknownSides:
    @pytest.mark.parametrize("seats", [(), (0, 1, 2, 3)])
    def test_neither_nobody_nor_everybody_concedes_even_where_no_side_is_known(self, seats):
        table = hidden(concessions=True)
        table.add(Announced(seat=None, what="concede", seats=seats))
        assert table.finding() == ("11.50", 7, None, None)

    def test_another_fault_at_the_same_card_is_found_beside_the_one_found_at_once(self):
        table = hidden().played(0, "DT").played(2, "ST")
        assert table.found() == [("11.41", 8, 2, [])]
        table.trick(3, "HA").played(1, "DQ").trick(3, "SA CJ SQ HT")
        assert [(code, seat) for code, version, seat, _ in table.found() if version == 8] == [
            ("11.41", 2),
            ("11.44", 2),
        ]

    @pytest.mark.parametrize("gatherer", [1, 2])
    def test_points_of_unknown_cards_follow_where_one_side_has_them_all(self, gatherer):
        table = hidden().tricks([*ORDINARY_PLAY[:3], (3, "CT CA ?? ??")]).gathered(gatherer)
        known = hidden().tricks(ORDINARY_PLAY).deal()
        assert (table.codes(), table.deal().deltas) == ([], known.deltas)
        assert table.deal().outcome["card_points"] == known.outcome["card_points"]


test_each_case_of_the_file = cases_of("kop/hidden_hands.txt", Table, hidden, proven)
