"""A hand record reads the same in whatever width, signs and language its cards, names and words are typed."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from ledger.events import DealVoided, Noted, SessionOpened, TableClosed
from ledger.games import game_named
from ledger.games.kernel.protocol import Game
from ledger.i18n import word
from ledger.recording.hand.record import read_hand_record
from tests.covering import examples
from tests.hand_records import RECORDS, some_records

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


def told(text: str) -> list[Any]:
    """The events without their remarks, which are kept as they were typed."""
    record = read_hand_record(text, "evening.toml")
    return [
        (stream, structs.replace(event, **dict.fromkeys(REMARKS.get(type(event), ()), "")), moment)
        for stream, event, moment in record.events
    ]


def with_texts(text: str, otherwise: Callable[[str], str]) -> str:
    """The file with all its texts written otherwise, and everything else as it was."""

    def changed(found: re.Match[str]) -> str:
        typed = found[0]
        if typed[0] == "#" or "\\" in typed:
            return typed
        quotes = 3 if typed[:3] in ('"""', "'''") else 1
        return typed[:quotes] + otherwise(typed[quotes:-quotes]) + typed[-quotes:]

    return TEXT_OR_COMMENT.sub(changed, text)


def in_japanese(text: str, game: Game, chance: random.Random) -> str:
    def card(found: re.Match[str]) -> str:
        sign = chance.choice(SUITS[found[1]].split())
        return sign + found[2]

    text = CARD.sub(card, text)
    for said in sorted(game.calls | game.announcements, key=len, reverse=True):
        text = re.sub(rf"(?<![\w-]){said}(?![\w-])", word(game.package, said, "ja"), text)
    return text


def content(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", some_records(4))
def test_a_record_in_full_width_reads_the_same(path: Path) -> None:
    text = content(path)
    wide = with_texts(text, lambda typed: typed.translate(WIDE))
    assert wide != text
    assert told(wide) == told(text)


@examples(25)
@given(st.sampled_from(RECORDS), st.randoms(use_true_random=False))
def test_a_record_in_both_widths_reads_the_same(path: Path, chance: random.Random) -> None:
    def mixed(typed: str) -> str:
        return "".join(sign.translate(WIDE) if chance.random() < 0.5 else sign for sign in typed)

    text = content(path)
    assert told(with_texts(text, mixed)) == told(text)


@examples(25)
@given(st.sampled_from(RECORDS), st.randoms(use_true_random=False))
def test_a_record_in_symbols_and_japanese_words_reads_the_same(path: Path, chance: random.Random) -> None:
    text = content(path)
    named = re.search(r'^game = "(\w+)"', text, re.MULTILINE)
    assert named is not None
    game = game_named(named[1])
    assert told(with_texts(text, lambda typed: in_japanese(typed, game, chance))) == told(text)
