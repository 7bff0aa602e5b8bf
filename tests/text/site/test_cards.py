"""Cards of a page: what stands on them by the reader's letters, and what each is called."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from ledger.cards import PACK_52, UNKNOWN
from ledger.text.letters import LETTERS, Letters
from ledger.text.site.cards import Look, card_face, card_hole, card_key, card_mark, card_name, card_shapes, laid_card

NAMES = (Path(__file__).parent / "names_of_cards.txt").read_text(encoding="utf-8")
ALL = pytest.mark.parametrize("letters", LETTERS)


def test_every_card_has_its_name_in_both_languages() -> None:
    told = [f"{card}\t{card_name(card, Look())}\t{card_name(card, Look(lang='ja'))}\n" for card in (*PACK_52, UNKNOWN)]
    assert "".join(told) == NAMES


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_no_two_cards_have_one_name(lang: str) -> None:
    assert len({card_name(card, Look(lang=lang)) for card in PACK_52}) == 52


@ALL
def test_no_two_ranks_have_one_letter(letters: Letters) -> None:
    assert len({card_face(f"H{rank}", Look(letters=letters)) for rank in "AKQJT98765432"}) == 13


def test_letters_are_those_of_the_readers_cards_and_names_are_words() -> None:
    french = Look(letters="fr")
    assert [card_face(card, french) for card in ("SA", "HK", "DQ", "CJ", "ST", "H2")] == ["A", "R", "D", "V", "10", "2"]
    assert card_name("HK", french) == "king of hearts"


def test_a_card_in_a_sentence_has_its_sign_and_one_that_nobody_knows_stays_so() -> None:
    assert "♥" in card_mark("HK", Look()) and "K" in card_mark("HK", Look())
    assert card_mark(UNKNOWN, Look()) == UNKNOWN


def test_a_key_shows_its_letter_and_is_called_by_its_card() -> None:
    key = ElementTree.fromstring(card_key("HK", Look(letters="fr"), fit="off"))
    assert key.attrib == {
        "class": "key kH off",
        "id": "key-HK",
        "name": "card",
        "value": "HK",
        "aria-label": "king of hearts",
    }
    assert [part.tag for part in key] == ["b", "svg"]
    assert key.findtext("b") == "R"
    assert key[1].get("aria-hidden") == "true"


def test_a_note_on_a_key_is_said_and_is_never_markup() -> None:
    key = ElementTree.fromstring(card_key("ST", Look(lang="ja"), fit="odd", note="<Zoë>"))
    assert key.get("aria-label") == "スペードの10、<Zoë>"
    assert key.findtext("small") == "<Zoë>"


def test_who_played_a_card_is_never_markup() -> None:
    hole = ElementTree.fromstring(card_hole("CJ", "<b>&"))
    assert (hole.get("id"), hole.text) == ("key-CJ", "<b>&")


@ALL
def test_all_that_a_laid_card_is_drawn_of_is_on_the_page(letters: Letters) -> None:
    look = Look(letters=letters)
    shapes = ElementTree.fromstring(card_shapes(look))
    assert shapes.get("aria-hidden") == "true"
    there = {part.get("id") for part in shapes.iter()}
    for card in (*PACK_52, UNKNOWN):
        laid = ElementTree.fromstring(laid_card(card, look))
        assert laid.get("aria-label") == card_name(card, look)
        used = [use.get("href", "") for use in laid.iter("use")]
        assert used and {one.removeprefix("#") for one in used} <= there
