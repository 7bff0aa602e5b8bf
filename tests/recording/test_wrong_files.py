"""Sixty wrong files: each error is named by its line, the text there and what was expected, in both languages."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from ledger.errors import ERRORS_SHOWN, MalformedError
from ledger.i18n import in_words
from ledger.log.memory import MemoryStore
from ledger.recording.importing import import_content
from tests.recording.refused import not_japanese, refusal

CASES = tomllib.loads(Path(__file__).with_name("wrong_files.toml").read_text(encoding="utf-8"))
HEADS = CASES.pop("heads")


def errors_in(case: dict[str, Any]) -> list[MalformedError]:
    """All errors that an import tells of the file; nothing is recorded."""
    store = MemoryStore()
    text = HEADS[case["head"]] + case["lines"] if "head" in case else case["lines"]
    error = refusal(lambda: import_content(store, text.encode(), "t.toml", recorded_by="me"))
    assert store.head().position == 0
    return [error, *error.others]


def expectation_of(error: MalformedError) -> str:
    return in_words(error.expected if error.expected is not None else error.what)


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if isinstance(case["says"], list)])
def test_each_error_of_a_wrong_file_is_named_at_once(name: str) -> None:
    said = CASES[name]["says"]
    errors = errors_in(CASES[name])
    found = [[error.values["line"], error.values.get("text", ""), expectation_of(error)] for error in errors]
    assert [row[:2] for row in found] == [row[:2] for row in said]
    assert [part for _, _, part in said if not any(part in row[2] for row in found)] == []
    assert CASES[name].get("what", "") in str(errors[0])
    for error in errors:
        japanese = error.message("ja")
        assert f"{error.values['line']}行目" in japanese
        assert error.values.get("text", "") in japanese
        assert not_japanese(error) == []


def test_of_many_errors_the_first_are_listed_and_the_others_counted() -> None:
    first, *others = errors_in(CASES["more errors than are listed"])
    listed = (
        str(first)
        if not others
        else str(MalformedError(first.what, first.expected, first.text, first.where, others=others))
    )
    assert listed.count("\n") == ERRORS_SHOWN
    assert listed.endswith("and 2 more")


def test_there_are_as_many_wrong_files_as_the_project_promises() -> None:
    assert len(CASES) >= 60
