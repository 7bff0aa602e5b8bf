"""Record without a connection: in the end the ledger has each tapped act once and in order."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import APIResponse, Browser, Page, Route, expect

from tests.site import tapping
from tests.site.browser import script, serving, window
from tests.site.cut_line import Cut, Line


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    return tapping.table_of(tmp_path, tapping.TABLE)


@pytest.fixture
def phone(chromium: Browser, ledger: Path) -> Iterator[Page]:
    tapping.record_at(ledger, *tapping.CALLS)
    with serving(ledger) as site, tapping.recording(chromium, site, allowed=tapping.CUT_OFF) as page:
        yield page


def test_a_connection_lost_three_times_in_a_deal_loses_and_doubles_nothing(chromium: Browser, ledger: Path) -> None:
    cuts: dict[int, Cut] = {2: "in the request", 6: "in the answer", 10: "before the answer", 13: "now"}
    tapping.record_at(ledger, *tapping.CALLS)
    with serving(ledger) as site, closing(Line(site.url)) as line:
        with tapping.recording(chromium, line.url, allowed=tapping.CUT_OFF) as page:
            for number, act in enumerate(tapping.CARDS):
                if number in cuts:
                    tapping.all_sent(page)
                    line.cut(cuts[number])
                tapping.tap(page, act, settle=number not in cuts and tapping.unsent_count(page) == 0)
                if number - 2 in cuts:
                    assert tapping.unsent_count(page) == 3
                    line.mend()
                    if number > 4:  # the first time it comes back by itself
                        page.evaluate("() => dispatchEvent(new Event('online'))")
                    tapping.goes_on(
                        page, len(tapping.CALLS) + number + 1
                    )  # or a late page would count for the next act
            tapping.all_sent(page)
        assert line.cuts == len(cuts)
    assert tapping.recorded(ledger) == tapping.ACTS


def _card_by_player(act: tapping.Event) -> str:
    """Return a card with its player, as the page lists it while it waits."""
    sign = "♠♥♦♣"["SHDC".index(act["card"][0])]
    return f"{tapping.TABLE['players'][act['seat']]} {sign}\ufe0e{act['card'][1].replace('T', '10')}"


def test_a_page_closed_with_acts_that_wait_sends_them_when_it_opens_again(phone: Page, ledger: Path) -> None:
    context, url = phone.context, phone.url.partition("/record")[0]
    context.set_offline(True)
    for act in tapping.CARDS[:7]:
        tapping.tap(phone, act, settle=False)
    assert tapping.unsent_count(phone) == 7
    expect(phone.locator("#trouble")).to_contain_text("No connection since")
    expect(phone.locator("#trouble")).to_contain_text(f"in order: … {_card_by_player(tapping.CARDS[1])}")
    phone.close()
    assert tapping.recorded(ledger) == tapping.CALLS
    context.set_offline(False)
    again = context.new_page()
    tapping.opened(again, url)
    tapping.all_sent(again)
    expect(again.locator("#trouble")).to_be_empty()
    assert tapping.recorded(ledger) == [*tapping.CALLS, *tapping.CARDS[:7]]
    tapping.tap(again, tapping.CARDS[7])
    assert tapping.recorded(ledger) == [*tapping.CALLS, *tapping.CARDS[:8]]


def test_a_page_killed_before_the_answer_came_records_its_act_once(phone: Page, ledger: Path) -> None:
    context, url = phone.context, phone.url.partition("/record")[0]
    phone.route("**/entries", lambda route: (route.fetch(), None)[1])  # recorded, and never answered
    tapping.tap(phone, tapping.CARDS[0], settle=False)
    tapping.comes_to_stand(phone, ledger, [*tapping.CALLS, tapping.CARDS[0]])
    phone.close()
    again = context.new_page()
    again.clock.set_fixed_time(datetime.now(UTC) + tapping.GIVEN_UP)
    tapping.opened(again, url)
    tapping.all_sent(again)
    tapping.tap(again, tapping.CARDS[1])
    assert tapping.recorded(ledger) == [*tapping.CALLS, *tapping.CARDS[:2]]


def test_what_may_have_arrived_is_taken_back_by_a_correction(phone: Page, ledger: Path) -> None:
    phone.route("**/entries", tapping.lost_answer, times=1)
    phone.route("**/api/v1/live*", lambda route: route.abort())
    tapping.tap(phone, tapping.CARDS[0] | {"card": "SA"}, settle=False)
    phone.locator("#undo[data-act]").click()
    struck = {"type": "corrected", "version": 7 + 2, "action": "strike", "reason": "mis-tap"}
    tapping.comes_to_stand(phone, ledger, [*tapping.CALLS, tapping.CARDS[0] | {"card": "SA"}, struck])
    tapping.tap(phone, tapping.CARDS[0])


def test_a_trembling_finger_passes_once(chromium: Browser, ledger: Path) -> None:
    """The next player's pass is now at the same place; a second tap so soon is not meant for it."""
    with serving(ledger) as site, tapping.recording(chromium, site) as page:
        tapping.tap(page, tapping.ACTS[0])
        tap_at = script("tap_at.js")
        page.wait_for_selector(_pass_of(0))
        page.evaluate(tap_at, [_pass_of(0), 10_000])
        page.wait_for_selector(_pass_of(1))
        message = page.evaluate(tap_at, [_pass_of(1), 10_300])
        assert message.endswith("Tapped twice, recorded once. For a second time, tap again.")
        page.evaluate(tap_at, [_pass_of(1), 10_600])
        tapping.all_sent(page)
        assert tapping.recorded(ledger)[1:] == [_passed(0)]
        page.evaluate(tap_at, [_pass_of(1), 11_000])
        tapping.comes_to_stand(page, ledger, [tapping.ACTS[0], _passed(0), _passed(1)])


def test_a_word_is_not_taken_while_the_one_before_is_unanswered(chromium: Browser, ledger: Path) -> None:
    """The page offered it before the previous act, and says that it is not recorded."""
    held: list[Route] = []
    with serving(ledger) as site, tapping.recording(chromium, site) as page:
        tapping.tap(page, tapping.ACTS[0])
        page.clock.set_fixed_time(datetime.now(UTC))
        page.route("**/entries", lambda route: held.append(route))  # noqa: PLW0108 - a method of a list takes no marks
        page.locator(_pass_of(0)).click()
        page.locator("#now .say .btn:not(.main)").first.click()
        expect(page.locator("#told")).to_contain_text("Not recorded: the act before is still being checked.")
        while not held:
            page.wait_for_timeout(25)
        held[0].continue_()
        tapping.comes_to_stand(page, ledger, [tapping.ACTS[0], _passed(0)])


def _passed(seat: int) -> tapping.Event:
    return {"type": "bid_made", "seat": seat, "call": "pass"}


def _pass_of(seat: int) -> str:
    return f"#now button[data-acts='{json.dumps([_passed(seat)], separators=(',', ':'))}']"


@pytest.mark.parametrize("offline", [pytest.param(False, marks=pytest.mark.soak), True])
def test_two_windows_on_one_table_record_by_turns(phone: Page, ledger: Path, offline: bool) -> None:
    other = phone.context.new_page()
    tapping.opened(other, phone.url.partition("/record")[0])
    phone.context.set_offline(offline)
    for number, act in enumerate(tapping.CARDS[:4]):
        page = (phone, other)[number % 2]
        page.wait_for_function("gone => document.querySelectorAll('.hole').length === gone", arg=number)
        tapping.tap(page, act, settle=not offline)
    phone.context.set_offline(False)
    tapping.all_sent(phone)
    tapping.all_sent(other)
    assert tapping.recorded(ledger) == [*tapping.CALLS, *tapping.CARDS[:4]]


def test_a_tap_in_an_outdated_window_needs_confirmation(phone: Page, ledger: Path) -> None:
    other = phone.context.new_page()
    other.add_init_script(f"delete window.BroadcastChannel; {tapping.DEAF}")
    tapping.opened(other, phone.url.partition("/record")[0])
    phone.context.set_offline(True)
    tapping.tap(phone, tapping.CARDS[0], settle=False)
    other.locator(f"button#key-{tapping.CARDS[0]['card']}").click()
    expect(other.get_by_role("alertdialog")).to_contain_text(
        "Another window on this phone has recorded ♥\ufe0eJ already."
    )
    other.get_by_role("button", name="Drop mine").click()
    expect(other.get_by_role("alertdialog")).to_have_count(0)
    tapping.tap(other, tapping.CARDS[1], settle=False)
    phone.context.set_offline(False)
    tapping.comes_to_stand(phone, ledger, [*tapping.CALLS, *tapping.CARDS[:2]])


def test_an_imported_file_and_a_phone_sending_later_double_nothing(phone: Page, ledger: Path, tmp_path: Path) -> None:
    phone.context.set_offline(True)
    for act in tapping.CARDS[:4]:
        tapping.tap(phone, act, settle=False)
    with phone.expect_download() as download:
        phone.get_by_role("button", name="Save them in a file").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    assert [json.loads(line)["event"] for line in file.read_text().splitlines()] == tapping.CARDS[:4]
    command = [sys.executable, "-m", "ledger", "--ledger", str(ledger), "import", str(file)]
    subprocess.run(command, check=True, capture_output=True)
    assert tapping.recorded(ledger) == [*tapping.CALLS, *tapping.CARDS[:4]]
    version = tapping.version_of(phone)
    phone.context.set_offline(False)
    tapping.goes_on(phone, version)
    tapping.tap(phone, tapping.CARDS[4])
    tapping.all_sent(phone)
    assert tapping.recorded(ledger) == [*tapping.CALLS, *tapping.CARDS[:5]]


def test_a_browser_that_keeps_nothing_says_so_and_goes_on(chromium: Browser, ledger: Path) -> None:
    with serving(ledger) as site, window(chromium, site) as page:
        page.add_init_script("Object.defineProperty(window, 'indexedDB', {get() { throw new Error('private'); }});")
        tapping.opened(page, site.url)
        expect(page.locator("#trouble")).to_contain_text("This browser saves nothing.")
        for act in tapping.ACTS[:4]:
            tapping.tap(page, act)
    assert tapping.recorded(ledger) == tapping.ACTS[:4]


def test_a_page_that_shows_a_call_before_its_answer_counts_it_once(chromium: Browser, ledger: Path) -> None:
    tapping.record_at(ledger, tapping.CALLS[0])
    held: list[tuple[Route, APIResponse]] = []
    with serving(ledger) as site, tapping.recording(chromium, site) as page:
        page.route("**/entries", lambda route: held.append((route, route.fetch())), times=1)
        tapping.tap(page, tapping.CALLS[1], settle=False)
        tapping.comes_to_stand(page, ledger, tapping.CALLS[:2])
        with page.expect_response("**/now"):
            page.evaluate("dispatchEvent(new Event('online'))")
        page.evaluate("() => new Promise(requestAnimationFrame)")
        after, due = page.locator("#mini .seat[aria-current]"), str((tapping.CALLS[1]["seat"] + 1) % 4)
        assert after.get_attribute("value") == due
        while not held:
            page.wait_for_timeout(50)
        for route, answer in held:
            route.fulfill(response=answer)
        tapping.all_sent(page)
        expect(after).to_have_attribute("value", due)
    assert tapping.recorded(ledger) == tapping.CALLS[:2]
