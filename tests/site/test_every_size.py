"""Replays, the first page and case sheets are whole in every window: the picture shrinks before anything is hidden."""

from __future__ import annotations

from typing import Final, NamedTuple

import pytest
from playwright.sync_api import Browser, CDPSession, Page

from tests.covering import covering
from tests.site.browser import PHONE, SMALL_PHONE, Site, script, sideways, window
from tests.site.fitness import cut_texts, overlapping_texts
from tests.site.states import LANGUAGES

REPLAYED: Final = (
    "/",
    "/t/ombre-revoke/1/24",
    "/t/kop-example-04-kontra-re-losers-have-25/1/16",
    "/t/couillon-18a-six-players-24-cards/2/14",
    "/t/couillon-20-eight-players/3/12",
)
"""The first page, and deals of three, four, six and eight players."""

CASE: Final = "/api/v1/tables/ombre-revoke/disputes/39/case"

LEAST_CARD_PX: Final = 14


class Look(NamedTuple):
    """A window and the size of letters that its reader has chosen."""

    width: int
    height: int
    letters_px: int = 16


LOOKS: Final = (
    Look(*SMALL_PHONE),
    Look(360, 620),  # between the bars of a browser
    Look(740, 360),
    Look(667, 375),
    *(Look(*PHONE, letters_px) for letters_px in (21, 24, 32)),
)


def change_look(page: Page, line: CDPSession, look: Look) -> None:
    """Resize the window, and choose other letters as in the settings of the browser."""
    line.send("Page.setFontSizes", {"fontSizes": {"standard": look.letters_px}})
    page.set_viewport_size({"width": look.width, "height": look.height})
    letters_px = page.evaluate("() => parseFloat(getComputedStyle(document.body).fontSize)")
    assert letters_px >= look.letters_px, "the reader's letters were not taken"


@pytest.mark.parametrize(("address", "lang"), covering([*REPLAYED, CASE], LANGUAGES))
def test_a_page_is_whole_in_every_window(chromium: Browser, house: Site, address: str, lang: str) -> None:
    """At rest the whole picture and the dock are seen together, and nothing lies on a card."""
    with window(chromium, house, locale=lang, at=address) as page:
        line = page.context.new_cdp_session(page)
        for look in LOOKS:
            change_look(page, line, look)
            assert sideways(page) == 0, look
            assert cut_texts(page) == [], look
            assert overlapping_texts(page) == [], look
            if address in REPLAYED:
                assert page.evaluate(script("at_rest.js"), LEAST_CARD_PX) == [], look
