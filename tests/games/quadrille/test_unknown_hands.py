"""Deals of which little was written down: who is forced, what may be called, and what cannot be known at the end."""

import pytest

from ledger.table.unscorable import why_unscorable
from tests.games.quadrille.tables import Table, at_play, dealt, named
from tests.games.scripted import cases_of

UNSEEN = "?? ?? ?? ??"


def forced(hands):
    return dealt(hands).bid_won_by(0, "forced")


def test_a_deal_known_by_its_result_is_settled():
    table = Table().start(3).result(ombre=1, contract="solo", trump="S", tricks=[2, 6, 1, 1])
    view = table.machine().view()
    assert (view.phase, view.turn, view.declarer, view.contract, view.trump) == ("settled", None, 1, "solo", "S")
    assert view.trick_counts == [2, 6, 1, 1]
    assert (table.faults(), table.deal().status) == ([], "complete")


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


test_each_case_of_the_file = cases_of(
    "quadrille/unknown_hands.txt", Table, at_play, dealt, forced, named, unseen_tricks
)
