"""What stands above the table for each answer that is no receipt: what to do, and nothing is lost."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.site.browser import serving
from tests.site.tapping import (
    CALLS,
    CARDS,
    CUT_OFF,
    DEAF,
    TABLE,
    all_sent,
    lost_answer,
    recorded,
    recording,
    table_of,
    tap,
    tap_card,
    told_to_wait,
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


class Answering:
    """Answers all acts so, and counts them."""

    def __init__(self, page: Page, status: int, code: str, **headers: str) -> None:
        self.count = 0
        problem = json.dumps({"code": code, "status": status, "title": f"title of {code}", "detail": "a detail"})

        def answer(route: Route) -> None:
            self.count += 1
            route.fulfill(status=status, content_type="application/problem+json", body=problem, headers=headers)

        page.route(ENTRIES, answer)


@pytest.mark.parametrize(
    ("status", "code", "advice"),
    [
        (429, "too_many_requests", "The service asks to wait a little. Go on recording."),
        (503, "closing", "If it lasts, look whether the service still runs"),
        (507, "no_space", "have room made on the disk of the machine where the service runs"),
    ],
)
def test_a_service_in_trouble_is_told_of_and_gets_all_by_itself_afterwards(
    phone: Page, ledger: Path, status: int, code: str, advice: str
) -> None:
    Answering(phone, status, code)
    before, card = recorded(ledger), next_card(ledger)
    tap(phone, card, settle=False)
    band = phone.locator("#trouble .offline")
    expect(band).to_contain_text(f"title of {code}")
    expect(band).to_contain_text(advice)
    expect(band).to_contain_text("Nothing is lost; it is tried again by itself.")
    expect(band).to_contain_text(card["card"][1].replace("T", "10"))
    assert told_to_wait(phone) == 1
    phone.unroute(ENTRIES)
    all_sent(phone)
    expect(phone.locator("#trouble")).to_be_empty()
    assert recorded(ledger) == [*before, card]


def test_who_is_asked_to_wait_asks_no_sooner_whatever_is_tapped(phone: Page, ledger: Path) -> None:
    answering = Answering(phone, 429, "too_many_requests", **{"retry-after": "4"})
    before, first = recorded(ledger), next_card(ledger)
    second = CARDS[CARDS.index(first) + 1]
    tap(phone, first, settle=False)
    expect(phone.locator("#trouble .offline")).to_contain_text("The service asks to wait a little.")
    tap(phone, second, settle=False)
    assert answering.count == 1
    phone.unroute(ENTRIES)
    all_sent(phone)
    assert recorded(ledger) == [*before, first, second]


def test_what_is_too_long_stops_the_queue_and_is_sent_when_somebody_says_so(phone: Page, ledger: Path) -> None:
    Answering(phone, 413, "too_large")
    before, card = recorded(ledger), next_card(ledger)
    tap(phone, card, settle=False)
    asks = phone.get_by_role("alertdialog")
    expect(asks).to_contain_text("was not recorded")
    expect(asks).to_contain_text("title of too_large a detail Drop it and say it in fewer words")
    expect(asks).to_contain_text("It stays on this phone.")
    phone.unroute(ENTRIES)
    phone.get_by_role("button", name="Try again").click()
    all_sent(phone)
    assert recorded(ledger) == [*before, card]


def test_who_was_slower_is_told_what_the_other_recorded(phone: Page, ledger: Path) -> None:
    before, card = recorded(ledger), next_card(ledger)
    origin = phone.url.partition("/record")[0]
    told = {
        "expected_version": len(before) + 1,
        "entries": [{"id": "019a0000-0000-7000-8000-000000000001", "event": card}],
    }
    posted = phone.request.post(
        f"{origin}/api/v1/streams/table/thursday/entries", data=told, headers={"origin": origin}
    )
    assert posted.status == 201, posted.text()
    tap_card(phone, card["seat"], card["card"])
    asks = phone.get_by_role("alertdialog")
    expect(asks).to_contain_text("Somebody signed in as you are has recorded")
    assert told_to_wait(phone) == 1
    phone.get_by_role("button", name="Drop mine").click()
    all_sent(phone)
    assert recorded(ledger) == [*before, card]


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
