"""Rows as CSV: spreadsheets open text and numbers, never a formula."""

from __future__ import annotations

import csv
from decimal import Decimal

import pytest

from ledger.text.history import csv_text


def written(value: object) -> str:
    names, row = csv.reader(csv_text(["name"], [[value]]).splitlines(keepends=True))
    assert names == ["name"]
    return row[0]


@pytest.mark.parametrize("name", ["=HYPERLINK(A1)", "+1 to Ada", "@SUM(A1)", "-Ada", "\t=1", "-1+A1", "-1\n"])
def test_a_text_is_not_run_as_a_formula(name: str) -> None:
    assert written(name) == f"'{name}"


@pytest.mark.parametrize(("value", "text"), [
    ("Ada = Bo", "Ada = Bo"), ("-3", "-3"), ("+2.5", "+2.5"), (-3, "-3"), (Decimal("-2.5"), "-2.5"), (True, "true"),
    ({"a": -1}, '{"a":-1}'), (None, ""),
])  # fmt: skip
def test_everything_else_stays_as_it_is(value: object, text: str) -> None:
    assert written(value) == text


def test_names_of_columns_are_texts_too() -> None:
    assert csv_text(["=1", "b"], []) == "'=1,b\n"
