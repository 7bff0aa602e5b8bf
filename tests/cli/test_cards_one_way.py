"""Within one answer cards are written one way: with their signs for people, by their codes for programs."""

from __future__ import annotations

import re

import pytest

from tests.cli.commands import REVOKED, ROOT, CommandLine
from tests.covering import covering

CODE = re.compile(r"(?<![\w+/-])[SHDC](?:[AKQJT2-9])(?![\w+/=-])")
RULE = re.compile(r" +[A-Z]{3}-[0-9]+[.][0-9]+:? ")
"""The text of a rule stands in every answer as it stands in the rulebook."""

SIGN = re.compile(r"[♠♥♦♣]")


ANSWERS = (
    *("audit --all", "score --all", "replay --all", "replay --all --seat 1", f"dispute {REVOKED} --case-sheet 39"),
    f"correct {REVOKED} replace H2 --deal 1 --step 26 --reason misread --dry-run",
)


@pytest.mark.parametrize(("words", "lang"), covering(ANSWERS, ("en", "ja")))
def test_people_read_signs(full: CommandLine, words: str, lang: str) -> None:
    answer = full.run(*words.split(), lang=lang).stdout
    assert [line for line in answer.splitlines() if CODE.search(line) and not RULE.match(line)] == []
    assert words.startswith("score") or SIGN.search(answer)


def test_a_refusal_names_cards_with_their_signs(full: CommandLine) -> None:
    record = (ROOT / "replays" / "ombre" / "revoke.toml").read_text().replace(REVOKED, "again").encode()
    refused = full.run("import", "--strict", "-", stdin=record)
    assert (refused.exit_code, CODE.findall(refused.stderr)) == (3, ["H2"])  # the word of the file, as it was typed
    assert "line 24, 'H2'" in refused.stderr
    assert "played ♥2" in refused.stderr
