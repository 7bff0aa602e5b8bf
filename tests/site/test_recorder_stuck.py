"""Record when an act gets no answer, or one that is no receipt, and when the page comes anew.

What needs only an answer is in `offline.txt`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Request, Route, expect

from tests.site.browser import script, serving
from tests.site.tapping import (
    ACTS,
    CALLS,
    CARDS,
    CUT_OFF,
    DEAF,
    TABLE,
    all_sent,
    comes_to_stand,
    lost_answer,
    opened,
    problem,
    record_at,
    recorded,
    recording,
    table_of,
    tap,
)

BAND_SHOWN_MS = 2_000
GIVEN_UP_MS = 10_000


@pytest.mark.parametrize("arrives", [True, False])
def test_an_unanswered_act_is_shown_sent_again_and_recorded_once(
    chromium: Browser, tmp_path: Path, arrives: bool
) -> None:
    path = table_of(tmp_path, TABLE, *CALLS)
    bodies: list[object] = []
    with serving(path) as site, recording(chromium, site, allowed=CUT_OFF) as page:
        page.clock.install()
        page.reload()
        all_sent(page)
        page.on("request", lambda one: bodies.append(json.loads(one.post_data or "")) if _records(one) else None)
        page.route("**/entries", lambda route: _held(route, arrives=arrives), times=1)
        tap(page, CARDS[0], settle=False)
        if arrives:
            comes_to_stand(page, path, [*CALLS, CARDS[0]])
        page.clock.run_for(BAND_SHOWN_MS)
        band = page.locator("#trouble")
        expect(band).to_contain_text("Not sent since")
        expect(band).to_contain_text("Nothing is lost; the phone tries again by itself.")
        tap(page, CARDS[1], settle=False)
        with page.expect_event("requestfailed", _records):
            page.clock.run_for(GIVEN_UP_MS)
        expect(band).to_contain_text("No connection since")
        page.clock.run_for(BAND_SHOWN_MS)
        all_sent(page)
        page.clock.run_for(BAND_SHOWN_MS)
        expect(band).to_be_empty()
    assert bodies[0] == bodies[1]
    assert len(bodies) == 3
    assert recorded(path) == [*CALLS, *CARDS[:2]]


def _records(request: Request) -> bool:
    return request.method == "POST" and request.url.endswith("/entries")


def _held(route: Route, *, arrives: bool) -> None:
    """Hold the answer back; the service may have received the request or not."""
    if arrives:
        route.fetch()


ENTRIES = "**/api/v1/streams/table/thursday/entries"


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return table_of(tmp_path_factory.mktemp("bands"), TABLE, *CALLS)


@pytest.fixture(scope="module")
def phone(chromium: Browser, ledger: Path) -> Iterator[Page]:
    """Return one phone for all these tests, which receives no events of others; each test continues where the one
    before ended.
    """
    with serving(ledger) as site, recording(chromium, site, allowed=CUT_OFF) as page:
        page.add_init_script(DEAF)
        page.reload()
        page.wait_for_selector("#sent[data-count='0']")
        yield page


def next_card(ledger: Path) -> dict[str, Any]:
    return CARDS[len(recorded(ledger)) - len(CALLS)]


def test_a_retry_waits_as_the_service_asks_despite_taps(phone: Page, ledger: Path) -> None:
    requests: list[str] = []
    phone.on("request", lambda one: requests.append(one.url) if one.url.endswith("/entries") else None)
    phone.route(ENTRIES, problem(429, "too_many_requests", **{"retry-after": "4"}))
    before, first = recorded(ledger), next_card(ledger)
    second = CARDS[CARDS.index(first) + 1]
    tap(phone, first, settle=False)
    expect(phone.locator("#trouble .offline")).to_contain_text("The service asks this phone to wait a little.")
    tap(phone, second, settle=False)
    assert len(requests) == 1
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
    expect(band).to_contain_text("The file is incomplete.")
    expect(band).to_contain_text("Only this phone can send: Undo")
    phone.unroute(ENTRIES)
    all_sent(phone)
    expect(phone.locator("#trouble")).to_be_empty()
    assert [one["type"] for one in recorded(ledger)[-2:]] == ["card_played", "corrected"]


CARD = next(place for place, act in enumerate(ACTS) if act["type"] == "card_played")

DISK_IS_BUSY = script("disk_is_busy.js")


def test_a_tap_before_the_new_page_is_cached_counts_for_the_seat_shown(chromium: Browser, tmp_path: Path) -> None:
    path = table_of(tmp_path, TABLE, *ACTS[:CARD])
    with serving(path) as site, recording(chromium, site) as page:
        page.add_init_script(DEAF)
        opened(page, site.url)
        lit = page.locator("#mini .seat[aria-current]")
        expect(lit).to_have_attribute("value", str(ACTS[CARD]["seat"]))
        page.evaluate(DISK_IS_BUSY)
        record_at(path, ACTS[CARD])
        answers = page.request.get(f"{site.url}/record/thursday/now")
        while f'id="key-{ACTS[CARD]["card"]}" name="card"' in answers.text():
            page.wait_for_timeout(50)
            answers = page.request.get(f"{site.url}/record/thursday/now")
        page.evaluate("dispatchEvent(new Event('online'))")
        expect(lit).to_have_attribute("value", str(ACTS[CARD + 1]["seat"]))
        page.locator(f"button#key-{ACTS[CARD + 1]['card']}").click()
        page.evaluate("() => { window.isDiskFree = true; }")
        comes_to_stand(page, path, ACTS[: CARD + 2])
    assert recorded(path) == ACTS[: CARD + 2]
