"""What is refused is refused in Japanese, too, with nothing of English but what somebody types."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from ledger.games import game_named
from ledger.log.memory import MemoryStore
from ledger.recording.correcting import Place, correction
from ledger.recording.directing import amounts_by_seat, award_named, dispute, ruling, seat_named
from ledger.recording.importing import import_content
from ledger.recording.simulate import simulate_table
from tests.games.ombre.tables import Record, with_winners
from tests.recording.refused import RECORD, not_japanese, refusal, refusal_of

PLAYERS = ("Belinda", "Baron", "Clarissa")
UNREADABLE = (
    RECORD + "[deal.expect]\nstatus = 'over'\n",
    RECORD + "[expect]\nwinners = 3\n",
    RECORD.replace("[deal.hands]", f"[deal.hands]\n{'x' * 300} = 'SA'"),
    RECORD.replace("SA S4 S3", "SA"),
    RECORD.replace('"entrada pass pass"', '"table: entrada"'),
    *("a = " + "9" * 5_000, "a." * 200 + "b = 1", 'a = "\\q"', 'a = "\\uD800"', 'a = "\\uZZZZ"'),
    *("a = 1\na.b = 2", "a = {}\na.b = 1", "a = {b = 1, b = 2}", "a = {b = 1", "a = [1", "a = 1 b = 2", "a 1", "=1"),
    *("[a", "[[a]", "[a]\n[a]", "[a.b]\n[a]\nb.c = 1", "# \x00", "xyz = 3"),
)


def left_in_english(acts: Iterable[Callable[[], Any]]) -> list[str]:
    return [words for act in acts for words in not_japanese(refusal(act))]


def test_a_file_that_cannot_be_read_is_refused_in_japanese() -> None:
    assert [(text[:80], words) for text in UNREADABLE for words in not_japanese(refusal_of(text))] == []


def one_correction(told: str, version: int, action: Any = "replace") -> Any:
    return correction(with_winners("000101220").fold(), Place(version), action, told, "read wrongly")


def test_what_a_correction_tells_is_refused_in_japanese() -> None:
    told = ("", "{", "{]", '{"a":1,}', "[01]", "[1e999]", "{\ud800", "[" * 5_000, "[]", "XX")
    assert left_in_english(lambda words=words: one_correction(words, 37) for words in told) == []


def test_what_somebody_asks_for_is_refused_in_japanese() -> None:
    played, result = with_winners("000101220").fold(), Record().start(2).result().fold()
    acts: list[Callable[[], Any]] = [
        lambda: one_correction("SA", 3),
        lambda: one_correction("x" * 10_001, 4),
        lambda: one_correction("SA", 1),
        lambda: one_correction("SA", 1, "insert_after"),
        lambda: one_correction("", 4, "restore"),
        lambda: correction(result, Place(3), "replace", "5 2 2", "x"),
        lambda: correction(played, Place(4), "strike", None, " "),
        lambda: seat_named(PLAYERS, "7"),
        lambda: amounts_by_seat(PLAYERS, "1,2"),
        lambda: amounts_by_seat(PLAYERS, "Baron"),
        lambda: amounts_by_seat(PLAYERS, "5, Baron 2"),
        lambda: amounts_by_seat(PLAYERS, "Baron 5, Bar 2"),
        lambda: award_named("circle"),
        lambda: dispute(played, 1, " "),
        lambda: ruling(played, 1, "stands", " "),
        lambda: ruling(played, 1, "adjust", "so", deltas=(1, 1, 1)),
        lambda: ruling(played, 1, "adjust", "so", deltas=(-1, 0, 0)),
        lambda: import_content(MemoryStore(), b"SQLite format 3\0", "a.ledger", recorded_by="test"),
        lambda: simulate_table(replace(game_named("ombre"), simulation=None), PLAYERS, {}, 1, 1, "t"),
    ]
    assert left_in_english(acts) == []
