"""Check the parts of pages: cards by the settings of the reader, the frame, and the rules."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from ledger.cards import PACK_52, RANKS, UNKNOWN
from ledger.games import game_named, rule_named
from ledger.games.kernel.rulebook import Rule
from ledger.text.letters import LETTERS, Letters
from ledger.text.site.cards import Preferences, card_mark, card_name, card_shapes, laid_card
from ledger.text.site.frame import Frame
from ledger.text.site.listing import featured_deal
from ledger.text.site.rulebook import book_of, link_rules, rendered_rule, rule_of, sections_of
from tests.games.ombre.tables import with_winners

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


@pytest.mark.parametrize(("path", "query", "address"), [
    ("/tables", "", "/tables?lang=ja"),
    ("/tables", "game=kop", "/tables?game=kop&lang=ja"),
    ("//elsewhere.example", "", "/elsewhere.example?lang=ja"),
    ('/t/a"b#c?d', "", "/t/a%22b%23c%3Fd?lang=ja"),
])  # fmt: skip
def test_a_page_in_another_language_is_one_of_ours(path: str, query: str, address: str) -> None:
    assert Frame(preferences=Preferences(), path=path, query=query, club="club").address(lang="ja") == address


LINK = '<a href="/rules/ombre#OMB-6.5">OMB-6.5</a>'


@pytest.mark.parametrize("text", ["規則{}による", "({})", "see {}, please", "{}。"])
def test_a_rule_is_a_link_next_to_any_letter(text: str) -> None:
    assert link_rules(text.format("OMB-6.5"), Preferences(lang="ja")) == text.format(LINK)


@pytest.mark.parametrize("text", ["XOMB-6.5", "OMB-6.55a", "OMB-99.1"])
def test_a_word_that_only_looks_like_a_rule_is_no_link(text: str) -> None:
    assert link_rules(text, Preferences()) == text


def test_a_rule_refers_to_others_in_every_language() -> None:
    for lang in ("en", "ja"):
        shown = rendered_rule(rule_named("OMB-6.5", lang))
        assert shown.lang == lang and '<a href="/rules/ombre#OMB-2.17">OMB-2.17</a>' in shown.text


def test_a_rule_may_have_strong_words_or_be_in_no_book() -> None:
    rule = Rule("OMB-6.5", "", "**Follow suit**, as in OMB-2.17.", "item")
    assert rendered_rule(rule).text.startswith("<p><b>Follow suit</b>, as in <a ")
    assert rule_of(game_named("ombre"), "OMB-99.1", "en").address == ""


def test_a_step_that_is_not_there_has_no_picture() -> None:
    assert featured_deal("t", "T", with_winners("0").fold(), 1, Preferences(), step=99) is None


def test_a_book_has_the_same_places_in_every_language() -> None:
    english, japanese = sections_of("kop", "en"), sections_of("kop", "ja")
    assert [(one.anchor, [rule.address for rule in one.rules]) for one in english] == [
        (one.anchor, [rule.address for rule in one.rules]) for one in japanese
    ]
    book = book_of("kop", "ja")
    assert book is not None and book.book.lang == "ja"
    assert japanese[0].chapter == "2. 席、パック、カードの強さ"
