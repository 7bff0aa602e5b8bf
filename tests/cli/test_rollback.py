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
from tests.cli.commands import OPENED, REVOKE, CommandLine, lines

NAME = "club.example/ledger"
UNCHECKED = "Growth not checked"


def note(text: str) -> dict[str, Any]:
    return {"type": "noted", "text": text}


def two_tables(cli: CommandLine) -> None:
    """Make a ledger of two tables; `old.ledger` is a copy from between the two."""
    cli.ok("init")
    cli.ok("import", REVOKE)
    cli.ok("backup", cli.folder / "old.ledger")
    cli.record(OPENED, note("late"))


@pytest.fixture
def home(bare_cli: CommandLine) -> CommandLine:
    return bare_cli.made_by(two_tables)


def seen(home: CommandLine) -> Path:
    return home.folder / "club.ledger.seen"


def entries(home: CommandLine) -> int:
    with SqliteStore.open(home.ledger, access="read") as store:
        return store.head().position


def roll_back(home: CommandLine) -> int:
    """Puts the older copy over the ledger, and answers how many entries were there before."""
    before = entries(home)
    for name in ("club.ledger-wal", "club.ledger-shm"):
        (home.folder / name).unlink(missing_ok=True)
    shutil.copyfile(home.folder / "old.ledger", home.ledger)
    return before


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


def test_verify_finds_an_older_copy_put_over_the_ledger(home: CommandLine) -> None:
    before = roll_back(home)
    found = home.run("verify")
    assert found.exit_code == 1
    assert f"but had {before} entries: an older copy was put in its place" in found.stdout
    assert "trickledger verify --accept-rollback REASON" in found.stdout
    told = home.json("verify")
    assert (told["undamaged"], told["damage"]["position"], told["growth_checked"]) == (False, entries(home) + 1, True)


def test_the_first_append_of_a_process_refuses_a_ledger_that_was_rolled_back(home: CommandLine) -> None:
    before = roll_back(home)
    after = entries(home)
    told = lines(note("on the old one"), table="ombre-revoke")
    refused = home.run("import", "-", "--format", "json", stdin=told)
    error = json.loads(refused.stderr)["error"]
    assert (refused.exit_code, error["code"]) == (4, "rolled_back")
    assert (error["expected"], error["actual"], entries(home)) == (before, after, after)
    japanese = home.run("import", "-", lang="ja", stdin=told)
    assert (japanese.exit_code, "巻き戻し" in japanese.stderr or "古い写し" in japanese.stderr) == (4, True)


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


def test_a_ledger_that_was_rolled_back_is_not_signed(home: CommandLine) -> None:
    home.ok("checkpoint", "--make-key", NAME)
    roll_back(home)
    assert home.run("checkpoint").exit_code == 4
    assert not (home.folder / "club.checkpoint").exists()


def test_a_question_to_an_older_copy_forgets_nothing(home: CommandLine) -> None:
    roll_back(home)
    before = seen(home).read_bytes()
    home.ok("stats", "standings")
    assert seen(home).read_bytes() == before
    assert home.run("verify").exit_code == 1


# --- the way out ------------------------------------------------------------------------------------------------------


def test_an_accepted_rollback_lets_the_ledger_go_on_and_is_shown_from_then_on(home: CommandLine) -> None:
    before = roll_back(home)
    after = entries(home)
    accepted = home.ok("verify", "--accept-rollback", "the stick of Monday was the right one")
    assert f"from {before} entries to {after}: the stick of Monday was the right one" in accepted
    home.record(note("goes on"), table="ombre-revoke")
    assert "the stick of Monday was the right one" in home.ok("verify")
    assert "the stick of Monday was the right one" in home.ok("verify", lang="ja")
    (one,) = home.json("verify")["rollbacks"]
    assert (one["entries_before"], one["entries"], one["reason"]) == (
        before,
        after,
        "the stick of Monday was the right one",
    )


def test_the_newer_ledger_put_back_is_undamaged(home: CommandLine) -> None:
    home.ok("backup", home.folder / "newest.ledger")
    roll_back(home)
    assert home.run("verify").exit_code == 1
    shutil.copyfile(home.folder / "newest.ledger", home.ledger)
    assert "rollback" not in home.ok("verify").lower()
    home.record(note("goes on"))


def test_nothing_is_accepted_where_nothing_was_rolled_back(home: CommandLine) -> None:
    before = seen(home).read_bytes()
    refused = home.run("verify", "--accept-rollback", "just in case")
    assert (refused.exit_code, seen(home).read_bytes()) == (2, before)
    assert "was not rolled back" in refused.stderr


def test_a_rollback_is_not_accepted_without_a_reason_nor_of_a_damaged_ledger(home: CommandLine) -> None:
    roll_back(home)
    before = seen(home).read_bytes()
    assert home.run("verify", "--accept-rollback", " ").exit_code == 3
    content = home.ledger.read_bytes()
    home.ledger.write_bytes(content.replace(b"Belinda", b"Belindo"))
    assert home.run("verify", "--accept-rollback", "whatever").exit_code == 1
    assert seen(home).read_bytes() == before


def test_restore_over_a_ledger_says_so_itself(home: CommandLine) -> None:
    before = entries(home)
    home.ok("restore", home.folder / "old.ledger", "--overwrite")
    told = home.ok("verify")
    assert "Restored" in told
    assert "old.ledger" in told
    assert UNCHECKED not in told
    assert home.json("verify")["rollbacks"][0]["entries_before"] == before
    home.record(note("goes on"), table="ombre-revoke")


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
def signed(home: CommandLine) -> CommandLine:
    """As `home`, with a checkpoint of all entries beside it and no `.seen`, as version 0.1.0 left it."""
    home.ok("checkpoint", "--make-key", NAME)
    home.ok("checkpoint")
    seen(home).unlink()
    return home


def test_a_checkpoint_beside_the_ledger_tells_of_an_older_copy_where_nothing_else_does(signed: CommandLine) -> None:
    before = roll_back(signed)
    found = signed.run("verify")
    assert found.exit_code == 1
    assert f"but had {before} entries: an older copy was put in its place" in found.stdout
    assert "trickledger verify --accept-rollback REASON" in found.stdout
    refused = signed.run("import", "-", "--format", "json", stdin=lines(note("x"), table="ombre-revoke"))
    error = json.loads(refused.stderr)["error"]
    assert (refused.exit_code, error["code"], error["expected"]) == (4, "rolled_back", before)


def test_a_question_hides_no_rollback_from_the_checkpoint(signed: CommandLine) -> None:
    roll_back(signed)
    signed.ok("stats", "standings")
    assert signed.run("verify").exit_code == 1


def test_a_rollback_that_the_checkpoint_told_of_can_be_accepted(signed: CommandLine) -> None:
    before = roll_back(signed)
    signed.ok("verify", "--accept-rollback", "the stick was the right one")
    signed.record(*map(note, "abcdefgh"), table="ombre-revoke")
    signed.ok("verify")
    (one,) = signed.json("verify")["rollbacks"]
    assert (one["entries_before"], one["digest_before"]) == (before, "")


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


def test_growth_is_checked_by_the_checkpoint_beside_the_ledger(signed: CommandLine) -> None:
    assert UNCHECKED not in signed.ok("verify")
    signed.record(note("goes on"))
    signed.ok("verify")


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
