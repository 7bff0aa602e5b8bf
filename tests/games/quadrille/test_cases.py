"""Cases of the rulebook of Quadrille: the text file beside it that each test reads says what it is about."""

from tests.builders import trick_won_by
from tests.games.quadrille.tables import Table, at_play, dealt, named, tricks_for, with_six
from tests.games.scripted import cases_of


def claiming(winners="0000", **options):
    return with_six(winners, call="solo", claims=True, **options)


def stopped(**options):
    """A solo stopped after premiers: deltas +6, -2, -2, -2 without matadors, pool 0."""
    hands = {0: "SK", 1: "SA", 2: "CA", 3: "S2"}
    return with_six(call="solo", hands=hands, **options).said(0, "premiers_stop")


def passed(**options):
    return dealt(all_pass="throw_in", **options).passed_out()


def test_the_helper_makes_tricks_of_four_different_cards():
    assert len({card for trick in tricks_for([0, 1, 2, 3, 0, 1]) for card in trick.values()}) == 24


def secret(winners="002200", call="alliance") -> Table:
    """Six tricks of these seats; seat 2 holds the called king of clubs, which has not fallen. Spades are trumps."""
    groups = ["DK DQ DJ DA", "D2 D4 D5 D6", "CQ CJ C7 C6", "C5 C4 C3 C2", "HK HQ HJ HA", "CA SK SQ SJ"]
    hands = {0: "SA S2 H2 D3", 1: "S7 H3 H4 D7", 2: "CK S6 H5 H6", 3: "S5 S4 S3 H7"}
    seats = list(map(int, winners))
    tricks = [trick_won_by(winner, group.split(), range(4)) for winner, group in zip(seats, groups, strict=True)]
    full = {seat: " ".join([*(trick[seat] for trick in tricks), hands[seat]]) for seat in range(4)}
    return at_play("S", full, call=call, called="CK").tricks_by_seat(tricks, seats, 0)


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


test_claims_and_sheets = cases_of("quadrille/claims_and_sheets.txt", Table, at_play, claiming, stopped, with_six)
test_dealing_faults = cases_of("quadrille/dealing_faults.txt", Table, at_play, dealt, named)
test_findings_in_words = cases_of("quadrille/findings_in_words.txt", Table, at_play, dealt, named, passed, with_six)
test_play_faults = cases_of("quadrille/play_faults.txt", at_play, with_six)
test_premiers = cases_of("quadrille/premiers.txt", at_play, secret, with_six)
test_score_lines = cases_of("quadrille/score_lines.txt", Table)
test_unknown_hands = cases_of("quadrille/unknown_hands.txt", Table, at_play, dealt, forced, named, unseen_tricks)
