"""Record by taps on a phone, a deal of every game and form, and by typing on a laptop; the ledger is compared."""

import json
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.site.browser import DESK, PHONE, Site, serving, sideways
from tests.site.tapping import CALLS, CARDS, TABLE, Event, acts_of, comes_to_stand, recorded, recording, table_of, tap
from tests.web.lists import section
from tests.web.serving import ledger_with

DEALS = dict(map(str.split, section(Path(__file__).with_name("deals.txt"), "tapped")))


@cache
def first_deal(record: str) -> tuple[Event, list[Event]]:
    """Return the opening of the table and the first deal that was played, without hands."""
    opened, acts = acts_of(f"{record}.toml")
    starts = [place for place, act in enumerate(acts) if act["type"] == "deal_started"]
    deals = [acts[start:end] for start, end in pairwise([*starts, len(acts)])]
    started, *deal = next(deal for deal in deals if sum(act["type"] == "card_played" for act in deal) > 3)
    return opened, [{**started, "deal": 1}, *deal]


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    begun = {}
    for table, name in DEALS.items():
        opened, (started, *_) = first_deal(name)
        begun[table] = (opened, started)
    with serving(ledger_with(tmp_path_factory.mktemp("taps"), begun, by="loopback")) as site:
        yield site


OFTEN = {"turned": 4, "quadrille": 1, "mit4": 1}
"""Tables recorded to so many cards in every run, one to the second trick; `make soak` records all to the end."""


@pytest.mark.parametrize(
    ("table", "most_cards"),
    [*OFTEN.items(), *(pytest.param(table, 99, marks=pytest.mark.soak) for table in DEALS)],
)
def test_a_deal_is_recorded_by_taps(chromium: Browser, club: Site, table: str, most_cards: int) -> None:
    _, acts = first_deal(DEALS[table])
    with recording(chromium, club, table) as page:
        for act in acts[1:]:
            if board_of(page)["stage"] == "between" or most_cards == 0:
                break
            tap(page, act)
            most_cards -= act["type"] == "card_played"
        assert sideways(page) == 0
        count = board_of(page)["version"] - 1
    assert recorded(club.ledger, table) == acts[:count]
    assert most_cards == 0 or len(acts) - count <= 1


def board_of(page: Page) -> dict[str, Any]:
    board: dict[str, Any] = json.loads(page.locator("#board").text_content() or "{}")
    return board


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Site]:
    with serving(table_of(tmp_path, TABLE, *CALLS)) as site:
        yield site


def type_card(page: Page, card: str) -> None:
    page.keyboard.type(card.lower().replace("t", "10"))


def test_a_trick_is_typed(chromium: Browser, table: Site) -> None:
    with recording(chromium, table, size=DESK) as page:
        for place, act in enumerate(CARDS[:4], start=1):
            suit, rank = act["card"]
            type_card(page, act["card"] if place % 2 else f"{rank}{suit}")
            comes_to_stand(page, table.ledger, [*CALLS, *CARDS[:place]])
            page.wait_for_selector(f"span#key-{act['card']}")
        expect(page.locator(".lay.took")).to_have_count(1)


def test_half_a_card_is_shown_and_given_up(chromium: Browser, table: Site) -> None:
    first = CARDS[0]["card"]
    with recording(chromium, table, size=DESK) as page:
        due = page.locator("#told").inner_text()
        for key in ("Backspace", "Escape"):
            page.keyboard.press(first[0].lower())
            expect(page.locator("#told")).to_contain_text("type the rest")
            page.keyboard.press(key)
            expect(page.locator("#told")).to_have_text(due, use_inner_text=True)
        page.keyboard.press("Enter")
        page.keyboard.press(first[1].lower())
        expect(page.locator("#told")).to_contain_text(f"{first[1]}: type the rest")
        page.locator("#mini .seat[aria-current]").click()
        expect(page.locator("#told")).not_to_contain_text("type the rest")
        type_card(page, first)
        comes_to_stand(page, table.ledger, [*CALLS, CARDS[0]])


def test_letters_that_mean_something_else_play_no_card(chromium: Browser, table: Site) -> None:
    letters = CARDS[0]["card"].lower()
    with recording(chromium, table, size=DESK) as page:
        for letter in letters:
            page.keyboard.press(f"Control+Shift+{letter}")
        page.locator("#more > summary").click()
        page.locator("#more textarea").first.fill("")
        page.keyboard.type(letters)
        expect(page.locator("#more textarea").first).to_have_value(letters)
        page.get_by_label("Type cards on a keyboard").uncheck()
        page.reload()
        page.wait_for_selector("#sent[data-count]")
        page.keyboard.type(letters)
        expect(page.locator("#told")).not_to_contain_text("type the rest")
        page.locator("#more > summary").click()
        page.get_by_label("Type cards on a keyboard").check()
        page.locator("#now .mini .seat[aria-current]").focus()
        page.keyboard.press(letters[0])
        expect(page.locator("#told")).to_contain_text("type the rest")
    assert recorded(table.ledger) == CALLS


def test_on_a_device_of_fingers_typing_is_switched_on_first(chromium: Browser, table: Site) -> None:
    with recording(chromium, table, size=PHONE, is_mobile=True) as page:
        page.keyboard.press("h")
        expect(page.locator("#told")).not_to_contain_text("type the rest")
        page.locator("#more > summary").tap()
        expect(page.get_by_label("Type cards on a keyboard")).not_to_be_checked()
