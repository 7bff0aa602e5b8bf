"""`verify --history` finds every difference from a new read model, even under a forged seal."""

import json
import tomllib
from pathlib import Path
from typing import Any

import duckdb
import pytest
from duckdb import DuckDBPyConnection

from ledger import api
from ledger.errors import UnreadableError
from ledger.history import OtherDefinition, OtherRows, catch_up, compare, default_history_path
from ledger.history.model import comparison, projector
from ledger.history.model.comparison import HistoryComparison
from ledger.history.model.integrity import sealing
from ledger.history.model.schema import HistoryHead
from ledger.log import MemoryStore, SqliteStore
from tests.cli.commands import ROOT, CommandLine
from tests.covering import IS_SOAK, wider_in_soak
from tests.history.helpers import record, table_events

MORE = ROOT / "replays" / "session" / "opening-night-2.toml"
NAMED = tomllib.loads(Path(__file__).with_name("edits.toml").read_text(encoding="utf-8"))["named"]
CHOSEN = list(NAMED.items())[:: 1 if IS_SOAK else 2]
DIFFERENCES = {sql: (OtherRows if rows else OtherDefinition)(table, *rows) for sql, (table, *rows) in CHOSEN}


def forge(history: Path, sql: str) -> None:
    """Edit the read model under a forged seal."""
    with history.open("rb") as file, sealing(history, file), duckdb.connect(history) as connection:
        connection.execute(sql)


def test_a_sound_read_model_agrees(club: CommandLine) -> None:
    entries = club.json("verify")["entries"]
    assert club.ok("verify", "--history").splitlines() == [
        f"The read model agrees with the ledger: 14 tables compared, as of entry {entries}",
        "To check the ledger itself: trickledger verify",
    ]


@wider_in_soak
def test_what_differs_is_named(club: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each edit is compared with the same new read model, and rolled back."""
    differences: dict[str, OtherDefinition | OtherRows | None] = {}
    comparison_of = comparison._comparison

    def compare_edited(connected: DuckDBPyConnection, fresh: Path, head: HistoryHead) -> HistoryComparison:
        connected.close()  # it can only read
        for sql in ("", *DIFFERENCES):
            with duckdb.connect(history) as connection:
                connection.begin()
                connection.execute(sql)
                differences[sql] = comparison_of(connection, fresh, head).difference
        return HistoryComparison(head=head, tables=0, difference=None)

    history = default_history_path(club.ledger)
    monkeypatch.setattr(comparison, "_comparison", compare_edited)
    api.verify_history(club.ledger)
    assert differences == {"": None, **DIFFERENCES}


def verify_history(club: CommandLine) -> dict[str, Any]:
    answered = club.run("verify", "--history", "--format", "json")
    answer: dict[str, Any] = json.loads(answered.stdout)
    assert answered.exit_code == (0 if answer["agrees"] else 1)
    return answer


def test_an_edit_under_a_forged_seal_is_detected(club: CommandLine) -> None:
    history = default_history_path(club.ledger)
    forge(history, "DELETE FROM seats WHERE rowid = 0")
    before = history.read_bytes()
    difference = verify_history(club)["difference"]
    assert (difference["table"], difference["missing"], difference["surplus"]) == ("seats", 1, 0)
    assert history.read_bytes() == before


def test_a_difference_is_said_with_the_way_out(club: CommandLine) -> None:
    with duckdb.connect(default_history_path(club.ledger)) as connection:
        connection.execute("UPDATE points SET amount = 999")
        (count,) = connection.execute("SELECT count(*) FROM points").fetchone() or (0,)
    answered = club.run("verify", "--history")
    assert answered.exit_code == 1
    assert answered.stdout.splitlines() == [
        f"The read model differs from the ledger, first in points: rows missing: {count}, rows too many: {count}",
        "Rebuild it with --rebuild (of stats, query, plot and report), or remove it.",
    ]
    assert "足りない行" in club.run("verify", "--history", lang="ja").stdout


def test_another_definition_has_no_rows_to_be_counted(club: CommandLine) -> None:
    forge(default_history_path(club.ledger), "CREATE OR REPLACE VIEW plays AS SELECT 1 AS one")
    what = "its definition or description differs, or it is missing or unknown"
    assert verify_history(club)["difference"] == {"table": "plays", "what": what}


def test_it_is_compared_as_of_the_entry_that_it_rests_on(club: CommandLine) -> None:
    entries = club.json("verify")["entries"]
    club.ok("import", MORE)
    before = default_history_path(club.ledger).read_bytes()
    answer = verify_history(club)
    assert (answer["agrees"], answer["position"], answer["tables"], answer["difference"]) == (True, entries, 14, None)
    assert default_history_path(club.ledger).read_bytes() == before


def test_what_was_caught_up_with_meanwhile_is_compared_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store, history = MemoryStore(), tmp_path / "club.duckdb"
    record(store, "table/t", *table_events("t"))
    catch_up(store, history)
    advance = comparison.advance
    calls: list[int] = []

    def meanwhile(*given: object) -> object:
        calls.append(1)
        if len(calls) == 1:
            record(store, "table/u", *table_events("u"))
            catch_up(store, history)
        return advance(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(comparison, "advance", meanwhile)
    result = compare(store, history)
    assert (result.head.position, result.difference, len(calls)) == (store.head().position, None, 2)


def test_an_empty_ledger_agrees(tmp_path: Path) -> None:
    catch_up(MemoryStore(), tmp_path / "h.duckdb")
    assert compare(MemoryStore(), tmp_path / "h.duckdb").difference is None


def test_without_a_read_model_there_is_nothing_to_compare(club: CommandLine) -> None:
    default_history_path(club.ledger).unlink()
    assert club.refused(5, "verify", "--history").startswith("trickledger: there is no read model at ")


def test_one_of_another_make_is_not_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(projector, "schema_version", lambda: "0-older")
        catch_up(MemoryStore(), tmp_path / "h.duckdb")
    with pytest.raises(UnreadableError, match="another version of this program; the next query rebuilds it"):
        compare(MemoryStore(), tmp_path / "h.duckdb")


def test_one_of_another_ledger_is_not_compared(club: CommandLine, tmp_path: Path) -> None:
    with (
        SqliteStore.create(tmp_path / "other.ledger") as other,
        pytest.raises(UnreadableError, match="belongs to another ledger"),
    ):
        compare(other, default_history_path(club.ledger))
