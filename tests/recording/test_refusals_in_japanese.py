"""What is refused is refused in Japanese, too, with nothing of English but what somebody types."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import ledger.recording
from ledger.errors import MalformedError
from ledger.games import game_named
from ledger.i18n import Phrase, in_words
from ledger.log.memory import MemoryStore
from ledger.recording.anonymous import anonymous_lines
from ledger.recording.correcting import Place, correction
from ledger.recording.directing import amounts_by_seat, award_named, dispute, ruling, seat_named
from ledger.recording.hand.record import read_hand_record
from ledger.recording.importing import import_content
from ledger.recording.simulate import simulate_table
from tests.games.ombre.tables import Record, with_winners
from tests.recording.test_hand_record_refusals import RECORD, mistaken, mistakes
from tests.recording.test_refusals import REFUSALS
from tests.text.test_no_sentence_in_code import SENTENCE, text_of

PLAYERS = ("Belinda", "Baron", "Clarissa")
JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
TYPED = re.compile(
    r"`[^`]*`|\w+_\w+(?:\.\w+)*|\w+=\w+|\d\S+T\d\S+|[A-Z]{3}-[\d.]+|after 5|(?:table|session)/"
    r"|\b(?:Belinda|Baron|Clarissa|SA|S2|H10|none|strike|award|count|deltas|pool|title|date|slug|deal|session|noted|corrected|true|false"
    r"|ID|UUID|JSON|NDJSON|TOML|UTC|UTF|Unicode)\b",
    re.ASCII,
)
"""What sentences tell people to type, names of players, and those of formats."""


def in_japanese(part: Any) -> Any:
    """A part of a message without the values that stand in it, which are no sentences themselves."""
    if isinstance(part, tuple):
        return tuple(map(in_japanese, part))
    if isinstance(part, str):
        assert not SENTENCE.search(part.replace("Sir Plume", "")), part
        return ""
    if type(part) is Phrase:
        values = {name: in_japanese(value) for name, value in part.values.items()}
        return in_words(Phrase(part.package, part.key, values), "ja")
    return part


def assert_refused_in_japanese(act: Callable[[], Any]) -> None:
    with pytest.raises(MalformedError) as refused:
        act()
    error = refused.value
    assert JAPANESE.search(error.message("ja"))
    for part in (error.what, error.expected, error.where):
        if isinstance(part, Phrase):
            told = in_japanese(part)
            assert not re.search("[A-Za-z]{2,}", TYPED.sub("", told)), told


@pytest.mark.parametrize("edits", [edits for edits, _ in mistakes()])
def test_a_mistake_in_a_hand_record_is_named_in_japanese(edits: str) -> None:
    assert_refused_in_japanese(lambda: read_hand_record(mistaken(edits), "evening.toml"))


@pytest.mark.parametrize("content", [case.values[0] for case in REFUSALS], ids=[case.id for case in REFUSALS])
def test_what_cannot_be_an_entry_is_refused_in_japanese(content: bytes) -> None:
    assert_refused_in_japanese(lambda: import_content(MemoryStore(), content, "a.ndjson", recorded_by="test"))


@pytest.mark.parametrize(
    "text",
    [
        RECORD + "[deal.expect]\nstatus = 'over'\n",
        RECORD + "[expect]\nwinners = 3\n",
        RECORD.replace("[deal.hands]", f"[deal.hands]\n{'x' * 300} = 'SA'"),
        RECORD.replace("SA S4 S3", "SA"),
        RECORD.replace('"entrada pass pass"', '"table: entrada"'),
        "xyz = 3",
        "a = " + "9" * 5_000,
        "a." * 200 + "b = 1",
        'a = "\\q"',
        'a = "\\uD800"',
        'a = "\\uZZZZ"',
        "a = 1\na.b = 2",
        "a = {}\na.b = 1",
        "a = {b = 1, b = 2}",
        "a = {b = 1",
        "a = [1",
        "a = 1 b = 2",
        "a 1",
        "=1",
        "[a",
        "[[a]",
        "[a]\n[a]",
        "[a.b]\n[a]\nb.c = 1",
        "# \x00",
    ],
)
def test_a_file_that_cannot_be_read_is_refused_in_japanese(text: str) -> None:
    assert_refused_in_japanese(lambda: read_hand_record(text, "evening.toml"))


def one_correction(told: str, version: int, action: Any = "replace") -> Any:
    return correction(with_winners("000101220").fold(), Place(version), action, told, "read wrongly")


@pytest.mark.parametrize("told", ["", "{", "{]", '{"a":1,}', "[01]", "[1e999]", "{\ud800", "[" * 5_000, "[]", "XX"])
def test_what_a_correction_tells_is_refused_in_japanese(told: str) -> None:
    assert_refused_in_japanese(lambda: one_correction(told, 37))


@pytest.mark.parametrize(
    "act",
    [
        lambda: one_correction("SA", 3),
        lambda: one_correction("x" * 10_001, 4),
        lambda: one_correction("SA", 1),
        lambda: one_correction("SA", 1, "insert_after"),
        lambda: one_correction("", 4, "restore"),
        lambda: correction(Record().start(2).result().fold(), Place(3), "replace", "5 2 2", "x"),
        lambda: correction(with_winners("000101220").fold(), Place(4), "strike", None, " "),
        lambda: seat_named(PLAYERS, "7"),
        lambda: amounts_by_seat(PLAYERS, "1,2"),
        lambda: amounts_by_seat(PLAYERS, "Baron"),
        lambda: amounts_by_seat(PLAYERS, "5, Baron 2"),
        lambda: amounts_by_seat(PLAYERS, "Baron 5, Bar 2"),
        lambda: award_named("circle"),
        lambda: dispute(with_winners("000101220").fold(), 1, " "),
        lambda: ruling(with_winners("000101220").fold(), 1, "stands", " "),
        lambda: ruling(with_winners("000101220").fold(), 1, "adjust", "so", deltas=(1, 1, 1)),
        lambda: ruling(with_winners("000101220").fold(), 1, "adjust", "so", deltas=(-1, 0, 0)),
        lambda: import_content(MemoryStore(), b"SQLite format 3\0", "a.ledger", recorded_by="test"),
        lambda: import_content(MemoryStore(), b"", "a.ndjson", recorded_by="test"),
        lambda: simulate_table(replace(game_named("ombre"), simulation=None), PLAYERS, {}, 1, 1, "t"),
    ],
)
def test_what_somebody_asks_for_is_refused_in_japanese(act: Callable[[], Any]) -> None:
    assert_refused_in_japanese(act)


def test_a_record_of_ten_thousand_years_is_refused_in_japanese() -> None:
    store = MemoryStore()
    opened = {"type": "table_opened", "game": "ombre", "players": PLAYERS}
    for year in ("0001", "9999"):
        line = {"stream": f"table/t{year}", "event": opened, "happened_at": f"{year}-01-01T00:00:00.000000Z"}
        import_content(store, json.dumps(line).encode(), "a.ndjson", recorded_by="test")
    assert_refused_in_japanese(lambda: list(anonymous_lines(store.read, str)))


NO_SENTENCES = re.compile(
    r"hand record|bare events|.* \\\(at .*|.*the audit does not tell .*|.*while no seat is in turn"
)
"""Forms of files as JSON has them, a pattern of the library's words, and what would be a fault of the program."""


def test_no_sentence_stands_in_the_code() -> None:
    found = [
        f"{path.name}: {text}"
        for path in sorted(Path(ledger.recording.__file__).parent.rglob("*.py"))
        for text in sentences_in(ast.parse(path.read_text(encoding="utf-8")))
        if not NO_SENTENCES.fullmatch(text)
    ]
    assert found == []


def sentences_in(tree: ast.AST) -> list[str]:
    left_out = {node for outer in ast.walk(tree) if is_description(outer) for node in ast.walk(outer)}
    texts = [text_of(node) for node in ast.walk(tree) if node not in left_out]
    return [text for text in texts if text is not None and SENTENCE.search(text)]


def is_description(node: ast.AST) -> bool:
    """Docstrings, what a published schema says of a field, and assertions, which no user reads."""
    match node:
        case ast.Expr(value=ast.Constant(value=str())) | ast.keyword(arg="description") | ast.Assert():
            return True
    return False
