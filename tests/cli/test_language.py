"""`--lang ja`: the same ids, amounts and cards, in Japanese.

Within one answer cards are written in one way: as signs for people, as codes for programs.
"""

import re
from typing import Any

import pytest
from click.testing import CliRunner
from rich.cells import cell_len

from ledger.cli import main
from ledger.cli.language import language_of_locale
from ledger.i18n import LANGUAGES
from tests.cli.commands import RECORDS, REVOKE, REVOKED, CommandLine
from tests.covering import covering, wider_in_soak

JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")


@pytest.fixture
def examples(cli: CommandLine) -> CommandLine:
    """The records of the rulebook's examples, whose payments use most of the rules."""
    cli.ok("import", *(path for path in RECORDS if path.parent.name == "ombre"))
    return cli


def without_words(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without_words(item) for key, item in value.items() if key not in ("text", "message")}
    return [without_words(item) for item in value] if isinstance(value, list) else value


def sentences(value: Any) -> list[str]:
    if isinstance(value, dict):
        own = [text for key, text in value.items() if key in ("text", "message")]
        return own + [text for item in value.values() for text in sentences(item)]
    return [text for item in value for text in sentences(item)] if isinstance(value, list) else []


@wider_in_soak
@pytest.mark.parametrize("command", ["score", "audit"])
def test_every_sentence_is_japanese_and_all_else_is_the_same(examples: CommandLine, command: str) -> None:
    for table in examples.json("tables"):
        english = examples.json(command, table["table"])
        japanese = examples.json(command, table["table"], lang="ja")
        assert without_words(english) == without_words(japanese)
        assert all(JAPANESE.search(text) for text in sentences(japanese))
        assert not any(JAPANESE.search(text) for text in sentences(english))


def first_line(club: CommandLine, *words: object, **variables: str) -> str:
    """Return the first line of `tables` in an environment with no other language settings than these."""
    unset = dict.fromkeys(("LC_ALL", "LC_MESSAGES", "LANG", "TRICKLEDGER_LANG"), "")
    args = ["--ledger", club.ledger, "tables", *words]
    answered = CliRunner().invoke(main, list(map(str, args)), env={**unset, **variables})
    assert answered.exit_code == 0, answered.stderr
    return answered.stdout.split()[0]


def test_what_is_said_counts_before_the_variable_and_that_before_the_locale(club: CommandLine) -> None:
    assert first_line(club, TRICKLEDGER_LANG="ja", LC_ALL="C.UTF-8") == "卓"
    assert first_line(club, TRICKLEDGER_LANG="en", LC_ALL="ja_JP.UTF-8") == "table"
    assert first_line(club, "--lang", "en", TRICKLEDGER_LANG="ja") == "table"


def test_the_first_name_of_a_locale_that_says_anything_counts() -> None:
    assert language_of_locale({"LC_ALL": "", "LC_MESSAGES": "ja_JP.UTF-8", "LANG": "pl_PL.UTF-8"}) == "ja"
    assert language_of_locale({"LC_ALL": "C", "LANG": "ja_JP.UTF-8"}) == "en"
    assert language_of_locale({"LANG": "ja"}) == "ja"
    assert language_of_locale({"LANG": "zxx.UTF-8"}) == "en"  # a code for no language
    assert language_of_locale({}) == "en"


def test_every_command_takes_the_language() -> None:
    for name, command in main.commands.items():
        assert "--lang" in {option for parameter in command.params for option in parameter.opts}, name


def test_names_of_wide_signs_stand_in_columns(cli: CommandLine) -> None:
    opened = {"type": "table_opened", "game": "ombre", "players": ["花子", "Ben", "Cleo"]}
    hands = [["SA", "S2", "S3", "S4", "S5", "S6", "S7", "SJ", "SQ"], None, None]
    cli.record(opened, {"type": "deal_started", "deal": 1, "dealer": 2}, {"type": "cards_dealt", "hands": hands})
    for lang in LANGUAGES:
        lines = cli.ok("replay", "t", lang=lang).splitlines()
        shown = [line for line in lines if line.startswith(("  花子 ", "  Ben ", "  Cleo "))]
        starts = {cell_len(line[: re.search(r"♠|\?\?", line).start()]) for line in shown if re.search(r"♠|\?\?", line)}
        assert len(shown) >= 3 and len(starts) == 1, lines


CODE = re.compile(r"(?<![\w+/-])[SHDC](?:[AKQJT2-9])(?![\w+/=-])")
RULE = re.compile(r" +[A-Z]{3}-[0-9]+[.][0-9]+:? ")
"""The text of a rule, which every answer quotes from the rulebook."""

SIGN = re.compile(r"[♠♥♦♣]")

ANSWERS = (
    *("audit --all", "score --all", "replay --all", "replay --all --seat 1", f"dispute {REVOKED} --case-sheet 39"),
    f"correct {REVOKED} replace H2 --deal 1 --step 26 --reason misread --dry-run",
)


@pytest.mark.parametrize(("words", "lang"), covering(ANSWERS, LANGUAGES))
def test_people_read_signs(full: CommandLine, words: str, lang: str) -> None:
    answer = full.run(*words.split(), lang=lang).stdout
    assert [line for line in answer.splitlines() if CODE.search(line) and not RULE.match(line)] == []
    assert words.startswith("score") or SIGN.search(answer)


def test_a_refusal_names_cards_with_their_signs(full: CommandLine) -> None:
    record = REVOKE.read_bytes().replace(REVOKED.encode(), b"again")
    refused = full.refused(3, "import", "--strict", "-", stdin=record)
    assert CODE.findall(refused) == ["H2"]  # the word as typed in the file
    assert "line 24, 'H2'" in refused and "played ♥2" in refused
