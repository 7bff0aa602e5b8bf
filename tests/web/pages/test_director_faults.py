"""Faults in the forms of a director are named at their fields, and nothing that was typed is lost."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.cli.commands import REVOKE
from tests.web.lists import lines_in
from tests.web.pages.forms import hidden_in, sent, shown, text_of
from tests.web.serving import DIRECTOR, Served, ledger_of, serving, stored_rows

FAULTLESS: Final = {
    "kind": "adjust", "s0": "+10", "s1": "-10", "text": "a fine", "rule": "6.5", "action": "replace", "words": "D4",
    "reason": "misread", "do": "record",
}  # fmt: skip
ROWS: Final = [line.split("|") for line in lines_in(Path(__file__).with_name("director_faults.txt"))]


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(ledger_of(tmp_path_factory.mktemp("faults"), REVOKE)) as served:
        yield served


@pytest.mark.parametrize("row", ROWS, ids="|".join)
def test_a_fault_is_named_at_its_field_and_nothing_typed_is_lost(club: Served, row: list[str]) -> None:
    path, typed, field, says = map(str.strip, row)
    fields = {**FAULTLESS, **dict(one.split("=") for one in typed.split())}
    version = hidden_in(shown(club, path, who=DIRECTOR), "version")
    page = sent(club, path, {**fields, "version": version}, 422, DIRECTOR).text
    assert page.count("<title>Error:") == 1 and f'href="#{field}"' in page and f'id="{field}"' in page
    assert says in text_of(page)
    for name, value in fields.items():
        boxes = re.findall(rf'<input type="text"[^>]* name="{name}"[^>]* value="([^"]*)"', page)
        boxes += re.findall(rf'<textarea id="{name}"[^>]*>([^<]*)</textarea>', page)
        assert set(boxes) <= {value}
    assert len(stored_rows(club.ledger, "table/ombre-revoke")) == 38
