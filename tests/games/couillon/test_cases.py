"""Cases of the rulebook of Couillon, by the text file that each test names; making trumps; options (COU section 9)."""

import tomllib
from pathlib import Path

import pytest

from ledger.errors import MalformedError
from ledger.games.couillon import GAME
from ledger.games.couillon.dealing_rules import packets_of
from ledger.games.couillon.options import make_options
from ledger.recording.simulate import simulate_table
from ledger.table.fold import TableFold
from tests.games.couillon.strategies import FORMS, players_of
from tests.games.couillon.tables import HANDS, NAMES, PLAYERS, STOCK, Table, playing, to_the_end
from tests.games.scripted import cases_of
from tests.web.lists import lines_in


def upcard():
    """Return a deal of basic4, dealer 3, in which CA is turned before any cards were dealt."""
    return Table().start(3).turned("CA")


def bottom():
    """Return the same, with D9 turned after all have passed."""
    return upcard().passed_out().turned("D9")


def deferred():
    """Return a deal of mit4, dealer 3, in which forehand has deferred and HA is turned before any cards were dealt."""
    return Table("mit4").start(3).calls("0 defer").turned("HA")


def test_a_card_turned_that_was_dealt_to_somebody_is_a_bad_pack_and_blocks_the_deal():
    for table in (upcard().dealt({0: "CA HA S9 H9"}), deferred().dealt({1: "SK HQ HT SJ HA"})):
        assert table.codes() == ["11.11", "11.49"]
        assert table.findings()[0].message.startswith(table.findings()[1].message[:2])
        assert table.played_out().deal().status == "unscorable"


def said_early():
    """Return a deal of mit4, dealer 2, with D named and Mit', Kontra and Re called before any cards were dealt."""
    return Table("mit4").start(2).trump(3, "D").said(1, "mit").said(0, "kontra").said(3, "re")


def doubtful(hands=None):
    """Return a deal of mit4, dealer 2, in diamonds, with a Mit' of seat 1 at entry 5; who holds SQ is unknown."""
    return Table("mit4").start(2).dealt(hands).trump(3, "D").said(1, "mit")


def blocked(**options):
    """Return a deal that cannot be scored: seat 0 was dealt five cards."""
    return Table(**options).start(3).dealt({0: "SA HA DA CA S9"})


@pytest.mark.parametrize("kind", ["adjust", "replace"])
def test_amounts_cannot_be_ruled(kind):
    with pytest.raises(MalformedError, match="kind is not in Couillon"):
        Table().start(3).ruled(kind).shaped()


def played_out_after_all_have_passed():
    return Table().start(3).dealt(HANDS, STOCK).turned("HJ").passed_out().turned("CJ").played_out()


def test_a_deal_left_unfinished_is_unscorable_and_nothing_is_legal_in_it():
    deal = playing().start().fold().deals[0].machine
    assert (deal.status, deal.legal(), deal.outcome()) == ("unscorable", (), None)
    deal = blocked().start().fold().deals[0].machine
    assert (deal.status, deal.legal()) == ("unscorable", ())


@pytest.mark.parametrize("record", [to_the_end, lambda: Table().start(3).result(15, 9), lambda: playing().voided()])
def test_a_deal_that_has_ended_is_left_as_it_is(record):
    deal = record().fold().deals[0].machine
    status = deal.status
    assert list(deal.leave(99, None)) == []
    assert (deal.status, deal.legal()) == (status, ())


def bars():
    """Return a win of team 0, 15 to 9, over team 1, the makers: [0,0,0,0] and [1,0,0,0,0]."""
    return Table().start(3).result(15, 9, (3, 1), maker=1)


def points():
    return Table("mit4").start(3).result(20, 10, (3, 2), maker=0)


@pytest.mark.parametrize("sheet", [{"winner": 2}, {"card_points": [41, 0]}, {"bars": [-1, 0]}, {"point": [1, 2]}])
def test_a_sheet_that_no_table_could_write_is_refused(sheet):
    with pytest.raises(MalformedError, match=next(iter(sheet))):
        bars().claimed(**sheet).shaped()


def awarded():
    return Table().start(3).result(15, 9).ruled("award", winner=1, strength=1)


def awarded_in_points():
    return Table("mit4").start(3).result(20, 10, (3, 2), maker=0).ruled("award", winner=1, v=2)


def hidden(**options):
    """Return a deal of basic4, dealer 3, with nothing known but that seat 0 took the upcard HJ."""
    return Table(**options).start(3).dealt().turned("HJ").calls("0 take")


DECKS = {
    "mit4": "SK HQ HT SQ CK CJ DJ CQ SA DT S9 HA D9 C9 DQ CT SJ HK CA ST DA HJ H9 DK",
    "basic4": "CQ H9 C9 D9 CJ DK S9 HT HJ HA SA HK SK CK DT DA CT DQ DJ SJ HQ SQ CA ST",
}


@pytest.mark.parametrize("line", lines_in(Path(__file__).with_name("packets.txt")))
def test_packets_go_round_from_forehand_to_the_dealer(line):
    head, packets = line.split(": ")
    form, *procedure = head.split()
    options = {"form": form, **dict(zip(["six32_procedure"], procedure, strict=False))}
    shape = make_options(options, PLAYERS[form]).form
    deck = tuple(str(place) for place in range(1, shape.pack.bit_count() + 1))
    hands, stock = packets_of(deck, shape, PLAYERS[form] - 1)
    assert " / ".join(" ".join(cards) for cards in (*hands, stock)).strip() == packets


def dealt(form="mit4", **fields):
    """Return a deal with recorded hands, stock and pack."""
    table = Table(form).start(3)
    deck = tuple(DECKS[form].split())
    hands, stock = packets_of(deck, table.options.form, 3)
    return table.dealt([" ".join(hand) for hand in hands], " ".join(stock), deck=deck, **fields)


def test_a_card_foreign_to_the_form_is_refused():
    with pytest.raises(MalformedError, match="not in the pack"):
        Table("mit4").start(3).dealt({0: "S8 HQ HT SJ HK"}).shaped()
    Table("eight32").start(3).dealt({0: "S8 HQ HT SJ"}).shaped()


test_before_the_cards = cases_of("couillon/before_the_cards.txt", Table, bottom, deferred, said_early, upcard)
test_doubtful_mit = cases_of("couillon/doubtful_mit.txt", Table, doubtful)
test_match = cases_of("couillon/match.txt", Table, blocked)
test_phases = cases_of("couillon/phases.txt", Table, blocked, played_out_after_all_have_passed, playing, to_the_end)
test_play_faults = cases_of("couillon/play_faults.txt", Table, playing, to_the_end)
test_sheet = cases_of("couillon/sheet.txt", Table, awarded, awarded_in_points, bars, points)
test_unknown_hands = cases_of("couillon/unknown_hands.txt", Table, hidden)
test_dealing_faults = cases_of("couillon/dealing_faults.txt", Table, dealt)

OF_FORMS = tomllib.loads(Path(__file__).with_name("options.toml").read_text(encoding="utf-8"))["of_forms"]


@pytest.mark.parametrize(("raw", "players", "pack", "hand", "stock", "points", "mit"), OF_FORMS)
def test_the_form_fixes_players_pack_hand_and_scoring(raw, players, pack, hand, stock, points, mit):
    options = make_options(raw, players)
    shape = options.form
    assert (shape.players, shape.pack.bit_count(), shape.hand, shape.stock) == (players, pack, hand, stock)
    assert (options.is_on_points, options.has_mit) == (points, mit)


def test_an_option_that_does_not_concern_the_form_is_ignored():
    assert make_options({"start_points": 20, "six32_procedure": "upcard"}, 4).form.stock == 8


@pytest.mark.parametrize(("form", "seating"), [("basic4", "draw"), ("mit4", "jacks"), ("six24", "agreed")])
def test_the_seating_method_is_recorded_only(form, seating):
    assert make_options({"form": form}, PLAYERS[form]).seating == seating
    assert make_options({"form": form, "seating_method": "draw"}, PLAYERS[form]).seating == "draw"


@pytest.mark.parametrize("form", FORMS, ids=lambda form: "-".join(map(str, form.values())))
def test_simulated_tables_show_everything_that_a_form_has(form):
    wanted = {"WIN", "ALL_TRICKS", "DRAW", "turned", "made", "conceded", "plain"}
    if make_options(form, players_of(form)).has_mit:
        wanted |= {"mit", "kontra", "re"}
    seen = set()
    for seed in range(60):
        if wanted <= seen:
            break
        events = simulate_table(GAME, NAMES[: players_of(form)], {**form, "concession": "rest"}, 6, seed, "all")
        for record in TableFold(list(enumerate(events, start=1))).deals:
            summary = GAME.summarise(record.outcome)
            seen |= {summary.contract, summary.result, "turned" if summary.declarer is None else "made"}
            if record.machine.play.conceded_by is not None:
                seen.add("conceded")
    assert seen == wanted


def test_a_summary_says_who_made_trumps_and_if_they_won():
    def summary(**facts):
        return GAME.summarise(GAME.check_outcome({"card_points": [20, 8], "tricks": [3, 1], **facts}, options, 4, 3))

    options = make_options({}, 4)
    assert (summary(maker=2).won, summary(maker=1).won, summary().won) == (True, False, None)
    assert (summary(maker=2, trump="C").declarer, summary(maker=2, trump="C").trump) == (2, "C")
    assert summary(card_points=[12, 12], maker=2).won is None
