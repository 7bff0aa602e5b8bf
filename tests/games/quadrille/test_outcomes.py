"""What a deal came to, fact by fact, as its result could be recorded (QUA-4.17, 6.13, 6.16, 7.1 to 7.5)."""

from tests.games.masked import without_hands
from tests.games.quadrille.tables import dealt, with_six
from tests.games.quadrille.test_cases import secret

NOTHING = {
    "result": None,
    "ombre": None,
    "partner": None,
    "contract": None,
    "trump": None,
    "tricks": (0, 0, 0, 0),
    "ending": "played",
    "claimed_for": None,
    "premiers": False,
    "vole": None,
    "matadors": 0,
}


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
