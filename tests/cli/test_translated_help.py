"""The help of every command in each language, and the manual page that is made of it."""

import re
import subprocess
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

import click
import pytest
from click.testing import CliRunner

from ledger.cli import main
from ledger.cli.commands import GROUPS, SUMMARIES
from ledger.cli.help_page import (
    columns,
    described,
    help_page,
    help_paragraphs,
    help_texts,
    option_help,
    summary,
    wrapped,
)
from ledger.errors import EXIT_STATUSES
from tests.cli.commands import ROOT, CommandLine
from tests.test_catalogues import against_the_terms, terms_of
from tools import man

CASES: Final = tomllib.loads(Path(__file__).with_name("translated_help.toml").read_text(encoding="utf-8"))

COMPLETE: Final = ("ja",)
"""The languages that lack no text."""

COMMANDS: Final = {"main": main, **main.commands}

WORDS: Final = ("Usage", "Options", "default: {value}", "{least} or more", "{least} to {most}", "required")

TYPED: Final = re.compile(r"--[a-z]+[a-z-]*|`[^`]+`|\b[A-Z][A-Z_]{2,}\b|\b\d+\b|(?<![\w.])\.[a-z]{3,}\b", re.ASCII)
"""What is the same in every language: options, placeholders, numbers and names of files."""

NAMES: Final = re.compile(
    r"""
      --as\ hand-record|--?[a-z][a-z-]*|`[^`]*`|\[[^]]*\]|\{[^}]*\}|"[^"]*"|'[^']*'  # what is typed
    | (?:trickledger|Example:|例:)\ [^。\n]*                # examples
    | [\w./-]*[./][\w./-]+|[a-z_]+\ ?=\ ?[a-z0-9_=,.]+           # files, addresses, pairs
    | \b[A-Z]+(?:-\d[\d.]*)?\b|\b[A-Z]{3,}-\d[\d.]*|OLD_CHECKPOINT|TRICKLEDGER_\w+|\bN\|FILE
    | \b(?:Asia/Tokyo|[Dd]ask|NDJSON|IPv6|Ctrl-C|Vega-Lite|DuckDB|Parquet|Polars|Spark|Prometheus|https|PEM)
    | \b(?:name|position|digest|rows|file|session|stream|event|random|careful|counting|text|anna|ombre)\b
    | \b(?:open|over|closed|\d+[dh])\b
    """,
    re.VERBOSE | re.ASCII,
)

CODES: Final = re.compile(r"JSON is .*|revoke ID")
"""What is not said in words: members of JSON, and an action."""


def options_of(command: click.Command) -> Iterator[click.Option]:
    """Yield the options that the command's help shows."""
    context = click.Context(command, info_name=command.name, help_option_names=["-h", "--help"])
    for option in command.get_params(context):
        if isinstance(option, click.Option) and not option.hidden:
            yield option


def page(name: str, lang: str) -> str:
    context = click.Context(COMMANDS[name], info_name=name, help_option_names=["-h", "--help"])
    return help_page(COMMANDS[name], context, lang)


def texts_of(name: str, lang: str) -> Mapping[str, str]:
    """Return every text of a command's help by option, its paragraphs by number; without examples."""
    command = COMMANDS[name]
    paragraphs = [paragraph for paragraph in help_paragraphs(command, lang) if paragraph[0] != "\b"]
    texts = {f"{name} {number}": lines[0] for number, lines in enumerate(paragraphs)}
    return texts | {f"{name} {option.opts[0]}": option_help(command, option, lang) for option in options_of(command)}


@pytest.mark.parametrize("lang", COMPLETE)
def test_every_command_option_and_group_has_a_text_and_none_is_left_over(lang: str) -> None:
    texts = dict(help_texts(lang))
    defaults = {f"({one.show_default})" for each in COMMANDS.values() for one in options_of(each)
                if isinstance(one.show_default, str)}  # fmt: skip
    assert texts.pop("words").keys() == {*WORDS, *defaults, *GROUPS}
    shared, used = texts.pop("options"), set()
    assert list(texts) == list(COMMANDS)
    for name, command in COMMANDS.items():
        own = {next((one for one in option.opts if one.startswith("--")), "") for option in options_of(command)}
        assert own - texts[name].keys() <= shared.keys(), name
        assert texts[name].keys() - {"help"} <= own, name
        used |= own - texts[name].keys()
        assert not any(isinstance(one, click.Argument) and getattr(one, "help", None) for one in command.params)
    assert used == shared.keys()


@pytest.mark.parametrize("name", COMMANDS)
def test_a_translation_has_the_same_parts_and_names(name: str) -> None:
    english, japanese = texts_of(name, "en"), texts_of(name, "ja")
    marks = [[paragraph[0] == "\b" for paragraph in help_paragraphs(COMMANDS[name], lang)] for lang in ("en", "ja")]
    assert marks[0] == marks[1]
    assert english.keys() == japanese.keys()
    for key, text in english.items():
        assert set(TYPED.findall(text)) - set(TYPED.findall(japanese[key])) == set(), key


@pytest.mark.parametrize("name", COMMANDS)
def test_no_word_of_english_is_in_japanese_help_and_every_line_fits(name: str) -> None:
    lines = page(name, "ja").splitlines()
    examples = {line for lines in help_paragraphs(COMMANDS[name], "en") if lines[0] == "\b" for line in lines}
    for line in lines:
        if line.removeprefix("  ") not in examples:
            assert columns(line) <= 78, line
            assert line.lstrip()[:1] not in set("、。」)]ー"), line
    typed = re.compile(r"  (?:\w+ [A-Z[].*|trickledger.*|[a-z-]+ {2})")
    said = " ".join(line.removeprefix(match[0] if (match := typed.match(line)) else "") for line in lines[1:])
    assert re.findall(r"[A-Za-z]{2,}", NAMES.sub("", re.sub(r"\s+", " ", said))) == []


@pytest.mark.parametrize("name", COMMANDS)
def test_help_follows_the_terms(name: str) -> None:
    terms = terms_of(ROOT / "ledger" / "cli" / "help_texts")
    english = {key: CODES.sub("", text) for key, text in texts_of(name, "en").items()}
    assert against_the_terms(english, texts_of(name, "ja"), terms) == []


def test_a_language_without_texts_shows_english() -> None:
    for name, command in COMMANDS.items():
        context = click.Context(command, info_name=name, help_option_names=["-h", "--help"])
        assert "".join(page(name, "pl").split()) == "".join(click.Command.get_help(command, context).split()), name


@pytest.mark.parametrize(("words", "variables"), CASES["asked_in_japanese"])
def test_help_is_in_the_language_of_the_answers(words: str, variables: dict[str, str]) -> None:
    unset = dict.fromkeys(("LC_ALL", "LC_MESSAGES", "LANG", "TRICKLEDGER_LANG"), "")
    answered = CliRunner().invoke(main, words.split(), env={**unset, **variables}, prog_name="trickledger")
    assert answered.exit_code == 0
    assert answered.stdout.startswith("使い方: trickledger stats [OPTIONS] [NAME]\n")


def test_the_version_is_in_the_language_too(bare_cli: CommandLine) -> None:
    assert bare_cli.ok("--version", lang="ja").startswith("trickledger バージョン")


def test_shells_show_descriptions_in_the_language() -> None:
    assert described(main, "score", "ja") == "TABLEの得点表を示します"
    assert described(main.commands["stats"], "--list", "ja") == "統計を一覧にする(NAMEがないときと同じ)"
    assert described(main.commands["stats"], "standings", "ja") is None
    assert all(summary(name, "pl") == text for name, text in SUMMARIES.items())


@pytest.mark.parametrize(("text", "width", "lines"), CASES["wrapped"])
def test_japanese_breaks_between_words_and_not_before_closing_marks(text: str, width: int, lines: list[str]) -> None:
    assert wrapped(text, width) == lines


NO_DATE = re.compile(r'.*missing date, using "": TH')
"""The page has the version of the program; a date would change with every build."""


@pytest.fixture
def shown(ci_requires: Callable[[str], str]) -> str:
    """Return the page as a reader sees it, with unbroken lines."""
    words = [ci_requires("groff"), "-man", "-Tutf8", "-P-cbou", "-rLL=2000n", str(man.PAGE)]
    return subprocess.run(words, check=True, capture_output=True, timeout=60).stdout.decode()


def test_a_changed_help_is_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(main.commands["tables"], "help", "List no table.")
    assert man.PAGE.read_text(encoding="ascii") != man.page()


def test_groff_finds_no_fault(ci_requires: Callable[[str], str]) -> None:
    words = [ci_requires("groff"), "-man", "-ww", "-Tutf8", "-z", str(man.PAGE)]
    answered = subprocess.run(words, check=True, capture_output=True, timeout=60)
    assert (answered.stdout, answered.stderr) == (b"", b"")


def test_mandoc_finds_no_fault(ci_requires: Callable[[str], str]) -> None:
    words = [ci_requires("mandoc"), "-T", "lint", "-W", "style", str(man.PAGE)]
    output = subprocess.run(words, check=False, capture_output=True, timeout=60).stdout.decode()
    assert [line for line in output.splitlines() if not NO_DATE.fullmatch(line)] == []


def test_every_command_and_option_is_in_it_as_it_is_typed(shown: str) -> None:
    for name, command in main.commands.items():
        assert re.search(rf"^ +trickledger {name} ", shown, re.MULTILINE), name
        for option in command.params:
            if isinstance(option, click.Option) and not option.hidden:
                assert max(option.opts, key=len) in shown


def test_examples_and_letters_beyond_ascii_are_shown_as_they_are(shown: str) -> None:
    assert '  trickledger ruling ombre-revoke adjust "a fine for the revoke" --deal 1 --deltas' in shown
    assert "Couillon, Kop and Baśka" in shown


def test_every_exit_status_is_listed(shown: str) -> None:
    output = shown.split("EXIT STATUS")[1]
    for status in {0, 1, *EXIT_STATUSES.values()}:
        assert re.search(rf"^ +{status} +\w", output, re.MULTILINE)


def test_what_would_be_a_request_is_text() -> None:
    assert man._escaped(".B it's `a-b` \\") == "\\&.B it\\(aqs \\(gaa\\-b\\(ga \\e"


def test_a_wheel_brings_it_to_where_man_looks() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    shared = project["tool"]["hatch"]["build"]["targets"]["wheel"]["shared-data"]
    assert shared == {"docs/trickledger.1": "share/man/man1/trickledger.1"}
