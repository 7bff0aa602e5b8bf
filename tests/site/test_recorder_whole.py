"""What takes a whole deal on the phone: the keyboard alone, hands kept on the device."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from ledger.events import CardsDealt
from tests.hand_records import REPLAYS, record_in, table_events
from tests.site.browser import script, serving, token_of, window
from tests.site.tapping import (
    ACTS,
    CALLS,
    CARDS,
    CUT_OFF,
    KOP,
    TABLE,
    all_sent,
    goes_on,
    opened,
    record_at,
    recorded,
    recording,
    table_of,
    tap,
    version_of,
    without_worker,
)


@pytest.mark.parametrize("most", [len(CALLS) + 4, pytest.param(None, marks=pytest.mark.soak)], ids=["trick", "deal"])
def test_a_deal_is_recorded_by_the_keyboard_alone(chromium: Browser, tmp_path: Path, most: int | None) -> None:
    path = table_of(tmp_path, TABLE, ACTS[0])
    with serving(path) as site, recording(chromium, site) as page:
        for act in ACTS[1:most]:
            press(page, act)
        all_sent(page)
    assert recorded(path) == ACTS[:most]


def press(page: Page, act: dict[str, Any]) -> None:
    """Goes to what stands for an act by the tab key, as far as needed, and presses it."""
    version = version_of(page)
    wanted = f"key-{act['card']}" if act["type"] == "card_played" else None
    for _ in range(80):
        if page.evaluate(script("is_focused.js"), [wanted, act]):
            break
        page.keyboard.press("Tab")
    else:
        raise AssertionError(f"the tab key does not reach {act}")
    page.keyboard.press("Enter")
    goes_on(page, version)


def test_hands_typed_on_a_phone_stay_there_until_the_deal_opens(chromium: Browser, tmp_path: Path) -> None:
    events = table_events(record_in(REPLAYS / KOP))
    dealt = next(event for event in events if isinstance(event, CardsDealt))
    path = table_of(tmp_path, TABLE, ACTS[0])
    with serving(path, "--no-loopback") as site, window(chromium, site, allowed=CUT_OFF) as page:
        without_worker(page)
        page.goto(f"{site.url}/sign-in#{token_of(path, 'ann', 'recorder')}")
        page.wait_for_url(lambda url: "sign-in" not in url)
        opened(page, site.url)
        page.locator("#more > summary").click()
        page.get_by_role("button", name="Type the hands").click()
        for seat, hand in enumerate(dealt.hands):
            page.locator(f"#hands .whose[value='{seat}']").click()
            for card in hand or ():
                page.locator(f"#hand-keys .key[value={card}]").click()
        version = version_of(page)
        page.locator("#hands-done").click()
        goes_on(page, version)
        record_at(path, *CALLS[1:], by="ann")
        held = sorted(dealt.hands[CARDS[0]["seat"]] or ())
        shows(page, held)
        page.reload()
        shows(page, held)
        fragment = page.evaluate("async () => (await fetch('/record/thursday/now')).text()")
        assert "in-hand" not in fragment, "the server does not give back what was typed"
        tap(page, CARDS[0])
        record_at(path, *CARDS[1:-1], by="ann")
        page.wait_for_selector(f"span#key-{CARDS[-2]['card']}", state="attached")
        assert kept_hands(page) == 1
        tap(page, CARDS[-1])
        page.reload()
        page.wait_for_selector("#sent[data-count]")
        assert kept_hands(page) == 0


def shows(page: Page, held: list[str]) -> None:
    """Until these cards are the hand on the keys: another seat's has as many."""
    shown = "[...document.querySelectorAll('#keys.in-hand .key.held')].map(one => one.value).sort()"
    page.wait_for_function(f"held => {shown}.join() === held.sort().join()", arg=held)


def kept_hands(page: Page) -> int:
    """How many tables' hands the device keeps."""
    count: int = page.evaluate(script("kept_hands.js"))
    return count
