"""Record whole deals on a phone: by taps, by keyboard alone, with two taps a card, in Japanese; hands are saved on the
device.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

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
    acts_of,
    all_sent,
    goes_on,
    opened,
    record_at,
    recorded,
    recording,
    rested,
    table_of,
    tap,
    tap_card,
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
    """Move to the control of an act with the Tab key, and press it."""
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
        assert stored_hand_count(page) == 1
        tap(page, CARDS[-1])
        page.reload()
        page.wait_for_selector("#sent[data-count]")
        assert stored_hand_count(page) == 0


def shows(page: Page, held: list[str]) -> None:
    """Wait until the keys show exactly these cards as the hand; another seat's hand has as many."""
    shown = "[...document.querySelectorAll('#keys.in-hand .key.held')].map(one => one.value).sort()"
    page.wait_for_function(f"held => {shown}.join() === held.sort().join()", arg=held)


def stored_hand_count(page: Page) -> int:
    """Return the number of tables whose hands the device has saved."""
    count: int = page.evaluate(script("stored_hand_count.js"))
    return count


_WATCHED = script("moved.js")


@pytest.mark.parametrize(
    ("replay", "most"),
    [
        (KOP, 11),
        pytest.param(KOP, None, marks=pytest.mark.soak),
        pytest.param("ombre/rape-of-the-lock.toml", None, marks=pytest.mark.soak),
    ],
    ids=["kop to the end of a trick", "kop", "ombre"],
)
def test_a_whole_deal_is_recorded_by_taps_and_seen_by_another_phone(
    chromium: Browser, tmp_path: Path, replay: str, most: int | None
) -> None:
    table, acts = acts_of(replay)
    acts = acts[:most]
    path = table_of(tmp_path, table)
    with serving(path) as site, recording(chromium, site) as page, recording(chromium, site) as other:
        for number, act in enumerate(acts):
            tap(page, act)
            version = number + 2
            other.wait_for_function(
                "version => JSON.parse(document.querySelector('#board').textContent).version >= version", arg=version
            )
        all_sent(page)
    assert recorded(path) == acts


def test_a_page_that_is_drawn_anew_leaves_in_place_what_is_the_same(chromium: Browser, tmp_path: Path) -> None:
    """An element that is moved loses the focus and a tap that has begun on it."""
    path = table_of(tmp_path, TABLE, *CALLS)
    with serving(path) as site, recording(chromium, site) as page:

        def drawn_anew_with(more: str) -> list[str]:
            """Which parts of the page were moved when it was asked for, and `more` was too much."""
            page.evaluate(f"document.querySelector('#now').prepend({more})")
            page.evaluate(_WATCHED)
            with page.expect_response("**/record/thursday/now"):
                page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
            page.wait_for_function("() => document.querySelector('#now').firstChild.nodeName !== '#text'")
            page.wait_for_function("() => document.querySelector('#now > p') === null")
            moved: list[str] = page.evaluate("window.moved")
            return moved

        drawn_anew_with("''")  # blanks of the first page and a later part may differ
        assert drawn_anew_with("'\\n'") == []
        page.locator("#keys button.key").first.focus()
        key = page.evaluate("document.activeElement.id")
        assert "keys" not in drawn_anew_with("document.createElement('p')")
        assert page.evaluate("document.activeElement.id") == key


def test_cards_are_recorded_by_the_keyboard_alone_and_by_two_taps(chromium: Browser, tmp_path: Path) -> None:
    path = table_of(tmp_path, TABLE, *CALLS)
    with serving(path) as site, recording(chromium, site) as page:
        page.locator(f"#key-{CARDS[0]['card']}").focus()
        page.keyboard.press("Enter")
        page.wait_for_selector(f"span#key-{CARDS[0]['card']}")
        assert page.evaluate("document.activeElement.matches('#keys .key')")
        goes_on(page, len(CALLS) + 1)
        page.evaluate("localStorage.setItem('trickledger.two-taps', '1')")
        key = page.locator(f"#key-{CARDS[1]['card']}")
        key.click()
        expect(key).to_have_attribute("aria-pressed", "true")
        for _ in range(2):  # a redrawn page says it, too
            expect(page.locator("#told")).to_contain_text("tap again")
            with page.expect_response("**/now"):
                page.evaluate("dispatchEvent(new Event('online'))")
            page.evaluate("() => new Promise(requestAnimationFrame)")
        rested(page, key)
        assert len(recorded(path)) == len(CALLS) + 1
        key.click()
        page.wait_for_selector(f"span#key-{CARDS[1]['card']}")
        all_sent(page)
        page.locator("#undo[data-undo]").click()
        page.wait_for_selector(f"button#key-{CARDS[1]['card']}")
        all_sent(page)
    events = recorded(path)
    assert events[:-1] == [*CALLS, *CARDS[:2]]
    assert events[-1]["type"] == "corrected"


def test_a_misfit_is_explained_in_japanese(chromium: Browser, tmp_path: Path) -> None:
    path = table_of(tmp_path, TABLE, *CALLS)
    with serving(path) as site, recording(chromium, site, allowed=CUT_OFF, locale="ja") as page:
        tap_card(page, 2, "SQ")
        expect(page.get_by_role("alertdialog")).to_contain_text("合いません")
        page.get_by_role("button", name="このとおりに起きた").click()
        all_sent(page)
    assert recorded(path)[-1] == {"type": "card_played", "seat": 2, "card": "SQ"}
