"""The frame of all pages in a real browser."""

from __future__ import annotations

import re
from itertools import product

import pytest
from playwright.sync_api import Browser

from ledger.text.site.files import STYLES, site_files
from tests.site.browser import DESK, PHONE, SMALL_PHONE, Site, sideways, violations, window

LOOKS = list(product(["en", "ja"], [SMALL_PHONE, PHONE, DESK], ["light", "dark"]))
OFTEN = [("en", SMALL_PHONE, "light"), ("ja", SMALL_PHONE, "dark"), ("ja", DESK, "light")]
"""Each time; all in `make soak`."""


@pytest.mark.parametrize(
    ("lang", "size", "scheme"),
    [pytest.param(*look, marks=() if look in OFTEN else pytest.mark.soak) for look in LOOKS],
)
def test_the_first_page_is_read_by_everybody(
    chromium: Browser, site: Site, lang: str, size: tuple[int, int], scheme: str
) -> None:
    with window(chromium, site, size, locale=lang, color_scheme=scheme) as page:
        page.goto(f"{site.url}/")
        assert page.locator("html").get_attribute("lang") == lang
        assert page.locator("h1").count() == 1
        assert violations(page) == []
        assert sideways(page) == 0


def test_the_browser_takes_every_declaration_of_the_style_sheet(chromium: Browser, site: Site) -> None:
    """One that it cannot read it leaves out without a word, and what stands above holds."""
    sheet = re.sub(r"/\*.*?\*/|@page[^}]*}", "", site_files()[STYLES].content.decode(), flags=re.S)
    blocks = re.findall(r"{([^{}]*)}", sheet)
    told = [tuple(map(str.strip, one.split(":", 1))) for block in blocks for one in block.split(";") if ":" in one]
    told = [(name, value) for name, value in told if value]  # a switch that is off is empty
    assert len(told) > 500
    with window(chromium, site) as page:
        left_out = page.evaluate(
            "told => told.filter(([name, value]) => !CSS.supports(name, value.replace('!important', '')))", told
        )
    assert left_out == []


def test_a_language_that_was_asked_for_stays(chromium: Browser, site: Site) -> None:
    with window(chromium, site, DESK) as page:
        page.goto(f"{site.url}/")
        page.get_by_role("link", name="日本語").click()
        page.goto(f"{site.url}/")
        assert page.locator("html").get_attribute("lang") == "ja"


def test_a_page_that_is_not_there_is_told_in_words(chromium: Browser, site: Site) -> None:
    with window(chromium, site, allowed=["404"]) as page:
        answer = page.goto(f"{site.url}/nowhere")
        assert answer is not None and answer.status == 404
        assert page.get_by_role("link", name="To the first page").is_visible()
        assert violations(page) == []
