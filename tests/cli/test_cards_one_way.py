"""Within one answer cards are written one way: with their signs for people, by their codes for programs."""

from __future__ import annotations

import re

import pytest

from tests.cli.commands import FINE, RAISE, REVOKED, ROOT, CommandLine

CODE = re.compile(r"(?<![\w+/-])[SHDC](?:[AKQJT2-9])(?![\w+/=-])")
RULE = re.compile(r" +[A-Z]{3}-[0-9]+[.][0-9]+:? ")
"""The text of a rule stands in every answer as it stands in the rulebook."""

SIGN = re.compile(r"[♠♥♦♣]")


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> CommandLine:
    """A ledger with every recorded table, and one with a quarrel and a correction."""
    cli = CommandLine(tmp_path_factory.mktemp("cards"))
    cli.ok("init")
    cli.ok("import", *sorted((ROOT / "replays").rglob("*.toml")))
    cli.ok(*RAISE)
    cli.ok(*FINE)
    return cli


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize(
    "words",
    [
        ("audit", "--all"),
        ("score", "--all"),
        ("replay", "--all"),
        ("replay", "--all", "--seat", 1),
        ("dispute", REVOKED, "--case-sheet", 39),
        ("correct", REVOKED, "replace", "D4", "--deal", 1, "--step", 24, "--reason", "misread", "--dry-run"),
    ],
    ids=lambda words: f"{words[0]} {words[-1]}",
)
def test_people_read_signs(full: CommandLine, words: tuple[object, ...], lang: str) -> None:
    answer = full.run(*words, lang=lang).stdout
    assert [line for line in answer.splitlines() if CODE.search(line) and not RULE.match(line)] == []
    assert words[0] == "score" or SIGN.search(answer)


def test_a_refusal_names_cards_with_their_signs(full: CommandLine) -> None:
    record = (ROOT / "replays" / "ombre" / "revoke.toml").read_text().replace(REVOKED, "again").encode()
    refused = full.run("import", "--strict", "-", stdin=record)
    assert (refused.exit_code, CODE.findall(refused.stderr)) == (3, ["H2"])  # the word of the file, as it was typed
    assert "line 24, 'H2'" in refused.stderr
    assert "played ♥2" in refused.stderr
