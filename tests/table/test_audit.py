"""Findings: their order, places and sentences (contract 5); tables opened in a closed session."""

import json

import pytest

from ledger.events import PlayerSeated
from ledger.log.memory import MemoryStore
from ledger.recording.importing import ImportAs, ImportOptions, import_content
from ledger.table.answers import Finding
from ledger.table.audit import audit_answer, code_order
from ledger.table.repository import AS_CORRECTED, ReadAs, fold_table
from ledger.text.audit import audit_text
from tests.games.ombre.tables import Record, in_play, with_winners


def test_findings_are_ordered_by_deal_then_version_then_code():
    record = with_winners("00").calls("1 pass").trump(0, "H").start(1).calls("0 pass")
    keys = [(finding.deal, finding.version, finding.code) for finding in record.findings()]
    assert keys == sorted(keys, key=lambda item: (item[0], item[1], code_order(item[2])))
    assert [finding.deal for finding in record.findings()] == [1, 1, 1, 2, 2]


def test_codes_are_ordered_as_in_the_rulebook():
    assert code_order("OMB-11.9") < code_order("OMB-11.10")


def test_a_finding_names_the_player_and_the_card():
    record = in_play("S", {0: "HK", 1: "HJ DK"}, avoid={1: "H"}).trick(0, "HK DK")
    (finding,) = record.findings()
    assert finding.message == "Baron played ♦K and did not follow suit, though able to"
    (in_japanese,) = audit_answer("test", record.fold(), "ja").findings
    assert in_japanese.message == "Baronがフォローできるのにフォローせず、♦Kを出した"


def test_remarks_are_never_interpreted():
    from ledger.events import Noted

    record = with_winners("00").add(Noted(text="seat 1 revoked", seat=1))
    assert record.findings() == []


def substitutes(record: Record, lang: str = "en") -> list[Finding]:
    answer = audit_answer("t", record.add(PlayerSeated(seat=1, player="Thalestris")).fold(), lang)
    return [finding for finding in answer.findings if finding.code == "SEATED-IN-DEAL"]


def test_a_player_replaced_before_the_deal_is_over_is_a_warning_at_the_entry() -> None:
    (finding,) = substitutes(Record().start(2).dealt().calls("0 pass"))
    assert (finding.rule, finding.severity) == ("SEATED-IN-DEAL", "warning")
    assert (finding.deal, finding.version, finding.seat, finding.legal) == (1, 5, 1, None)
    assert finding.message == "Baron was replaced during the deal; the deal counts for Baron"
    (finding,) = substitutes(Record().start(2), "ja")
    assert finding.message == "ディールが終わる前に、Baronの席に別のプレイヤーが着いた。このディールはBaronの成績になる"


def test_a_substitute_after_a_deal_or_before_the_first_one_is_no_finding() -> None:
    assert substitutes(Record()) == substitutes(Record().start(2).dealt().voided()) == []


SESSION = ("session/spring", {"type": "session_opened", "title": "Spring", "date": "2026-03-01"})
CLOSED = ("session/spring", {"type": "session_closed"})
UNCLOSED = ("session/spring", {"type": "corrected", "version": 2, "action": "strike", "reason": "too early"})
TABLE = ("table/t", {"type": "table_opened", "game": "kop", "players": ["A", "B", "C", "D"], "session": "spring"})
STARTED = ("table/t", {"type": "deal_started", "deal": 1, "dealer": 0})


def recorded(*events: tuple[str, dict[str, object]]) -> MemoryStore:
    store = MemoryStore()
    for stream, event in events:
        line = json.dumps({"stream": stream, "event": event}).encode()
        import_content(store, line, "file", ImportAs(by="test", options=ImportOptions(strict=True)))
    return store


def findings(store: MemoryStore, read_as: ReadAs = AS_CORRECTED, lang: str = "en") -> list[Finding]:
    return audit_answer("t", fold_table(store, "t", read_as), lang).findings


def test_a_table_opened_in_a_closed_session_is_a_warning_at_its_opening() -> None:
    (finding,) = findings(recorded(SESSION, CLOSED, TABLE, STARTED))
    assert (finding.code, finding.rule, finding.severity) == ("SESSION-CLOSED", "SESSION-CLOSED", "warning")
    assert (finding.deal, finding.version, finding.seat, finding.legal) == (None, 1, None, None)
    assert finding.message == "the table was opened in the session spring, which was already closed"
    (finding,) = findings(recorded(SESSION, CLOSED, TABLE), lang="ja")
    assert finding.message == "すでに終了したセッションspringで卓が開かれた"


def test_the_director_reads_it_without_a_rule_of_any_book() -> None:
    fold = fold_table(recorded(SESSION, CLOSED, TABLE), "t")
    lines = list(audit_text(audit_answer("t", fold), fold, "en"))
    assert lines[1:-1] == [
        "  warning SESSION-CLOSED  entry 1: the table was opened in the session spring, which was already closed"
    ]


@pytest.mark.parametrize(("events", "read_as"), [
    ([SESSION, CLOSED, UNCLOSED, TABLE], ReadAs(recorded=True)),
    ([SESSION, CLOSED, TABLE], ReadAs(without_rulings=True)),
], ids=["as first written, with the closing that was struck", "without rulings"])  # fmt: skip
def test_it_is_reported_in_other_readings(events: list[tuple[str, dict[str, object]]], read_as: ReadAs) -> None:
    assert [finding.code for finding in findings(recorded(*events), read_as)] == ["SESSION-CLOSED"]


@pytest.mark.parametrize(("events", "count"), [
    ([SESSION, CLOSED, TABLE, STARTED], 1),
    ([SESSION, TABLE, CLOSED, STARTED], 0),  # closed later
    ([SESSION, CLOSED, UNCLOSED, TABLE], 0),  # closed by mistake
    ([SESSION, CLOSED, TABLE, UNCLOSED], 0),  # found out later
    ([TABLE, SESSION, CLOSED], 0),
])  # fmt: skip
def test_only_a_table_opened_after_closing_is_counted(events: list[tuple[str, dict[str, object]]], count: int) -> None:
    """The first lines are already in the ledger or in the same file; `strict` rejects nothing."""
    assert len(findings(recorded(*events))) == count
    for split in range(3):
        store = recorded(*events[:split])
        lines = [json.dumps({"stream": stream, "event": event}).encode() for stream, event in events[split:]]
        report = import_content(
            store, b"\n".join(lines), "file", ImportAs(by="test", options=ImportOptions(strict=True))
        )
        assert report.findings == (count if TABLE in events[split:] else 0)
