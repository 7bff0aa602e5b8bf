"""`players`: who stands in the record, whose name is shown, which spellings are one person, and who is hidden."""

from __future__ import annotations

import pytest

from tests.cli.commands import CommandLine, named_club

SECRET = "Wisława Szymborska"


@pytest.fixture
def named(bare_cli: CommandLine) -> CommandLine:
    return bare_cli.made_by(named_club)


def test_a_forgotten_name_is_gone_from_texts_and_from_the_disk_and_the_ledger_is_sound(named: CommandLine) -> None:
    before = named.json("verify")
    named.ok("stats", "standings")
    named.ok("players", "Ann", "--forget")
    assert SECRET not in named.ok("score", "t")
    assert "Ann" in named.ok("score", "t")
    assert named.json("verify") == before
    assert not [path for path in named.folder.iterdir() if path.is_file() and SECRET.encode() in path.read_bytes()]
    assert [row["name"] for row in named.json("players") if row["player"] == "Baron"] == ["Lord Petre"]
