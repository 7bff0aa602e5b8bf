"""What a first visit takes over the line: the page with everything that it loads, as it is transferred."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.site.browser import Site, serving, window
from tests.site.house import house_of
from tests.site.tapping import without_worker

MOST = 60_000
"""Bytes, headers included."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with serving(house_of(tmp_path_factory.mktemp("weighed"))) as site:
        yield site


@pytest.mark.parametrize(
    "address", ["/", "/t/rape-of-the-lock/1/24", "/t/opening-night-1/3", "/record/kop-play", "/record/ombre-play"]
)
@pytest.mark.parametrize("lang", ["en", "ja"])
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
        told = sorted((names[one].removeprefix(house.url), round(size)) for one, size in sizes.items())
        assert dict(told)[address] > 1_000
        whole = sum(size for _, size in told)
        print(f"{lang} {address}: {whole} bytes in {len(told)} files: {told}")
        assert whole < MOST, told
