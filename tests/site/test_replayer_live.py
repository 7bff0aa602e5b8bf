"""Watch a deal in real browsers while it is played: a reader at the end follows, one who has stepped back stays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

import ledger
from tests.site.browser import DESK, PHONE, Site, serving, window
from tests.web.serving import OMBRE, ledger_with, record

TABLE = "fri-1"


def play(live: Site, *events: Mapping[str, Any]) -> None:
    """Record the next acts at the table while others watch."""
    with ledger.open(live.ledger) as store:
        record(store, TABLE, *events)


PASSES = ({"type": "bid_made", "seat": 1, "call": "pass"}, {"type": "bid_made", "seat": 2, "call": "pass"})
VOID = {"type": "deal_voided", "reason": "a card was seen"}
NEXT = {"type": "deal_started", "deal": 2, "dealer": 0}


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Site]:
    """Serve a table to viewers. On this machine anyone may see hands, so `--no-loopback --public` makes everyone a
    viewer.
    """
    with serving(ledger_with(tmp_path, {TABLE: OMBRE}), "--no-loopback", "--public") as site:
        yield site


def test_who_is_at_the_end_goes_along_and_who_is_not_stays(chromium: Browser, live: Site) -> None:
    with window(chromium, live, PHONE) as first, window(chromium, live, DESK) as second:
        first.goto(f"{live.url}/t/{TABLE}/1")
        second.goto(f"{live.url}/t/{TABLE}/1/1")
        expect(first.locator("#replay")).to_have_attribute("data-step", "3")
        expect(first.locator(".note")).to_contain_text("This deal is being played")
        expect(first.locator("#td")).to_contain_text("Ben holds 9 unknown")
        assert "HK" not in first.content() and "king of" not in first.content()
        first.locator("#keep summary").click()

        play(live, PASSES[0])
        expect(first.locator("#replay")).to_have_attribute("data-step", "4")
        expect(first.locator("#told span").first).to_contain_text("Ben pass. Also legal")
        expect(first).to_have_url(f"{live.url}/t/{TABLE}/1/4")
        expect(first.locator("#keep")).to_have_attribute("open", "")
        news = second.locator("#news")
        expect(news).to_be_visible()
        expect(news).to_contain_text("1 new")
        expect(second.locator("#replay")).to_have_attribute("data-step", "1")
        expect(second.locator("#replay")).to_have_attribute("data-last", "4")
        expect(second.locator("#told span").first).to_have_text("Cleo deals.")

        play(live, PASSES[1])
        expect(news).to_contain_text("2 new")
        second.get_by_role("button", name="Next").click()
        expect(second.locator("#replay")).to_have_attribute("data-step", "2")
        expect(news).to_contain_text("2 new")
        news.click()
        expect(second.locator("#replay")).to_have_attribute("data-step", "5")
        expect(news).to_be_hidden()
        expect(second).to_have_url(f"{live.url}/t/{TABLE}/1/5")
        play(live, {"type": "trump_named", "seat": 0, "suit": "S"})
        expect(second.locator("#replay")).to_have_attribute("data-step", "6")


def test_hands_open_by_themselves_when_the_deal_does(chromium: Browser, live: Site) -> None:
    with window(chromium, live, PHONE, at=f"/t/{TABLE}/1/2") as page:
        expect(page.locator("#td")).to_contain_text("Ben holds 9 unknown")
        play(live, VOID, {"type": "hands_opened", "deal": 1})
        expect(page.locator("#td")).to_contain_text("Ben holds spades K Q J")
        expect(page.locator("#replay")).to_have_attribute("data-step", "2")
        expect(page.locator("#result")).to_have_text("Result: voided")
        play(live, NEXT)
        follow = page.locator("#next-deal")
        expect(follow).to_have_text("Deal 2 has begun")
        follow.click()
        expect(page.locator("h1")).to_have_text(f"{TABLE}, deal 2")


def test_a_lost_connection_shows_a_notice_and_nothing_is_missed(chromium: Browser, live: Site) -> None:
    lost = ["net::", "Failed to fetch"]
    with window(chromium, live, PHONE, allowed=lost, at=f"/t/{TABLE}/1") as page:
        page.context.set_offline(True)
        port = live.url.rpartition(":")[2]
        play(live, PASSES[0])
        live.process.terminate()
        live.process.join(20)
        expect(page.locator("#lost")).to_contain_text("Not connected")
        expect(page.locator("#replay")).to_have_attribute("data-step", "3")
        with serving(live.ledger, "--no-loopback", "--public", port=int(port)):
            page.context.set_offline(False)
            expect(page.locator("#replay")).to_have_attribute("data-step", "4")
            expect(page.locator("#lost")).to_be_empty()


def test_an_announced_step_is_fetched_again_after_a_failure(chromium: Browser, live: Site) -> None:
    with window(chromium, live, PHONE, allowed=["net::", "Failed to fetch"], at=f"/t/{TABLE}/1") as page:
        page.route("**/1/last*", lambda route: route.abort(), times=1)
        play(live, PASSES[0])
        expect(page.locator("#lost")).to_contain_text("Not connected")
        expect(page.locator("#replay")).to_have_attribute("data-step", "4")
        expect(page.locator("#lost")).to_be_empty()


def test_the_page_of_a_table_goes_along(chromium: Browser, live: Site) -> None:
    with window(chromium, live, PHONE, at=f"/t/{TABLE}") as page:
        expect(page.get_by_role("link", name="Watch")).to_be_visible()
        expect(page.locator("tr.now")).to_have_count(1)
        play(live, VOID, NEXT)
        expect(page.locator("tbody tr")).to_have_count(3)
        expect(page.locator("tbody tr").first).to_contain_text("voided")
        page.get_by_role("link", name="Watch").click()
        expect(page.locator("h1")).to_have_text(f"{TABLE}, deal 2")
