"""Check that pages are complete in every window and with letters twice as large; the picture shrinks before anything is
hidden.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

import pytest
from playwright.sync_api import Browser, CDPSession, Page

from ledger.text.site.files import STYLES, site_files
from tests.covering import covering, sample
from tests.site.browser import ARGUMENTS, DESK, PHONE, SMALL_PHONE, Site, script, sideways, window
from tests.site.fitness import cut_texts, overlapping_texts
from tests.site.states import LANGUAGES, STATES, State, View, reached

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


class Viewport(NamedTuple):
    """A window size and the reader's letter size."""

    width: int
    height: int
    letters_px: int = 16


LOOKS: Final = (
    Viewport(*SMALL_PHONE),
    Viewport(360, 620),  # between the bars of a browser
    Viewport(740, 360),
    Viewport(667, 375),
    *(Viewport(*PHONE, letters_px) for letters_px in (21, 24, 32)),
)


def change_look(page: Page, line: CDPSession, look: Viewport) -> None:
    """Resize the window, and change the letter size as in the browser's settings."""
    line.send("Page.setFontSizes", {"fontSizes": {"standard": look.letters_px}})
    page.set_viewport_size({"width": look.width, "height": look.height})
    letters_px = page.evaluate("() => parseFloat(getComputedStyle(document.body).fontSize)")
    assert letters_px >= look.letters_px, "the reader's letters were not taken"


@pytest.mark.parametrize(("address", "lang"), covering([*REPLAYED, CASE], LANGUAGES))
def test_a_page_is_whole_in_every_window(chromium: Browser, house: Site, address: str, lang: str) -> None:
    """At rest the whole picture and the dock are visible together, and nothing covers a card."""
    with window(chromium, house, locale=lang, at=address) as page:
        line = page.context.new_cdp_session(page)
        for look in LOOKS:
            change_look(page, line, look)
            assert sideways(page) == 0, look
            assert cut_texts(page) == [], look
            assert overlapping_texts(page) == [], look
            if address in REPLAYED:
                assert page.evaluate(script("at_rest.js"), LEAST_CARD_PX) == [], look


READ = [
    state
    for state in STATES
    if state.route.startswith(("/t/", "/embed/", "/tables", "/sessions/", "/rules", "/settings")) or state.route == "/"
]
"""Pages to read."""

RECORDED = {
    "record, kop auction": "en",
    "record, calls without connection": "ja",
    "record, ombre auction": "en",
    "record, exchange": "ja",
    "record, ombre": "ja",
    "record, mit": "en",
    "record, long names": "en",
    "record, between deals": "ja",
    "record, closed table": "en",
}
"""Pages to record with, and a language for each."""


@pytest.fixture(scope="module")
def large_letters(chromium: Browser, program: str) -> Iterator[Browser]:
    """Return the browser of a reader whose letters are twice as large as usual."""
    browser = chromium.browser_type.launch(
        executable_path=program, args=[*ARGUMENTS, "--blink-settings=defaultFontSize=32"]
    )
    yield browser
    browser.close()


def letter_size(page: Page) -> float:
    return float(page.evaluate("() => parseFloat(getComputedStyle(document.documentElement).fontSize)"))


def fits(page: Page, *sizes: tuple[int, int]) -> None:
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        assert sideways(page) == 0
        assert cut_texts(page) == []
        assert overlapping_texts(page) == []


@pytest.mark.parametrize(
    "seen",
    [
        *sample([(state, LANGUAGES[number % 2]) for number, state in enumerate(READ)], 5),
        *sample([(state, lang) for name, lang in RECORDED.items() for state in STATES if state.name == name], 3),
    ],
    ids=lambda seen: f"{seen[0].name}, {seen[1]}",
)
def test_letters_may_be_twice_as_large(large_letters: Browser, house: Site, seen: tuple[State, str]) -> None:
    """Announcements and their players can be recorded with them, too."""
    state, lang = seen
    with reached(large_letters, house, state, View(lang, "light", SMALL_PHONE)) as page:
        assert letter_size(page) >= 32
        page.evaluate("() => document.querySelector('#more')?.setAttribute('open', '')")
        fits(page, SMALL_PHONE, PHONE, DESK)


def test_the_browser_takes_every_declaration_of_the_style_sheet(chromium: Browser, site: Site) -> None:
    """A browser drops a declaration that it cannot read without any message."""
    sheet = re.sub(r"/\*.*?\*/|@page[^}]*}", "", site_files()[STYLES].content.decode(), flags=re.S)
    blocks = re.findall(r"{([^{}]*)}", sheet)
    declarations = [
        tuple(map(str.strip, one.split(":", 1))) for block in blocks for one in block.split(";") if ":" in one
    ]
    declarations = [(name, value) for name, value in declarations if value]  # a switch that is off is empty
    assert len(declarations) > 500
    with window(chromium, site) as page:
        left_out = page.evaluate(
            "told => told.filter(([name, value]) => !CSS.supports(name, value.replace('!important', '')))", declarations
        )
    assert left_out == []
