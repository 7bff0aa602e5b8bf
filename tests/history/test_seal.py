"""A read model that something else than catch-up wrote to is never vouched for, and nobody is suspected wrongly."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random
from time import process_time

import duckdb
import pytest

from ledger.errors import ConflictError, UnreadableError
from ledger.history import catch_up, default_history_path, export_parquet, open_history
from ledger.history.model import catching_up
from ledger.history.model.seal import standing
from ledger.log import MemoryStore, SqliteStore
from tests.bare_history import bare_history  # noqa: F401 - pytest finds it here
from tests.cli.commands import CommandLine
from tests.history.helpers import opening, record, select, table_events, table_rows

ROOT = Path(__file__).parents[2]
SESSION = ROOT / "replays" / "session" / "opening-night-1.toml"
ASKING = {
    "stats": ("stats", "standings"),
    "query": ("query", "FROM points ORDER BY ALL"),
    "query as Parquet": ("query", "FROM points", "--format", "parquet", "--output", "points.parquet"),
    "report": ("report", "opening-night", "--output", "report.html"),
    "plot": ("plot", "standings", "--output", "standings.svg"),
    "export": ("export", "--parquet", "tables"),
}
REBUILT = {name: (*words, "--rebuild") for name, words in ASKING.items() if name != "export"}
EDITS = {
    "a changed amount": "UPDATE points SET amount = 999",
    "a row less": "DELETE FROM points WHERE rowid = 0",
    "a row more": "INSERT INTO deal_moves FROM deal_moves LIMIT 1",
    "another view": "CREATE OR REPLACE VIEW plays AS SELECT 1 AS one",
    "another comment": "COMMENT ON TABLE points IS 'what I owe'",
    "another function": "CREATE OR REPLACE MACRO wilson_low(hits, trials) AS 1",
    "one table more": "CREATE TABLE mine AS SELECT 1 AS one",
}


@pytest.fixture
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    """A ledger with a session; its read model is level with it."""
    monkeypatch.chdir(tmp_path)
    command = CommandLine(tmp_path)
    command.ok("init")
    command.ok("import", SESSION)
    command.ok("stats", "standings")
    return command


@pytest.fixture
def history(club: CommandLine) -> Path:
    return default_history_path(club.ledger)


def edit(history: Path, sql: str) -> None:
    with duckdb.connect(history) as connection:
        connection.execute(sql)


def altered(history: Path) -> str:
    return (
        f"the read model {history} is not as this program left it: something else wrote to it, or it is damaged;"
        " make it anew with --rebuild (of stats, query, plot and report), or remove it"
    )


# --- plain edits ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("asking", ASKING)
def test_no_answer_rests_on_an_edited_read_model(club: CommandLine, history: Path, asking: str) -> None:
    edit(history, EDITS["a changed amount"])
    answered = club.run(*ASKING[asking])
    assert (answered.exit_code, answered.stdout) == (5, "")
    assert answered.stderr == f"trickledger: {altered(history)}\n"
    refused = club.run(*ASKING[asking], lang="ja").stderr
    assert "--rebuild(stats、query、plot、report)で作り直すか、削除してください" in refused


@pytest.mark.parametrize("asking", REBUILT)
def test_the_way_out_leads_out(club: CommandLine, history: Path, asking: str) -> None:
    before = table_rows(history)
    edit(history, EDITS["a changed amount"])
    club.ok(*REBUILT[asking])
    assert table_rows(history) == before
    club.ok(*ASKING["stats"])


def test_an_edited_read_model_may_be_removed_instead(club: CommandLine, history: Path) -> None:
    before = table_rows(history)
    edit(history, EDITS["a changed amount"])
    history.unlink()
    club.ok(*ASKING["export"])
    assert table_rows(history) == before


@pytest.mark.parametrize("sql", EDITS.values(), ids=list(EDITS))
def test_each_plain_edit_is_found(club: CommandLine, history: Path, sql: str) -> None:
    edit(history, sql)
    assert club.run(*ASKING["stats"]).exit_code == 5


def test_an_edit_is_found_however_much_was_recorded_since(club: CommandLine, history: Path) -> None:
    edit(history, EDITS["a changed amount"])
    club.ok("import", SESSION.with_name("opening-night-2.toml"))
    assert club.run(*ASKING["stats"]).exit_code == 5


def test_an_edit_that_is_still_in_the_write_ahead_log_is_found(club: CommandLine, history: Path) -> None:
    with duckdb.connect() as connection:
        connection.execute("SET checkpoint_on_detach = 'DISABLED'")
        connection.execute(f"ATTACH '{history}' AS edited")
        before = history.read_bytes()
        connection.execute("UPDATE edited.points SET amount = 999")
        connection.execute("DETACH edited")
    assert history.read_bytes() == before
    assert club.run(*ASKING["stats"]).exit_code == 5


def test_an_older_copy_of_the_file_alone_is_found(club: CommandLine, history: Path) -> None:
    older = history.read_bytes()
    club.ok("import", SESSION.with_name("opening-night-2.toml"))
    club.ok("stats", "standings", "--rebuild")
    history.write_bytes(older)
    assert club.run(*ASKING["stats"]).exit_code == 5


def test_whoever_opens_the_read_model_directly_is_told(history: Path, tmp_path: Path) -> None:
    edit(history, EDITS["a changed amount"])
    with pytest.raises(UnreadableError) as refused, open_history(history):
        pass
    assert (refused.value.code, str(refused.value)) == ("damaged", altered(history))
    with pytest.raises(UnreadableError, match="is not as this program left it"):
        export_parquet(history, tmp_path / "new")
    assert not (tmp_path / "new").exists()


# --- accidents --------------------------------------------------------------------------------------------------------


def test_a_flipped_byte_is_found_or_changes_nothing(club: CommandLine, history: Path) -> None:
    """What is read is compared with the checksum of its block as it is read; what nothing reads is not.

    So many bytes are tried that one of them is of what is read.
    """
    right, whole = club.ok(*ASKING["query"]), history.read_bytes()
    chance, found, tried = Random(16), 0, 0
    while tried < 8 or not found:
        tried += 1
        assert tried < 80, "no byte is of what is read"
        place = chance.randrange(len(whole))
        spoilt = bytearray(whole)
        spoilt[place] ^= 1 << chance.randrange(8)
        history.write_bytes(spoilt)
        answered = club.run(*ASKING["query"])
        assert answered.exit_code == 5 or answered.stdout == right, place
        if answered.exit_code == 5:
            assert "Corrupt database file" in answered.stderr
            found += 1
        club.ok(*ASKING["stats"], "--rebuild")
        history.write_bytes(whole)
        history.with_name(f"{history.name}.seal").unlink()
        club.ok(*ASKING["stats"])
        whole = history.read_bytes()


def test_whichever_block_is_damaged_it_is_made_anew_on_request(club: CommandLine, history: Path) -> None:
    """Even where the tables can no longer be listed."""
    right, whole = club.ok(*ASKING["stats"]), history.read_bytes()
    for place in range(12_288, len(whole), 262_144):
        spoilt = bytearray(whole)
        spoilt[place + 100] ^= 1
        history.write_bytes(spoilt)
        assert club.ok(*ASKING["stats"], "--rebuild") == right


@pytest.mark.parametrize("left", [0, 100, 5_000, 12_288, 300_000, -1])
def test_a_cut_off_file_is_never_vouched_for(club: CommandLine, history: Path, left: int) -> None:
    right, whole = club.ok(*ASKING["query"]), history.read_bytes()
    history.write_bytes(whole[:left])
    answered = club.run(*ASKING["query"])
    assert answered.exit_code == 5 or answered.stdout == right
    assert history.read_bytes() != whole[:left] or answered.exit_code == 5


# --- no false alarms --------------------------------------------------------------------------------------------------


def test_reading_the_file_with_another_program_is_no_edit(club: CommandLine, history: Path) -> None:
    assert select(history, "SELECT count(*) FROM deals")
    club.ok(*ASKING["stats"])


def test_copies_of_ledger_and_read_model_are_taken_along(club: CommandLine, tmp_path: Path) -> None:
    right = club.ok(*ASKING["stats"])
    folder = tmp_path / "copy"
    folder.mkdir()
    for file in tmp_path.glob("club.ledger*"):
        (folder / file.name).write_bytes(file.read_bytes())
    assert CommandLine(folder).ok(*ASKING["stats"]) == right


@pytest.mark.parametrize("says", [None, b"", b"sealed", b"nonsense 00 1\n" * 50, b"sealed \xff 1\n"])
def test_without_a_seal_the_read_model_is_made_anew(club: CommandLine, history: Path, says: bytes | None) -> None:
    before = table_rows(history)
    edit(history, EDITS["a changed amount"])
    seal = history.with_name(f"{history.name}.seal")
    seal.unlink()
    if says is not None:
        seal.write_bytes(says)
    club.ok(*ASKING["stats"])
    assert table_rows(history) == before
    made = history.stat().st_ino
    club.ok(*ASKING["stats"])
    assert history.stat().st_ino == made


def test_processes_that_catch_up_one_after_the_other_trust_each_other(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from ledger.history import catch_up; from ledger.log import SqliteStore;"
        "store = SqliteStore.open(sys.argv[1]); print(catch_up(store, Path(sys.argv[2])).is_rebuilt)"
    )
    history = tmp_path / "club.duckdb"
    with SqliteStore.create(tmp_path / "club.ledger") as store:
        for turn in range(4):
            record(store, f"table/t{turn}", *table_events(f"t{turn}"))
            asked = [sys.executable, "-c", code, str(store.path), str(history)]
            ran = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=True)
            assert ran.stdout == f"{turn == 0}\n"
            assert catch_up(store, history).new_entries == 0


def test_a_catch_up_that_is_broken_off_raises_no_alarm(tmp_path: Path) -> None:
    store, history = MemoryStore(), tmp_path / "club.duckdb"
    record(store, "table/t", *table_events())
    catch_up(store, history)
    record(store, "table/u", *table_events("u"))

    def interrupt(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        catch_up(store, history, progress=interrupt)
    with open_history(history) as opened:
        assert opened.head.position < store.head().position
    assert not catch_up(store, history).is_rebuilt


def test_a_catch_up_that_is_killed_after_it_committed_is_made_anew(tmp_path: Path) -> None:
    """Nobody can tell any more what was written by it and what by others."""
    code = """if True:
        import os, sys
        from pathlib import Path
        from ledger.history import catch_up
        from ledger.log import SqliteStore
        def end(done, total):
            if done == total:
                os._exit(9)
        catch_up(SqliteStore.open(sys.argv[1]), Path(sys.argv[2]), progress=end)
    """
    history = tmp_path / "club.duckdb"
    with SqliteStore.create(tmp_path / "club.ledger") as store:
        record(store, "table/t", *table_events())
        catch_up(store, history)
        record(store, "table/u", *table_events("u"))
        asked = [sys.executable, "-c", code, str(store.path), str(history)]
        assert subprocess.run(asked, cwd=ROOT, check=False).returncode == 9
        assert select(history, "SELECT count(DISTINCT table_name) FROM deals") == [(2,)]
        assert catch_up(store, history).is_rebuilt
        assert not catch_up(store, history).is_rebuilt


def test_another_make_that_was_edited_is_made_anew_as_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store, history = MemoryStore(), tmp_path / "club.duckdb"
    with monkeypatch.context() as patched:
        patched.setattr(catching_up, "schema_version", lambda: "0-older")
        catch_up(store, history)
    edit(history, "CREATE TABLE mine AS SELECT 1 AS one")
    assert catch_up(store, history).is_rebuilt


def test_a_reader_waits_for_whoever_is_about_to_seal(tmp_path: Path) -> None:
    """Between the last write and the seal of another process nothing can be told: its turn is waited for."""
    store, history = MemoryStore(), tmp_path / "club.duckdb"
    record(store, "table/t", opening())
    catch_up(store, history)
    seal = history.with_name(f"{history.name}.seal")
    sealed = seal.read_bytes()
    seal.write_bytes(sealed.replace(b"sealed", b"writing").replace(b"a", b"b"))
    code = """if True:
        import fcntl, os, sys, time
        lock = os.open(sys.argv[1], os.O_RDWR)
        fcntl.flock(lock, fcntl.LOCK_EX)
        print(1, flush=True)
        sealed = sys.stdin.buffer.read()
        time.sleep(0.5)
        open(sys.argv[2], "wb").write(sealed)
    """
    asked = [sys.executable, "-c", code, f"{history}-lock", str(seal)]
    with subprocess.Popen(asked, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdin and other.stdout
        other.stdout.readline()
        with pytest.raises(ConflictError, match="in use by another process"), open_history(history, wait_s=0.1):
            pass
        other.stdin.write(sealed)
        other.stdin.close()
        with open_history(history) as opened:
            assert opened.head.position == 1


def test_the_seal_of_a_large_read_model_is_compared_as_quickly_as_that_of_a_small_one(history: Path) -> None:
    """Its headers and its log are read, and none of the two gigabytes that follow them."""
    took = {}
    for name, grown in (("small", 0), ("large", 2_000_000_000)):
        with history.open("r+b") as file:
            file.truncate(history.stat().st_size + grown)
            times = []
            for _ in range(20):
                before = process_time()
                standing(history, file)
                times.append(process_time() - before)
        took[name] = min(times)
    assert took["large"] < 0.01, took
