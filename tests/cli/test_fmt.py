"""`fmt`: a hand record in the one layout."""

from __future__ import annotations

from tests.cli.commands import REVOKE, CommandLine

UNTIDY = REVOKE.read_bytes().replace(b"CA H2 ", b"ca   h2 ")


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
