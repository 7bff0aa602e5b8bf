"""Replay deals in a real browser: by keys, slider, finger and buttons, without scripts, in a frame, as another seat."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.covering import sample
from tests.site.browser import DESK, PHONE, Site, window

DEAL = "/t/ombre-revoke/1"


def is_at(page: Page, step: int) -> None:
    """Wait until the page is at this step: picture, list, slider and address."""
    expect(page.locator("#replay")).to_have_attribute("data-step", str(step))
    expect(page.locator("#replay .where b")).to_have_text(str(step))
    expect(page.locator("#step")).to_have_value(str(step))
    expect(page).to_have_url(re.compile(rf"/1/{step}(\?|$)"))
    if step:
        expect(
            page.locator(
                ".acts a[aria-current], .course a[aria-current], #replay td a[aria-current], #replay th a[aria-current]"
            )
        ).to_have_count(1)
        expect(page.locator("#tt")).to_contain_text(f"step {step}:")


def test_a_deal_is_stepped_through_by_keys(chromium: Browser, site: Site) -> None:
    with window(chromium, site, DESK, at=f"{DEAL}/20") as page:
        for key, step in [
            ("ArrowRight", 21), ("ArrowRight", 22), ("ArrowLeft", 21), ("ArrowDown", 24), ("ArrowDown", 27),
            ("ArrowUp", 24), ("Shift+ArrowRight", 27), ("Shift+ArrowLeft", 24), ("Home", 0), ("ArrowLeft", 0),
            ("f", 11), ("f", 24), ("f", 11), ("End", 36), ("ArrowRight", 36),
        ]:  # fmt: skip
            page.keyboard.press(key)
            is_at(page, step)
        expect(page.locator("#told span").first).to_contain_text("Trick 9: Belinda plays ♠︎Q.")
        assert page.title().startswith("ombre-revoke, deal 1, step 36")
        for _ in range(30):  # a key that is held down loses no step
            page.keyboard.press("ArrowLeft")
        is_at(page, 6)


def test_s_turns_the_table_and_letters_can_be_switched_off(chromium: Browser, site: Site) -> None:
    with window(chromium, site, DESK, at=f"{DEAL}/24") as page:
        expect(page.locator("#td")).to_contain_text("Belinda sits at the bottom")
        page.keyboard.press("s")
        expect(page.locator("#td")).to_contain_text("Baron sits at the bottom")
        expect(page).to_have_url(f"{site.url}{DEAL}/24?below=1")
        page.locator("#keep summary").click()
        page.get_by_label("Use the letters f and s as keys").uncheck()
        page.locator("h1").click()
        page.keyboard.press("s")
        page.keyboard.press("f")
        page.keyboard.press("ArrowRight")
        is_at(page, 25)
        expect(page.locator("#td")).to_contain_text("Baron sits at the bottom")


def test_letters_that_are_typed_move_nothing(chromium: Browser, site: Site) -> None:
    with window(chromium, site, DESK, at=f"{DEAL}/24") as page:
        page.locator("#below").focus()
        page.keyboard.press("f")
        page.keyboard.press("Control+ArrowRight")
        page.wait_for_timeout(200)
        is_at(page, 24)


def test_buttons_and_list_step_and_the_reader_stays_where_he_is(chromium: Browser, site: Site) -> None:
    with window(chromium, site, PHONE, at="/tables") as page:
        page.goto(f"{site.url}{DEAL}/20")
        page.locator("#keep summary").click()
        page.get_by_role("button", name="Next").click()
        is_at(page, 21)
        expect(page.get_by_role("button", name="Next")).to_be_focused()
        expect(page.locator("#keep")).to_have_attribute("open", "")
        card = page.get_by_role("link", name="king of clubs Belinda")
        card.scroll_into_view_if_needed()
        height = page.evaluate("() => window.scrollY")
        card.click()
        is_at(page, 25)
        expect(card).to_be_focused()
        assert abs(page.evaluate("() => window.scrollY") - height) < 3
        page.get_by_role("button", name="Trick on").click()
        is_at(page, 27)
        page.go_back()
        page.wait_for_url(f"{site.url}/tables")
        page.go_forward()
        is_at(page, 27)


def test_the_slider_goes_where_it_is_drawn(chromium: Browser, site: Site) -> None:
    with window(chromium, site, DESK, at=f"{DEAL}/20") as page:
        page.locator("#step").fill("30")
        is_at(page, 30)
        page.locator("#step").focus()
        page.keyboard.press("ArrowRight")
        is_at(page, 31)


def swipe(page: Page, by: int) -> None:
    """Move a finger over the picture by so many pixels to the right."""
    x, y = page.locator("#picture").evaluate(
        "one => { const box = one.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }"
    )
    session = page.context.new_cdp_session(page)
    touch: dict[str, Any] = {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]}
    session.send("Input.dispatchTouchEvent", touch)
    session.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x + by, "y": y + 5}]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_a_finger_moves_the_cards(chromium: Browser, site: Site) -> None:
    with window(chromium, site, PHONE, at=f"{DEAL}/20") as page:
        swipe(page, -120)
        is_at(page, 21)
        swipe(page, 120)
        is_at(page, 20)
        swipe(page, 15)
        page.wait_for_timeout(200)
        is_at(page, 20)


def test_everything_works_without_script(chromium: Browser, site: Site) -> None:
    with window(chromium, site, PHONE, java_script_enabled=False, at=f"{DEAL}/20?below=1") as page:
        for name, step in [("Next", 21), ("Trick on", 24), ("Back", 23), ("Trick back", 21)]:
            page.get_by_role("button", name=name, exact=True).click()
            expect(page).to_have_url(f"{site.url}{DEAL}/{step}?below=1")
        page.get_by_role("link", name="king of clubs Belinda").click()
        expect(page).to_have_url(f"{site.url}{DEAL}/25?below=1")
        page.get_by_label("Seen by").select_option("Baron")
        page.get_by_role("button", name="Show").click()
        expect(page).to_have_url(f"{site.url}{DEAL}/25?seat=1")
        expect(page.locator("h1")).to_have_text("ombre-revoke, deal 1, as Baron saw it")
        page.get_by_label("Reading").select_option("side by side")
        page.get_by_role("button", name="Show").click()
        expect(page.locator("h1")).to_have_text("ombre-revoke, deal 1: both readings, as Baron saw it")


@contextmanager
def another_site(folder: Path) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=folder))
    with server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_port}"
        server.shutdown()


@pytest.mark.parametrize("size", sample([(320, 400), (800, 500), (400, 900)], 1))
def test_a_frame_on_another_page_is_full(chromium: Browser, site: Site, tmp_path: Path, size: tuple[int, int]) -> None:
    frame = f'<iframe width="{size[0]}" height="{size[1]}" src="{site.url}/embed/ombre-revoke/1/24"></iframe>'
    club = f"<!DOCTYPE html><html lang=en><title>A club</title><link rel=icon href=data:,>{frame}"
    (tmp_path / "index.html").write_text(club, encoding="utf-8")
    with (
        another_site(tmp_path) as other,
        window(chromium, site, (1000, 1000), allowed=[f"asks elsewhere: {other}"]) as page,
    ):
        page.goto(f"{other}/")
        inside = page.frames[1]
        inside.wait_for_selector('#replay[data-step="24"]')
        inside.get_by_role("button", name="Next").click()
        inside.wait_for_selector('#replay[data-step="25"]')
        inside.wait_for_url(f"{site.url}/embed/ombre-revoke/1/25")
        measured = inside.evaluate(
            "() => { const all = document.documentElement; return [all.scrollWidth - all.clientWidth, "
            "document.querySelector('#picture svg').getBoundingClientRect().height, "
            "document.getElementById('dock').getBoundingClientRect().bottom - innerHeight] }"
        )
        assert measured[0] == 0 and measured[1] >= 120
        assert inside.get_by_role("link").count() == 1, "no bar, no list"


@pytest.mark.parametrize("path", sample([f"{DEAL}/24", f"{DEAL}/23?seat=1"], 1))
def test_a_deal_is_printed_on_one_sheet_without_buttons(chromium: Browser, site: Site, path: str) -> None:
    with window(chromium, site, DESK, at=path) as page:
        assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True))) == 1
        page.emulate_media(media="print")
        assert page.locator("button:visible, .btn:visible, select:visible, input:visible, #look:visible").count() == 0
        assert page.locator("#picture svg").is_visible() and page.locator(".course tbody tr").last.is_visible()


def test_a_failed_step_shows_a_notice_and_is_fetched_again(chromium: Browser, site: Site) -> None:
    with window(chromium, site, PHONE, allowed=["net::", "Failed to fetch"], at=f"{DEAL}/20") as page:
        page.context.set_offline(True)
        page.get_by_role("button", name="Next").click()
        expect(page.locator("#lost")).to_contain_text("Not connected")
        is_at(page, 20)
        page.context.set_offline(False)
        page.get_by_role("button", name="Next").click()
        is_at(page, 21)
        expect(page.locator("#lost")).to_be_empty()


def test_a_refusal_is_shown_as_a_page(chromium: Browser, site: Site) -> None:
    """This happens when the session of a browser has ended meanwhile."""
    with window(chromium, site, PHONE, allowed=["401", "404"], at=f"{DEAL}/20") as page:

        def refuse(route: Route) -> None:
            is_part = "hx-request" in route.request.headers
            route.fulfill(status=401, body="refused") if is_part else route.continue_()

        page.route("**/1/21", refuse)
        page.get_by_role("button", name="Next").click()
        expect(page).to_have_url(f"{site.url}{DEAL}/21")
        expect(page.locator("h1")).to_have_text("ombre-revoke, deal 1")


def test_all_is_reached_by_the_keyboard_alone(chromium: Browser, site: Site) -> None:
    with window(chromium, site, DESK, at=f"{DEAL}/20") as page:

        def tab_to(name: str) -> None:
            for _ in range(120):
                page.keyboard.press("Tab")
                at = page.locator(":focus")
                if at.evaluate("one => one.matches('a, button, summary')") and name in at.inner_text().replace(
                    "\n", " "
                ):
                    return
            raise AssertionError(f"{name} is not reached")

        tab_to("Next")
        page.keyboard.press("Enter")
        is_at(page, 21)
        page.keyboard.press("Space")
        is_at(page, 22)
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        is_at(page, 24)
        tab_to("king of clubs Belinda")
        page.keyboard.press("Enter")
        is_at(page, 25)
        tab_to("Save or print")
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        expect(page.get_by_label("Link to this step")).to_be_focused()
