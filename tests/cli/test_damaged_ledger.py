"""A ledger that is damaged: what `export` writes of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.commands import CommandLine

DAMAGE = {
    "broken JSON": (b'"deal":1,"dealer":2}', b'"deal":1,"dealer:2"}'),
    "of unknown type": (b'"deal_started","deal":1,"dealer":2}', b'"deal_ztarted","deal":1,"dealer":2}'),
    "altered, but valid": (b'"tricks":[5,2,2]', b'"tricks":[4,3,2]'),
}
"""What is changed in the table `t`, positions 1 to 4 of the club."""


def damage(ledger: Path, before: bytes, after: bytes) -> None:
    """Change the oldest entry that reads so: pages are filled from their end."""
    content = bytearray(ledger.read_bytes())
    start = content.rindex(before)
    content[start : start + len(before)] = after
    ledger.write_bytes(content)


@pytest.fixture(params=DAMAGE)
def damaged(club: CommandLine, request: pytest.FixtureRequest) -> CommandLine:
    damage(club.ledger, *DAMAGE[request.param])
    return club


FORMS = [[], ["--bare"], ["--anonymous"], ["--bare", "--table", "t"], ["--anonymous", "--table", "t"]]


@pytest.mark.parametrize("words", FORMS, ids=" ".join)
def test_an_export_stops_at_the_first_entry_that_is_not_as_recorded(damaged: CommandLine, words: list[str]) -> None:
    position = damaged.json("verify")["damage"]["position"]
    assert position in (2, 3)
    answered = damaged.run("export", *words)
    assert answered.exit_code == 5
    assert answered.stderr == (
        f"trickledger: the ledger is damaged at position {position}; verify it, and restore a backup\n"
    )
    written = 0 if "--anonymous" in words else position - 1
    assert len(answered.stdout.splitlines()) == written, "what was written before is sound"


@pytest.mark.parametrize("words", FORMS, ids=" ".join)
def test_an_export_that_stops_leaves_no_file(damaged: CommandLine, words: list[str]) -> None:
    before = sorted(damaged.folder.iterdir())
    assert damaged.run("export", *words, "--output", damaged.folder / "all.ndjson").exit_code == 5
    assert sorted(damaged.folder.iterdir()) == before


@pytest.mark.parametrize("form", ["--bare", "--anonymous"])
def test_a_table_that_is_sound_is_exported_where_another_is_damaged(damaged: CommandLine, form: str) -> None:
    told = damaged.ok("export", form, "--table", "ombre-revoke")
    rescued = CommandLine(damaged.folder / "rescued")
    rescued.folder.mkdir()
    rescued.ok("init")
    rescued.ok("import", "-", stdin=told.encode())
    (row,) = rescued.json("tables")
    assert row["deals"] == 1
