"""`check`, `compare` and `fmt`: hand records before they are in the ledger."""

from __future__ import annotations

import pytest

from tests.cli.commands import REVOKE, REVOKED, ROOT, CommandLine

FAIR = ROOT / "replays" / "ombre" / "02-vuelta-stopped.toml"
UNTIDY = REVOKE.read_bytes().replace(b"CA H2 ", b"ca   h2 ")


def test_it_needs_no_ledger(bare_cli: CommandLine) -> None:
    assert bare_cli.run("check", "-", stdin=FAIR.read_bytes()).stdout.startswith("standard input would record")


def test_what_cannot_be_understood_ends_with_status_3(bare_cli: CommandLine) -> None:
    path = bare_cli.file("broken.toml", FAIR.read_bytes().replace(b"calls", b"bids", 1))
    assert "unknown key in deal 1: 'bids'" in bare_cli.refused(3, "check", path)


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_table_of_the_ledger_is_compared_with_what_somebody_else_wrote(club: CommandLine, lang: str) -> None:
    other = club.file("other.toml", REVOKE.read_bytes().replace(b"CA H2", b"CA D4"))
    answered = club.run("compare", REVOKED, other, lang=lang)
    assert answered.exit_code == 0
    _, of_table, score, of_file, other_score = answered.stdout.splitlines()
    assert REVOKED in of_table
    assert f"{other}" in of_file
    assert "D4" in of_file
    assert score.strip()
    assert other_score.strip()
    (deal,) = club.json("compare", REVOKED, other)["deals"]
    assert (deal["first"]["line"], deal["second"]["line"], deal["second"]["word"]) == (None, 24, "D4")


def test_the_layout_goes_to_standard_output_and_the_file_stays(bare_cli: CommandLine) -> None:
    path = bare_cli.file("untidy.toml", UNTIDY)
    assert "\nDQ CA H2  # Baron holds D6" in bare_cli.ok("fmt", path)
    assert path.read_bytes() == UNTIDY
    assert bare_cli.ok("fmt", "-", stdin=UNTIDY) == bare_cli.ok("fmt", path)


def test_check_writes_nothing_and_says_by_its_status_whether_it_would(bare_cli: CommandLine) -> None:
    path = bare_cli.file("untidy.toml", UNTIDY)
    answered = bare_cli.run("fmt", "--check", path)
    assert (answered.exit_code, answered.stdout) == (1, "")
    assert answered.stderr == f"{path} is not laid out so: trickledger fmt --in-place FILE\n"
    assert path.read_bytes() == UNTIDY
    assert bare_cli.ok("fmt", "--in-place", path) == ""
    assert bare_cli.ok("fmt", "--check", path) == ""
    assert path.read_text(encoding="utf-8") == bare_cli.ok("fmt", "-", stdin=UNTIDY)


def test_a_file_that_cannot_be_understood_stays_as_it_is(bare_cli: CommandLine) -> None:
    broken = UNTIDY.replace(b"calls", b"bids", 1)
    path = bare_cli.file("broken.toml", broken)
    assert bare_cli.run("fmt", "--in-place", path).exit_code == 3
    assert path.read_bytes() == broken
