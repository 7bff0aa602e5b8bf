"""Rules on pages: links next to the letters of any language, and lines joined as the language has them."""

from __future__ import annotations

import pytest

from ledger.games import rule_named
from ledger.text.site.cards import Preferences
from ledger.text.site.rulebook import book_of, link_rules, rendered_rule, sections_of

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


def test_a_book_has_the_same_places_in_every_language() -> None:
    english, japanese = sections_of("kop", "en"), sections_of("kop", "ja")
    assert [(one.anchor, [rule.address for rule in one.rules]) for one in english] == [
        (one.anchor, [rule.address for rule in one.rules]) for one in japanese
    ]
    book = book_of("kop", "ja")
    assert book is not None and book.book.lang == "ja"
    assert japanese[0].chapter == "2. 席、パック、カードの強さ"
