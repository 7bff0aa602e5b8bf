"""A read model that another program changed is never trusted, and there are no false alarms."""

import subprocess
import sys
import tomllib
from io import FileIO
from pathlib import Path
from random import Random

import duckdb
import pytest

from ledger.errors import ConflictError, UnreadableError
from ledger.history import catch_up, default_history_path, export_parquet, open_history
from ledger.history.model.database import DamagedError, detecting_damage
from ledger.history.model.integrity import HEADERS_BYTES, SealState, seal_state
from ledger.log import MemoryStore, SqliteStore
from tests.cli.commands import ROOT, CommandLine
from tests.covering import IS_SOAK, sample, wider_in_soak
from tests.history.helpers import opening, record, select, table_events

MORE = ROOT / "replays" / "session" / "opening-night-2.toml"
COMMANDS = {
    "stats": ("stats", "standings"),
    "query": ("query", "FROM points ORDER BY ALL"),
    "query as Parquet": ("query", "FROM points", "--format", "parquet", "--output", "points.parquet"),
    "report": ("report", "opening-night", "--output", "report.html"),
    "plot": ("plot", "standings", "--output", "standings.json"),
    "export": ("export", "--parquet", "tables"),
}
EDITS: dict[str, str] = tomllib.loads(Path(__file__).with_name("edits.toml").read_text(encoding="utf-8"))["plain"]
pytestmark = pytest.mark.usefixtures("quick_sandbox")


@pytest.fixture(autouse=True, scope="module")
def quick_history() -> None:
    """Make each file from the start: two copies of one file have the same headers."""


@pytest.fixture
def history(club: CommandLine) -> Path:
    return default_history_path(club.ledger)


def edit(history: Path, sql: str) -> None:
    with duckdb.connect(history) as connection:
        connection.execute(sql)


def assert_refused(history: Path) -> None:
    with pytest.raises(UnreadableError, match="is not as this program left it"), open_history(history):
        pass


def altered(history: Path) -> str:
    return (
        f"the read model {history} is not as this program left it: another program wrote to it, or it is damaged;"
        " rebuild it with --rebuild (of stats, query, plot and report), or remove it"
    )


def points(history: Path) -> list[tuple[object, ...]]:
    with open_history(history) as opened:
        return opened.statistic("course").answer.rows


@pytest.mark.parametrize("command", sample(list(COMMANDS), 2))
def test_no_answer_uses_an_edited_read_model_and_advice_helps(club: CommandLine, history: Path, command: str) -> None:
    before = points(history)
    edit(history, EDITS["a changed amount"])
    assert club.refused(5, *COMMANDS[command]) == f"trickledger: {altered(history)}\n"
    if command != "export":
        club.ok(*COMMANDS[command], "--rebuild")
    else:  # it may be removed instead
        history.unlink()
        club.ok(*COMMANDS[command])
    assert points(history) == before


def test_an_edited_read_model_is_refused_in_japanese_too(club: CommandLine, history: Path) -> None:
    edit(history, EDITS["a changed amount"])
    refused = club.run(*COMMANDS["stats"], lang="ja").stderr
    assert "--rebuild(stats、query、plot、report)で作り直すか、削除してください" in refused


@pytest.mark.parametrize("sql", EDITS.values(), ids=list(EDITS))
def test_each_plain_edit_is_detected(history: Path, sql: str) -> None:
    edit(history, sql)
    assert_refused(history)


def test_an_edit_is_detected_however_much_was_recorded_since(club: CommandLine, history: Path) -> None:
    edit(history, EDITS["a changed amount"])
    club.ok("import", MORE)
    assert club.run(*COMMANDS["stats"]).exit_code == 5


def test_an_edit_that_is_still_in_the_write_ahead_log_is_detected(history: Path) -> None:
    with duckdb.connect() as connection:
        connection.execute("SET checkpoint_on_detach = 'DISABLED'")
        connection.execute(f"ATTACH '{history}' AS edited")
        before = history.read_bytes()
        connection.execute("UPDATE edited.points SET amount = 999")
        connection.execute("DETACH edited")
    assert history.read_bytes() == before
    assert_refused(history)


def test_an_older_copy_of_the_file_alone_is_detected(club: CommandLine, history: Path) -> None:
    older = history.read_bytes()
    club.ok("import", MORE)
    club.ok("stats", "standings", "--rebuild")
    history.write_bytes(older)
    assert_refused(history)


def test_opening_an_edited_read_model_directly_fails(history: Path, tmp_path: Path) -> None:
    edit(history, EDITS["a changed amount"])
    with pytest.raises(UnreadableError) as refused, open_history(history):
        pass
    assert (refused.value.code, str(refused.value)) == ("damaged", altered(history))
    with pytest.raises(UnreadableError, match="is not as this program left it"):
        export_parquet(history, tmp_path / "new")
    assert not (tmp_path / "new").exists()


@wider_in_soak
def test_a_flipped_byte_is_detected_or_changes_nothing(club: CommandLine, history: Path) -> None:
    """DuckDB checks a block when it reads it, so only read blocks can be detected.

    Enough bytes are tried that some of them are read.
    """
    right, files = points(history), {file: file.read_bytes() for file in history.parent.glob("*.duckdb*")}
    chance, detected = Random(16), 0
    with SqliteStore(club.ledger) as store:
        for place in [chance.randrange(len(files[history])) for _ in range(400 if IS_SOAK else 8)]:
            for file, content in files.items():
                file.write_bytes(content)
            with history.open("r+b") as file:
                file.seek(place)
                file.write(bytes([files[history][place] ^ 1 << chance.randrange(8)]))
            try:
                catch_up(store, history)
                assert points(history) == right, place
            except UnreadableError as error:
                assert "Corrupt database file" in str(error)
                detected += 1
    assert detected


@wider_in_soak
def test_whichever_block_is_damaged_it_is_made_anew_on_request(club: CommandLine, history: Path) -> None:
    """This holds even if the tables can no longer be listed."""
    right, whole = points(history), history.read_bytes()
    places = range(12_288, len(whole), 262_144)
    with SqliteStore(club.ledger) as store:
        for place in places if IS_SOAK else (places[0], places[-1]):
            spoilt = bytearray(whole)
            spoilt[place + 100] ^= 1
            history.write_bytes(spoilt)
            assert catch_up(store, history, rebuild=True).is_rebuilt
            assert points(history) == right


def test_only_a_wrong_checksum_counts_as_damage() -> None:
    with pytest.raises(DamagedError, match="Corrupt database file"), detecting_damage():
        raise duckdb.IOException("Corrupt database file: computed checksum 1 does not match")
    with pytest.raises(duckdb.OutOfMemoryException), detecting_damage():
        raise duckdb.OutOfMemoryException("could not allocate")


@pytest.mark.parametrize("left", sample([0, 100, 5_000, 12_288, 300_000, -1], 2))
def test_a_cut_off_file_is_never_vouched_for(club: CommandLine, history: Path, left: int) -> None:
    right, whole = club.ok(*COMMANDS["stats"]), history.read_bytes()
    history.write_bytes(whole[:left])
    answered = club.run(*COMMANDS["stats"])
    assert answered.exit_code == 5 or answered.stdout == right
    assert history.read_bytes() != whole[:left] or answered.exit_code == 5


def test_reading_the_file_with_another_program_is_no_edit(club: CommandLine, history: Path) -> None:
    assert select(history, "SELECT count(*) FROM deals")
    club.ok(*COMMANDS["stats"])


def test_without_a_seal_the_read_model_is_made_anew(club: CommandLine, history: Path) -> None:
    right = points(history)
    edit(history, EDITS["a changed amount"])
    history.with_name(f"{history.name}.seal").unlink()
    with SqliteStore(club.ledger) as store:
        assert catch_up(store, history).is_rebuilt
        assert points(history) == right
        assert not catch_up(store, history).is_rebuilt


@pytest.mark.parametrize("says", [b"", b"sealed", b"nonsense 00 1\n" * 50, b"sealed \xff 1\n"])
def test_a_seal_that_says_nothing_is_none(history: Path, says: bytes) -> None:
    history.with_name(f"{history.name}.seal").write_bytes(says)
    with history.open("rb") as file:
        assert seal_state(history, file) is SealState.UNFINISHED


def test_processes_that_catch_up_one_after_the_other_trust_each_other(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from ledger.history import catch_up; from ledger.log import SqliteStore;"
        "print(catch_up(SqliteStore(sys.argv[1]), Path(sys.argv[2])).is_rebuilt)"
    )
    history = tmp_path / "club.duckdb"
    with SqliteStore.create(tmp_path / "club.ledger") as store:
        record(store, "table/one", *table_events("one"))
        assert catch_up(store, history).is_rebuilt
        record(store, "table/two", *table_events("two"))
        arguments = [sys.executable, "-c", code, str(store.path), str(history)]
        ran = subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True, check=True)
        assert ran.stdout == "False\n"
        assert catch_up(store, history).new_entries == 0


def test_a_reader_waits_for_a_process_that_is_about_to_seal(tmp_path: Path) -> None:
    """Between another process's last write and its seal, the file looks altered: readers wait for their turn."""
    store, history = MemoryStore(), tmp_path / "club.duckdb"
    record(store, "table/t", opening())
    catch_up(store, history)
    seal = history.with_name(f"{history.name}.seal")
    sealed = seal.read_bytes()
    _, digest, size = sealed.split()
    seal.write_bytes(b" ".join((b"writing", digest[::-1], size)))
    code = """if True:
        import fcntl, os, sys, time
        lock = os.open(sys.argv[1], os.O_RDWR)
        fcntl.flock(lock, fcntl.LOCK_EX)
        print(1, flush=True)
        sealed = sys.stdin.buffer.read()
        time.sleep(0.5)
        open(sys.argv[2], "wb").write(sealed)
    """
    arguments = [sys.executable, "-c", code, f"{history}-lock", str(seal)]
    with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdin and other.stdout
        other.stdout.readline()
        with pytest.raises(ConflictError, match="in use by another process"), open_history(history, wait_s=0.1):
            pass
        other.stdin.write(sealed)
        other.stdin.close()
        with open_history(history) as opened:
            assert opened.head.position == 1


class Counted(FileIO):
    """A file that counts the bytes read from it."""

    read_bytes = 0

    def read(self, size: int = -1) -> bytes:
        content = super().read(size)
        self.read_bytes += len(content)
        return content


def test_no_more_is_read_of_a_large_read_model_than_of_a_small_one(history: Path) -> None:
    """Only headers and write-ahead log are read, none of the two gigabytes after them."""
    for grown in (0, 2_000_000_000):
        with Counted(history, "r+") as file:
            file.truncate(history.stat().st_size + grown)
            seal_state(history, file)
            assert file.read_bytes == HEADERS_BYTES
