"""`export --anonymous`: lines without names that `import` takes."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.commands import CommandLine


def test_the_export_can_be_imported_and_be_of_one_table(club: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "research.ndjson"
    assert club.ok("export", "--anonymous", "--table", "ombre-revoke", "-o", path) == ""
    other = club.beside()
    assert "1 table, 1 deal, 38 events recorded; 1 finding" in other.ok("import", path)
    assert other.json("tables")[0]["players"] == ["Player 1", "Player 2", "Player 3"]
    assert other.json("tables")[0]["totals"] == [-20, 0, 15]


def test_a_name_that_is_only_shown_is_not_exported(club: CommandLine) -> None:
    club.ok("players", "Ann", "--name", "Wisława")
    assert "Wisława" not in club.ok("export", "--anonymous")


def test_linked_spellings_have_one_number(club: CommandLine) -> None:
    for table, players in {"one": ["Ann", "Ben", "Cleo"], "two": ["Dora", "Ben", "Anne"]}.items():
        club.record({"type": "table_opened", "game": "ombre", "players": players}, table=table)
    club.ok("players", "link", "Anne", "Ann")
    lines = club.ok("export", "--anonymous", "--table", "one", "--table", "two").splitlines()
    assert [json.loads(line)["event"]["players"] for line in lines] == [
        ["Player 1", "Player 2", "Player 3"],
        ["Player 4", "Player 2", "Player 1"],
    ]
