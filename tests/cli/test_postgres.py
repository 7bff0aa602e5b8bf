"""A command answers alike whichever store holds the ledger, and says what to do where only a file will do."""

import re
import shlex
from pathlib import Path

import pytest

from ledger.log import open_store
from tests.cli.commands import REVOKE, ROOT, CommandLine
from tests.postgres import PostgresServer

_, RECORDED, ANSWERED = (
    part.splitlines()[1:]
    for part in re.split(r"\n\n(?=\[)", Path(__file__).with_name("postgres.txt").read_text(encoding="utf-8"))
)
DIFFERS = re.compile(r'"(id|recorded_at|digest|head|ledger)": ?"[^"]*"')


@pytest.fixture
def clubs(postgres: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[CommandLine, CommandLine]:
    """Return the same club in a file and in a database."""
    monkeypatch.setenv("TRICKLEDGER_HOME", str(tmp_path / "home"))
    in_file, in_database = CommandLine(tmp_path), CommandLine(tmp_path)
    in_database.ledger = postgres.address()
    return in_file, in_database


def test_commands_answer_alike(clubs: tuple[CommandLine, CommandLine], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    for line in RECORDED:
        for club in clubs:
            club.ok(*shlex.split(line))
    for line in ANSWERED:
        one, other = (DIFFERS.sub("", club.run(*shlex.split(line), "--format", "json").output) for club in clubs)
        assert one == other, line


def test_proofs_and_read_models_lie_in_the_home(clubs: tuple[CommandLine, CommandLine], tmp_path: Path) -> None:
    _, club = clubs
    club.ok("init")
    club.ok("import", REVOKE)
    club.ok("checkpoint", "--make-key", "club.example/cards")
    club.ok("checkpoint")
    club.ok("stats", "standings")
    club.ok("verify", "--consistent-with", tmp_path / "home" / f"{str(club.ledger).partition('#')[2]}.checkpoint")
    suffixes = {path.name.partition(".")[2] for path in (tmp_path / "home").iterdir()}
    assert {"key", "pub", "checkpoint", "ledger.seen", "ledger.history.duckdb"} <= suffixes


@pytest.mark.parametrize("words", [("backup",), ("backup", "--drill"), ("restore", REVOKE)])
def test_what_only_a_file_can_do_says_what_to_do_instead(
    clubs: tuple[CommandLine, CommandLine], words: tuple[object, ...]
) -> None:
    _, club = clubs
    assert "`trickledger copy`" in club.refused(2, *words)


def test_a_password_is_refused_and_never_shown(clubs: tuple[CommandLine, CommandLine]) -> None:
    _, club = clubs
    for address in ("postgresql://ann:hunter2@host/cards#friday", "postgresql://host/cards?password=hunter2#friday"):
        club.ledger = address
        for lang in ("en", "ja"):
            said = club.refused(3, "tables", lang=lang)
            assert "hunter2" not in said
            assert "PGPASSFILE" in said


@pytest.mark.parametrize(
    ("address", "status", "said"),
    [
        ("postgresql://host/cards", 3, "does not name a ledger after a #"),
        ("postgresql://host/cards#a/b", 3, "does not name a ledger"),
        ("postgresql://postgres@/postgres?host=/nowhere#friday", 5, "cannot be used"),
        ("{}-other", 5, "there is no ledger at"),
        ("{no_database}", 5, "does not exist"),
    ],
)
def test_an_address_without_a_ledger(
    clubs: tuple[CommandLine, CommandLine], address: str, status: int, said: str
) -> None:
    _, club = clubs
    no_database = str(club.ledger).replace("/postgres?", "/no_such_database?")
    club.ledger = address.format(club.ledger, no_database=no_database)
    assert said in club.refused(status, "tables")
    assert re.search("[ぁ-ん]", club.refused(status, "tables", lang="ja"))


def test_verify_reports_damage_and_a_missing_guard(
    clubs: tuple[CommandLine, CommandLine], postgres: PostgresServer
) -> None:
    _, club = clubs
    club.ok("init")
    club.ok("import", REVOKE)
    with open_store(club.ledger) as store:
        number = postgres.sql(f"SELECT ledger FROM trickledger.ledgers WHERE ledger_id = '{store.ledger_id}'")[0]
    for change in ("UPDATE trickledger.entries SET version = 9", "DELETE FROM trickledger.entries"):
        with pytest.raises(AssertionError, match="an entry is never changed or removed"):
            postgres.sql(f"{change} WHERE ledger = {number}")
    changed = f"UPDATE trickledger.entries SET recorded_by = 'Mallory' WHERE ledger = {number} AND position = 7"
    guard = "TABLE trickledger.entries {} TRIGGER entries_are_never_changed"
    postgres.sql(f"ALTER {guard.format('DISABLE')}")
    assert "which protects the entries, is missing" in club.run("verify").output
    postgres.sql(changed)
    postgres.sql(f"ALTER {guard.format('ENABLE')}")
    assert "position 7" in club.run("verify").output
