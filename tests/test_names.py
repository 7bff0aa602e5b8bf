"""Cards, suits and names as people type them, and the suggestions for mistyped names."""

import tomllib
from pathlib import Path

import pytest

from ledger.cards import PACK_52, SYMBOLS, UNKNOWN, parse_card, parse_card_or_unknown, parse_suit
from ledger.errors import MalformedError
from ledger.names import fitting, folded, hint, meant, only_fit, readable_name

NAMES = tomllib.loads(Path(__file__).with_name("names.toml").read_text(encoding="utf-8"))
TABLES = ["ombre-1", "ombre-revoke", "kop-match-official", "spring"]


@pytest.mark.parametrize(("typed", "expected"), NAMES["meant"].items())
def test_names_spelled_alike_or_containing_the_text_are_suggested(typed: str, expected: list[str]) -> None:
    assert meant(typed, TABLES) == expected


def test_names_of_persons_are_compared_without_capitals_and_as_one_form() -> None:
    assert meant("LUCIA", ["Lucía", "Ann"]) == ["Lucía"]
    assert meant("u\u0308mit", ["Ümit"]) == ["Ümit"]


@pytest.mark.parametrize(("case", "expected"), NAMES["fits"].items())
def test_accents_fold_where_one_name_fits(case: str, expected: list[str]) -> None:
    names, typed = (part.strip() for part in case.split(":"))
    known = names.split(", ")
    assert [known[place] for place in fitting([folded(name) for name in known], folded(typed))] == expected
    whole = [name for name in expected if len(name) == len(typed)]
    assert only_fit(typed, known) == (whole[0] if len(whole) == 1 else None)


def test_at_most_three_names_are_suggested_the_likeliest_first() -> None:
    assert meant("ombre-2", [f"ombre-{number}" for number in range(10, 30)] + ["ombre-2"])[0] == "ombre-2"
    assert len(meant("ombre-2", [f"ombre-{number}" for number in range(10, 30)])) == 3


def test_a_fallback_is_shown_when_no_name_is_near() -> None:
    assert str(hint("winter", TABLES, "trickledger tables lists them")) == "trickledger tables lists them"
    assert str(hint("sprin", TABLES, "")) == "perhaps spring"


@pytest.mark.parametrize("name", NAMES["signs"]["needed"], ids=ascii)
def test_signs_that_a_script_or_an_emoji_needs_may_stand_in_a_name(name: str) -> None:
    assert readable_name("name", name) == name


@pytest.mark.parametrize(("name", "sign"), NAMES["signs"]["invisible"].items(), ids=ascii)
def test_no_other_sign_of_a_name_may_be_invisible(name: str, sign: str) -> None:
    with pytest.raises(MalformedError, match=f"a name without the sign {sign.replace('+', '[+]')}, "):
        readable_name("name", name)


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
