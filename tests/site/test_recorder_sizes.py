"""Check that the recorder is complete in every window: all keys, plates and cards are visible at once, and stay put."""

from itertools import product
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.covering import sample
from tests.site.browser import ARGUMENTS, PHONE, SMALL_PHONE, Site, script, serving
from tests.site.house import LONG_NAMES
from tests.site.states import LANGUAGES
from tests.site.tapping import CUT_OFF, acts_of, all_sent, comes_to_stand, recording, table_of

BROWSER_BARS = (360, 620)
SIZES = (SMALL_PHONE, BROWSER_BARS, (740, 360), (667, 375), PHONE)

TABLES = (
    "kop-play", "kop-trick", "couillon-mit", "couillon-six", "couillon-eight", "ombre-play", "ombre-names",
    "quadrille-play",
)  # fmt: skip

LETTERS = {130: 21, 150: 24, 200: 32}  # the browser's setting in percent: pixels

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


@pytest.mark.parametrize(
    ("percent", "tables"),
    [(200, ("quadrille-play", "kop-play")), *(pytest.param(one, TABLES, marks=pytest.mark.soak) for one in LETTERS)],
)
def test_the_recorder_is_whole_in_large_letters(
    chromium: Browser, program: str, house: Site, percent: int, tables: tuple[str, ...]
) -> None:
    letters = f"--blink-settings=defaultFontSize={LETTERS[percent]}"
    browser = chromium.browser_type.launch(executable_path=program, args=[*ARGUMENTS, letters])
    for table in tables:
        with recording(browser, house, table) as page:
            assert not_whole(page, PHONE) == {}, table
    browser.close()


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
    [
        ("kop", BROWSER_BARS),
        *(pytest.param(deal, size, marks=pytest.mark.soak) for deal in QUICK for size in SIZES),
    ],
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
