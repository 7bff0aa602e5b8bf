"""Check that pages and the recorder are complete in every window, and pages with letters twice as large."""

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
from playwright.sync_api import Browser, Page

from ledger.text.site.files import STYLES, site_files
from tests.covering import IS_SOAK, covering, sample, wider_in_soak
from tests.site.browser import ARGUMENTS, DESK, PHONE, SMALL_PHONE, Site, script, serving, sideways, window
from tests.site.fitness import cut_texts, overlapping_texts
from tests.site.house import LONG_NAMES
from tests.site.states import LANGUAGES, STATES, State, View, reached
from tests.site.tapping import CUT_OFF, acts_of, all_sent, comes_to_stand, recording, table_of, without_worker
from tests.web.lists import section

SEEN: Final = Path(__file__).with_name("seen.txt")
REPLAYED: Final = section(SEEN, "whole")
"""The first page, and deals of three, four, six and eight players."""

CASE: Final = "/api/v1/tables/ombre-revoke/disputes/39/case"

LEAST_CARD_PX: Final = 14


class Viewport(NamedTuple):
    """A window size and the reader's letter size."""

    width: int
    height: int
    letters_px: int = 16


BROWSER_BARS: Final = (360, 620)
SIZES: Final = (SMALL_PHONE, BROWSER_BARS, (740, 360), (667, 375), PHONE)
LOOKS: Final = [Viewport(*size) for size in SIZES[:4]] + [Viewport(*PHONE, letters_px) for letters_px in (21, 24, 32)]


@pytest.mark.parametrize(("address", "lang"), covering([*REPLAYED, CASE], LANGUAGES))
def test_a_page_is_whole_in_every_window(chromium: Browser, house: Site, address: str, lang: str) -> None:
    """At rest the whole picture and the dock are visible together, and nothing covers a card."""
    with window(chromium, house, locale=lang, at=address) as page:
        line = page.context.new_cdp_session(page)
        for look in LOOKS:
            line.send("Page.setFontSizes", {"fontSizes": {"standard": look.letters_px}})
            page.set_viewport_size({"width": look.width, "height": look.height})
            letters_px = page.evaluate("() => parseFloat(getComputedStyle(document.body).fontSize)")
            assert letters_px >= look.letters_px, "the reader's letters were not taken"
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

RECORDED: Final = dict(line.split(" | ") for line in section(SEEN, "recorded"))
"""Pages to record with, and a language for each."""


@pytest.fixture(scope="module")
def large_letters(chromium: Browser, program: str) -> Iterator[Browser]:
    """Return the browser of a reader whose letters are twice as large as usual."""
    browser = chromium.browser_type.launch(
        executable_path=program, args=[*ARGUMENTS, "--blink-settings=defaultFontSize=32"]
    )
    yield browser
    browser.close()


def fits(page: Page, *sizes: tuple[int, int]) -> None:
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        assert sideways(page) == 0
        assert cut_texts(page) == []
        assert overlapping_texts(page) == []


@pytest.mark.parametrize("seen", [
    *sample([(state, LANGUAGES[number % 2]) for number, state in enumerate(READ)], 5),
    *sample([(state, lang) for name, lang in RECORDED.items() for state in STATES if state.name == name], 3),
], ids=lambda seen: f"{seen[0].name}, {seen[1]}")  # fmt: skip
def test_letters_may_be_twice_as_large(large_letters: Browser, house: Site, seen: tuple[State, str]) -> None:
    """Announcements and their players can be recorded with them, too."""
    state, lang = seen
    with reached(large_letters, house, state, View(lang, "light", SMALL_PHONE)) as page:
        assert float(page.evaluate("() => parseFloat(getComputedStyle(document.documentElement).fontSize)")) >= 32
        page.evaluate("() => document.querySelector('#more')?.setAttribute('open', '')")
        fits(page, SMALL_PHONE, PHONE, DESK)


def test_the_browser_takes_every_declaration_of_the_style_sheet(chromium: Browser, site: Site) -> None:
    """A browser drops a declaration that it cannot read without any message."""
    sheet = re.sub(r"/\*.*?\*/|@page[^}]*}", "", site_files()[STYLES].content.decode(), flags=re.S)
    blocks = re.findall(r"{([^{}]*)}", sheet)
    declarations = [tuple(map(str.strip, it.split(":", 1))) for block in blocks for it in block.split(";") if ":" in it]
    declarations = [(name, value) for name, value in declarations if value]  # a switch that is off is empty
    assert len(declarations) > 500
    with window(chromium, site) as page:
        left_out = page.evaluate(
            "told => told.filter(([name, value]) => !CSS.supports(name, value.replace('!important', '')))", declarations
        )
    assert left_out == []


TABLES: Final = section(SEEN, "recorders")

_WHOLE = script("whole.js")
_KEYS = script("key_places.js")


def not_whole(page: Page, *sizes: tuple[int, int]) -> dict[tuple[int, int], list[str]]:
    """Return the invisible parts by window size."""
    hidden = {}
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        hidden[width, height] = page.evaluate(_WHOLE)
    return {size: faults for size, faults in hidden.items() if faults}


@pytest.mark.parametrize("seen", sample(list(product(TABLES, LANGUAGES)), 4), ids="-".join)
def test_the_recorder_is_whole_in_every_window(chromium: Browser, house: Site, seen: tuple[str, str]) -> None:
    table, lang = seen
    with recording(chromium, house, table, locale=lang) as page:
        assert not_whole(page, *SIZES) == {}


@pytest.mark.parametrize("table", ["quadrille-play", "kop-play"])
def test_unsent_acts_and_all_keys_are_visible(chromium: Browser, house: Site, table: str) -> None:
    with recording(chromium, house, table, allowed=CUT_OFF) as page:
        page.context.set_offline(True)
        page.locator("#keys .key:not(.odd)").first.click()
        page.wait_for_selector("#trouble .offline")
        hidden = not_whole(page, *SIZES)
        if table == "quadrille-play":  # on the smallest phone forty keys and the band leave room for the plates alone
            hidden = {
                size: faults
                for size, faults in hidden.items()
                if size != SMALL_PHONE or any("card" not in one for one in faults)
            }
        assert hidden == {}


@wider_in_soak
def test_the_recorder_is_whole_in_large_letters(large_letters: Browser, house: Site) -> None:
    for table in TABLES if IS_SOAK else ("quadrille-play", "kop-play"):
        with recording(large_letters, house, table) as page:
            assert not_whole(page, PHONE) == {}, table


PACE_MS = 250  # of somebody who types a deal from a sheet

QUICK = {
    "kop": "kop/04-kontra-re-losers-have-25",
    "ombre": "ombre/rape-of-the-lock",
    "couillon": "couillon/37-match-eight32-points",
    "quadrille": "quadrille/01-alliance-won",
    "six": "couillon/34-match-six32-points",
}
LONG = (*LONG_NAMES, *(f"{name} {number}" for number, name in enumerate(LONG_NAMES)), "Ana Belén", "José Antonio")


@pytest.mark.parametrize(
    ("deal", "size"),
    [("kop", BROWSER_BARS), *(pytest.param(deal, size, marks=pytest.mark.soak) for deal in QUICK for size in SIZES)],
)
def test_quick_taps_lose_and_move_nothing(chromium: Browser, tmp_path: Path, deal: str, size: tuple[int, int]) -> None:
    """The taps go blindly to the places where the keys were at first, partly without a connection."""
    opened, before, cards = _deal_of(QUICK[deal])
    ledger = table_of(tmp_path, opened, *before)
    with serving(ledger) as site, recording(chromium, site, size=size, allowed=CUT_OFF) as page:
        places = page.evaluate(_KEYS)
        for number, event in enumerate(cards):
            page.context.set_offline(len(cards) < 3 * number < 2 * len(cards))
            page.touchscreen.tap(*places[event["card"]])
            page.wait_for_timeout(PACE_MS)
            seen = page.evaluate(_KEYS)
            assert seen in (places, {}), number
        all_sent(page)
        comes_to_stand(page, ledger, [*before, *cards])


def _deal_of(replay: str) -> tuple[dict[str, Any], list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the opening of the table with long names, the acts before the first card, and the cards in a row."""
    opened, acts = acts_of(f"{replay}.toml")
    kinds = [act["type"] for act in acts]
    first = kinds.index("card_played")
    end = next((place for place in range(first, len(acts)) if kinds[place] != "card_played"), len(acts))
    return opened | {"players": LONG[: len(opened["players"])]}, acts[:first], acts[first:end]


LIGHT_BYTES: Final = 60_000
"""The limit of a first visit, headers included."""


@pytest.mark.parametrize(("address", "lang"), covering(section(SEEN, "light"), LANGUAGES))
def test_a_first_page_is_light(chromium: Browser, house: Site, address: str, lang: str) -> None:
    with window(chromium, house, locale=lang) as page:
        without_worker(page)
        line = page.context.new_cdp_session(page)
        line.send("Network.enable")
        names: dict[str, str] = {}
        sizes: dict[str, int] = {}
        line.on("Network.responseReceived", lambda one: names.update({one["requestId"]: one["response"]["url"]}))
        line.on("Network.loadingFinished", lambda one: sizes.update({one["requestId"]: one["encodedDataLength"]}))
        page.goto(f"{house.url}{address}")
        before = -1
        while len(sizes) > before or address not in (names[one].removeprefix(house.url) for one in sizes):
            before = len(sizes)
            page.wait_for_timeout(700)
        loaded = sorted((names[one].removeprefix(house.url), round(size)) for one, size in sizes.items())
        assert dict(loaded)[address] > 1_000
        assert sum(size for _, size in loaded) < LIGHT_BYTES, loaded
