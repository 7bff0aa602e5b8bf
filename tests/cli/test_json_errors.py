"""`--format json`: several errors, damage, and words that are no text; the rest is in `transcripts/json-errors.txt`."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.cli.commands import OPENED, CommandLine, lines
from tests.schemas.checks import assert_fits


def errors(cli: CommandLine, *words: object) -> tuple[int, list[dict[str, Any]]]:
    """The exit status, which is that of the text, and the errors, of which nothing else stands on standard error."""
    told = cli.run(*words, "--format", "json")
    found = [json.loads(line) for line in told.stderr.splitlines()]
    for answer in found:
        assert_fits("error", answer)
    assert told.exit_code == cli.run(*words).exit_code
    return told.exit_code, [answer["error"] for answer in found]


def test_each_file_that_is_refused_has_an_object_of_its_own(cli: CommandLine) -> None:
    files = [cli.file(name, content) for name, content in (("a", b"hello"), ("b", lines(OPENED)), ("c", b""))]
    status, found = errors(cli, "import", *files)
    assert (status, [error["file"] for error in found]) == (3, [str(cli.folder / "a"), str(cli.folder / "c")])


def test_a_damaged_entry_is_5_with_its_position(club: CommandLine) -> None:
    content = club.ledger.read_bytes()
    club.ledger.write_bytes(content.replace(b'"players":["Ann"', b'"plxyers":["Ann"'))
    status, (error,) = errors(club, "score", "t")
    assert (status, error["code"], error["position"], error["stream"]) == (5, "damaged", 1, "table/t")
    assert "the ledger is damaged at position 1 (table/t, version 1)" in error["message"]
    assert club.run("score", "ombre-revoke").exit_code == 0


@pytest.mark.parametrize("word", ["\ud800", "\udcff.ledger"])
def test_a_word_that_is_not_utf8_is_told_in_characters_that_are(cli: CommandLine, word: str) -> None:
    status, (error,) = errors(cli, "init", word)
    assert (status, error["code"], error["text"]) == (2, "usage", word.encode("utf-8", "backslashreplace").decode())
