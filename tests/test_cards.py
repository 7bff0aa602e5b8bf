"""Cards and suits as people type them: letters, symbols, words, and full-width characters."""

import tomllib
from pathlib import Path

import pytest

from ledger.cards import PACK_52, SYMBOLS, UNKNOWN, parse_card, parse_card_or_unknown, parse_suit
from ledger.errors import MalformedError

WRITTEN = tomllib.loads(Path(__file__).with_name("cards.toml").read_text(encoding="utf-8"))
WIDE = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}


def test_a_card_may_be_written_in_full_width() -> None:
    for card in PACK_52:
        assert parse_card(card.translate(WIDE)) == parse_card(card.lower().translate(WIDE)) == card


@pytest.mark.parametrize(("card", "texts"), WRITTEN["cards"].items())
def test_a_card_by_the_symbols_and_words_for_its_suit_and_rank(card: str, texts: str) -> None:
    assert {text: parse_card(text) for text in texts.split()} == dict.fromkeys(texts.split(), card)


@pytest.mark.parametrize("text", ["??", "？？", " ？？\u3000"])
def test_a_card_that_nobody_knows(text: str) -> None:
    assert parse_card_or_unknown(text) == UNKNOWN


@pytest.mark.parametrize(("suit", "words"), WRITTEN["suits"].items())
def test_a_suit_by_letter_symbol_or_word(suit: str, words: str) -> None:
    assert {parse_suit(word) for word in words.split()} == {suit}
    assert parse_suit(SYMBOLS[suit]) == suit


@pytest.mark.parametrize("text", ["ＳＸ", "スペード", "スペードの11", "エース", "？", "切札"])
def test_an_invalid_card_is_quoted_as_typed(text: str) -> None:
    with pytest.raises(MalformedError, match=text):
        parse_card_or_unknown(text)
