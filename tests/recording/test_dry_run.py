"""Dry runs of imports, and findings with file, line and word."""

import json
from pathlib import Path

import pytest

from ledger.errors import AgainstRulesError, LedgerError, MalformedError
from ledger.events import CardPlayed, Corrected
from ledger.log.base import LogStore
from ledger.log.memory import MemoryStore
from ledger.log.sqlite import SqliteStore
from ledger.recording.exporting import export_lines
from ledger.recording.files import import_path
from ledger.recording.importing import ImportAs, ImportReport
from ledger.table.repository import fold_table
from tests.recording.test_reimport import put

REVOKE = Path("replays/ombre/revoke.toml").read_text(encoding="utf-8")
"""A record with a revoke, the H2 in line 24, `DQ CA H2`."""

BEFORE = REVOKE.partition("DQ CA H2")[0]
REST = '"""\n' + REVOKE[REVOKE.index("[deal.hands]") : REVOKE.index("[deal.expect]")]
HEAD = 'game = "ombre"\ntable = "t"\nplayers = ["Ann", "Ben", "Cleo"]\n[[deal]]\ndealer = "Cleo"\n'
HIDDEN = HEAD + 'calls = "entrada pass pass"\ntrump = "S"\nexchange = "3 3 4"\nplay = """\nSA S4 S3\nDK H2 D3\n'
RIGHT = REVOKE.replace("DQ CA H2", "DQ CA D4").replace("CK D4 S6", "CK H2 S6")
"""The same record without the revoke."""
BARE = """\
{"stream":"table/t","event":{"type":"table_opened","game":"ombre","players":["Ann","Bob","Cyd"]}}
{"stream":"table/t","event":{"type":"deal_started","deal":1,"dealer":2}}
{"stream":"table/t","event":{"type":"bid_made","seat":1,"call":"pass"}}"""


def refused(store: LogStore, text: str) -> AgainstRulesError:
    before = store.head()
    with pytest.raises(AgainstRulesError) as error:
        put(store, text, strict=True)
    assert store.head() == before
    return error.value


def test_strict_names_them_in_lines_that_a_grown_record_adds(store: MemoryStore) -> None:
    put(store, BEFORE + REST, strict=True)
    assert str(refused(store, f"{BEFORE}DQ CA H2\n{REST}")).startswith(
        "sheet.toml, line 24, 'H2', table/ombre-revoke, version 25: "
    )


@pytest.mark.parametrize("typed", ["h2", "♥2", "2H", "2♥"])
def test_the_word_is_the_one_that_was_typed(store: MemoryStore, typed: str) -> None:
    assert refused(store, REVOKE.replace("DQ CA H2", f"DQ CA {typed}")).values["text"] == typed


@pytest.mark.parametrize(
    ("calls", "word"), [("solo, vu, Cleo: p", "vu"), ("Ben: VUEL", "VUEL")], ids=["too low", "out of turn"]
)
def test_a_call_is_named_as_it_was_typed(store: MemoryStore, calls: str, word: str) -> None:
    error = refused(store, HEAD + f'calls = "{calls}"\n')
    assert [error.values[key] for key in ("line", "text")] == [6, word]


def test_what_is_no_single_word_is_named_by_its_line(store: MemoryStore) -> None:
    hands = '[deal.hands]\nAnn = "SA SK"\n'
    assert [refused(store, HEAD + hands).values[key] for key in ("line", "text")] == [7, 'Ann = "SA SK"']


def test_an_older_entry_that_a_new_one_betrays_is_named_by_its_line_too(store: MemoryStore) -> None:
    """The hands are unknown; the diamond played later shows that the H2 was a revoke."""
    put(store, HIDDEN + '"""\n', strict=True)
    error = refused(store, HIDDEN + 'DQ D6 D2\n"""\n')
    assert [error.values[key] for key in ("line", "text", "seat")] == [11, "H2", 1]


def test_an_older_entry_at_fault_has_no_line_where_the_file_lacks_it(store: MemoryStore) -> None:
    put(store, HIDDEN + '"""\n')
    played = [{"type": "card_played", "seat": seat, "card": card} for seat, card in enumerate(("DQ", "D6"))]
    (located,) = tried(store, "\n".join(json.dumps({"stream": "table/t", "event": one}) for one in played)).new_findings
    assert (located.line, located.text, located.finding.version, located.finding.seat) == (None, None, 15, 1)


def test_strict_names_the_word_of_a_line_that_is_a_correction(store: MemoryStore) -> None:
    put(store, RIGHT)
    before = store.head()
    with pytest.raises(AgainstRulesError) as error:
        put(store, REVOKE, strict=True, reason="it was right at first")
    assert str(error.value).startswith("sheet.toml, line 24, 'H2', table/ombre-revoke, version 25: Baron played ♥2 ")
    assert store.head() == before


def tried(store: LogStore, text: str, **how) -> ImportReport:
    before = store.head()
    report = put(store, text, dry_run=True, **how)
    assert store.head() == before
    assert report.dry_run
    return report


def test_it_shows_of_a_grown_record_what_is_new_alone(store: MemoryStore) -> None:
    put(store, BEFORE + REST)
    report = tried(store, REVOKE)
    assert (report.tables, report.deals, report.findings) == (0, 0, 1)
    assert report.events + report.already_recorded == 38
    (table,) = report.changes
    assert table.change.totals_after == [-20, 0, 15]


def test_it_shows_the_corrections_that_changed_lines_would_be(store: MemoryStore) -> None:
    put(store, REVOKE)
    report = tried(store, RIGHT)
    assert [(one.line, one.now) for one in report.corrected] == [
        (24, (CardPlayed(seat=1, card="D4"),)),
        (25, (CardPlayed(seat=1, card="H2"),)),
    ]
    (table,) = report.changes
    assert [finding.code for deal in table.change.deals for finding in deal.gone] == ["OMB-11.37"]


def test_what_it_shows_is_what_is_recorded_then(store: MemoryStore) -> None:
    put(store, REVOKE)
    shown = tried(store, RIGHT, reason="misread")
    done = put(store, RIGHT, reason="misread")
    assert shown.corrected == done.corrected
    assert (shown.events, shown.findings) == (done.events, done.findings)
    (table,) = shown.changes
    assert table.change.totals_after == list(fold_table(store, "ombre-revoke").match.totals)
    assert isinstance(list(store.read())[-1].event(), Corrected)


@pytest.mark.parametrize("text", [BARE, BARE.replace("pass", "paws"), REVOKE.replace("DQ CA H2", "DQ CA HX")])
def test_it_refuses_what_the_import_would_refuse(store: MemoryStore, text: str) -> None:
    errors = ["", ""]
    for dry_run in (True, False):
        try:
            put(MemoryStore(), text, dry_run=dry_run)
        except LedgerError as error:
            errors[dry_run] = str(error)
    assert errors[0] == errors[1]


def test_an_export_is_tried_with_its_digests(store: MemoryStore) -> None:
    put(store, REVOKE)
    whole = b"\n".join(export_lines(store)).decode()
    report = tried(MemoryStore(), whole)
    assert (report.form, report.events, len(report.changes), len(report.new_findings)) == ("export", 38, 1, 1)
    with pytest.raises(MalformedError, match="the digest does not match"):
        tried(MemoryStore(), whole.replace("Baron", "Barin"))


def test_another_ledger_is_tried_too(tmp_path: Path) -> None:
    with SqliteStore.create(tmp_path / "other.ledger") as other:
        put(other, REVOKE)
    store = MemoryStore()
    report = import_path(store, tmp_path / "other.ledger", ImportAs(by="test", dry_run=True))
    assert (report.form, report.dry_run, report.events, len(report.changes)) == ("ledger", True, 38, 1)
    assert store.head().position == 0


def test_sentences_of_a_dry_run_are_in_the_requested_language(store: MemoryStore) -> None:
    (located,) = tried(store, REVOKE, lang="ja").new_findings
    assert "リヴォーク" in located.finding.message or "フォロー" in located.finding.message


def test_a_table_in_a_closed_session_is_a_finding(store: MemoryStore) -> None:
    session = {"type": "session_opened", "title": "Spring", "date": "2026-03-20"}
    lines = [{"stream": "session/s", "event": event} for event in (session, {"type": "session_closed"})]
    put(store, "\n".join(map(json.dumps, lines)))
    report = tried(store, HEAD.partition("[[deal]]")[0] + '[session]\nslug = "s"\n')
    assert report.findings == 1
    assert [(located.finding.code, located.line) for located in report.new_findings] == [("SESSION-CLOSED", 1)]
