"""Share addresses in a real browser: copied by one tap, shared, or selected to be copied by hand."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.site.browser import PHONE, Site, window

AT = "/t/ombre-revoke/1/24"
NO_CLIPBOARD = "delete Navigator.prototype.clipboard"
"""Removes the clipboard, as in a page that came by plain http from another machine."""
NO_COPYING = f"{NO_CLIPBOARD}; document.execCommand = () => false"
SHARES = "Navigator.prototype.share = async told => { window.shared = told; }"
NO_SHARING = "delete Navigator.prototype.share"


@contextmanager
def moment(chromium: Browser, site: Site, *scripts: str) -> Iterator[Page]:
    """Return the page of a step with its addresses unfolded; these scripts run first."""
    with window(chromium, site, PHONE) as page:
        page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=site.url)
        for script in scripts:
            page.context.add_init_script(script)
        page.goto(f"{site.url}{AT}")
        page.locator("#keep summary").click()
        yield page


@pytest.mark.parametrize(
    ("script", "name", "step"),
    [("", "Next", 25), (NO_CLIPBOARD, "Back", 23)],  # the clipboard is one for all windows
    ids=["clipboard", "plain http"],
)
def test_a_link_is_copied_by_one_tap(chromium: Browser, site: Site, script: str, name: str, step: int) -> None:
    address = f"{site.url}{AT.replace('24', str(step))}"
    with moment(chromium, site, script) as page:
        page.get_by_role("button", name=name, exact=True).click()
        expect(page.get_by_label("Link to this step")).to_have_value(address)
        button = page.locator("[data-copy][value=link]")
        button.click()
        expect(page.get_by_text("Copied", exact=True)).to_have_count(1)
        expect(button).to_be_focused()
        page.goto(f"{site.url}/tables")
        page.locator("#q").focus()
        page.keyboard.press("Control+v")
        expect(page.locator("#q")).to_have_value(address)


def test_where_a_browser_copies_nothing_the_link_is_marked(chromium: Browser, site: Site) -> None:
    with moment(chromium, site, NO_COPYING) as page:
        page.locator("[data-copy][value=embed]").click()
        expect(page.get_by_text("Selected. Copy with")).to_be_visible()
        expect(page.locator("#embed")).to_be_focused()
        assert page.evaluate("getSelection().toString()") == page.locator("#embed").input_value()


def test_a_link_is_shared_where_the_browser_can(chromium: Browser, site: Site) -> None:
    with moment(chromium, site, SHARES) as page:
        assert page.locator("[data-share]").count() == 1, "an address for a frame is not for people"
        page.get_by_role("button", name="Share").click()
        assert page.evaluate("window.shared") == {"title": page.title(), "url": f"{site.url}{AT}"}


def test_no_button_is_shown_that_does_nothing(chromium: Browser, site: Site) -> None:
    with moment(chromium, site, NO_SHARING) as page:
        expect(page.locator("[data-copy]").first).to_be_visible()
        expect(page.locator("[data-share]")).to_be_hidden()
    with window(chromium, site, PHONE, java_script_enabled=False, at="/t/ombre-revoke") as page:
        expect(page.get_by_label("Link to this table")).to_have_value(f"{site.url}/t/ombre-revoke")
        expect(page.locator("[data-copy]")).to_be_hidden()
