"""Deals of which little was written down: who is forced, what may be called, and what cannot be known at the end."""

import pytest

from ledger.table.unscorable import why_unscorable
from tests.games.quadrille.tables import PLAIN_HANDS, Table, at_play, dealt, named

UNSEEN = "?? ?? ?? ??"


def forced(hands):
    return dealt(hands).bid_won_by(0, "forced")


class TestUnseenSpadille:  # Spadille that nobody saw dealt (QUA-4.15, 4.16)
    def test_any_seat_of_which_the_hand_is_unknown_may_show_spadille(self):
        table = forced({})
        assert (table.state().declarer, table.state().turn) == (None, None)
        assert table.legal == {"announced": [f"{seat}:show_spadille" for seat in range(4)]}
        known = {1: PLAIN_HANDS[1], 3: PLAIN_HANDS[3]}
        assert forced(known).legal == {"announced": ["0:show_spadille", "2:show_spadille"]}

    def test_who_shows_spadille_is_the_ombre_and_held_it(self):
        table = forced({}).said(2, "show_spadille")
        assert table.faults() == []
        state = table.state()
        assert (state.declarer, state.turn, state.contract) == (2, 2, "forced")
        assert "SA" in state.hands[2]
        assert state.legal == {"trump_named": ["C", "D", "H", "S"]}
        assert table.said(1, "show_spadille").faults() == ["11.17"]
        assert table.state().declarer == 2

    def test_who_names_trumps_in_a_forced_contract_held_spadille(self):
        table = forced({}).trump(1, "H")
        assert table.finding() == ("11.18", table.version, 1, None)
        state = table.state()
        assert (state.declarer, state.trump, state.phase) == (1, "H", "call")
        assert "SA" in state.hands[1]

    def test_the_forced_ombre_keeps_the_cards_that_are_known_of_him(self):
        table = forced({2: "HK DK ?? ?? ?? ?? ?? ?? ?? ??"}).said(2, "show_spadille").trump(2, "S")
        assert table.legal == {"partner_called": ["CK", "CQ", "DQ", "HQ", None]}

    def test_a_seat_that_was_dealt_other_cards_can_neither_show_spadille_nor_name_trumps(self):
        known = {1: PLAIN_HANDS[1]}
        assert forced(known).said(1, "show_spadille").faults() == ["11.17"]
        table = forced(known).trump(1, "H")
        assert table.finding() == ("11.19", table.version, 1, None)
        assert table.findings()[0].message == "Baron named ♥ as trumps, but nobody is the Ombre"

    def test_with_three_known_hands_the_fourth_seat_is_forced(self):
        assert forced({seat: PLAIN_HANDS[seat] for seat in (1, 2, 3)}).state().declarer == 0


class TestCallsFromAHiddenHand:  # calls from a hidden hand (QUA-5.4 to 5.11)
    def test_of_a_hidden_hand_every_call_is_possible_that_some_hand_would_allow(self):
        assert named(hands={}).legal == {"partner_called": ["CK", "CQ", "DK", "DQ", "HK", "HQ", None]}
        known = {0: "SA S2 HK DK CK H2 H3 D2 D3 ??"}
        assert named(hands=known).legal == {"partner_called": ["CQ", "DQ", "HQ"]}
        known = {0: "SA S2 HK DK H2 H3 D2 D3 C2 ??"}
        assert named(hands=known).legal == {"partner_called": ["CK", "CQ", "DQ", "HQ"]}

    def test_a_call_that_only_some_hand_would_allow_is_no_fault_until_a_card_proves_it(self):
        table = named(hands={0: "SA S2 HK DK H2 H3 D2 D3 C2 ??"}).called(0, "CQ")
        version = table.version
        assert table.trick(0, "HK H4 H5 H6").faults() == []
        table.played(0, "C2").played(1, "C4").played(2, "CK")
        assert table.finding() == ("11.23", version, 0, ["CK"])
        assert table.findings()[0].message == "Belinda called ♣Q, which may not be called with this hand"


def unwritten(*calls):
    table = Table()
    table.start(3).calls(*calls)
    return table


class TestDealsWithoutADeal:
    def test_a_deal_may_begin_with_its_first_call(self):
        table = unwritten("0 pass")
        assert table.faults() == []
        state = table.state()
        assert (state.phase, state.turn) == ("auction", 1)
        assert [len(hand) for hand in state.hands] == [10] * 4

    def test_a_deal_may_be_nothing_but_its_calls_and_its_play(self):
        table = unwritten("0 solo", "1 pass", "2 pass", "3 pass").trump(0, "H").trick(0, "SA H3 H4 H5")
        assert table.faults() == []
        assert (table.state().phase, table.state().turn, table.state().trick_counts) == ("play", 0, [1, 0, 0, 0])


RESULT = {"ombre": 1, "contract": "solo", "trump": "S", "tricks": [2, 6, 1, 1]}


class TestResults:
    def test_a_deal_known_by_its_result_is_settled(self):
        table = Table().start(3).result(**RESULT)
        view = table.fold().deal(1).machine.view()
        assert (view.phase, view.turn, view.declarer, view.contract, view.trump) == ("settled", None, 1, "solo", "S")
        assert view.trick_counts == [2, 6, 1, 1]
        assert table.deal().status == "complete"
        assert table.faults() == []

    def test_a_result_after_the_deal_was_voided_changes_nothing(self):
        table = dealt().voided().result(**RESULT)
        assert table.deal().status == "voided"
        assert table.deal().outcome == {}

    def test_cards_after_a_result_do_not_matter(self):
        table = Table().start(3).result(**RESULT).dealt(PLAIN_HANDS)
        assert table.faults() == []
        assert table.deal().status == "complete"


def unseen_tricks(gatherers, call="solo", called=None):
    """Tricks of cards that nobody wrote down, gathered by these seats; nobody gathers for a `-`."""
    table = at_play("S", {}, call=call, called=called)
    leader = 0
    for gatherer in gatherers:
        table.trick(leader, UNSEEN)
        if gatherer != "-":
            leader = int(gatherer)
            table.gathered(leader)
    return table


def left(table):
    """The codes and the status of a deal when the next one starts."""
    table.start()
    machine = table.fold().deal(1).machine
    assert machine.view().phase == machine.status == table.deal(1).status
    return table.faults(), machine.status


class TestTricksThatNobodyWroteDown:
    def test_who_gathers_unseen_cards_won_them(self):
        table = unseen_tricks("001")
        assert table.faults() == []
        assert table.state().trick_counts == [2, 1, 0, 0]

    def test_a_last_trick_of_unseen_cards_that_nobody_gathered_cannot_be_known(self):
        assert left(unseen_tricks("000001000-")) == ([], "unscorable")

    def test_fewer_tricks_than_ten_are_an_unfinished_deal(self):
        assert left(unseen_tricks("00000-")) == (["11.36"], "unscorable")
        assert left(unseen_tricks("00000100-")) == (["11.36"], "unscorable")

    def test_after_six_tricks_of_a_forced_contract_the_hidden_partner_decides_whether_it_had_ended(self):
        assert left(unseen_tricks("000022", "forced", "CK")) == ([], "unscorable")  # QUA-6.16
        assert left(unseen_tricks("000022", "forced", "CK").played(2, "??")) == (["11.36"], "unscorable")

    @pytest.mark.parametrize(
        ("gatherers", "call"),
        [
            ("000022", "alliance"),  # it goes on
            ("00002", "forced"),  # not six
            ("0000222", "forced"),  # nor seven
            ("000023", "forced"),  # two others than the Ombre
        ],
    )
    def test_where_the_hidden_partner_decides_nothing_the_deal_is_unfinished(self, gatherers, call):
        assert left(unseen_tricks(gatherers, call, "CK")) == (["11.36"], "unscorable")


def untold(table):
    """The facts that scoring lacks, in both languages."""
    fold = table.fold()
    return [why_unscorable(fold, fold.deal(1), lang).untold for lang in ("en", "ja")]


class TestWhatIsNotTold:
    def test_of_a_last_trick_that_nobody_gathered_it_is_said_that_its_winner_is_not_told(self):
        table = unseen_tricks("000001000-").start()
        assert untold(table) == [
            ["who won a trick with cards that nobody wrote down"],
            ["書かれなかったカードのあるトリックに誰が勝ったか"],
        ]

    @pytest.mark.parametrize("gatherers", ["0000001122", "0011223300"])
    def test_of_a_called_card_that_nobody_saw_it_is_said_that_its_holder_is_not_told(self, gatherers):
        table = unseen_tricks(gatherers, "alliance", "CK")
        assert (table.faults(), table.deal().status) == ([], "unscorable")
        assert untold(table) == [["who was dealt the called card"], ["指定されたカードが誰に配られたか"]]

    def test_a_partner_who_reveals_himself_leaves_only_the_matadors_untold(self):
        table = at_play("S", {}, call="alliance", called="CK").said(2, "reveal_partner")
        for _ in range(10):
            table.trick(0, UNSEEN).gathered(0)
        assert untold(table)[0] == ["whether the Ombre's side was dealt the matadors"]

    def test_a_winner_who_is_not_told_comes_before_the_partner(self):
        assert untold(unseen_tricks("000001100-", "alliance", "CK").start())[0] == [
            "who won a trick with cards that nobody wrote down"
        ]
