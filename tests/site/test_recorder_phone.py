"""Whole deals by taps on a phone, seen by another window; by keyboard alone, with two taps a card, and in Japanese."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.site.browser import script, serving
from tests.site.tapping import (
    CALLS,
    CARDS,
    CUT_OFF,
    KOP,
    TABLE,
    acts_of,
    all_sent,
    goes_on,
    recorded,
    recording,
    rested,
    table_of,
    tap,
    tap_card,
)

_WATCHED = script("moved.js")


@pytest.mark.parametrize(
    ("replay", "most"),
    [
        (KOP, 11),
        pytest.param(KOP, None, marks=pytest.mark.soak),
        pytest.param("ombre/rape-of-the-lock.toml", None, marks=pytest.mark.soak),
    ],
    ids=["kop to the end of a trick", "kop", "ombre"],
)
def test_a_whole_deal_is_recorded_by_taps_and_seen_by_another_phone(
    chromium: Browser, tmp_path: Path, replay: str, most: int | None
) -> None:
    table, acts = acts_of(replay)
    acts = acts[:most]
    path = table_of(tmp_path, table)
    with serving(path) as site, recording(chromium, site) as page, recording(chromium, site) as other:
        for number, act in enumerate(acts):
            tap(page, act)
            version = number + 2
            other.wait_for_function(
                "version => JSON.parse(document.querySelector('#board').textContent).version >= version", arg=version
            )
        all_sent(page)
    assert recorded(path) == acts


def test_a_page_that_is_drawn_anew_leaves_in_place_what_is_the_same(chromium: Browser, tmp_path: Path) -> None:
    """What is moved loses the focus, and a tap that has begun on it."""
    path = table_of(tmp_path, TABLE, *CALLS)
    with serving(path) as site, recording(chromium, site) as page:

        def drawn_anew_with(more: str) -> list[str]:
            """Which parts of the page were moved when it was asked for, and `more` was too much."""
            page.evaluate(f"document.querySelector('#now').prepend({more})")
            page.evaluate(_WATCHED)
            with page.expect_response("**/record/thursday/now"):
                page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
            page.wait_for_function("() => document.querySelector('#now').firstChild.nodeName !== '#text'")
            page.wait_for_function("() => document.querySelector('#now > p') === null")
            moved: list[str] = page.evaluate("window.moved")
            return moved

        drawn_anew_with("''")  # what the page came with may be another blank than what is asked for later
        assert drawn_anew_with("'\\n'") == []
        page.locator("#keys button.key").first.focus()
        key = page.evaluate("document.activeElement.id")
        assert "keys" not in drawn_anew_with("document.createElement('p')")
        assert page.evaluate("document.activeElement.id") == key


def test_cards_are_recorded_by_the_keyboard_alone_and_by_two_taps(chromium: Browser, tmp_path: Path) -> None:
    path = table_of(tmp_path, TABLE, *CALLS)
    with serving(path) as site, recording(chromium, site) as page:
        page.locator(f"#key-{CARDS[0]['card']}").focus()
        page.keyboard.press("Enter")
        page.wait_for_selector(f"span#key-{CARDS[0]['card']}")
        assert page.evaluate("document.activeElement.matches('#keys .key')")
        goes_on(page, len(CALLS) + 1)
        page.evaluate("localStorage.setItem('trickledger.two-taps', '1')")
        key = page.locator(f"#key-{CARDS[1]['card']}")
        key.click()
        expect(key).to_have_attribute("aria-pressed", "true")
        for _ in range(2):  # a page that is drawn anew says it, too
            expect(page.locator("#told")).to_contain_text("tap again")
            with page.expect_response("**/now"):
                page.evaluate("dispatchEvent(new Event('online'))")
            page.evaluate("() => new Promise(requestAnimationFrame)")
        rested(page, key)
        assert len(recorded(path)) == len(CALLS) + 1
        key.click()
        page.wait_for_selector(f"span#key-{CARDS[1]['card']}")
        all_sent(page)
        page.locator("#undo[data-undo]").click()
        page.wait_for_selector(f"button#key-{CARDS[1]['card']}")
        all_sent(page)
    told = recorded(path)
    assert told[:-1] == [*CALLS, *CARDS[:2]]
    assert told[-1]["type"] == "corrected"


def test_what_does_not_fit_is_told_in_japanese(chromium: Browser, tmp_path: Path) -> None:
    path = table_of(tmp_path, TABLE, *CALLS)
    with serving(path) as site, recording(chromium, site, allowed=CUT_OFF, locale="ja") as page:
        tap_card(page, 2, "SQ")
        expect(page.get_by_role("alertdialog")).to_contain_text("合いません")
        page.get_by_role("button", name="このとおりに起きた").click()
        all_sent(page)
    assert recorded(path)[-1] == {"type": "card_played", "seat": 2, "card": "SQ"}
