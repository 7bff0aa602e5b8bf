"""The Python API as used by a reader of `help(ledger)` alone."""

import inspect
import subprocess
import sys
from collections.abc import Iterator
from doctest import DocTestParser
from pathlib import Path
from typing import Any

import pytest

import ledger
from ledger.errors import AgainstRulesError, ConflictError, LedgerError, MalformedError, NotFoundError, UnreadableError
from ledger.events import CardPlayed, Corrected
from ledger.log.base import LogStore
from tests.japanese import assert_speaks_japanese

REVOKE = Path(__file__).parent.parent / "replays" / "ombre" / "revoke.toml"
TABLE = "ombre-revoke"
ME = ledger.Recording(by="me")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[LogStore]:
    with ledger.create(tmp_path / "club.ledger") as made:
        ledger.import_file(made, REVOKE, ME)
        yield made


def test_everything_public_is_documented() -> None:
    for name in ledger.__all__:
        assert inspect.getdoc(getattr(ledger, name)), f"ledger.{name} has no docstring"


def test_public_names_are_sorted_and_listed_by_dir() -> None:
    assert sorted(ledger.__all__) == ledger.__all__
    assert set(ledger.__all__) < set(dir(ledger))


def test_the_package_is_loaded_on_first_use() -> None:
    """Check that a program that needs only the version or one room loads no database and no terminal."""
    seen = "print({'duckdb', 'rich', 'click', 'sqlite3', 'ledger.api'} & set(sys.modules) or 'nothing')"
    for begun in ("import ledger", "import ledger; ledger.__version__", "from ledger import errors, limits"):
        ran = [sys.executable, "-c", f"import sys; {begun}; {seen}"]
        assert subprocess.run(ran, capture_output=True, text=True, check=True).stdout == "nothing\n", begun


def test_the_functions_load_what_they_need_when_they_are_called() -> None:
    """Check that importing the functions, as every command does, loads none of their dependencies."""
    code = (
        "import sys; from ledger import api; print(sorted(name for name in sys.modules if name.startswith('ledger')))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "['ledger', 'ledger.api']\n"


@pytest.mark.parametrize("more", [{"expected_version": 3}, {"id": "0193f2a0-5c1e-7d3b-8a4f-2b6c9d0e1f23"}])
def test_an_import_takes_no_id_or_version(store: LogStore, more: dict[str, Any]) -> None:
    with pytest.raises(MalformedError, match="an import takes no id or expected version") as refused:
        ledger.import_file(store, REVOKE, ledger.Recording(by="me", **more))
    assert_speaks_japanese(refused.value, "id", "expected_version", "dry_run", "by", "Recording")


def test_an_open_file_is_imported_as_one_by_its_path(tmp_path: Path) -> None:
    with ledger.create(tmp_path / "club.ledger") as made, REVOKE.open("rb") as file:
        report = ledger.import_file(made, file, ME, ledger.ImportOptions(name="the record"))
    assert (report.source, report.events) == ("the record", 38)


def test_a_table_is_read_once_for_several_questions(store: LogStore) -> None:
    (read,) = ledger.read_tables(store)
    assert ledger.score(store, read) == ledger.score(store, TABLE)
    assert ledger.audit(store, read) == ledger.audit(store, TABLE)
    assert ledger.replay(store, read) == ledger.replay(store, TABLE, 1)
    assert ledger.readings(store, read) == ledger.readings(store, TABLE, 1)


def test_a_name_is_shown_for_nobody_whom_the_record_does_not_know(store: LogStore, tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="the record has no player Belind; perhaps Belinda"):
        ledger.name_player(tmp_path / "club.ledger", "Belind", "Arabella")
    with pytest.raises(ConflictError, match="another player in the record has the name Baron"):
        ledger.name_player(tmp_path / "club.ledger", "Belinda", "Baron")


def test_a_statistic_that_there_is_not_is_named_before_the_ledger_is_opened(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="there is no statistic"):
        ledger.stats(tmp_path / "nowhere.ledger", "standing")


def test_a_session_is_one_page(store: LogStore, tmp_path: Path) -> None:
    evening = REVOKE.parent.parent / "session"
    for record in sorted(evening.glob("*.toml"))[:1]:
        ledger.import_file(store, record, ME)
    session = next(row.session for row in ledger.tables(store) if row.session)
    page = ledger.report(tmp_path / "club.ledger", f"session/{session}")
    assert (page.session, page.position) == (session, store.head().position)
    assert page.html.startswith("<!DOCTYPE html>")


def test_private_names_are_not_attributes() -> None:
    with pytest.raises(AttributeError, match=r"^module 'ledger' has no attribute 'scroe'$"):
        getattr(ledger, "scroe")  # noqa: B009 - a type checker would find it


def test_replay_all_answers_every_state_in_order(store: LogStore) -> None:
    states = list(ledger.replay_all(store, TABLE, 1))
    assert [state.step for state in states] == list(range(37))
    assert states[-1] == ledger.replay(store, TABLE, 1)
    assert all(state == ledger.replay(store, TABLE, 1, step=state.step) for state in states[::6])


def test_a_seat_sees_what_it_could_know(store: LogStore) -> None:
    dealt = ledger.replay(store, TABLE, 1, step=2, seat=0)
    assert set(dealt.hands[1] + dealt.hands[2]) == {"??"}
    assert "??" not in dealt.hands[0]


def test_the_record_can_be_read_as_corrected_as_first_written_or_as_of_a_position(store: LogStore) -> None:
    ledger.correct(store, TABLE, "replace", "D4", deal=1, step=24, reason="misread", recording=ME)
    for reading, played in (({}, "D4"), ({"as_recorded": True}, "H2"), ({"as_of": 38}, "H2")):
        assert ledger.replay(store, TABLE, 1, step=24, **reading).tricks[4].cards[-1] == played


def test_a_ruling_that_a_correction_overtakes_is_stale_and_can_be_left_out(store: LogStore) -> None:
    ledger.dispute(store, TABLE, "the Baron had a diamond", deal=1, player="Belinda", step=24, recording=ME)
    ledger.ruling(
        store, TABLE, "adjust", "a fine", deal=1, rule="6.5", deltas="Bel 10, Bar -10", dispute=39, recording=ME
    )
    ledger.correct(store, TABLE, "replace", "D4", deal=1, step=24, reason="misread", recording=ME)
    (dispute,) = ledger.disputes(store, TABLE)
    assert (dispute.state, dispute.stale) == ("ruled", (41,))
    assert ledger.score(store, TABLE, without_rulings=True).totals == [-20, 0, 15]


def test_a_correction_takes_events_as_well_as_words(store: LogStore) -> None:
    card = CardPlayed(seat=1, card="D4")
    ledger.correct(store, TABLE, "replace", [card], version=25, reason="misread", recording=ME)
    assert ledger.replay(store, TABLE, 1, step=24).tricks[4].cards[-1] == "D4"
    undone = ledger.correct(store, TABLE, "strike", reason="typed twice", recording=ME)
    assert isinstance(undone.event, Corrected)
    assert undone.event.version == 38


def test_a_case_sheet_is_made_from_its_dispute(store: LogStore) -> None:
    ledger.dispute(store, TABLE, "a diamond & more", deal=1, step=24, recording=ME)
    sheet = ledger.case_sheet(store, TABLE, 39)
    assert sheet.in_question is not None
    assert sheet.in_question.legal == ["D4", "D6"]
    assert "a diamond &amp; more" in ledger.case_page(sheet)
    assert '<html lang="ja">' in ledger.case_page(sheet, "ja")


def test_a_table_may_be_named_with_its_stream(store: LogStore) -> None:
    assert ledger.score(store, f"table/{TABLE}") == ledger.score(store, TABLE)


def test_every_error_is_one_kind_and_says_what_was_wrong(store: LogStore, tmp_path: Path) -> None:
    bad = tmp_path / "bad.ndjson"
    bad.write_text('{"stream":"table/t","event":{"type":"deal_started","deal":1,"dealer":0}}')
    with pytest.raises(MalformedError, match=r"bad\.ndjson, line 1, table/t: the table has not been opened"):
        ledger.import_file(store, bad, ME)
    with pytest.raises(AgainstRulesError, match=r"against OMB-6\.5"), ledger.create(tmp_path / "other.ledger") as other:
        ledger.import_file(other, REVOKE, ME, ledger.ImportOptions(strict=True))
    with pytest.raises(NotFoundError, match="there is no table nowhere; the ledger has ombre-revoke"):
        ledger.score(store, "nowhere")
    with pytest.raises(NotFoundError, match="there is no deal 2"):
        ledger.replay(store, TABLE, 2)
    with pytest.raises(NotFoundError, match=r"OMB-99\.1"):
        ledger.rule("OMB-99.1")
    with pytest.raises(UnreadableError, match="there is no ledger"):
        ledger.open(tmp_path / "missing.ledger")
    kinds = (MalformedError, AgainstRulesError, NotFoundError, ConflictError, UnreadableError)
    assert all(issubclass(kind, LedgerError) for kind in kinds)


def test_the_example_of_the_documentation_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("evening.toml").write_bytes(REVOKE.read_bytes().replace(b'"ombre-revoke"', b'"table-1"'))
    for example in DocTestParser().get_examples(ledger.__doc__ or ""):
        exec(example.source, globals())
