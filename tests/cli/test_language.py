"""`--lang ja`: the same ids, amounts and cards, in Japanese."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.cli.commands import ROOT, CommandLine

JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")


@pytest.fixture
def examples(cli: CommandLine) -> CommandLine:
    """The records of the rulebook's examples, whose payments use most of the rules."""
    cli.ok("import", *sorted((ROOT / "replays" / "ombre").glob("*.toml")))
    return cli


def without_words(value: Any) -> Any:
    """The answer without its sentences."""
    if isinstance(value, dict):
        return {key: without_words(item) for key, item in value.items() if key not in ("text", "message")}
    return [without_words(item) for item in value] if isinstance(value, list) else value


def sentences(value: Any) -> list[str]:
    if isinstance(value, dict):
        own = [text for key, text in value.items() if key in ("text", "message")]
        return own + [text for item in value.values() for text in sentences(item)]
    return [text for item in value for text in sentences(item)] if isinstance(value, list) else []


@pytest.mark.parametrize("command", ["score", "audit"])
def test_every_sentence_is_japanese_and_all_else_is_the_same(examples: CommandLine, command: str) -> None:
    for table in examples.json("tables"):
        english = examples.json(command, table["table"])
        japanese = examples.json(command, table["table"], lang="ja")
        assert without_words(english) == without_words(japanese)
        assert all(JAPANESE.search(text) for text in sentences(japanese))
        assert not any(JAPANESE.search(text) for text in sentences(english))


def test_the_text_form_speaks_japanese_too(club: CommandLine) -> None:
    assert "フォローしなかった" in club.run("audit", "ombre-revoke", lang="ja").stdout
    assert "ディーラーの参加料" in club.ok("score", "ombre-revoke", lang="ja")
