"""Record whole deals on a phone without a connection: calls, exchange, a card turned up or called, the next deal."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.site import tapping
from tests.site.browser import script, serving

MEANT = {"card_turned": "The next card is turned up", "partner_called": "The next card is called"}


def tap_alone(page: Page, act: tapping.Event) -> None:
    """Record one act by what the page offers when nobody can say what may come."""
    waiting = tapping.unsent_count(page)
    if "seat" in act and _next_of(page, act) != act["seat"]:
        plate = page.locator(f"#mini .seat[value='{act['seat']}']")
        tapping.rested(page, plate)
        plate.click()
    if act["type"] in MEANT:
        meant = page.get_by_role("button", name=MEANT[act["type"]])
        tapping.rested(page, meant)  # or it counts as trembling, and the card as played
        meant.click()
        expect(meant).to_have_attribute("aria-pressed", "true")
    if act.get("card"):
        page.locator(f"button#key-{act['card']}").click()
    else:
        tapping.press_button(page, act)
    page.wait_for_function("count => Number(document.querySelector('#sent').dataset.count) > count", arg=waiting)


def _next_of(page: Page, act: tapping.Event) -> Any:
    """Return the seat that a tap would count for; the first card of a deal is forehand's."""
    lit = page.locator("#mini .seat[aria-current]")
    if act["type"] == "card_played" and not page.locator("#mini .lay").count():
        return json.loads(page.locator("#board").text_content() or "{}")["order"][0]
    return int(lit.get_attribute("value") or -1) if lit.count() else None


VUELTA, ALLIANCE = "ombre/02-vuelta-stopped.toml", "quadrille/01-alliance-won.toml"


@pytest.mark.parametrize(("replay", "most"), [
    (VUELTA, 11),
    pytest.param(tapping.KOP, None, marks=pytest.mark.soak),
    pytest.param(VUELTA, None, marks=pytest.mark.soak),
    pytest.param(ALLIANCE, None, marks=pytest.mark.soak),
])  # fmt: skip
def test_a_deal_goes_on_without_a_connection(chromium: Browser, tmp_path: Path, replay: str, most: int | None) -> None:
    """It goes to the last card, or until all kinds of acts and the first cards were tapped."""
    table, (started, first, *acts) = tapping.acts_of(replay)
    acts = acts[:most]
    ledger = tapping.table_of(tmp_path, table)
    with serving(ledger) as site, tapping.recording(chromium, site, allowed=tapping.CUT_OFF) as page:
        tapping.tap(page, started)
        page.context.set_offline(True)
        tapping.tap(page, first, settle=False)
        for act in acts:
            tap_alone(page, act)
        assert tapping.recorded(ledger) == [started]
        page.context.set_offline(False)
        tapping.all_sent(page)
        expect(page.locator("#trouble")).to_be_empty()
    assert tapping.recorded(ledger) == [started, first, *acts]


def test_the_next_deal_begins_without_a_connection_after_the_last_card(chromium: Browser, tmp_path: Path) -> None:
    ledger = tapping.table_of(tmp_path, tapping.TABLE, *tapping.ACTS[:-4])
    begun = {"type": "deal_started", "deal": 2, "dealer": 0}
    called = {"type": "bid_made", "seat": 1, "call": "pass"}
    with serving(ledger) as site, tapping.recording(chromium, site, allowed=tapping.CUT_OFF) as page:
        page.context.set_offline(True)
        for act in tapping.ACTS[-4:]:
            tapping.tap(page, act, settle=False)
        expect(page.locator("#next")).to_have_text("Deal 2 begins, Ada deals")
        tap_alone(page, begun)
        expect(page.locator(".hole")).to_have_count(0)
        tap_alone(page, called)
        page.context.set_offline(False)
        tapping.all_sent(page)
    assert tapping.recorded(ledger) == [*tapping.ACTS, begun, called]


def test_where_no_other_page_comes_the_first_deal_begins_on_this_one(chromium: Browser, tmp_path: Path) -> None:
    ledger = tapping.table_of(tmp_path, tapping.TABLE)
    with serving(ledger) as site, tapping.recording(chromium, site, allowed=tapping.CUT_OFF) as page:
        here = page.url
        page.context.set_offline(True)
        page.locator("#now a.main").click()
        begin = page.get_by_role("button", name="Deal 1 begins, Dan deals")
        expect(begin).to_be_visible()
        expect(page.locator("#trouble")).to_contain_text(
            "You can go on recording here; other pages open when it is back."
        )
        page.get_by_role("link", name="Leave").click()
        begin.click()
        page.wait_for_selector("#sent[data-count='1']")
        for act in tapping.ACTS[1:3]:
            tap_alone(page, act)
        assert page.url == here
        page.context.set_offline(False)
        tapping.all_sent(page)
        page.get_by_role("link", name="Leave").click()
        page.wait_for_url(f"{site.url}/record")
    assert tapping.recorded(ledger) == tapping.ACTS[:3]


LOW = (320, 360)
"""A window so low that a band pushes the keys aside."""

TAPPED_AT_ONCE = script("tapped_at_once.js")


def test_a_tap_is_not_taken_where_a_band_has_just_moved_the_keys(chromium: Browser, tmp_path: Path) -> None:
    """The tap was meant for another card; the page says so, and takes the next tap."""
    ledger = tapping.table_of(tmp_path, tapping.TABLE, *tapping.ACTS[:8])
    with serving(ledger) as site, tapping.recording(chromium, site, allowed=tapping.CUT_OFF, size=LOW) as page:
        page.context.set_offline(True)
        page.evaluate(TAPPED_AT_ONCE, f"#key-{tapping.ACTS[10]['card']}")
        page.locator(f"button#key-{tapping.ACTS[8]['card']}").click()
        page.wait_for_selector("#trouble .offline")
        assert page.evaluate("() => window.found").endswith("Not recorded: the keys had just moved. Tap again.")
        expect(page.locator("#told")).to_contain_text("Not recorded")
        tapping.tap(page, tapping.ACTS[9], settle=False)
        expect(page.locator("#told")).not_to_contain_text("Not recorded")
        page.context.set_offline(False)
        tapping.all_sent(page)
    assert tapping.recorded(ledger) == tapping.ACTS[:10]
