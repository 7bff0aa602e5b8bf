"""Somebody whom permissions bind, and a ledger that he may not write to."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.commands import CommandLine
from tests.permissions import bound, permitting


@pytest.fixture
def cli(tmp_path: Path) -> CommandLine:
    made = CommandLine(tmp_path)
    made.ok("init")
    made.ok("token", "add", "ann", "--role", "viewer")
    return made


def test_who_may_not_write_there_can_list_and_not_give_out(cli: CommandLine) -> None:
    tokens = cli.folder / "club.ledger.access"
    before = tokens.read_bytes()
    with permitting(tokens, 0o400), permitting(cli.folder, 0o500):
        assert "ann" in bound(cli.ledger, "token", "list").stdout
        refused = bound(cli.ledger, "token", "revoke", "ann")
        assert refused.returncode == 4
        assert "cannot be read or written" in refused.stderr
        assert "nothing was changed" in refused.stderr
    assert tokens.read_bytes() == before


def test_who_may_not_make_the_file_is_told_so(cli: CommandLine) -> None:
    (cli.folder / "club.ledger.access").unlink()
    with permitting(cli.folder, 0o500):
        refused = bound(cli.ledger, "token", "add", "ben", "--role", "viewer")
    assert refused.returncode == 5
    assert "the file of tokens" in refused.stderr
    assert not (cli.folder / "club.ledger.access").exists()


def test_who_may_not_read_the_tokens_is_told_so(cli: CommandLine) -> None:
    with permitting(cli.folder / "club.ledger.access", 0o000):
        refused = bound(cli.ledger, "token", "list", "--format", "json")
    assert refused.returncode == 5
    assert '"code":"forbidden"' in refused.stderr
