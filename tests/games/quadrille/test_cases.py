"""Cases of Quadrille's rulebook, one subject a file, and the outcomes of deals, fact by fact."""

from tests.builders import trick_won_by
from tests.games.masked import without_hands
from tests.games.quadrille.tables import Table, at_play, dealt, named, with_six
from tests.games.scripted import cases_of


def claiming(winners="0000", **options):
    return with_six(winners, call="solo", claims=True, **options)


def stopped(**options):
    """Return a solo stopped after premiers: deltas +6, -2, -2, -2 without matadors, pool 0."""
    hands = {0: "SK", 1: "SA", 2: "CA", 3: "S2"}
    return with_six(call="solo", hands=hands, **options).said(0, "premiers_stop")


def passed(**options):
    return dealt(all_pass="throw_in", **options).passed_out()


def secret(winners="002200", call="alliance") -> Table:
    """Return six tricks won by these seats. Seat 2 holds the called king of clubs, which has not been played. Spades
    are trumps.
    """
    groups = ["DK DQ DJ DA", "D2 D4 D5 D6", "CQ CJ C7 C6", "C5 C4 C3 C2", "HK HQ HJ HA", "CA SK SQ SJ"]
    hands = {0: "SA S2 H2 D3", 1: "S7 H3 H4 D7", 2: "CK S6 H5 H6", 3: "S5 S4 S3 H7"}
    seats = list(map(int, winners))
    tricks = [trick_won_by(winner, group.split(), range(4)) for winner, group in zip(seats, groups, strict=True)]
    full = {seat: " ".join([*(trick[seat] for trick in tricks), hands[seat]]) for seat in range(4)}
    return at_play("S", full, call=call, called="CK").tricks_by_seat(tricks, seats, 0)


def forced(hands):
    return dealt(hands).bid_won_by(0, "forced")


def unseen_tricks(gatherers, call="solo", called=None):
    """Return tricks of unrecorded cards, gathered by these seats, or by nobody for a `-`."""
    table = at_play("S", {}, call=call, called=called)
    leader = 0
    for gatherer in gatherers:
        table.trick(leader, "?? ?? ?? ??")
        if gatherer != "-":
            leader = int(gatherer)
            table.gathered(leader)
    return table


NOTHING = dict.fromkeys(("result", "ombre", "partner", "contract", "trump", "claimed_for", "vole"))
NOTHING |= {"tricks": (0, 0, 0, 0), "ending": "played", "premiers": False, "matadors": 0}


def test_a_deal_that_was_thrown_in():
    table = dealt(all_pass="throw_in").passed_out()
    machine = table.fold().deal(1).machine
    assert (machine.status, machine.view().phase) == ("complete", "settled")
    assert table.deal().outcome == NOTHING | {"result": "thrown_in"}


def test_a_deal_played_to_the_tenth_trick_counts_all_ten():
    table = with_six("012301", call="solo")
    while table.legal:
        table.played(table.state().turn, table.legal["card_played"][0])
    assert table.faults() == []
    winners = [trick.winner for trick in table.state().tricks]
    tricks = tuple(winners.count(seat) for seat in range(4))
    assert (len(winners), winners[:6]) == (10, [0, 1, 2, 3, 0, 1])
    result = "win" if tricks[0] >= 6 else "remise" if tricks[0] == 5 else "codille"
    facts = {"result": result, "ombre": 0, "contract": "solo", "trump": "S", "tricks": tricks}
    assert table.deal().outcome == NOTHING | facts


def test_six_tricks_end_a_forced_contract_though_it_is_proven_only_two_tricks_later():
    table = secret(call="forced")
    table.entries = without_hands(table.entries, 2, 3)
    table.trick(0, "SA S7 S6 S5")
    assert (table.state().phase, table.deal().outcome) == ("play", {})
    table.trick(0, "S2 D7 CK S4")
    facts = {"ombre": 0, "partner": 2, "contract": "forced", "trump": "S", "matadors": 1}
    ended = {"result": "win", "tricks": (4, 0, 2, 0), "ending": "premiers", "premiers": True}
    assert table.deal().outcome == NOTHING | facts | ended
    assert set(table.faults()) == {"11.35"}  # the two tricks were played after the end


def test_a_deal_that_ended_before_it_was_seen_who_held_the_matadors_has_no_known_outcome():
    table = with_six(call="solo").said(0, "premiers_stop")
    assert table.deal().outcome["matadors"] == 0
    table.entries = without_hands(table.entries)
    assert table.deal().outcome == {}
    assert table.deal().status == "unscorable"
    assert table.faults() == []


def test_a_vole_that_was_bid_is_made_or_failed_by_all_ten_tricks():
    table = with_six("000001", call="vole")
    while table.legal:
        table.played(table.state().turn, table.legal["card_played"][0])
    assert (table.deal().outcome["contract"], table.deal().outcome["vole"]) == ("vole", "failed")
    table = with_six("000000", call="solo", hands={0: "SA S2 CA SK", 1: "S7 S6 S5 S4"}).said(0, "premiers_continue")
    for card in ("SA", "S2", "CA", "SK"):
        table.played(0, card)
        while (turn := table.state().turn) != 0 and table.legal:
            table.played(turn, table.legal["card_played"][-1])
    assert (table.deal().outcome["contract"], table.deal().outcome["vole"]) == ("solo", "made")


test_claims_and_sheets = cases_of("quadrille/claims_and_sheets.txt", Table, at_play, claiming, stopped, with_six)
test_dealing_faults = cases_of("quadrille/dealing_faults.txt", Table, at_play, dealt, named)
test_findings_in_words = cases_of("quadrille/findings_in_words.txt", Table, at_play, dealt, named, passed, with_six)
test_play_faults = cases_of("quadrille/play_faults.txt", at_play, with_six)
test_premiers = cases_of("quadrille/premiers.txt", at_play, secret, with_six)
test_score_lines = cases_of("quadrille/score_lines.txt", Table)
test_unknown_hands = cases_of("quadrille/unknown_hands.txt", Table, at_play, dealt, forced, named, unseen_tricks)
