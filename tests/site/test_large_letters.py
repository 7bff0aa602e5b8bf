"""Letters twice as large as usual, as somebody chose in his browser: nothing is cut, overlaps or leaves the window."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.covering import sample
from tests.site.browser import ARGUMENTS, DESK, PHONE, SMALL_PHONE, Site, sideways
from tests.site.fitness import cut_texts, overlapping_texts
from tests.site.states import LANGUAGES, STATES, State, View, reached

READ = [
    state
    for state in STATES
    if state.route.startswith(("/t/", "/embed/", "/tables", "/sessions/", "/rules", "/settings")) or state.route == "/"
]
"""What people read."""

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
"""What they record with, and a language for each."""


@pytest.fixture(scope="module")
def large_letters(chromium: Browser, program: str) -> Iterator[Browser]:
    """The browser of a reader whose letters are twice as large as usual."""
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
    """What is said and who says it can be recorded in them, too."""
    state, lang = seen
    with reached(large_letters, house, state, View(lang, "light", SMALL_PHONE)) as page:
        assert letter_size(page) >= 32
        page.evaluate("() => document.querySelector('#more')?.setAttribute('open', '')")
        fits(page, SMALL_PHONE, PHONE, DESK)
