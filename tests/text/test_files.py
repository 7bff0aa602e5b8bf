"""Files for others: rows as CSV, in which spreadsheets find no formula, and QR codes, alike in every form."""

import csv
from decimal import Decimal
from xml.etree import ElementTree

import pytest
import segno

from ledger.text.history import csv_text
from ledger.text.qr import qr_file, qr_lines


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


LINK = "http://192.168.1.20:8000/sign-in#trk_" + "a" * 43 + "_00000000"
DARK = {"█": (True, True), "▀": (True, False), "▄": (False, True), " ": (False, False)}


def test_lines_show_every_module_two_in_a_sign() -> None:
    rows = [[DARK[sign][half] for sign in line] for line in qr_lines(LINK) for half in (0, 1)]
    expected = segno.make(LINK, error="l", micro=False)
    modules = [[bool(module) for module in row] for row in expected.matrix_iter(border=4)]
    assert rows[: len(modules)] == modules
    assert not any(map(any, rows[len(modules) :]))


def test_pictures_can_be_read_as_such() -> None:
    assert ElementTree.fromstring(qr_file(LINK, "svg")).tag.endswith("svg")
    assert qr_file(LINK, "png").endswith(b"IEND\xaeB`\x82")


def test_another_link_is_another_picture() -> None:
    assert qr_lines(LINK) != qr_lines(LINK + "1")
    assert qr_file(LINK, "svg") != qr_file(LINK + "1", "svg")
