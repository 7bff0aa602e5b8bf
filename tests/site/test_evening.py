"""An evening in real browsers: standings change while others record, and the result of four tables fits one page."""

import re
from pathlib import Path

from playwright.sync_api import Browser, expect

import ledger
from ledger.events import DealStarted, ResultRecorded, SessionClosed
from tests.site.browser import DESK, PROJECTOR, serving, window
from tests.web.pages.test_evening import CLOSED, STREAMS, WON, of_ombre
from tests.web.serving import ledger_with, record


def test_standings_change_in_another_window_while_a_result_is_recorded(chromium: Browser, tmp_path: Path) -> None:
    streams = {**STREAMS, "fri-2": STREAMS["fri-2"][:-1]}
    with (
        serving(ledger_with(tmp_path, streams)) as site,
        window(chromium, site, PROJECTOR) as screen,
        window(chromium, site, DESK, at="/sessions/fri") as page,
    ):
        screen.goto(f"{site.url}/sessions/fri/standings")
        dora = screen.locator('tr[data-player="Dora"]')
        expect(dora.locator(".place")).to_contain_text("1")
        before = dora.locator(".pts").inner_text()
        expect(screen.locator("[role=status]")).to_contain_text("So far 2 deals")
        with ledger.open(site.ledger) as store:
            record(store, "fri-2", DealStarted(deal=2, dealer=0), ResultRecorded(outcome={**WON, "ombre": 1}))
        expect(dora).to_have_class(re.compile("changed"))
        expect(screen.locator("[role=status]")).to_contain_text("So far 3 deals")
        expect(dora.locator(".pts")).not_to_have_text(before)
        expect(screen.locator('tr[data-player="Ann"]')).not_to_have_class(re.compile("changed"))
        expect(page.locator("[role=status]")).to_contain_text("So far 3 deals")


def test_the_result_of_an_evening_is_one_page_of_paper(chromium: Browser, tmp_path: Path) -> None:
    records = sorted(Path("replays/session").glob("*.toml"))
    fourth = of_ombre("opening-night", ["Ann", "Ben", "Cleo"], WON, CLOSED)
    streams = {"opening-night-4": fourth, "session/opening-night": [SessionClosed()]}
    path = ledger_with(tmp_path, streams, *records)
    with serving(path) as site, window(chromium, site, DESK, at="/sessions/opening-night") as page:
        expect(page.get_by_role("heading", name="To read out")).to_be_visible()
        paper = page.pdf(prefer_css_page_size=True)
        assert len(re.findall(rb"/Type\s*/Page\b", paper)) == 1
        page.emulate_media(media="print")
        assert page.locator("nav:visible, button:visible").count() == 0
