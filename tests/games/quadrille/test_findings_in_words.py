"""What is said of a fault of the deal, the bidding, trumps, calling and of words out of place: row, rule, sentence."""

import pytest

from ledger.events import BidMade, CardPlayed, PartnerCalled
from tests.games.quadrille.tables import PLAIN_HANDS, Table, at_play, dealt, named, with_six
from tests.signs import with_signs

ALL_KINGS = "SA S2 HK DK CK H2 H3 D2 D3 C2"
"""The three plain kings of a seat that names spades, without the king of trumps."""
KINGS_AND_QUEENS = "SA S2 HK DK CK HQ DQ CQ D3 C2"


def holding(hand):
    """Seat 0 names spades with this hand; nobody knows the others'."""
    return {0: hand}


def passed(**options):
    return dealt(all_pass="throw_in", **options).calls("0 pass", "1 pass", "2 pass", "3 pass")


def unseen(*calls):
    """A deal of which no hand was written down, nor that cards were dealt."""
    table = Table()
    table.start(3).calls(*calls)
    return table


BIDDING = [
    (named(call="solo").dealt(PLAIN_HANDS), "11.9", "2.4", "cards were dealt a second time in the same deal"),
    (dealt().calls("2 solo"), "11.12", "4.7", "Sir Plume called solo, but Belinda was in turn"),
    (dealt().calls("0 pass", "0 solo"), "11.13", "4.8", "Belinda called solo after having passed"),
    (dealt().calls("0 solo", "1 solo"), "11.14", "4.11", "Baron called solo, which is not allowed over solo"),
    (
        dealt().calls("0 alliance", "1 vole", "2 pass", "3 pass", "0 solo"),
        "11.14",
        "4.12",
        "Belinda called solo, which is not allowed over vole",
    ),
    (dealt().bid_won_by(0, "solo").calls("1 vole"), "11.15", "4.13", "Baron called vole when the bidding was over"),
    (passed().calls("1 vole"), "11.15", "4.13", "Baron called vole when the bidding was over"),
    (dealt().played(0, "SA"), "11.16", "4.13", "the bidding was not over"),
    (unseen("0 solo").trump(0, "S"), "11.16", "4.13", "the bidding was not over"),
    (unseen().played(0, "SA"), "11.16", "4.13", "the bidding was not over"),
    (unseen().said(0, "show_spadille"), "11.16", "4.13", "the bidding was not over"),
    (unseen().calls("1 solo"), "11.12", "4.7", "Baron called solo, but Belinda was in turn"),
]

TRUMP = [
    (
        dealt().bid_won_by(0, "solo").said(0, "show_spadille"),
        "11.17",
        "4.15",
        "Belinda could not show Spadille: not its holder, or the contract is not forced",
    ),
    (
        dealt().bid_won_by(0, "forced").said(1, "show_spadille"),
        "11.17",
        "4.16",
        "Baron could not show Spadille: not its holder, or the contract is not forced",
    ),
    (
        dealt().bid_won_by(0, "forced").trump(0, "S"),
        "11.18",
        "4.16",
        "Belinda named trumps without having shown Spadille",
    ),
    (dealt().bid_won_by(0, "solo").trump(1, "H"), "11.19", "5.1", "Baron named H as trumps, but Belinda is the Ombre"),
    (passed().trump(1, "H"), "11.19", "5.1", "Baron named H as trumps, but nobody is the Ombre"),
    (
        named("S", call="solo").trump(0, "H"),
        "11.20",
        "5.2",
        "Belinda named H after S had been named; the first naming binds",
    ),
    (dealt().bid_won_by(0, "solo").played(0, "SA"), "11.21", "5.1", "no trump suit had been named"),
    (dealt().bid_won_by(0).called(0, "CK"), "11.21", "5.1", "no trump suit had been named"),
]

CALLING = [
    *(
        (table, "11.22", rule, f"{who} could not call a card: only the Ombre does, in an alliance or a forced contract")
        for table, rule, who in (
            (named().called(1, "CK"), "5.4", "Baron"),
            (named(call="solo").called(0, "CK"), "5.3", "Belinda"),
            (named(call="vole").called(0, "CK"), "5.3", "Belinda"),
            (passed().called(0, "CK"), "5.4", "Belinda"),
        )
    ),
    *(
        (
            named(hands=hands, **options).called(0, card),
            "11.23",
            rule,
            f"Belinda called {said}, which may not be called with this hand",
        )
        for hands, options, card, rule, said in (
            (None, {}, "SK", "5.5", "SK"),
            (None, {}, "SQ", "5.5", "SQ"),
            (None, {}, "SJ", "5.6", "SJ"),
            (None, {}, "DQ", "5.6", "DQ"),
            (None, {}, "H2", "5.6", "H2"),
            (None, {}, "HK", "5.9", "HK"),
            (None, {}, None, "5.11", "none"),
            (holding(ALL_KINGS), {"queen_call": "all_four_kings"}, "DQ", "5.10", "DQ"),
            (holding(ALL_KINGS), {}, "DK", "5.9", "DK"),
            (holding(ALL_KINGS), {}, "DJ", "5.7", "DJ"),
            (holding(KINGS_AND_QUEENS), {}, "DQ", "5.8", "DQ"),
        )
    ),
    (named().called(0, "CK").called(0, "DK"), "11.24", "5.4", "Belinda called a second time; the first call binds"),
    (named().played(0, "SA"), "11.25", "5.4", "a card was played before the Ombre had called one"),
]

OUT_OF_PLACE = [
    (named(call="solo").gathered(1), "11.34", "6.10", "Baron gathered the trick, which nobody won"),
    (passed().gathered(1), "11.34", "6.10", "Baron gathered the trick, which nobody won"),
    (at_play().trick(0, "HK HQ H4 H6").gathered(2), "11.34", "6.10", "Sir Plume gathered the trick, which Belinda won"),
    (passed().played(0, "SA"), "11.35", "6.13", "Belinda played SA when the play had ended"),
    (at_play().voided().played(0, "SA"), "11.35", "6.13", "Belinda played SA when the play had ended"),
    (
        with_six(call="solo").said(0, "premiers_stop").played(0, "SA"),
        "11.35",
        "6.21",
        "Belinda played SA when the play had ended",
    ),
    (with_six(call="solo").voided().said(0, "premiers_stop"), "11.40", "6.18", "Belinda could not choose to stop here"),
    *(
        (table.said(1, what), row, rule, f"Baron {words}")
        for what, row, rule, words in (
            ("reveal_partner", "11.38", "5.12", "is not the partner"),
            ("premiers_stop", "11.40", "6.18", "could not choose to stop here"),
            ("premiers_continue", "11.40", "6.18", "could not choose to continue here"),
            ("premiers_ask", "11.40", "6.18", "could not choose to ask here"),
            ("reply_stop", "11.41", "6.22", "was not asked"),
            ("reply_continue", "11.41", "6.22", "was not asked"),
            ("claim_ombre", "11.45", "6.29", "could not claim the remaining tricks here"),
            ("claim_opponents", "11.45", "6.29", "could not claim the remaining tricks here"),
            ("claim_accept", "11.45", "6.29", "had no claim to answer"),
            ("claim_refuse", "11.45", "6.29", "had no claim to answer"),
        )
        for table in (passed(), dealt().bid_won_by(0), at_play().trick(0, "HK HQ H4 H6").voided())
    ),
    (passed(claims=True).said(1, "claim_ombre"), "11.45", "6.27", "Baron could not claim the remaining tricks here"),
    (passed(claims=True).said(1, "claim_accept"), "11.45", "6.27", "Baron had no claim to answer"),
]


@pytest.mark.parametrize(("table", "row", "rule", "words"), [*BIDDING, *TRUMP, *CALLING, *OUT_OF_PLACE])
def test_a_finding_names_its_rule_and_says_what_was_found(table, row, rule, words):
    (finding,) = table.findings()
    assert (finding.code, finding.rule, finding.message) == (f"QUA-{row}", f"QUA-{rule}", with_signs(words))
    assert finding.version == table.version


def test_a_deal_left_unfinished_is_said_to_be_so_at_its_last_event():
    table = at_play().trick(0, "HK HQ").start()
    (finding,) = table.findings()
    assert (finding.version, finding.seat, finding.rule) == (table.version - 1, 1, "QUA-6.13")
    assert finding.message == "the play had not ended"


def test_who_holds_all_plain_kings_and_queens_may_call_nothing_else_than_none():
    table = named(hands=holding(KINGS_AND_QUEENS)).called(0, "HK")
    assert table.finding() == ("11.23", table.version, 0, ["none"])
    assert named(hands=holding(KINGS_AND_QUEENS)).called(0, None).faults() == []


def test_in_a_voided_deal_nobody_names_trumps():
    table = dealt().bid_won_by(0, "solo").voided().trump(0, "H")
    assert table.finding() == ("11.19", table.version, 0, None)
    assert table.fold().deal(1).machine.view().trump is None


@pytest.mark.parametrize(
    ("table", "legal", "wrong", "code"),
    [
        (dealt(), {"bid_made": ["alliance", "pass", "solo", "vole"]}, BidMade(seat=1, call="solo"), "QUA-11.12"),
        (named(), {"partner_called": ["CK", "DK"]}, PartnerCalled(seat=0, card="HK"), "QUA-11.23"),
        (at_play().trick(0, "HK"), {"card_played": ["HJ", "HQ"]}, CardPlayed(seat=1, card="DK"), "QUA-11.31"),
    ],
)
def test_to_ask_what_an_event_would_break_says_it_and_moves_nothing(table, legal, wrong, code):
    machine = table.fold().deals[-1].machine
    before = machine.view()
    assert (machine.turn(), machine.legal()) == (before.turn, legal)
    assert [found.code for found in machine.check(wrong)] == [code]
    assert machine.view() == before
