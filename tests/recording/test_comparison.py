"""The check of a hand record, and two records of one table: the first difference of each deal, and both scores."""

import io
import re
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs, to_builtins

from ledger import api
from ledger.cards import UNKNOWN
from ledger.errors import MalformedError, NotFoundError
from ledger.events import CardPlayed, CardsDealt, CardsExchanged, DealStarted, Event, ResultRecorded
from ledger.games import registered_games
from ledger.log.memory import MemoryStore
from ledger.recording.hand.checking import (
    HandRecordCheck,
    TableSource,
    check_hand_record,
    table_from_file,
    table_from_file_or_ledger,
)
from ledger.recording.hand.comparison import TableComparison, compare_tables
from ledger.recording.importing import ImportAs, import_content
from ledger.table.fold import TableFold
from ledger.table.repository import fold_table
from ledger.table.score import score_answer
from tests.contracts.strategies import DeclaredTables, pack_of
from tests.covering import examples
from tests.hand_records import REPLAYS, some_records
from tests.recording.test_slips import KOP

WON = Path(__file__).with_name("won.toml").read_text(encoding="utf-8")
EVENING = (REPLAYS / "session" / "opening-night-1.toml").read_text(encoding="utf-8")


def table_of(text: str, name: str = "a.toml") -> TableSource:
    return table_from_file(io.BytesIO(text.encode()), name)


def compare(first: str, second: str) -> TableComparison:
    return compare_tables(table_of(first), table_of(second, "b.toml"))


def test_a_record_equals_itself():
    answer = compare(EVENING, EVENING)
    assert (answer.top, answer.deals, answer.totals_first) == ([], [], answer.totals_second)


def test_the_first_card_or_suit_that_differs_is_named_with_line_and_word_on_both_sides():
    (deal,) = compare(EVENING, EVENING.replace("D6 HQ DA", "D6 HQ dk")).deals
    line = next(number for number, row in enumerate(EVENING.split("\n"), 1) if row == "D6 HQ DA")
    assert deal.deal == 2
    assert (deal.first.line, deal.first.word, deal.first.event) == (line, "DA", CardPlayed(seat=3, card="DA"))
    assert (deal.second.line, deal.second.word, deal.second.event) == (line, "dk", CardPlayed(seat=3, card="DK"))
    called = (REPLAYS / "quadrille" / "01-alliance-won.toml").read_text(encoding="utf-8").partition("play =")[0]
    for typed, other in (("H", "♦"), ("CK", "♦K")):
        (deal,) = compare(called, called.replace(f'"{typed}"', f'"{other}"')).deals
        assert (deal.first.word, deal.second.word) == (typed, other)


def test_what_each_implies_is_its_score():
    (deal,) = compare(WON, WON.replace("Ann = 5, Ben = 2", "Ann = 3, Ben = 4")).deals
    assert (deal.score_first.outcome["result"], deal.score_second.outcome["result"]) == ("SACADA", "CODILLE")
    assert (deal.score_first.deltas, deal.score_second.deltas) == ([5, 0, -5], [-20, 20, -5])


def test_a_deal_that_one_does_not_have_is_named():
    more = WON + '\n[[deal]]\nvoided = "late"\n'
    (deal,) = compare(WON, more).deals
    assert (deal.deal, deal.first, deal.score_first) == (2, None, None)
    assert (type(deal.second.event), deal.score_second.status) == (DealStarted, "voided")


def test_two_games_are_not_compared_any_further():
    kop = 'game = "kop"\ntable = "t"\nplayers = ["Ann", "Ben", "Cleo", "Dan"]\n'
    answer = compare(WON, kop)
    assert (answer.top, answer.deals) == (["game", "players"], [])


def test_a_score_sheet_that_says_something_else_is_a_difference():
    sheet = "sheet = { deltas = { Ann = 1, Ben = -1, Cleo = 0 } }\n"
    (deal,) = compare(WON + sheet, WON + sheet.replace("1", "2")).deals
    assert (deal.first.version, deal.first.line) == (4, 8)
    assert compare(WON + sheet, WON).deals == []


def test_the_play_of_one_is_compared_with_the_result_of_the_other_by_what_they_come_to():
    full = (REPLAYS / "ombre" / "05a-sacada-with-four.toml").read_text(encoding="utf-8")
    fold = table_of(full).fold
    events: list[Event] = [fold.opened]
    for record in fold.deals:
        outcome = ResultRecorded(outcome=to_builtins(record.outcome))
        events += [DealStarted(deal=record.number, dealer=record.dealer), outcome]
    assert compare_tables(table_of(full), of(events)).deals == []


def test_a_file_is_compared_with_a_table_of_the_ledger():
    store = MemoryStore()
    import_content(store, EVENING.encode(), "a.toml", ImportAs(by="test"))
    table = table_from_file_or_ledger("opening-night-1", store)
    assert compare_tables(table, table_of(EVENING)).deals == []
    (deal,) = compare_tables(table, table_of(EVENING.replace("D6 HQ DA", "D6 HQ DK"))).deals
    assert (deal.first.line, deal.first.event.card, deal.second.event.card) == (None, "DA", "DK")


@pytest.mark.parametrize("game", sorted(registered_games()))
@examples(8)
@given(data=st.data())
def test_a_record_that_knows_less_contradicts_nothing(game, data):
    table = [event for _, event in data.draw(DeclaredTables(game).lawful_tables(deals=2))]
    chance = Random(data.draw(st.integers(0, 2**32)))
    answer = compare_tables(of(table), of([less_known(event, chance) for event in table]))
    assert [deal for deal in answer.deals if deal.first is not None or deal.second is not None] == []


@pytest.mark.parametrize("game", sorted(registered_games()))
@examples(8)
@given(data=st.data())
def test_one_differing_card_is_located(game, data):
    table = [event for _, event in data.draw(DeclaredTables(game).lawful_tables(deals=2))]
    played = [place for place, event in enumerate(table) if type(event) is CardPlayed]
    if not played:
        return
    place = data.draw(st.sampled_from(played))
    fold = TableFold(list(enumerate(table, 1)))
    others = sorted(set(pack_of(fold.game, fold.options)) - {table[place].card})
    other = structs.replace(table[place], card=data.draw(st.sampled_from(others)))
    answer = compare_tables(of(table), of([*table[:place], other, *table[place + 1 :]]))
    assert (answer.deals[0].first.version, answer.deals[0].second.event) == (place + 1, other)


def of(events) -> TableSource:
    return TableSource("t", "t", TableFold(list(enumerate(events, 1))))


def less_known(event, chance: Random):
    """Return the event as an inattentive scribe would have written it."""
    if type(event) is CardsDealt:
        return CardsDealt(hands=tuple(hand if hand == () or chance.random() < 0.5 else None for hand in event.hands))
    if type(event) is CardsExchanged and event.count:
        return structs.replace(event, discarded=None, drawn=None)
    if type(event) is CardPlayed and chance.random() < 0.2:
        return structs.replace(event, card=UNKNOWN)
    return event


def test_without_a_ledger_only_files_can_be_compared() -> None:
    with pytest.raises(NotFoundError, match=r"no-such\.toml is neither a file nor a table"):
        api.compare("no-such.toml", "nor-this")


OVERCALL = Path(__file__).with_name("overcall.toml").read_text(encoding="utf-8")
REVOKE = REPLAYS / "ombre" / "revoke.toml"


def check(text: str) -> HandRecordCheck:
    return check_hand_record(table_from_file(io.BytesIO(text.encode()), "sheet.toml"))


@pytest.mark.parametrize("path", some_records(3))
def test_it_comes_to_what_an_import_of_the_file_records(path):
    answer = check_hand_record(table_from_file(path, path.name))
    store = MemoryStore()
    report = import_content(store, path.read_bytes(), path.name, ImportAs(by="test"))
    assert answer.score == score_answer(answer.table, fold_table(store, answer.table))
    assert answer.events == len(store.read_stream(f"table/{answer.table}"))
    assert len([located for located in answer.findings if located.finding.severity != "info"]) == report.findings


def test_a_finding_names_the_line_and_the_word_as_it_was_typed():
    text = REVOKE.read_text(encoding="utf-8")
    (line,) = [number for number, row in enumerate(text.split("\n"), 1) if "H2" in row and "CA" in row]
    finding = check(text).findings[-1]
    assert (finding.line, finding.word, finding.finding.code) == (line, "H2", "OMB-11.37")
    assert check(text.replace("CA H2", "CA ♥2")).findings[-1].word == "♥2"


def test_a_hand_that_cannot_be_is_named_and_not_the_call_after_it():
    for wrong, line in (("DQ HJ DJ DQ", 10), ("DQ HJ DJ CA", 10), ("DQ HJ DJ SA", 12), ("DQ HJ DJ", 10)):
        text = KOP.partition("play = ")[0] + KOP[KOP.index("[deal.hands]") :].replace("DQ HJ DJ ST", wrong)
        with pytest.raises(MalformedError, match=f"line {line}: "):
            check(text)


def test_a_call_is_named_as_it_was_typed():
    for word in ("Entrada", "エントラダ"):
        findings = check(OVERCALL.replace("Entrada", word)).findings
        (finding,) = [one for one in findings if one.finding.severity == "error"]
        assert (finding.line, finding.word, finding.finding.seat) == (7, word, 1)


def test_names_that_an_import_refuses_are_refused():
    with pytest.raises(MalformedError, match=re.escape(r"sheet.toml, line 1, table/t: players[2]: 'Cle\u200bo'")):
        check(OVERCALL.replace("Cleo", "Cle\u200bo"))
    with pytest.raises(MalformedError, match="'new'"):
        check(OVERCALL.replace('"t"', '"new"'))


def test_what_cannot_be_understood_is_refused_with_its_line():
    with pytest.raises(MalformedError, match=r"^sheet\.toml, line 7: not a call: 'Enzrada'"):
        check(OVERCALL.replace("Entrada", "Enzrada"))
    with pytest.raises(MalformedError, match=r"^sheet\.toml, line 2, column 1: not UTF-8"):
        check_hand_record(table_from_file(io.BytesIO(b'game = "ombre"\n\xff'), "sheet.toml"))
