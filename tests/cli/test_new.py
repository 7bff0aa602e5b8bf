"""`new`: a form to type into."""

from __future__ import annotations

from tests.cli.commands import CommandLine

ASKED = ("new", "tuesday-1", "--game", "ombre", "--players", "Ann, Ben,Cleo")


def test_a_form_needs_no_ledger_and_is_imported_as_it_is(bare_cli: CommandLine) -> None:
    path = bare_cli.folder / "form.toml"
    assert bare_cli.ok(*ASKED, "--deals", 2, "--option", "ante=3", "--session", "spring", "-o", path) == ""
    bare_cli.ok("init")
    bare_cli.ok("import", path)
    (row,) = bare_cli.json("tables")
    assert (row["table"], row["players"], row["deals"], row["session"]) == (
        "tuesday-1", ["Ann", "Ben", "Cleo"], 2, "spring",
    )  # fmt: skip


def test_its_comments_are_in_the_language_that_is_asked_for(bare_cli: CommandLine) -> None:
    assert "solo (ソロ)" in bare_cli.ok(*ASKED, lang="ja")
    assert "calls in turn" in bare_cli.ok(*ASKED)
