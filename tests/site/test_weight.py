"""Measure a first visit: the page with everything that it loads, in transferred bytes."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.covering import covering
from tests.site.browser import Site, window
from tests.site.states import LANGUAGES
from tests.site.tapping import without_worker

MOST = 60_000
"""The limit in bytes, headers included."""


ADDRESSES = (
    "/",
    "/t/rape-of-the-lock/1/24",
    "/t/opening-night-1/3",
    "/record/kop-play",
    "/record/ombre-play",
    "/statistics/standings",
)


@pytest.mark.parametrize(("address", "lang"), covering(ADDRESSES, LANGUAGES))
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
        whole = sum(size for _, size in loaded)
        print(f"{lang} {address}: {whole} bytes in {len(loaded)} files: {loaded}")
        assert whole < MOST, loaded
