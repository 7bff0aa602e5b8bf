"""Check what a phone shows of a deal without the server: whose card a tap is, what is unknown, what was tapped."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.site.browser import Site, script, serving
from tests.site.tapping import (
    CUT_OFF,
    Event,
    all_sent,
    events_of,
    lost_answer,
    problem,
    record_at,
    recorded,
    recording,
    rested,
    tap_card,
    unsent_count,
)
from tests.web.serving import ledger_with

BY = {"another": "another", "elsewhere": "loopback"}
ENTRIES = "**/api/v1/streams/table/*/entries"
DIALOGUES = Path(__file__).with_name("offline.txt").read_text(encoding="utf-8").split("\n## ")[1:]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a ledger with a table for each dialogue, recorded by the same person on the same machine, and the table
    `struck`.
    """
    tables = {"struck": events_of("kop/13-zolo-du-won.toml")[:8]}
    for number, dialogue in enumerate(DIALOGUES):
        replay, many = dialogue.splitlines()[1].removeprefix("at ").split()
        tables[f"t-{number}"] = events_of(replay)[: int(many) + 1]
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
    waiting = unsent_count(page)
    rested(page, button)
    button.click()
    page.wait_for_selector(f"#sent[data-count='{waiting + 1}']")


def click(page: Page, button: str) -> None:
    """Click a button by its label in quotation marks, or anything by its selector."""
    target = page.get_by_role("button", name=button.strip('"')) if button.startswith('"') else page.locator(button)
    rested(page, target)
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
            tap_card(page, int(seat), card)
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
                all_sent(page)
        case "answer" if argument == "as usual":
            page.unroute(ENTRIES)
        case "answer":
            status, code = argument.split()
            page.route(ENTRIES, problem(int(status), code))
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


@pytest.mark.parametrize("dialogue", DIALOGUES, ids=lambda dialogue: dialogue.partition("\n")[0])
def test_a_phone_without_a_connection(chromium: Browser, site: Site, path: Path, dialogue: str) -> None:
    """The dialogues are in `offline.txt`."""
    table = f"t-{DIALOGUES.index(dialogue)}"
    before = recorded(path, table)
    awaited: dict[str, list[Event]] = {"waiting": [], "recorded": []}
    lines = [line.partition(" ")[::2] for line in dialogue.splitlines()[2:] if line]
    with recording(chromium, site, table, allowed=CUT_OFF) as page:
        page.context.set_offline(True)
        for verb, argument in lines:
            if verb in awaited:
                awaited[verb] += [json.loads(argument)] if argument != "none" else []
                assert argument != "none" or recorded(path, table) == before
            elif verb in BY:
                record_at(path, json.loads(argument), table=table, by=BY[verb])
            else:
                do(page, verb, argument)
        waiting = awaited["waiting"]
        assert not waiting or page.evaluate(script("waiting_acts.js"))[-len(waiting) :] == waiting
    if awaited["recorded"]:
        assert recorded(path, table) == [*before, *awaited["recorded"]]


def test_what_was_taken_back_and_is_shown_so_is_not_taken_back_again(chromium: Browser, site: Site) -> None:
    """Its answer was lost; the next page shows it undone while it still waits to be acknowledged."""
    with recording(chromium, site, "struck", allowed=CUT_OFF) as phone:
        phone.route("**/corrections", lost_answer)
        with phone.expect_event("requestfailed", lambda one: one.url.endswith("/corrections")):
            tapped(phone, phone.locator("#undo"))
        phone.reload()
        phone.wait_for_selector("#sent[data-count='1']")
        assert lit(phone) == ["Ben"]
        expect(phone.locator("#mini .lay")).to_have_count(1)
