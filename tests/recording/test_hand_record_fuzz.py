"""Any text is read as a hand record or refused with a `MalformedError`; no other error occurs."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.errors import MalformedError
from ledger.events import decode_event, encode_event
from ledger.recording.hand.page import Page
from ledger.recording.hand.record import is_hand_record, read_hand_record
from tests.hand_records import REPLAYS, fold_of

TEXTS = [
    path.read_text(encoding="utf-8")
    for path in (
        REPLAYS / "ombre" / "revoke.toml",
        REPLAYS / "ombre" / "rape-of-the-lock-as-told.toml",
        REPLAYS / "ombre" / "15b-defended-codille-estuches.toml",
        REPLAYS / "session" / "opening-night-3.toml",
    )
]
WITHOUT_BLANKS = """
SA S2 ?? S10 ♠K H7 > : Baron Baron: Belinda: table: A+B: / # , ; = pass entrada solo stop surrender decline yield none
0 3 99 999999999 -1 1.5 nan true 2026-01-09 2026-01-09T19:30:00Z 0001-01-01T00:00:00+14:00 1e999 dealer trump bids yes
" ' \"\"\" ''' [ ] { } [[deal]] [deal.hands] [deal] \\ \\u0000 \0 // é ＝ “ ” 「 ： ？？ ＳＡ スペード ♤ パス エ ー
"""
WORDS = [
    *WITHOUT_BLANKS.split(),
    *("", "throw in", "\n", "\ud800", "\u3000", "9" * 5_000, "花子 = ", "sheet = {}", "sheet = { deltas = {} }"),
    *("result = {}", "voided = ''", "turned = 'S2'", "called = 'SK'", "seated = {}"),
]


@st.composite
def mutilated(draw: st.DrawFn) -> str:
    """Draw a good record with pieces cut out, doubled, moved or replaced by words of other places."""
    text = draw(st.sampled_from(TEXTS))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 30)))
        piece = draw(st.one_of(st.sampled_from(WORDS), st.just(text[start:end] * 2), st.text(max_size=5)))
        text = text[:start] + draw(st.sampled_from(["", " "])) + piece + text[end:]
    return text


@st.composite
def with_other_lines(draw: st.DrawFn) -> str:
    """Draw a good record with whole lines left out, doubled or exchanged with lines of another record."""
    lines = draw(st.sampled_from(TEXTS)).split("\n")
    others = draw(st.sampled_from(TEXTS)).split("\n")
    for _ in range(draw(st.integers(1, 5))):
        place = draw(st.integers(0, len(lines)))
        count = draw(st.integers(0, 2))
        lines[place : place + count] = draw(st.lists(st.sampled_from(others + WORDS), max_size=2))
    return "\n".join(lines)


def read_or_refuse(text: str) -> None:
    is_hand_record(text)
    try:
        record = read_hand_record(text, "evening.toml")
    except MalformedError as error:
        assert error.where is not None
        assert str(error.where).startswith("evening.toml")
        str(error)
        return
    for _, event, _ in record.events:
        assert decode_event(encode_event(event)) == event
    assert all(item.line is not None for item in record.entries)
    fold_of(record)


@given(mutilated())
def test_a_mutilated_record_is_read_or_refused(text):
    read_or_refuse(text)


@given(with_other_lines())
def test_a_record_with_lines_of_another_is_read_or_refused(text):
    read_or_refuse(text)


@given(st.text())
def test_any_text_is_read_or_refused(text):
    read_or_refuse(text)


@given(st.text(alphabet="ab.=[]{}\"'#, \n0"))
def test_lines_are_looked_up_in_any_text_without_harm(text):
    assert Page(text, "evening.toml").line_of("a", "b") >= 1


@pytest.mark.soak
@settings(max_examples=5_000)
@given(st.one_of(mutilated(), with_other_lines()))
def test_many_mutilated_records_are_read_or_refused(text):
    read_or_refuse(text)
