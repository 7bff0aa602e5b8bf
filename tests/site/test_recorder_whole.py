"""Record whole deals on a phone: by taps, by keyboard, with two taps a card, in Japanese, with hands and misfits."""

from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from ledger.events import CardsDealt
from tests.hand_records import REPLAYS, record_in, table_events
from tests.site import tapping
from tests.site.browser import Site, script, serving, token_of, violations, window
from tests.site.test_taps import board_of
from tests.web.serving import ledger_with


@pytest.mark.parametrize(
    "most", [len(tapping.CALLS) + 4, pytest.param(None, marks=pytest.mark.soak)], ids=["trick", "deal"]
)
def test_a_deal_is_recorded_by_the_keyboard_alone(chromium: Browser, tmp_path: Path, most: int | None) -> None:
    path = tapping.table_of(tmp_path, tapping.TABLE, tapping.ACTS[0])
    with serving(path) as site, tapping.recording(chromium, site) as page:
        for act in tapping.ACTS[1:most]:
            press(page, act)
        tapping.all_sent(page)
    assert tapping.recorded(path) == tapping.ACTS[:most]


def press(page: Page, act: dict[str, Any]) -> None:
    """Move to the control of an act with the Tab key, and press it."""
    version = tapping.version_of(page)
    wanted = f"key-{act['card']}" if act["type"] == "card_played" else None
    for _ in range(80):
        if page.evaluate(script("is_focused.js"), [wanted, act]):
            break
        page.keyboard.press("Tab")
    else:
        raise AssertionError(f"the tab key does not reach {act}")
    page.keyboard.press("Enter")
    tapping.goes_on(page, version)


def test_hands_typed_on_a_phone_stay_there_until_the_deal_opens(chromium: Browser, tmp_path: Path) -> None:
    events = table_events(record_in(REPLAYS / tapping.KOP))
    dealt = next(event for event in events if isinstance(event, CardsDealt))
    path = tapping.table_of(tmp_path, tapping.TABLE, tapping.ACTS[0])
    with serving(path, "--no-loopback") as site, window(chromium, site, allowed=tapping.CUT_OFF) as page:
        tapping.without_worker(page)
        page.goto(f"{site.url}/sign-in#{token_of(path, 'ann', 'recorder')}")
        page.wait_for_url(lambda url: "sign-in" not in url)
        tapping.opened(page, site.url)
        page.locator("#more > summary").click()
        page.get_by_role("button", name="Type the hands").click()
        for seat, hand in enumerate(dealt.hands):
            page.locator(f"#hands .whose[value='{seat}']").click()
            for card in hand or ():
                page.locator(f"#hand-keys .key[value={card}]").click()
        version = tapping.version_of(page)
        page.locator("#hands-done").click()
        tapping.goes_on(page, version)
        tapping.record_at(path, *tapping.CALLS[1:], by="ann")
        held = sorted(dealt.hands[tapping.CARDS[0]["seat"]] or ())
        shows(page, held)
        page.reload()
        shows(page, held)
        fragment = page.evaluate("async () => (await fetch('/record/thursday/now')).text()")
        assert "in-hand" not in fragment, "the server does not give back what was typed"
        tapping.tap(page, tapping.CARDS[0])
        tapping.record_at(path, *tapping.CARDS[1:-1], by="ann")
        page.wait_for_selector(f"span#key-{tapping.CARDS[-2]['card']}", state="attached")
        assert stored_hand_count(page) == 1
        tapping.tap(page, tapping.CARDS[-1])
        page.reload()
        page.wait_for_selector("#sent[data-count]")
        assert stored_hand_count(page) == 0


def shows(page: Page, held: list[str]) -> None:
    """Wait until the keys show exactly these cards as the hand; another seat's hand has as many."""
    shown = "[...document.querySelectorAll('#keys.in-hand .key.held')].map(one => one.value).sort()"
    page.wait_for_function(f"held => {shown}.join() === held.sort().join()", arg=held)


def stored_hand_count(page: Page) -> int:
    count: int = page.evaluate(script("stored_hand_count.js"))
    return count


def test_a_page_that_is_drawn_anew_leaves_in_place_what_is_the_same(chromium: Browser, tmp_path: Path) -> None:
    """An element that is moved loses the focus and a tap that has begun on it."""
    path = tapping.table_of(tmp_path, tapping.TABLE, *tapping.CALLS)
    with serving(path) as site, tapping.recording(chromium, site) as page:

        def drawn_anew_with(more: str) -> list[str]:
            """Which parts of the page were moved when it was asked for, and `more` was too much."""
            page.evaluate(f"document.querySelector('#now').prepend({more})")
            page.evaluate(script("moved.js"))
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
    path = tapping.table_of(tmp_path, tapping.TABLE, *tapping.CALLS)
    with serving(path) as site, tapping.recording(chromium, site) as page:
        page.locator(f"#key-{tapping.CARDS[0]['card']}").focus()
        page.keyboard.press("Enter")
        page.wait_for_selector(f"span#key-{tapping.CARDS[0]['card']}")
        assert page.evaluate("document.activeElement.matches('#keys .key')")
        tapping.goes_on(page, len(tapping.CALLS) + 1)
        page.evaluate("localStorage.setItem('trickledger.two-taps', '1')")
        key = page.locator(f"#key-{tapping.CARDS[1]['card']}")
        key.click()
        expect(key).to_have_attribute("aria-pressed", "true")
        for _ in range(2):  # a redrawn page says it, too
            expect(page.locator("#told")).to_contain_text("tap again")
            with page.expect_response("**/now"):
                page.evaluate("dispatchEvent(new Event('online'))")
            page.evaluate("() => new Promise(requestAnimationFrame)")
        tapping.rested(page, key)
        assert len(tapping.recorded(path)) == len(tapping.CALLS) + 1
        key.click()
        page.wait_for_selector(f"span#key-{tapping.CARDS[1]['card']}")
        tapping.all_sent(page)
        page.locator("#undo[data-undo]").click()
        page.wait_for_selector(f"button#key-{tapping.CARDS[1]['card']}")
        tapping.all_sent(page)
    events = tapping.recorded(path)
    assert events[:-1] == [*tapping.CALLS, *tapping.CARDS[:2]]
    assert events[-1]["type"] == "corrected"


def test_a_misfit_is_explained_in_japanese(chromium: Browser, tmp_path: Path) -> None:
    path = tapping.table_of(tmp_path, tapping.TABLE, *tapping.CALLS)
    with serving(path) as site, tapping.recording(chromium, site, allowed=tapping.CUT_OFF, locale="ja") as page:
        tapping.tap_card(page, 2, "SQ")
        expect(page.get_by_role("alertdialog")).to_contain_text("合いません")
        page.get_by_role("button", name="このとおりに起きた").click()
        tapping.all_sent(page)
    assert tapping.recorded(path)[-1] == {"type": "card_played", "seat": 2, "card": "SQ"}


TABLES = {
    "begun": (tapping.KOP, 1),
    "odd": ("kop/22-two-irregularities.toml", 10),
    "play": (tapping.KOP, 13),
    "free": ("kop/19-free-auction-fifth-doubling.toml", 2),
    "exchange": ("ombre/rape-of-the-lock.toml", 5),
}
"""The deal of each table, and the number of its recorded acts."""


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    tables = {table: tapping.events_of(replay)[: count + 1] for table, (replay, count) in TABLES.items()}
    with serving(ledger_with(tmp_path_factory.mktemp("more"), tables, by="loopback")) as site:
        yield site


def test_what_is_folded_open_stays_open_while_others_record(chromium: Browser, club: Site) -> None:
    with tapping.recording(chromium, club, "free") as page:
        rows = page.locator("#now > .by-whom").count()
        page.locator("#more > summary").tap()
        page.locator("#more textarea").first.fill("half a sentence")
        replay, count = TABLES["free"]
        calls = takewhile(lambda act: act["type"] != "card_played", tapping.acts_of(replay)[1])
        tapping.record_at(club.ledger, *list(calls)[count:], table="free", by="another")
        expect(page.locator("#now > .by-whom")).not_to_have_count(rows)
        assert page.locator("#more").get_attribute("open") is not None
        expect(page.locator("#more textarea").first).to_have_value("half a sentence")


def test_hands_are_typed_before_the_first_call(chromium: Browser, club: Site) -> None:
    with tapping.recording(chromium, club, "begun") as page:
        before = tapping.version_of(page)
        page.locator("#more > summary").tap()
        page.get_by_role("button", name="Type the hands").tap()
        assert page.evaluate("document.activeElement.id") == "hands-title"
        for card in ("CQ", "HA", "DA", "CA", "SA", "ST", "HT", "DT"):
            page.locator(f"#hand-keys .key[value={card}]").tap()
        assert violations(page) == []
        page.locator("#hands-done").tap()
        tapping.goes_on(page, before)
    hands = [["CQ", "HA", "DA", "CA"], ["SA", "ST", "HT", "DT"], None, None]
    assert tapping.recorded(club.ledger, "begun")[-1] == {"type": "cards_dealt", "hands": hands}


def test_the_cards_put_aside_may_be_recorded(chromium: Browser, club: Site) -> None:
    with tapping.recording(chromium, club, "exchange") as page:
        board = board_of(page)
        page.get_by_role("button", name="Say which cards").tap()
        for card in ("S2", "H3", "C5", "C5", "C6"):
            page.locator(f"#hand-keys .key[value={card}]").tap()
        page.get_by_role("button", name="Record these 3 cards").tap()
        tapping.goes_on(page, board["version"])
    aside = {"seat": board["turn"], "count": 3, "discarded": ["S2", "H3", "C6"]}
    assert tapping.recorded(club.ledger, "exchange")[-1] == {"type": "cards_exchanged", **aside}


def test_a_card_against_what_is_known_needs_confirmation(chromium: Browser, club: Site) -> None:
    with tapping.recording(chromium, club, "odd") as page:
        before = tapping.version_of(page)
        odd = page.locator(".key.odd[data-why]").first
        card = (odd.get_attribute("id") or "").removeprefix("key-")
        odd.tap()
        expect(page.locator("#odd")).to_contain_text("KOP-")
        assert violations(page) == []
        page.get_by_role("button", name="I mistapped").tap()
        expect(page.locator("#odd")).to_have_text("")
        assert tapping.version_of(page) == before
        odd.tap()
        page.get_by_role("button", name="This is what happened").tap()
        tapping.goes_on(page, before)
    assert tapping.recorded(club.ledger, "odd")[-1]["card"] == card


def test_a_note_is_written(chromium: Browser, club: Site) -> None:
    with tapping.recording(chromium, club, "play") as page:
        before = tapping.version_of(page)
        page.locator("#more > summary").tap()
        page.locator("#note-text").fill("  Ben’s glass fell over  ")
        page.get_by_role("button", name="Record the note").tap()
        tapping.goes_on(page, before)
        expect(page.locator("#note-text")).to_be_hidden()
    assert tapping.recorded(club.ledger, "play")[-1] == {"type": "noted", "text": "Ben’s glass fell over"}


def test_with_hands_known_only_those_of_the_player_are_shown(chromium: Browser, house: Site) -> None:
    with tapping.recording(chromium, house, "kop-hands") as page:
        shown = page.locator("#keys .key:visible")
        expect(page.locator("#keys .key.may:visible")).not_to_have_count(0)
        assert 0 < shown.count() <= 4
        page.get_by_text("All cards").tap()
        expect(shown.nth(8)).to_be_visible()
