"""The check of a hand record: its score, and each finding with its line and word."""

import io
import re
from pathlib import Path

import pytest

from ledger.errors import MalformedError
from ledger.log.memory import MemoryStore
from ledger.recording.hand.checking import HandRecordCheck, check_hand_record, table_from_file
from ledger.recording.importing import ImportAs, import_content
from ledger.table.repository import fold_table
from ledger.table.score import score_answer
from tests.hand_records import REPLAYS, some_records
from tests.recording.test_slips import KOP

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
