"""Mistakes in hand records: each with the exact message and line, and in Japanese.

A hostile file takes no more memory than its size justifies, however deeply it is nested.
"""

import re
import textwrap
import tracemalloc
from pathlib import Path

import pytest

from ledger.errors import MalformedError
from ledger.recording.hand.record import read_hand_record
from tests.recording.refused import RECORD, mistaken, not_japanese, refusal_of

MISTAKES: list[tuple[str, str]] = re.findall(
    r"^([^\s#].*)\n((?:    .*\n)+)", Path(__file__).with_name("mistakes.txt").read_text(encoding="utf-8"), re.MULTILINE
)


def words_of(error: MalformedError) -> str:
    """Return the whole message, a line for each error, without the name of the file."""
    return re.sub(r"^evening\.toml[:,] ", "", str(error), flags=re.MULTILINE)


def message_of(text: str) -> str:
    return words_of(refusal_of(text))


def test_the_record_without_mistakes_is_read():
    assert len(read_hand_record(RECORD, "evening.toml").events) == 38


def test_a_mistake_is_named_with_its_line_in_both_languages():
    refusals = {edits: refusal_of(mistaken(edits)) for edits, _ in MISTAKES}
    expected = {edits: textwrap.dedent(words).rstrip("\n") for edits, words in MISTAKES}
    assert {edits: words_of(error) for edits, error in refusals.items()} == expected
    assert {edits: words for edits, error in refusals.items() if (words := not_japanese(error))} == {}


def test_a_line_without_words_after_one_that_cannot_be_read_is_passed_over():
    record = 'game = "kop"\ntable = "t"\nplayers = ["A", "B", "C", "D"]\n[[deal]]\ndealer = "A"\n'
    assert message_of(f'{record}calls = "xyzzy"\ncalled = ","\n').startswith("line 6: not a call: 'xyzzy'")


def test_there_are_as_many_cases_as_the_project_promises():
    assert len(MISTAKES) >= 40


def test_text_that_is_no_text_is_refused():
    assert message_of('game = "ombre\ud800"') == "line 1: not a valid character: '\\ud800'; expected text in UTF-8"


def test_nesting_without_end_is_refused():
    assert message_of("a = " + "[" * 5_000) == "nested too deeply; expected a hand record"


def test_a_file_that_is_too_long_is_refused():
    text = RECORD + "#" * 1_000_000
    message = f"the hand record is too long: {len(text):,} characters; expected at most 1,000,000 characters"
    assert message_of(text) == message


HEAD = 'game = "ombre"\ntable = "t"\nplayers = ["Ann", "Ben", "Cleo"]\n'
DEEP = 400
ITEMS = 2_000


@pytest.mark.parametrize(
    "hostile",
    [
        "x = " + "[" * DEEP + "1," * ITEMS + "]" * DEEP,
        "x = " + "{a=" * (DEEP // 2) + "[" + "1," * ITEMS + "]" + "}" * (DEEP // 2),
    ],
    ids=["lists", "tables"],
)
def test_places_of_deeply_nested_values_do_not_fill_the_memory(hostile: str) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(MalformedError, match="line 4: unknown key: 'x'"):
            read_hand_record(HEAD + hostile, "file")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 1_000_000


def test_a_fault_that_lies_deep_has_the_line_of_what_it_belongs_to() -> None:
    deep = "options = " + "{a=" * 20 + "1.5" + "}" * 20
    with pytest.raises(MalformedError, match="line 4"):
        read_hand_record(f"{HEAD}{deep}\n", "file")
