"""Common typing mistakes: each with the exact message in both languages, and the line that was meant."""

import time
import tomllib
from pathlib import Path

import pytest

from ledger.log.memory import MemoryStore
from ledger.recording.hand.record import is_hand_record, read_hand_record
from ledger.recording.importing import ImportAs, import_content
from tests.recording.refused import mistaken, refusal, refusal_of

MISTAKES = tomllib.loads(Path(__file__).with_name("typing.toml").read_text(encoding="utf-8"))
SECONDS_MAX = 5
"""Seconds of this process's own time: a hundred times what the slowest line takes."""


def test_a_line_with_a_typo_is_named_with_what_was_meant() -> None:
    messages = {}
    for name, row in MISTAKES.items():
        error = refusal_of(mistaken(row["typed"]))
        english = error.message("en").removeprefix("evening.toml, ")
        messages[name] = {**row, "en": english, "ja": error.message("ja").removeprefix("evening.tomlの")}
    assert messages == MISTAKES


def test_there_are_as_many_mistakes_as_the_project_promises() -> None:
    assert len(MISTAKES) >= 40


def test_the_line_that_was_meant_can_be_typed_instead() -> None:
    for row in MISTAKES.values():
        if "; expected trump = " in row["en"]:
            text = mistaken(row["typed"])
            error = refusal_of(text)
            lines = text.split("\n")
            lines[error.values["line"] - 1] = str(error.expected)
            assert read_hand_record("\n".join(lines), "evening.toml").entries, row["typed"]


@pytest.mark.parametrize(
    "first",
    [
        *('game ＝ "ombre"', "ｇａｍｅ = ombre", 'game: "ombre"', 'game "ombre"'),
        *("“game” = “ombre”", "ゲーム = 「オンブル」", "［［deal］］"),
    ],
)
def test_a_file_that_begins_with_a_mistake_is_a_hand_record_all_the_same(first: str) -> None:
    assert is_hand_record(first)
    error = refusal(lambda: import_content(MemoryStore(), first.encode(), "evening.toml", ImportAs(by="me")))
    expected = "[[deal]]" if "deal" in first else 'game = "'
    assert expected in str(error.expected).replace('"game"', "game")


@pytest.mark.parametrize(
    ("name", "key"),
    [*((key, key) for key in ("dealer", "calls", "play", "sheet", "notes")), ("Lady Trump", "trump")],
)
def test_a_player_has_a_hand_whose_name_or_a_later_word_of_it_is_a_key(name: str, key: str) -> None:
    text = mistaken(f'"Clarissa"] => "{name}"] && dealer = "Clarissa" => dealer = "{key}"')
    text = text.replace("Clarissa = -9", f"{key} = -9").replace('Clarissa = "S6', f'{key} = "S6')
    assert read_hand_record(text, "evening.toml").entries


def test_a_line_as_it_was_meant_is_shown_to_a_certain_length() -> None:
    error = refusal_of(mistaken(f'trump = "S" => notes = {"a draught " * 30}'))
    assert str(error.expected).startswith('notes = "a draught')
    assert len(str(error.expected)) < 130


@pytest.mark.parametrize(
    "line",
    [
        *("ä" + " " * 300_000 + "y", "{" * 100_000, "a " * 50_000, "“" * 100_000, '"""' * 99_999),
        'x = """' + '\\"""' * 100_000,
    ],
    ids=lambda line: line[:6],
)
def test_a_line_that_nobody_typed_takes_no_time(line: str) -> None:
    began = time.process_time()
    refusal_of(mistaken(f'trump = "S" => {line}'))
    assert time.process_time() - began < SECONDS_MAX
