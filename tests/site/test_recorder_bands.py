"""What stands above the table for an answer that is no receipt: what to do, and nothing is lost.

What needs no more than an answer is in `offline.txt`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.site.browser import serving
from tests.site.tapping import (
    CALLS,
    CARDS,
    CUT_OFF,
    DEAF,
    TABLE,
    all_sent,
    lost_answer,
    problem,
    recorded,
    recording,
    table_of,
    tap,
)

ENTRIES = "**/api/v1/streams/table/thursday/entries"


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return table_of(tmp_path_factory.mktemp("bands"), TABLE, *CALLS)


@pytest.fixture(scope="module")
def phone(chromium: Browser, ledger: Path) -> Iterator[Page]:
    """One for all of them, which hears nothing of others; each test goes on where the one before has ended."""
    with serving(ledger) as site, recording(chromium, site, allowed=CUT_OFF) as page:
        page.add_init_script(DEAF)
        page.reload()
        page.wait_for_selector("#sent[data-count='0']")
        yield page


def next_card(ledger: Path) -> dict[str, Any]:
    return CARDS[len(recorded(ledger)) - len(CALLS)]


def test_who_is_asked_to_wait_asks_no_sooner_whatever_is_tapped(phone: Page, ledger: Path) -> None:
    asked: list[str] = []
    phone.on("request", lambda one: asked.append(one.url) if one.url.endswith("/entries") else None)
    phone.route(ENTRIES, problem(429, "too_many_requests", **{"retry-after": "4"}))
    before, first = recorded(ledger), next_card(ledger)
    second = CARDS[CARDS.index(first) + 1]
    tap(phone, first, settle=False)
    expect(phone.locator("#trouble .offline")).to_contain_text("The service asks to wait a little.")
    tap(phone, second, settle=False)
    assert len(asked) == 1
    phone.unroute(ENTRIES)
    all_sent(phone)
    assert recorded(ledger) == [*before, first, second]


def test_the_file_says_which_act_it_cannot_carry(phone: Page, ledger: Path) -> None:
    card = next_card(ledger)
    phone.route(ENTRIES, lost_answer)
    tap(phone, card, settle=False)
    expect(phone.locator("#trouble .offline")).to_contain_text("No connection since")
    phone.locator("#undo[data-act]").click()
    phone.wait_for_selector("#sent[data-count='2']")
    with phone.expect_download():
        phone.get_by_role("button", name="Save them in a file").click()
    band = phone.get_by_role("alert")
    expect(band).to_contain_text("One thing is not in the file.")
    expect(band).to_contain_text("Only this phone can send: Undo")
    phone.unroute(ENTRIES)
    all_sent(phone)
    expect(phone.locator("#trouble")).to_be_empty()
    assert [one["type"] for one in recorded(ledger)[-2:]] == ["card_played", "corrected"]
