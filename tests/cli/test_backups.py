"""`backup` and `restore`: what they say, and where a copy goes."""

from __future__ import annotations

import re
from pathlib import Path

from tests.cli.commands import CommandLine


def test_a_backup_can_be_restored_elsewhere(club: CommandLine, tmp_path: Path) -> None:
    head = club.json("verify")["digest"]
    target = tmp_path / "backup.ledger"
    told = club.ok("backup", target)
    assert told == f"Backed up {club.ledger} to {target}: 42 entries, head {head}\n"
    other = CommandLine(tmp_path / "elsewhere")
    other.folder.mkdir()
    assert other.ok("restore", target) == f"Restored {target} to {other.ledger}: 42 entries, head {head}\n"
    assert other.ok("export") == club.ok("export")
    third = tmp_path / "third.ledger"
    assert club.json("restore", target, third) == {"ledger": str(third), "entries": 42, "digest": head}


def test_a_backup_into_a_folder_or_without_target_is_named_by_the_moment(club: CommandLine, tmp_path: Path) -> None:
    folder = tmp_path / "stick"
    folder.mkdir()
    for words, place in ((["backup"], club.folder), (["backup", folder], folder)):
        path = Path(club.json(*words)["backup"])
        assert path.parent == place
        assert re.fullmatch(r"club-\d{4}-\d\d-\d\d-\d{6}\.ledger", path.name)
        assert path.exists()


def test_the_drill_reports_and_keeps_no_file(club: CommandLine) -> None:
    answer = club.json("backup", "--drill")
    verified = club.json("verify")
    assert (answer["entries"], answer["digest"]) == (verified["entries"], verified["digest"])
    assert "42 entries" in club.ok("backup", "--drill")
    assert list(club.folder.glob("*.ledger")) == [club.ledger]
    assert club.run("backup", "--drill", club.folder).exit_code == 2
