"""Type cards on a laptop at the table: a trick of Kop, half a card given up, and letters with another meaning."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.site.browser import DESK, PHONE, Site, serving
from tests.site.tapping import CALLS, CARDS, TABLE, comes_to_stand, recorded, recording, table_of


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Site]:
    """Make a table where the calls are over and no card is played."""
    with serving(table_of(tmp_path, TABLE, *CALLS)) as site:
        yield site


def type_card(page: Page, card: str) -> None:
    page.keyboard.type(card.lower().replace("t", "10"))


def test_a_trick_is_typed(chromium: Browser, table: Site) -> None:
    with recording(chromium, table, size=DESK) as page:
        for place, act in enumerate(CARDS[:4], start=1):
            suit, rank = act["card"]
            type_card(page, act["card"] if place % 2 else f"{rank}{suit}")
            comes_to_stand(page, table.ledger, [*CALLS, *CARDS[:place]])
            page.wait_for_selector(f"span#key-{act['card']}")
        expect(page.locator(".lay.took")).to_have_count(1)


def test_half_a_card_is_shown_and_given_up(chromium: Browser, table: Site) -> None:
    first = CARDS[0]["card"]
    with recording(chromium, table, size=DESK) as page:
        due = page.locator("#told").inner_text()
        for key in ("Backspace", "Escape"):
            page.keyboard.press(first[0].lower())
            expect(page.locator("#told")).to_contain_text("type the rest")
            page.keyboard.press(key)
            expect(page.locator("#told")).to_have_text(due, use_inner_text=True)
        page.keyboard.press("Enter")
        page.keyboard.press(first[1].lower())
        expect(page.locator("#told")).to_contain_text(f"{first[1]}: type the rest")
        page.locator("#mini .seat[aria-current]").click()
        expect(page.locator("#told")).not_to_contain_text("type the rest")
        type_card(page, first)
        comes_to_stand(page, table.ledger, [*CALLS, CARDS[0]])


def test_letters_that_mean_something_else_play_no_card(chromium: Browser, table: Site) -> None:
    letters = CARDS[0]["card"].lower()
    with recording(chromium, table, size=DESK) as page:
        for letter in letters:
            page.keyboard.press(f"Control+Shift+{letter}")
        page.locator("#more > summary").click()
        page.locator("#more textarea").first.fill("")
        page.keyboard.type(letters)
        expect(page.locator("#more textarea").first).to_have_value(letters)
        page.get_by_label("Type cards on a keyboard").uncheck()
        page.reload()
        page.wait_for_selector("#sent[data-count]")
        page.keyboard.type(letters)
        expect(page.locator("#told")).not_to_contain_text("type the rest")
        page.locator("#more > summary").click()
        page.get_by_label("Type cards on a keyboard").check()
        page.locator("#now .mini .seat[aria-current]").focus()
        page.keyboard.press(letters[0])
        expect(page.locator("#told")).to_contain_text("type the rest")
    assert recorded(table.ledger) == CALLS


def test_on_a_device_of_fingers_typing_is_switched_on_first(chromium: Browser, table: Site) -> None:
    with recording(chromium, table, size=PHONE, is_mobile=True) as page:
        page.keyboard.press("h")
        expect(page.locator("#told")).not_to_contain_text("type the rest")
        page.locator("#more > summary").tap()
        expect(page.get_by_label("Type cards on a keyboard")).not_to_be_checked()
