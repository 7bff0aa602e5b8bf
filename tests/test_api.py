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


def test_everything_public_is_documented_sorted_and_listed_by_dir() -> None:
    for name in ledger.__all__:
        assert inspect.getdoc(getattr(ledger, name)), f"ledger.{name} has no docstring"
    assert sorted(ledger.__all__) == ledger.__all__
    assert set(ledger.__all__) < set(dir(ledger))


def test_modules_and_packages_are_loaded_on_first_use() -> None:
    """Check that importing the functions, as every command does, loads none of their dependencies."""
    ours = "print(sorted(name for name in sys.modules if name.startswith('ledger')))"
    others = "print({'duckdb', 'rich', 'click', 'sqlite3'} & set(sys.modules) or 'nothing')"
    code = f"import sys, ledger; ledger.__version__; {ours}; from ledger import api; {ours}; "
    ran = [sys.executable, "-c", f"{code}from ledger import errors, limits; {others}"]
    said = subprocess.run(ran, capture_output=True, text=True, check=True).stdout
    assert said == "['ledger']\n['ledger', 'ledger.api']\nnothing\n"


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


def test_the_record_can_be_read_as_corrected_as_first_written_or_as_of_a_position(store: LogStore) -> None:
    ledger.correct(store, TABLE, "replace", "D4", deal=1, step=24, reason="misread", recording=ME)
    for reading, played in (({}, "D4"), ({"as_recorded": True}, "H2"), ({"as_of": 38}, "H2")):
        assert ledger.replay(store, TABLE, 1, step=24, **reading).tricks[4].cards[-1] == played


def test_an_unknown_name_is_not_an_attribute() -> None:
    with pytest.raises(AttributeError, match=r"^module 'ledger' has no attribute 'scroe'$"):
        getattr(ledger, "scroe")  # noqa: B009 - a type checker would find it


def test_a_correction_takes_events_as_well_as_words(store: LogStore) -> None:
    card = CardPlayed(seat=1, card="D4")
    ledger.correct(store, TABLE, "replace", [card], version=25, reason="misread", recording=ME)
    assert ledger.replay(store, TABLE, 1, step=24).tricks[4].cards[-1] == "D4"
    undone = ledger.correct(store, TABLE, "strike", reason="typed twice", recording=ME)
    assert isinstance(undone.event, Corrected)
    assert undone.event.version == 38


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
