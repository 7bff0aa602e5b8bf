"""The one layout of a hand record: what it tells and its comments stay, and laid out again it stays the same."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.errors import MalformedError
from ledger.recording.hand.layout import laid_out
from ledger.recording.hand.record import read_hand_record
from ledger.recording.hand.written import TableToWrite, written_record
from tests.covering import examples
from tests.hand_records import record_in, some_records, table_events

TYPED, LAID_OUT = (
    Path(__file__).with_name(name).read_text(encoding="utf-8") for name in ("as_typed.toml", "laid_out.toml")
)
"""One record as somebody typed it, and as it is laid out."""


def test_a_file_as_somebody_typed_it_is_laid_out():
    assert laid_out(TYPED, "t.toml") == LAID_OUT
    assert laid_out(LAID_OUT, "t.toml") == LAID_OUT


@pytest.mark.parametrize("path", some_records(4))
def test_what_a_record_tells_stays_and_it_is_laid_out_once_and_for_all(path):
    text = path.read_text(encoding="utf-8")
    made = laid_out(text, path.name)
    again = read_hand_record(made, path.name)
    typed = record_in(path)
    assert (again.events, again.expectations) == (typed.events, typed.expectations)
    assert laid_out(made, path.name) == made
    assert made.count("#") == text.count("#")


@pytest.mark.parametrize("path", some_records(3))
def test_a_table_out_of_the_ledger_is_laid_out_so_already(path):
    reading = list(enumerate(table_events(record_in(path)), 1))
    written = written_record(TableToWrite(slug="t", reading=reading)).text
    assert laid_out(written, "t.toml") == written


@examples(25)
@given(data=st.data())
def test_no_comment_is_lost_wherever_it_stands(data):
    """A comment behind any line that may have one, and above any statement."""
    lines = LAID_OUT.split("\n")
    place = data.draw(st.sampled_from([at for at, line in enumerate(lines) if line and "#" not in line]))
    comment = data.draw(st.text(st.characters(codec="utf-8", categories=("L", "N", "P")), min_size=1, max_size=8))
    comment = re.sub(r'#|""+', "", comment)  # two marks of a text would be written with signs before them
    sign = f"  # <{comment}>"
    if data.draw(st.booleans()) or '"""' in lines[place]:
        lines.insert(place, sign.strip())
    else:
        lines[place] += sign
    typed = "\n".join(lines)
    try:
        before = read_hand_record(typed, "t.toml")
    except MalformedError:
        return
    made = laid_out(typed, "t.toml")
    assert made.count(sign.strip()) == 1
    assert read_hand_record(made, "t.toml").events == before.events


def test_a_list_with_a_comment_in_it_stays_as_it_was_typed():
    typed = LAID_OUT.replace('"Ines"]  # in the order of play', '"Ines"]').replace(
        'players = ["Margit", ', 'players = [\n  "Margit",  # deals\n  '
    )
    assert laid_out(typed, "t.toml") == typed


def test_line_ends_of_other_systems_become_ours():
    assert laid_out(LAID_OUT.replace("\n", "\r\n"), "t.toml") == LAID_OUT


def test_what_cannot_be_understood_is_refused_with_its_line():
    with pytest.raises(MalformedError, match=r"^t\.toml, line 16: unknown key in deal 1: 'bids'"):
        laid_out(LAID_OUT.replace("calls =", "bids ="), "t.toml")
