"""Check the cards of pages: their letters by the reader's settings, and their names."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from ledger.cards import PACK_52, RANKS, UNKNOWN
from ledger.text.letters import LETTERS, Letters
from ledger.text.site.cards import Preferences, card_mark, card_name, card_shapes, laid_card

NAMES = (Path(__file__).parent / "names_of_cards.txt").read_text(encoding="utf-8")
ALL = pytest.mark.parametrize("letters", LETTERS)


def test_every_card_has_its_name_in_both_languages() -> None:
    lines = [
        f"{card}\t{card_name(card, Preferences())}\t{card_name(card, Preferences(lang='ja'))}\n"
        for card in (*PACK_52, UNKNOWN)
    ]
    assert "".join(lines) == NAMES


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_no_two_cards_have_one_name(lang: str) -> None:
    assert len({card_name(card, Preferences(lang=lang)) for card in PACK_52}) == 52


@ALL
def test_no_two_ranks_have_one_letter(letters: Letters) -> None:
    assert len({Preferences(letters=letters).rank(rank) for rank in RANKS}) == 13


def test_letters_are_those_of_the_readers_cards_and_names_are_words() -> None:
    french = Preferences(letters="fr")
    assert [french.rank(rank) for rank in "AKQJT2"] == ["A", "R", "D", "V", "10", "2"]
    assert card_name("HK", french) == "king of hearts"


def test_a_card_in_a_sentence_has_its_sign_and_one_that_nobody_knows_stays_so() -> None:
    assert "♥" in card_mark("HK", Preferences()) and "K" in card_mark("HK", Preferences())
    assert card_mark(UNKNOWN, Preferences()) == UNKNOWN


@ALL
def test_all_that_a_laid_card_is_drawn_of_is_on_the_page(letters: Letters) -> None:
    preferences = Preferences(letters=letters)
    shapes = ElementTree.fromstring(card_shapes(preferences))
    assert shapes.get("aria-hidden") == "true"
    there = {part.get("id") for part in shapes.iter()}
    for card in (*PACK_52, UNKNOWN):
        laid = ElementTree.fromstring(laid_card(card, preferences))
        assert laid.get("aria-label") == card_name(card, preferences)
        used = [use.get("href", "") for use in laid.iter("use")]
        assert used and {one.removeprefix("#") for one in used} <= there
