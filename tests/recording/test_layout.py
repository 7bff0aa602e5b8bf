"""A hand record reads the same in any layout, width, signs and language, and keeps its comments."""

import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from ledger.errors import MalformedError
from ledger.events import DealVoided, Noted, SessionOpened, TableClosed
from ledger.games import game_named
from ledger.games.kernel.protocol import Game
from ledger.i18n import word
from ledger.recording.hand.layout import lay_out
from ledger.recording.hand.record import read_hand_record
from tests.covering import examples
from tests.hand_records import RECORDS, record_in, some_records

TYPED, LAID_OUT = (
    Path(__file__).with_name(name).read_text(encoding="utf-8") for name in ("as_typed.toml", "laid_out.toml")
)
"""One record as it was typed, and in the standard layout."""


def test_a_file_as_somebody_typed_it_is_laid_out():
    assert lay_out(TYPED, "t.toml") == LAID_OUT
    assert lay_out(LAID_OUT, "t.toml") == LAID_OUT


@pytest.mark.parametrize("path", some_records(2))
def test_the_layout_keeps_the_events_and_is_stable(path):
    text = path.read_text(encoding="utf-8")
    made = lay_out(text, path.name)
    again = read_hand_record(made, path.name)
    typed = record_in(path)
    assert (again.events, again.expectations) == (typed.events, typed.expectations)
    assert lay_out(made, path.name) == made
    assert made.count("#") == text.count("#")


@examples(15)
@given(data=st.data())
def test_no_comment_is_lost_in_any_place(data):
    """Put a comment behind any line that may have one, and above any statement."""
    lines = LAID_OUT.split("\n")
    place = data.draw(st.sampled_from([at for at, line in enumerate(lines) if line and "#" not in line]))
    comment = data.draw(st.text(st.characters(codec="utf-8", categories=("L", "N", "P")), min_size=1, max_size=8))
    comment = re.sub(r'#|""+', "", comment)  # two quotation marks would be escaped
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
    made = lay_out(typed, "t.toml")
    assert made.count(sign.strip()) == 1
    assert read_hand_record(made, "t.toml").events == before.events


def test_a_list_with_a_comment_in_it_stays_as_it_was_typed():
    typed = LAID_OUT.replace('"Ines"]  # in the order of play', '"Ines"]').replace(
        'players = ["Margit", ', 'players = [\n  "Margit",  # deals\n  '
    )
    assert lay_out(typed, "t.toml") == typed


def test_line_ends_of_other_systems_become_ours():
    assert lay_out(LAID_OUT.replace("\n", "\r\n"), "t.toml") == LAID_OUT


def test_what_cannot_be_understood_is_refused_with_its_line():
    with pytest.raises(MalformedError, match=r"^t\.toml, line 16: unknown key in deal 1: 'bids'"):
        lay_out(LAID_OUT.replace("calls =", "bids ="), "t.toml")


TEXT_OR_COMMENT = re.compile(r"\"\"\".*?\"\"\"|'''.*?'''|\"[^\"\n]*\"|'[^'\n]*'|#[^\n]*", re.DOTALL)
WIDE = {0x20: 0x3000} | {code: code + 0xFEE0 for code in range(0x21, 0x7F)}
SUITS = {"S": "♤ スペード ｽﾍﾟｰﾄﾞ", "H": "♡ ハート ♥\ufe0f", "D": "♢ ダイヤ Diamond", "C": "♧ クラブ クローバーの"}
CARD = re.compile(r"(?<![\w-])([SHDC])([AKQJ]|10|[2-9])(?![\w-])")
REMARKS = {
    Noted: ("text",),
    DealVoided: ("reason",),
    TableClosed: ("reason",),
    SessionOpened: ("title", "club", "place"),
}


def events_of(text: str) -> list[Any]:
    """Return the events without their free texts, which stay as they were typed."""
    record = read_hand_record(text, "evening.toml")
    return [
        (stream, structs.replace(event, **dict.fromkeys(REMARKS.get(type(event), ()), "")), moment)
        for stream, event, moment in record.events
    ]


def with_texts(text: str, otherwise: Callable[[str], str]) -> str:
    """Return the file with all its texts in another form, and everything else unchanged."""

    def changed(match: re.Match[str]) -> str:
        typed = match[0]
        if typed[0] == "#" or "\\" in typed:
            return typed
        quotes = 3 if typed[:3] in ('"""', "'''") else 1
        return typed[:quotes] + otherwise(typed[quotes:-quotes]) + typed[-quotes:]

    return TEXT_OR_COMMENT.sub(changed, text)


def in_japanese(text: str, game: Game, chance: random.Random) -> str:
    def card(match: re.Match[str]) -> str:
        sign = chance.choice(SUITS[match[1]].split())
        return sign + match[2]

    text = CARD.sub(card, text)
    for said in sorted(game.calls | game.announcements, key=len, reverse=True):
        text = re.sub(rf"(?<![\w-]){said}(?![\w-])", word(game.package, said, "ja"), text)
    return text


@examples(15)
@given(st.sampled_from(RECORDS), st.randoms(use_true_random=False))
def test_a_record_in_both_widths_reads_the_same(path: Path, chance: random.Random) -> None:
    def mixed(typed: str) -> str:
        return "".join(sign.translate(WIDE) if chance.random() < 0.5 else sign for sign in typed)

    text = path.read_text(encoding="utf-8")
    assert events_of(with_texts(text, mixed)) == events_of(text)


@examples(15)
@given(st.sampled_from(RECORDS), st.randoms(use_true_random=False))
def test_a_record_in_symbols_and_japanese_words_reads_the_same(path: Path, chance: random.Random) -> None:
    text = path.read_text(encoding="utf-8")
    named = re.search(r'^game = "(\w+)"', text, re.MULTILINE)
    assert named is not None
    game = game_named(named[1])
    assert events_of(with_texts(text, lambda typed: in_japanese(typed, game, chance))) == events_of(text)
