"""Record without an answer, or with one that is no receipt (offline.txt), and when the page comes anew."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, Request, Route, expect

from tests.site import tapping
from tests.site.browser import Site, assert_silent, script, serving, window
from tests.web.serving import ledger_with

BAND_SHOWN_MS = 2_000
GIVEN_UP_MS = 10_000


@pytest.mark.parametrize("arrives", [True, False])
def test_an_unanswered_act_is_shown_resent_and_recorded_once(chromium: Browser, tmp_path: Path, arrives: bool) -> None:
    path = tapping.table_of(tmp_path, tapping.TABLE, *tapping.CALLS)
    bodies: list[object] = []
    with serving(path) as site, tapping.recording(chromium, site, allowed=tapping.CUT_OFF) as page:
        page.clock.install()
        page.reload()
        tapping.all_sent(page)
        page.on("request", lambda one: bodies.append(json.loads(one.post_data or "")) if _records(one) else None)
        page.route("**/entries", lambda route: _held(route, arrives=arrives), times=1)
        tapping.tap(page, tapping.CARDS[0], settle=False)
        if arrives:
            tapping.comes_to_stand(page, path, [*tapping.CALLS, tapping.CARDS[0]])
        page.clock.run_for(BAND_SHOWN_MS)
        band = page.locator("#trouble")
        expect(band).to_contain_text("Not sent since")
        expect(band).to_contain_text("Nothing is lost; the phone tries again by itself.")
        tapping.tap(page, tapping.CARDS[1], settle=False)
        with page.expect_event("requestfailed", _records):
            page.clock.run_for(GIVEN_UP_MS)
        expect(band).to_contain_text("No connection since")
        page.clock.run_for(BAND_SHOWN_MS)
        tapping.all_sent(page)
        page.clock.run_for(BAND_SHOWN_MS)
        expect(band).to_be_empty()
    assert len(bodies) == 3 and bodies[0] == bodies[1]
    assert tapping.recorded(path) == [*tapping.CALLS, *tapping.CARDS[:2]]


def _records(request: Request) -> bool:
    return request.method == "POST" and request.url.endswith("/entries")


def _held(route: Route, *, arrives: bool) -> None:
    """Hold the answer back; the service may have received the request or not."""
    if arrives:
        route.fetch()


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tapping.table_of(tmp_path_factory.mktemp("bands"), tapping.TABLE, *tapping.CALLS)


@pytest.fixture(scope="module")
def phone(chromium: Browser, ledger: Path) -> Iterator[Page]:
    """Return a phone that receives no events of others, on which each test continues where the one before ended."""
    with serving(ledger) as site, tapping.recording(chromium, site, allowed=tapping.CUT_OFF) as page:
        page.add_init_script(tapping.DEAF)
        page.reload()
        page.wait_for_selector("#sent[data-count='0']")
        yield page


def next_card(ledger: Path) -> dict[str, Any]:
    return tapping.CARDS[len(tapping.recorded(ledger)) - len(tapping.CALLS)]


def test_a_retry_waits_as_the_service_asks_despite_taps(phone: Page, ledger: Path) -> None:
    requests: list[str] = []
    phone.on("request", lambda one: requests.append(one.url) if one.url.endswith("/entries") else None)
    phone.route(ENTRIES, tapping.problem(429, "too_many_requests", **{"retry-after": "4"}))
    before, first = tapping.recorded(ledger), next_card(ledger)
    second = tapping.CARDS[tapping.CARDS.index(first) + 1]
    tapping.tap(phone, first, settle=False)
    expect(phone.locator("#trouble .offline")).to_contain_text("The service asks this phone to wait a little.")
    tapping.tap(phone, second, settle=False)
    assert len(requests) == 1
    phone.unroute(ENTRIES)
    tapping.all_sent(phone)
    assert tapping.recorded(ledger) == [*before, first, second]


def test_the_file_says_which_act_it_cannot_carry(phone: Page, ledger: Path) -> None:
    card = next_card(ledger)
    phone.route(ENTRIES, tapping.lost_answer)
    tapping.tap(phone, card, settle=False)
    expect(phone.locator("#trouble .offline")).to_contain_text("No connection since")
    phone.locator("#undo[data-act]").click()
    phone.wait_for_selector("#sent[data-count='2']")
    with phone.expect_download():
        phone.get_by_role("button", name="Save them in a file").click()
    band = phone.get_by_role("alert")
    expect(band).to_contain_text("The file is incomplete.")
    expect(band).to_contain_text("Only this phone can send: Undo")
    phone.unroute(ENTRIES)
    tapping.all_sent(phone)
    expect(phone.locator("#trouble")).to_be_empty()
    assert [one["type"] for one in tapping.recorded(ledger)[-2:]] == ["card_played", "corrected"]


CARD = next(place for place, act in enumerate(tapping.ACTS) if act["type"] == "card_played")

DISK_IS_BUSY = script("disk_is_busy.js")


def test_a_tap_before_the_new_page_is_cached_counts_for_the_seat_shown(chromium: Browser, tmp_path: Path) -> None:
    path = tapping.table_of(tmp_path, tapping.TABLE, *tapping.ACTS[:CARD])
    with serving(path) as site, tapping.recording(chromium, site) as page:
        page.add_init_script(tapping.DEAF)
        tapping.opened(page, site.url)
        lit = page.locator("#mini .seat[aria-current]")
        expect(lit).to_have_attribute("value", str(tapping.ACTS[CARD]["seat"]))
        page.evaluate(DISK_IS_BUSY)
        tapping.record_at(path, tapping.ACTS[CARD])
        answers = page.request.get(f"{site.url}/record/thursday/now")
        while f'id="key-{tapping.ACTS[CARD]["card"]}" name="card"' in answers.text():
            page.wait_for_timeout(50)
            answers = page.request.get(f"{site.url}/record/thursday/now")
        page.evaluate("dispatchEvent(new Event('online'))")
        expect(lit).to_have_attribute("value", str(tapping.ACTS[CARD + 1]["seat"]))
        page.locator(f"button#key-{tapping.ACTS[CARD + 1]['card']}").click()
        page.evaluate("() => { window.isDiskFree = true; }")
        tapping.comes_to_stand(page, path, tapping.ACTS[: CARD + 2])
    assert tapping.recorded(path) == tapping.ACTS[: CARD + 2]


BY = {"another": "another", "elsewhere": "loopback"}
ENTRIES = "**/api/v1/streams/table/*/entries"
DIALOGUES = Path(__file__).with_name("offline.txt").read_text(encoding="utf-8").split("\n## ")[1:]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a ledger with a table for each dialogue, and the table `struck`, recorded by the same person."""
    tables = {"struck": tapping.events_of("kop/13-zolo-du-won.toml")[:8]}
    for number, dialogue in enumerate(DIALOGUES):
        replay, many = dialogue.splitlines()[1].removeprefix("at ").split()
        tables[f"t-{number}"] = tapping.events_of(replay)[: int(many) + 1]
    return ledger_with(tmp_path_factory.mktemp("unchecked"), tables, by="loopback")


@pytest.fixture(scope="module")
def site(path: Path) -> Iterator[Site]:
    with serving(path) as one:
        yield one


def press(page: Page, button: str) -> None:
    """Tap a button by its label, unfold it if needed, and wait until the act is saved."""
    target = page.locator("#now").get_by_role("button", name=button, exact=True)
    if not target.count():
        page.locator("#more > summary").click()
    tapped(page, target.first)


def tapped(page: Page, button: Locator) -> None:
    waiting = tapping.unsent_count(page)
    tapping.rested(page, button)
    button.click()
    page.wait_for_selector(f"#sent[data-count='{waiting + 1}']")


def click(page: Page, button: str) -> None:
    """Click a button by its label in quotation marks, or anything by its selector."""
    target = page.get_by_role("button", name=button.strip('"')) if button.startswith('"') else page.locator(button)
    tapping.rested(page, target)
    target.click()


def lit(page: Page) -> list[str]:
    return page.locator("#mini .seat[aria-current]").evaluate_all(
        "all => all.map(one => one.querySelector('.who').firstChild.data.trim())"
    )  # type: ignore[no-any-return]


def do(page: Page, verb: str, argument: str) -> None:
    """Perform one line of a dialogue, except those about acts that wait or are recorded."""
    selector, _, text = f"{argument} ".partition(": ")
    match verb:
        case "press":
            press(page, argument)
        case "key":
            tapped(page, page.locator(f"button#key-{argument}"))
        case "card":
            seat, card = argument.split()
            tapping.tap_card(page, int(seat), card)
        case "twice":
            page.locator(f"button#key-{argument}").dblclick()
        case "plate":
            page.locator(f"#mini .seat[value='{argument}']").click()
        case "tap":
            tapped(page, page.locator(argument))
        case "click":
            click(page, argument)
        case "fill":
            page.locator(selector).fill(text.strip())
        case "back" | "online":
            page.context.set_offline(False)
            if verb == "online":
                tapping.all_sent(page)
        case "again":
            page.evaluate("dispatchEvent(new Event('online'))")
        case "answer" if argument == "as usual":
            page.unroute(ENTRIES)
        case "answer":
            status, code = argument.split()
            page.route(ENTRIES, tapping.problem(int(status), code))
        case "is":
            expect(page.locator(selector)).to_have_text(text.strip())
        case "has":
            expect(page.locator(selector)).to_contain_text(text.strip())
        case "count":
            expect(page.locator(selector)).to_have_count(int(text))
        case "shown":
            expect(page.locator(argument).first).to_be_visible()
        case "title":
            assert page.title().startswith(argument)
        case "lit":
            assert lit(page) == [argument]
        case _:
            raise AssertionError(verb)


@pytest.fixture(scope="module")
def used_phone(chromium: Browser, site: Site) -> Iterator[Page]:
    with window(chromium, site, allowed=tapping.CUT_OFF) as page:
        tapping.without_worker(page)
        yield page


@pytest.mark.parametrize("dialogue", DIALOGUES, ids=lambda dialogue: dialogue.partition("\n")[0])
def test_a_phone_without_a_connection(used_phone: Page, site: Site, path: Path, dialogue: str) -> None:
    """The dialogues are in `offline.txt`."""
    page, table = used_phone, f"t-{DIALOGUES.index(dialogue)}"
    before = tapping.recorded(path, table)
    awaited: dict[str, list[tapping.Event]] = {"waiting": [], "recorded": []}
    lines = [line.partition(" ")[::2] for line in dialogue.splitlines()[2:] if line]
    tapping.opened_anew(page, site.url, table)
    page.context.set_offline(True)
    for verb, argument in lines:
        if verb in awaited:
            awaited[verb] += [json.loads(argument)] if argument != "none" else []
            assert argument != "none" or tapping.recorded(path, table) == before
        elif verb in BY:
            tapping.record_at(path, json.loads(argument), table=table, by=BY[verb])
        else:
            do(page, verb, argument)
    waiting = awaited["waiting"]
    assert not waiting or page.evaluate(script("waiting_acts.js"))[-len(waiting) :] == waiting
    assert_silent(page.context, allowed=tapping.CUT_OFF)
    if awaited["recorded"]:
        assert tapping.recorded(path, table) == [*before, *awaited["recorded"]]


def test_what_was_taken_back_and_is_shown_so_is_not_taken_back_again(chromium: Browser, site: Site) -> None:
    """Its answer was lost; the next page shows it undone while it still waits to be acknowledged."""
    with tapping.recording(chromium, site, "struck", allowed=tapping.CUT_OFF) as phone:
        phone.route("**/corrections", tapping.lost_answer)
        with phone.expect_event("requestfailed", lambda one: one.url.endswith("/corrections")):
            tapped(phone, phone.locator("#undo"))
        phone.reload()
        phone.wait_for_selector("#sent[data-count='1']")
        assert lit(phone) == ["Ben"]
        expect(phone.locator("#mini .lay")).to_have_count(1)
