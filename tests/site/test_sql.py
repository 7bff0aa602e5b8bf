"""The SQL console by keys alone: words are completed, a question is asked, and this device remembers it."""

from __future__ import annotations

from playwright.sync_api import Browser, expect

from tests.site.browser import DESK, Site, window


def test_words_are_completed_and_questions_remembered_by_keys(chromium: Browser, house: Site) -> None:
    with window(chromium, house, DESK, at="/sql") as page:
        field = page.locator("#sql")
        field.focus()
        page.keyboard.type("FROM sess")
        expect(page.locator("#words-said")).to_contain_text("2 ")
        page.keyboard.press("Control+Space")
        expect(page.get_by_role("button", name="sessions", exact=True)).to_be_focused()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("Enter")
        expect(field).to_be_focused()
        expect(field).to_have_value("FROM sessions")
        page.keyboard.type(" LIMIT 1")
        page.keyboard.press("Control+Enter")
        expect(page.locator("#answer caption")).to_contain_text("1 row")
        page.locator("#sql").fill("")
        page.get_by_role("button", name="FROM sessions LIMIT 1").click()
        expect(page.locator("#sql")).to_have_value("FROM sessions LIMIT 1")
        page.locator("#forget").click()
        expect(page.locator("#past")).to_be_hidden()
