"""Prepare a deal on a phone: open an evening, seat the players, record results and compare sheets."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import sleep

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from ledger.events import Corrected, DealStarted, DisputeRaised, ResultRecorded, ScoreClaimed
from ledger.games.kernel.result_form import answers_of
from tests.site.browser import SMALL_PHONE, Site, serving, sideways, violations, window
from tests.site.tapping import CUT_OFF, acts_of, table_of
from tests.web.lists import lines_in
from tests.web.serving import ledger_of, stored_events


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Site]:
    with serving(ledger_of(tmp_path)) as site:
        yield site


def fits(page: Page) -> None:
    assert sideways(page) == 0
    assert page.locator("h1").count() == 1


@contextmanager
def taken_in(page: Page) -> Iterator[None]:
    """Wait until the answer is on the page: a mark on the part that is redrawn disappears."""
    drawn = "document.querySelector('#' + document.querySelector('main form').getAttribute('hx-target').slice(1))"
    page.evaluate(f"() => {drawn}.setAttribute('data-old', '')")
    yield
    page.wait_for_function(f"() => !{drawn}.hasAttribute('data-old')")


def pick(page: Page, name: str, value: str) -> None:
    with taken_in(page):
        page.locator(f'label:has(input[name="{name}"][value="{value}"])').tap()
    expect(page.locator(f'input[name="{name}"][value="{value}"]')).to_be_checked()


def typed(page: Page, name: str, text: str) -> None:
    field = page.locator(f'input[name="{name}"]')
    field.fill(text)
    with taken_in(page):
        field.press("Tab")


def test_without_a_connection_what_is_typed_stays_until_it_can_be_sent(chromium: Browser, tmp_path: Path) -> None:
    path = table_of(tmp_path, acts_of("kop/01-exactly-53.toml")[0])
    with serving(path) as site, window(chromium, site, allowed=CUT_OFF, at="/record/thursday/start") as page:
        page.locator("#seat > summary").click()
        page.locator("#seat label").first.click()
        page.locator("#name").fill("Zofia")
        page.context.set_offline(True)
        page.locator("#seat button").click()
        expect(page.get_by_role("alert")).to_contain_text("No connection. Nothing was sent")
        assert page.locator("#name").input_value() == "Zofia"
        fits(page)
        page.context.set_offline(False)
        page.locator("#seat button").click()
        expect(page.locator(".mini")).to_contain_text("Zofia")
        page.get_by_role("button", name="Yes, deal 1 begins").click()
        page.wait_for_url(f"{site.url}/record/thursday")


def open_table(page: Page, site: Site, game: str, names: tuple[str, ...], form: str = "") -> str:
    """Open a new table by the form, and return its slug."""
    page.goto(f"{site.url}/record/new?game={game}&seats={len(names)}" + (f"&form={form}" if form else ""))
    for seat, name in enumerate(names):
        page.locator(f"#p{seat}").fill(name)
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url("**/start")
    return page.url.split("/")[-2]


OMBRE = {"ombre": "0", "contract": "entrada", "trump": "S", "tricks.0": "3", "tricks.1": "2"}
FORMS = [
    pytest.param(line, id=" ".join(line.split()[1:4]), marks=() if line.startswith("often") else pytest.mark.soak)
    for line in lines_in(Path(__file__).with_name("results.txt"))
]


@pytest.mark.parametrize("result", FORMS)
def test_a_result_of_each_game_and_form_is_tapped(chromium: Browser, club: Site, result: str) -> None:
    answered, _, points = result.partition("|")
    _, game, form, seats, *answers = answered.split()
    taps = dict(one.split("=") for one in answers)
    numbers = {f"card_points.{side}": number for side, number in enumerate(points.split())}
    names = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal")[: int(seats)]
    with window(chromium, club) as page:
        table = open_table(page, club, game, names, form.strip("-"))
        fits(page)
        page.get_by_role("link", name="Only the result").tap()
        page.wait_for_url("**/result")
        fits(page)
        for name, value in taps.items():
            pick(page, name, value)
        for name, text in numbers.items():
            typed(page, name, text)
        expect(page.locator("#score table")).to_be_visible()
        before = page.locator("#score td").all_inner_texts()
        fits(page)
        if game == "kop":
            assert violations(page) == []
        page.get_by_role("button", name="Record the result").tap()
        page.wait_for_url("**/result?done=1")
        assert page.locator("section[aria-labelledby=done] td").all_inner_texts() == before
        fits(page)
    _, started, recorded = stored_events(club.ledger, f"table/{table}")
    assert isinstance(started, DealStarted) and isinstance(recorded, ResultRecorded)
    assert taps | numbers == {name: answers_of(recorded.outcome)[name] for name in taps | numbers}


def test_the_score_of_a_result_follows_while_a_number_is_typed(chromium: Browser, club: Site) -> None:
    """The field keeps its text, and is not marked as wrong before it is left."""
    with window(chromium, club) as page:
        table = open_table(page, club, "kop", ("Ada", "Ben", "Cleo", "Dan"))
        page.goto(f"{club.url}/record/{table}/result")
        for name, value in (("contract", "normal"), ("declarers.0", "0"), ("declarers.1", "2"), ("tricks.0", "3")):
            pick(page, name, value)
        field, score = page.locator('input[name="card_points.0"]'), page.locator("#score")
        field.press_sequentially("60")
        expect(score.locator("table")).to_be_visible()
        field.press("Backspace")
        field.press("Backspace")
        expect(score).to_contain_text("The score appears here once all questions are answered.")
        expect(field).to_be_focused()
        expect(field).to_have_value("")
        expect(page.locator(".wrong-text")).to_have_count(0)


def test_a_field_left_at_once_updates_the_form_on_a_slow_line(chromium: Browser, club: Site) -> None:
    """The score that follows while a number is typed waits for the answer of the whole form."""

    def slow(route: Route) -> None:
        sleep(0.8)
        route.continue_()

    with window(chromium, club) as page:
        table = open_table(page, club, "kop", ("Ada", "Ben", "Cleo", "Dan"))
        page.goto(f"{club.url}/record/{table}/result")
        pick(page, "contract", "normal")
        page.route("**/result", slow)
        typed(page, "card_points.0", "60")


def with_a_deal(page: Page, site: Site) -> str:
    """Open a table and record a codille of Ada; return its slug."""
    table = open_table(page, site, "ombre", ("Ada", "Ben", "Cleo"))
    page.goto(f"{site.url}/record/{table}/result")
    for name, value in OMBRE.items():
        pick(page, name, value)
    page.get_by_role("button", name="Record the result").click()
    page.wait_for_url("**/result?done=1")
    return table


def test_a_sheet_that_differs_says_so_while_it_is_typed(chromium: Browser, club: Site) -> None:
    with window(chromium, club, SMALL_PHONE) as page:
        table = with_a_deal(page, club)
        page.get_by_role("link", name="Our sheet says otherwise").tap()
        page.wait_for_url("**/sheet")
        fits(page)
        for field, text in (("s0", "−40"), ("s1", "0"), ("s2", "+30")):
            typed(page, field, text)
        expect(page.locator("#d-s0")).to_have_text("20 less")
        expect(page.locator("#why")).to_contain_text("2 times as much")
        fits(page)
        assert violations(page) == [] and page.locator("#s0").input_value() == "−40"
        page.emulate_media(media="print")
        expect(page.locator("#s0")).to_be_visible()
        page.emulate_media(media="screen")
        page.get_by_text("Call the director", exact=True).tap()
        page.get_by_label("What is it about?").fill("We double on Fridays.")
        page.get_by_role("button", name="Call the director: the deal is in dispute").tap()
        page.wait_for_url(f"{club.url}/record/{table}")
        page.locator("#undo[data-undo='5']").tap()
        page.wait_for_selector("#undo[data-undo='4']")
    *acts, undone = stored_events(club.ledger, f"table/{table}")[3:]
    assert acts == [ScoreClaimed(deltas=(-40, 0, 30)), DisputeRaised(deal=1, text="We double on Fridays.")]
    assert undone == Corrected(version=5, action="strike", reason="mis-tap")


def test_all_of_it_works_by_the_keyboard(chromium: Browser, club: Site) -> None:

    def to(selector: str) -> None:
        for _ in range(80):
            page.keyboard.press("Tab")
            if page.evaluate("one => document.activeElement.matches(one)", selector):
                return
        raise AssertionError(f"nobody comes to {selector} by Tab")

    with window(chromium, club, (1024, 768), at="/record/new?game=ombre&seats=3") as page:
        for seat, name in enumerate(("Ada", "Ben", "Cleo")):
            to(f"#p{seat}")
            page.keyboard.type(name)
        page.keyboard.press("Enter")
        page.wait_for_url("**/start")
        to('a[href$="/result"]')
        page.keyboard.press("Enter")
        page.wait_for_url("**/result")
        for name, places in (("ombre", 1), ("contract", 1), ("trump", 1), ("tricks.0", 4), ("tricks.1", 3)):
            to(f'input[name="{name}"]')
            for key in ("Space", *["ArrowRight"] * (places - 1)):
                with taken_in(page):
                    page.keyboard.press(key)
        expect(page.locator("#score")).to_contain_text("Cleo has the other 4.")
        to('button[value="record"]')
        page.keyboard.press("Enter")
        page.wait_for_url("**/result?done=1")
        table = page.url.split("/")[-2]
    assert len(stored_events(club.ledger, f"table/{table}")) == 3
