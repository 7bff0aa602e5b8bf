"""The frame of all pages in a real browser."""

from __future__ import annotations

import re

from playwright.sync_api import Browser

from ledger.text.site.files import STYLES, site_files
from tests.site.browser import Site, window


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
