"""The place of the read model: every readable ledger can be queried, and obstacles are named."""

import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import pytest

from ledger.errors import UnreadableError
from ledger.history import choose_history_path, default_history_path
from ledger.log import SqliteStore
from tests.cli.commands import ROOT, CommandLine, revoke_alone
from tests.covering import sample
from tests.history.helpers import record, table_events
from tests.japanese import assert_has_japanese
from tests.permissions import _be_bound as be_bound
from tests.permissions import permitting

pytestmark = pytest.mark.usefixtures("quick_sandbox")

COUNT = "SELECT count(*) AS deals FROM deals"
ANSWER = '[{"deals":1}]\n'
READING = [
    ("tables",), ("players",), ("score", "ombre-revoke"), ("replay", "ombre-revoke"), ("dispute", "ombre-revoke"),
    ("verify",), ("export",), ("stats", "standings"), ("query", COUNT), ("query", "--list"),
]  # fmt: skip


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    """Return the ledger file alone, without the files next to it."""
    cli = CommandLine(tmp_path / "club").made_by(revoke_alone)
    for other in {*cli.folder.iterdir()} - {cli.ledger}:
        other.unlink()
    return cli.ledger


Bound: TypeAlias = Callable[..., tuple[int, str, str]]
"""Runs a command; returns its exit status, output and errors."""

COMMANDS = """if True:
    import json, os, sys
    from pathlib import Path
    from ledger.history.sandbox import runner
    from tests.cli.commands import CommandLine
    from tests.history.quick_sandbox import forking
    from tests.quick_history import copying_empty_ones

    with copying_empty_ones(), forking() as runner._run:
        for line in sys.stdin:
            folder, words, os.environ["XDG_CACHE_HOME"] = json.loads(line)
            answered = CommandLine(Path(folder)).run(*words)
            print(json.dumps([answered.exit_code, answered.stdout, answered.stderr]), flush=True)
"""


@pytest.fixture(scope="module")
def commands_of_somebody() -> Iterator[subprocess.Popen[str]]:
    """Yield a process that is subject to permissions and runs commands one after the other."""
    words, pipe = [sys.executable, "-c", COMMANDS], subprocess.PIPE
    with subprocess.Popen(words, stdin=pipe, stdout=pipe, text=True, cwd=ROOT, preexec_fn=be_bound) as process:  # noqa: PLW1509
        yield process
        process.stdin.close()


@pytest.fixture
def bound(commands_of_somebody: subprocess.Popen[str], tmp_path: Path) -> Bound:
    def run(ledger: Path, *words: object) -> tuple[int, str, str]:
        line = [str(ledger.parent), list(map(str, words)), str(tmp_path / "cache")]
        print(json.dumps(line), file=commands_of_somebody.stdin, flush=True)
        exit_status, stdout, stderr = json.loads(commands_of_somebody.stdout.readline())
        return exit_status, stdout, stderr

    return run


@pytest.fixture
def count_deals(bound: Bound) -> Callable[..., str]:
    def answer(ledger: Path, *words: object) -> str:
        exit_status, stdout, stderr = bound(ledger, "query", COUNT, "--format", "json", *words)
        assert exit_status == 0, stderr
        return stdout

    return answer


def cached(tmp_path: Path) -> list[Path]:
    return sorted(Path(tmp_path, "cache", "trickledger").glob("*.duckdb"))


def test_a_ledger_in_a_read_only_folder_answers_every_command_that_reads(ledger: Path, bound: Bound) -> None:
    with permitting(ledger, 0o444), permitting(ledger.parent, 0o555):
        before = sorted(ledger.parent.iterdir())
        answers = {words: bound(ledger, *words) for words in READING}
        assert sorted(ledger.parent.iterdir()) == before
    usual = {words: CommandLine(ledger.parent).run(*words) for words in READING}
    assert answers == {words: (0, answered.stdout, answered.stderr) for words, answered in usual.items()}


def test_a_read_only_folder_uses_a_private_cache(ledger: Path, count_deals: Callable[..., str], tmp_path: Path) -> None:
    with permitting(ledger.parent, 0o555):
        assert count_deals(ledger) == ANSWER
        (made,) = cached(tmp_path)
        before = made.stat()
        assert count_deals(ledger) == ANSWER
    assert made.stat().st_mtime_ns == before.st_mtime_ns  # the second query rebuilt nothing
    assert made.name.startswith("club-")
    assert stat.S_IMODE(made.parent.stat().st_mode) == 0o700


def test_the_cache_keeps_copies_apart(ledger: Path, count_deals: Callable[..., str], tmp_path: Path) -> None:
    copy = tmp_path / "copy" / "club.ledger"
    copy.parent.mkdir()
    copy.write_bytes(ledger.read_bytes())
    for path in (ledger, copy):
        with permitting(path.parent, 0o555):
            assert count_deals(path) == ANSWER
    assert len(cached(tmp_path)) == 2


def test_a_current_read_model_is_used_in_place(ledger: Path, count_deals: Callable[..., str], tmp_path: Path) -> None:
    CommandLine(ledger.parent).ok("query", COUNT)
    with permitting(ledger.parent, 0o555):
        assert count_deals(ledger) == ANSWER
        assert cached(tmp_path) == []
        assert count_deals(ledger, "--rebuild") == ANSWER
    assert len(cached(tmp_path)) == 1


def test_a_read_model_left_behind_is_unchanged(ledger: Path, count_deals: Callable[..., str], tmp_path: Path) -> None:
    CommandLine(ledger.parent).ok("query", COUNT)
    with SqliteStore(ledger) as store:
        record(store, "table/t", *table_events())
    before = default_history_path(ledger).read_bytes()
    with permitting(ledger.parent, 0o555):
        assert count_deals(ledger) != ANSWER
    assert default_history_path(ledger).read_bytes() == before
    assert len(cached(tmp_path)) == 1


def test_the_read_model_lies_where_the_option_says(ledger: Path, tmp_path: Path) -> None:
    club, place = CommandLine(ledger.parent), tmp_path / "mine.duckdb"
    commands = [("query", COUNT), ("stats", "standings"), ("plot", "standings", "--format", "json")]
    answers = [club.ok(*words, "--history", place) for words in commands]
    assert place.exists() and not default_history_path(ledger).exists()
    assert answers == [club.ok(*words) for words in commands]


def test_an_export_of_tables_reads_the_named_read_model(ledger: Path, tmp_path: Path) -> None:
    club, place = CommandLine(ledger.parent), tmp_path / "mine.duckdb"
    club.ok("export", "--parquet", tmp_path / "tables", "--history", place)
    assert place.exists() and not default_history_path(ledger).exists()


def test_without_any_place_the_way_out_is_named(ledger: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cache").write_text("no folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with SqliteStore(ledger) as store, pytest.raises(UnreadableError) as refused:
        choose_history_path(store, ledger)
    assert (refused.value.code, str(refused.value)) == (
        "forbidden",
        f"neither the folder of the ledger nor {tmp_path / 'cache' / 'trickledger'} can be written to; "
        "name a place for the read model with --history",
    )
    assert_has_japanese(refused.value.said, str(tmp_path / "cache" / "trickledger"), "--history")


def test_a_place_without_permission_is_named(ledger: Path, tmp_path: Path, bound: Bound) -> None:
    place = tmp_path / "mine.duckdb"
    CommandLine(ledger.parent).ok("stats", "standings", "--history", place)
    with permitting(place, 0):
        exit_status, _, stderr = bound(ledger, "query", COUNT, "--history", place, "--format", "json")
    assert exit_status == 5
    assert '"code":"forbidden"' in stderr
    assert f"the read model {place} cannot be read: Permission denied" in stderr


@pytest.mark.parametrize("file", sample([f".club.ledger.history.duckdb.draft{end}" for end in ("", ".wal")], 1))
def test_a_full_disk_makes_no_read_model_and_says_so(ledger: Path, tracing: str, file: str) -> None:
    """Once, the message called the file no read model, or advised to remove it: its tables were missing."""
    writing, how = "pwrite64,write,fallocate,ftruncate", ["-f", "--seccomp-bpf", "-qq", "-o", os.devnull]
    failing = ["-P", str(ledger.with_name(file)), "-e", f"inject={writing}:error=ENOSPC", "-e", f"trace={writing}"]
    commands = [sys.executable, "-m", "ledger", "--lang", "en", "--ledger", str(ledger), "query", COUNT]
    refused = subprocess.run([tracing, *how, *failing, *commands], capture_output=True, text=True, check=False)
    history = default_history_path(ledger)
    assert (refused.returncode, refused.stderr) == (
        5,
        f"trickledger: no room on the disk of the read model {history}; "
        "make room, or name another place with --history\n",
    )
    assert not history.exists() and not ledger.with_name(file).exists()
    assert CommandLine(ledger.parent).ok("query", COUNT, "--format", "json") == ANSWER


@pytest.mark.parametrize("has_questions", [False, True], ids=["none saved yet", "some saved"])
def test_a_query_that_cannot_be_saved_is_refused_unrun(ledger: Path, bound: Bound, has_questions: bool) -> None:
    folder = ledger.with_name("club.ledger.queries")
    if has_questions:
        folder.mkdir()
    with permitting(folder if has_questions else ledger.parent, 0o555):
        refused = bound(ledger, "query", "--save", "mine", COUNT)
    assert refused == (
        5,
        "",
        f"trickledger: no permission to save a query in {folder}; ask its owner, or keep the SQL in a file of "
        'your own and run it: trickledger query "$(cat FILE)"\n',
    )
    assert not (folder / "mine.sql").exists()
