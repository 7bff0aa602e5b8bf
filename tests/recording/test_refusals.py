"""Rejected files and hand records, with the exact messages; the ledger stays unchanged, and memory bounded.

Other messages are in Japanese, too, without English words except quoted input.
"""

import re
import textwrap
import tomllib
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ledger.errors import ERRORS_SHOWN, MalformedError
from ledger.games import game_named
from ledger.i18n import in_words
from ledger.log.memory import MemoryStore
from ledger.recording.correcting import CorrectionTarget, correction
from ledger.recording.hand.record import read_hand_record
from ledger.recording.importing import ImportAs, import_content
from ledger.recording.simulate import simulate_table
from tests.games.ombre.tables import with_winners
from tests.recording.refused import RECORD, mistaken, not_japanese, refusal, refusal_of

OPENED = b'{"stream":"table/t","event":{"type":"table_opened","game":"ombre","players":["Ann","Bob","Cyd"]}}'
COUILLON = b'{"stream":"table/t","event":{"type":"table_opened","game":"couillon","players":["A","B","C","D"]}}'
LINES = {
    "OPENED": OPENED,
    "COUILLON": COUILLON,
    "KOP": COUILLON.replace(b"couillon", b"kop"),
    "DEALT": b'{"stream":"table/t","event":{"type":"deal_started","deal":1,"dealer":2}}',
    "SESSION": b'{"stream":"session/s","event":{"type":"session_opened","title":"Spring","date":"2026-03-20"}}',
    "DEEP": b'{"stream":"table/t","event":{"type":"noted","text":"x"},"id":' + b"[" * 5000,
}
"""The lines that have a name in the table."""


def bytes_of(line: str) -> bytes:
    return re.sub(rb"\\x([0-9a-f]{2})", lambda byte: bytes.fromhex(byte[1].decode()), line.encode())


REFUSALS = tomllib.loads(Path(__file__).with_name("refusals.toml").read_text(encoding="utf-8"))


def test_what_cannot_be_an_entry_is_refused_with_place_text_and_expectation_in_both_languages() -> None:
    store = MemoryStore()
    import_content(store, OPENED.replace(b"table/t", b"table/other"), "before", ImportAs(by="test"))
    before = [row.line() for row in store.read()]
    messages, english = {}, {}
    assert len(REFUSALS) >= 90
    for name, row in REFUSALS.items():
        content = b"\n".join(LINES[line] if line in LINES else bytes_of(line) for line in row["lines"])
        error = refusal(lambda content=content: import_content(store, content, "evening.ndjson", ImportAs(by="test")))
        messages[name], english[name] = str(error), not_japanese(error)
        assert [row.line() for row in store.read()] == before, name
    assert messages == {name: row["message"] for name, row in REFUSALS.items()}
    assert {name: words for name, words in english.items() if words} == {}


PLAYERS = ("Belinda", "Baron", "Clarissa")
NOT_TOML = ("a = " + "9" * 5_000, "a." * 200 + "b = 1", "a = {}\na.b = 1", "a = {b = 1, b = 2}", "a 1", "=1", "# \x00")


def test_what_is_no_toml_is_refused_in_japanese() -> None:
    assert [(text[:80], words) for text in NOT_TOML for words in not_japanese(refusal_of(text))] == []


def one_correction(content: str, version: int, action: Any = "replace") -> Any:
    return correction(with_winners("000101220").fold(), CorrectionTarget(version), action, content, "read wrongly")


def test_what_somebody_asks_for_is_refused_in_japanese() -> None:
    acts: list[Callable[[], Any]] = [
        lambda: one_correction("SA", 3),
        lambda: one_correction("x" * 10_001, 4),
        lambda: one_correction("SA", 1, "insert_after"),
        lambda: one_correction("{\ud800", 37),
        lambda: one_correction("[" * 5_000, 37),
        lambda: import_content(MemoryStore(), b"SQLite format 3\0", "a.ledger", ImportAs(by="test")),
        lambda: simulate_table(replace(game_named("ombre"), simulation=None), PLAYERS, {}, 1, 1, "t"),
    ]
    assert [words for act in acts for words in not_japanese(refusal(act))] == []


CASES = tomllib.loads(Path(__file__).with_name("wrong_files.toml").read_text(encoding="utf-8"))
HEADS = CASES.pop("heads")


def errors_in(case: dict[str, Any]) -> list[MalformedError]:
    store = MemoryStore()
    text = HEADS[case["head"]] + case["lines"] if "head" in case else case["lines"]
    error = refusal(lambda: import_content(store, text.encode(), "t.toml", ImportAs(by="me")))
    assert store.head().position == 0
    return [error, *error.others]


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if isinstance(case["says"], list)])
def test_each_error_of_a_wrong_file_is_named_at_once(name: str) -> None:
    said = CASES[name]["says"]
    errors = errors_in(CASES[name])
    expected = [in_words(error.what if error.expected is None else error.expected) for error in errors]
    named = [
        [one.values["line"], one.values.get("text", ""), words] for one, words in zip(errors, expected, strict=True)
    ]
    assert [row[:2] for row in named] == [row[:2] for row in said]
    assert [part for _, _, part in said if not any(part in row[2] for row in named)] == []
    assert CASES[name].get("what", "") in str(errors[0])
    for error in errors:
        japanese = error.message("ja")
        assert f"{error.values['line']}行目" in japanese
        assert error.values.get("text", "") in japanese
        assert not_japanese(error) == []


def test_of_many_errors_the_first_are_listed_and_the_others_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(CASES) >= 60
    first, *others = errors_in(CASES["more errors than are listed"])
    listed = (
        str(first)
        if not others
        else str(MalformedError(first.what, first.expected, first.text, first.where, others=others))
    )
    assert listed.count("\n") == ERRORS_SHOWN
    assert listed.endswith("and 2 more")
    monkeypatch.setattr("ledger.recording.hand.reading.ERRORS_MAX", 9)
    assert len(errors_in({"head": "ombre", "lines": "".join(f"x{one} = 1\n" for one in range(30))})) == 10


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
    assert len(MISTAKES) >= 40
    refusals = {edits: refusal_of(mistaken(edits)) for edits, _ in MISTAKES}
    expected = {edits: textwrap.dedent(words).rstrip("\n") for edits, words in MISTAKES}
    assert {edits: words_of(error) for edits, error in refusals.items()} == expected
    assert {edits: words for edits, error in refusals.items() if (words := not_japanese(error))} == {}


def test_a_line_without_words_after_one_that_cannot_be_read_is_passed_over():
    record = 'game = "kop"\ntable = "t"\nplayers = ["A", "B", "C", "D"]\n[[deal]]\ndealer = "A"\n'
    assert message_of(f'{record}calls = "xyzzy"\ncalled = ","\n').startswith("line 6: not a call: 'xyzzy'")


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


@pytest.mark.parametrize("hostile", [
    "x = " + "[" * DEEP + "1," * ITEMS + "]" * DEEP,
    "x = " + "{a=" * (DEEP // 2) + "[" + "1," * ITEMS + "]" + "}" * (DEEP // 2),
], ids=["lists", "tables"])  # fmt: skip
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
