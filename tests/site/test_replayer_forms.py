"""Every game and every form of it in a real browser: three, four, six and eight seats fit the smallest phone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.site.browser import DESK, SMALL_PHONE, Site, serving, sideways, violations, window
from tests.web.lists import lines_in
from tests.web.serving import ledger_of

REPLAYS = Path(__file__).parents[2] / "replays"

FORMS = [line.split() for line in lines_in(Path(__file__).with_name("forms.txt"))]


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with serving(ledger_of(tmp_path_factory.mktemp("games"), *(REPLAYS / one[0] for one in FORMS))) as site:
        yield site


LOOKS = {"en": SMALL_PHONE, "ja": DESK}
SHOWN = [
    pytest.param(table, deal, int(seats), lang, marks=() if often and lang == "en" else pytest.mark.soak)
    for lang in LOOKS
    for record, table, deal, seats, *often in FORMS
]
"""The others, and all on a desk and in Japanese, in `make soak`."""


@pytest.mark.parametrize(("table", "deal", "seats", "lang"), SHOWN)
def test_a_deal_of_each_form_is_replayed(
    chromium: Browser, games: Site, table: str, deal: str, seats: int, lang: str
) -> None:
    with window(chromium, games, LOOKS[lang], locale=lang, at=f"/t/{table}/{deal}/0") as page:
        replay = page.locator("#replay")
        assert page.locator("#picture .plate").count() == seats
        first, *stops = (replay.get_attribute("data-stops") or "").split()
        for stop in stops:
            page.keyboard.press("ArrowDown")
            expect(replay).to_have_attribute("data-step", stop)
            assert sideways(page) == 0
        assert (first, stops[-1]) == ("0", replay.get_attribute("data-last"))
        assert violations(page) == []
