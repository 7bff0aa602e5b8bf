"""An older copy put over the ledger: found by `verify` and by the next append, until somebody answers for it."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from ledger.log import SqliteStore
from ledger.log.backup import back_up
from tests.cli.commands import REVOKE, CommandLine, lines, roll_back, signed_tables, two_tables

NAME = "club.example/ledger"
UNCHECKED = "Growth not checked"


def note(text: str) -> dict[str, Any]:
    return {"type": "noted", "text": text}


@pytest.fixture
def home(bare_cli: CommandLine) -> CommandLine:
    return bare_cli.made_by(two_tables)


def seen(home: CommandLine) -> Path:
    return home.folder / "club.ledger.seen"


def entries(home: CommandLine) -> int:
    with SqliteStore.open(home.ledger, access="read") as store:
        return store.head().position


def fork(home: CommandLine) -> None:
    """As `roll_back`, but the older copy has gone on elsewhere, further than the ledger."""
    elsewhere = CommandLine(home.folder / "elsewhere")
    elsewhere.folder.mkdir()
    shutil.copyfile(home.folder / "old.ledger", elsewhere.ledger)
    elsewhere.record(
        {"type": "table_opened", "game": "ombre", "players": ["Ann", "Ben", "Dora"]}, *map(note, "abcdef"), table="u"
    )
    back_up(elsewhere.ledger, home.folder / "old.ledger", overwrite=True)
    roll_back(home)


# --- what is found ----------------------------------------------------------------------------------------------------


def test_a_copy_that_went_on_otherwise_is_found_by_both(home: CommandLine) -> None:
    before = entries(home)
    fork(home)
    assert entries(home) > before
    told = home.json("verify")
    assert (told["undamaged"], told["damage"]["position"]) == (False, before)
    assert home.run("import", "-", stdin=lines(note("x"), table="u")).exit_code == 4


def test_a_checkpoint_and_a_catch_up_know_how_far_the_ledger_had_come(home: CommandLine) -> None:
    for keeps in (("checkpoint",), ("stats", "standings")):
        seen(home).unlink(missing_ok=True)
        if keeps == ("checkpoint",):
            home.ok("checkpoint", "--make-key", NAME)
        assert not seen(home).exists()
        home.ok(*keeps)
        assert json.loads(seen(home).read_bytes())["position"] == entries(home), keeps


# --- the way out ------------------------------------------------------------------------------------------------------


def test_the_newer_ledger_put_back_is_undamaged(home: CommandLine) -> None:
    home.ok("backup", home.folder / "newest.ledger")
    roll_back(home)
    assert home.run("verify").exit_code == 1
    shutil.copyfile(home.folder / "newest.ledger", home.ledger)
    assert "rollback" not in home.ok("verify").lower()
    home.record(note("goes on"))


def test_a_rollback_is_not_accepted_without_a_reason_nor_of_a_damaged_ledger(home: CommandLine) -> None:
    roll_back(home)
    before = seen(home).read_bytes()
    assert home.run("verify", "--accept-rollback", " ").exit_code == 3
    content = home.ledger.read_bytes()
    home.ledger.write_bytes(content.replace(b"Belinda", b"Belindo"))
    assert home.run("verify", "--accept-rollback", "whatever").exit_code == 1
    assert seen(home).read_bytes() == before


def test_a_ledger_made_where_another_one_was_says_so(home: CommandLine) -> None:
    home.ledger.unlink()
    home.ok("init")
    home.ok("import", REVOKE)
    assert home.json("verify")["rollbacks"][0]["how"] == "made"


# --- where nothing is known -------------------------------------------------------------------------------------------


def test_a_ledger_of_which_nothing_is_known_is_no_fault_and_growth_is_said_to_be_unchecked(home: CommandLine) -> None:
    assert UNCHECKED not in home.ok("verify")
    seen(home).unlink()
    assert UNCHECKED in home.ok("verify")
    assert "増えただけか" in home.ok("verify", lang="ja")
    assert home.json("verify")["growth_checked"] is False
    home.record(note("goes on"))
    assert UNCHECKED not in home.ok("verify")


def test_a_checkpoint_given_checks_growth(home: CommandLine) -> None:
    home.ok("checkpoint", "--make-key", NAME)
    home.ok("checkpoint")
    seen(home).unlink()
    assert UNCHECKED not in home.ok("verify", "--consistent-with", home.folder / "club.checkpoint")


def test_a_receipt_says_whether_it_was_checked_against_an_older_checkpoint(home: CommandLine) -> None:
    home.ok("checkpoint", "--make-key", NAME)
    home.ok("checkpoint")
    old = home.folder / "older.checkpoint"
    shutil.copyfile(home.folder / "club.checkpoint", old)
    home.record(note("more"))
    home.ok("checkpoint")
    receipt, key = home.folder / "r.receipt", home.folder / "club.pub"
    home.ok("receipt", "ombre-revoke", "--deal", "1", "--since", old, "-o", receipt)
    asked = ("verify", "--receipt", receipt, "--key", key)
    assert UNCHECKED in home.ok(*asked)
    assert home.json(*asked)["growth_checked"] is False
    assert UNCHECKED not in home.ok(*asked, "--consistent-with", old)
    assert home.json(*asked, "--consistent-with", old)["growth_checked"] is True


@pytest.mark.parametrize("content", [b"", b"{}", b"\0" * 100, b'{"position":-1,"digest":""}', b"[" * 100_000])
def test_what_is_no_such_file_stops_nobody_and_checks_nothing(home: CommandLine, content: bytes) -> None:
    seen(home).write_bytes(content)
    assert UNCHECKED in home.ok("verify")
    home.record(note("goes on"))
    assert json.loads(seen(home).read_bytes())["position"] == entries(home)


def test_a_backup_has_no_such_file(home: CommandLine) -> None:
    assert seen(home).exists()
    assert not (home.folder / "old.ledger.seen").exists()
    assert UNCHECKED in home.ok("--ledger", home.folder / "old.ledger", "verify")


def test_a_folder_that_cannot_be_written_to_is_verified() -> None:
    with tempfile.TemporaryDirectory() as folder:
        cli = CommandLine(Path(folder))
        cli.ok("init")
        cli.record({"type": "table_opened", "game": "ombre", "players": ["Ann", "Ben", "Cleo"]})
        cli.folder.chmod(0o555)
        child = os.fork()
        if child == 0:
            if os.geteuid() == 0:
                os.setuid(65534)  # nobody, for whom the folder's permissions hold
            try:
                told = cli.run("verify")
                status = told.exit_code if UNCHECKED not in told.stdout else 98
            except BaseException:
                status = 99
            os._exit(status)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        cli.folder.chmod(0o755)


def test_an_appended_entry_is_kept_even_where_the_file_cannot_be_written(home: CommandLine) -> None:
    seen(home).unlink()
    seen(home).mkdir()
    before = entries(home)
    home.record(note("goes on"))
    assert entries(home) == before + 1
    with closing(sqlite3.connect(home.ledger)) as connection:
        assert connection.execute("SELECT max(position) FROM entries").fetchone() == (before + 1,)


# --- the checkpoint that lies beside it -------------------------------------------------------------------------------


@pytest.fixture
def signed(bare_cli: CommandLine) -> CommandLine:
    return bare_cli.made_by(signed_tables)


def test_restore_and_init_answer_for_the_checkpoint_beside_them(signed: CommandLine) -> None:
    signed.ok("restore", signed.folder / "old.ledger", "--overwrite")
    assert signed.json("verify")["rollbacks"][0]["how"] == "restored"
    seen(signed).unlink()
    for left in signed.folder.glob("club.ledger*"):
        left.unlink()
    signed.ok("init")
    signed.ok("import", REVOKE)
    assert signed.json("verify")["rollbacks"][0]["how"] == "made"


def test_a_ledger_written_anew_is_not_the_one_that_was_signed_beside_it(signed: CommandLine) -> None:
    fork(signed)
    seen(signed).unlink(missing_ok=True)
    found = signed.run("verify")
    assert (found.exit_code, "are not those that were signed" in found.stdout) == (1, True)


@pytest.mark.parametrize("how", ["of another key", "none at all"])
def test_a_file_that_is_no_checkpoint_of_this_ledger_stops_nobody(signed: CommandLine, how: str) -> None:
    roll_back(signed)
    if how == "none at all":
        (signed.folder / "club.checkpoint").write_bytes(b"\0")
    else:
        elsewhere = CommandLine(signed.folder / "elsewhere")
        elsewhere.folder.mkdir()
        elsewhere.ok("init")
        elsewhere.ok("checkpoint", "--make-key", NAME)
        shutil.copyfile(elsewhere.folder / "club.pub", signed.folder / "club.pub")
    assert UNCHECKED in signed.ok("verify")
    signed.record(note("goes on"), table="ombre-revoke")
