"""Check the announcements of a screen reader: all texts of the polite live region, in order, for one whole deal.

The texts are in files beside this one; read a change of them as somebody will hear it.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.site.browser import Site, script, serving, window
from tests.site.states import LANGUAGES
from tests.site.tapping import REPLAYS, acts_of, opened, table_of, tap, without_worker
from tests.web.serving import ledger_of

DEAL = "kop/04-kontra-re-losers-have-25.toml"
TABLE = "kop-example-04-kontra-re-losers-have-25"


def in_each_language(chosen: str) -> pytest.MarkDecorator:
    """Return marks for the chosen language in `make test` and for the others in `make soak`."""
    marks = {lang: () if lang == chosen else pytest.mark.soak for lang in LANGUAGES}
    return pytest.mark.parametrize("lang", [pytest.param(lang, marks=marks[lang]) for lang in LANGUAGES])


_HEARD = script("heard.js")


@pytest.fixture(scope="module")
def replayed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with serving(ledger_of(tmp_path_factory.mktemp("heard"), REPLAYS / DEAL)) as site:
        yield site


def golden(what: str, lang: str) -> str:
    return (Path(__file__).parent / f"heard-{what}-{lang}.txt").read_text(encoding="utf-8")


def heard(page: Page, least: int) -> str:
    """Return all announcements once there are this many and nothing follows."""
    page.wait_for_function("least => window.heard.length >= least", arg=least)
    page.wait_for_timeout(300)
    texts: list[str] = page.evaluate("() => window.heard")
    return "".join(f"{one}\n" for one in texts)


@in_each_language("ja")
def test_a_replay_is_heard_act_by_act(chromium: Browser, replayed: Site, lang: str) -> None:
    with window(chromium, replayed, locale=lang, at=f"/t/{TABLE}/1/0") as page:
        page.evaluate(_HEARD)
        assert page.locator("[role=status], [aria-live]").count() == 1
        page.evaluate("() => { window.first = document.getElementById('told'); }")
        last = int(page.locator("#step").get_attribute("max") or 0)
        assert last == 24
        for step in range(1, last + 1):
            page.keyboard.press("ArrowRight")
            page.wait_for_function("step => document.querySelector('.where b').textContent === String(step)", arg=step)
        assert page.evaluate("() => window.first === document.getElementById('told')"), "it stays in its place"
        awaited = golden("replayed", lang)
        assert heard(page, awaited.count("\n")) == awaited


@in_each_language("en")
def test_a_deal_that_is_recorded_is_heard_act_by_act(chromium: Browser, tmp_path: Path, lang: str) -> None:
    table, (started, *acts) = acts_of(DEAL)
    path = table_of(tmp_path, table, started)
    with serving(path) as site, window(chromium, site, locale=lang) as page:
        without_worker(page)
        opened(page, site.url)
        page.evaluate(_HEARD)
        for act in acts:
            tap(page, act)
        awaited = golden("recorded", lang)
        assert heard(page, awaited.count("\n")) == awaited


@in_each_language("ja")
def test_a_first_tap_and_a_suit_led_are_announced_in_words(chromium: Browser, tmp_path: Path, lang: str) -> None:
    table, acts = acts_of("ombre/revoke.toml")
    led = next(place for place, act in enumerate(acts) if act["type"] == "card_played")
    path = table_of(tmp_path, table, *acts[: led + 1])
    with serving(path) as site, window(chromium, site, locale=lang) as page:
        without_worker(page)
        page.goto(f"{site.url}/sign-in")
        page.evaluate("localStorage.setItem('trickledger.two-taps', '1')")
        opened(page, site.url)
        page.evaluate(_HEARD)
        key = page.locator("#keys .key:not(.odd)").first
        key.click()
        announced = heard(page, 2)
        assert not set("♠♥♦♣") & set(announced), announced
        assert str(key.get_attribute("aria-label")) in announced
