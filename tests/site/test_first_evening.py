"""Play a club's whole first evening in browsers; standings change while others record, and four tables fit one page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

import ledger
from ledger.events import DealStarted, ResultRecorded, SessionClosed
from tests.site import tapping
from tests.site.browser import DESK, PROJECTOR, Site, serving, violations, window
from tests.web.pages.test_evening import STREAMS
from tests.web.serving import ledger_with, record

OMBRE, KOP = tapping.acts_of("ombre/revoke.toml"), tapping.acts_of(tapping.KOP)
EVENING = {"en": "Thursday Club", "ja": "木曜会"}


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Site]:
    path = tmp_path / "club.ledger"
    ledger.create(path).close()
    with serving(path) as site:
        yield site


def cards_made(page: Page, *tables: str) -> list[str]:
    """Return the digits on the cards that were made on the machine."""
    page.locator("#tables").fill("\n".join(tables))
    page.locator("#address").fill("http://192.168.1.20:8750")
    page.locator("main form button.main").click()
    return page.locator(".digits8").all_inner_texts()


def signed_in(page: Page, site: Site, card: str, name: str) -> None:
    tapping.without_worker(page)
    page.goto(f"{site.url}/sign-in")
    page.locator("#code").fill(card)
    page.locator("#name").fill(name)
    page.locator("#by-code button").click()


def opens_table(page: Page, game: str, players: list[str], *, title: str | None) -> None:
    """Open the table of the card; with a title in a new evening, else in the open one."""
    page.locator(f"a[href*='game={game}&']").first.click()
    for seat, name in enumerate(players):
        page.locator(f"#p{seat}").fill(name)
    if title is not None:
        page.locator("#session").select_option("new")
        if not page.locator("#title").is_visible():
            page.locator("#evening > summary").click()
        page.locator("#title").fill(title)
    page.locator("main form button.main").click()
    page.wait_for_url("**/start")


def begins(page: Page, dealer: int) -> None:
    page.locator("#dealer > summary").click()
    page.locator(f"#dealer button[value='{dealer}']").click()
    page.locator("button[name='do'][value='begin']").click()
    page.wait_for_selector("#rec[data-token]")
    tapping.ready(page)


def closes(page: Page, site: Site, address: str) -> None:
    page.goto(f"{site.url}{address}")
    if (agreed := page.locator("input[name=confirm]")).count():
        agreed.check()
    page.locator("button[name='do'][value='close']").click()
    page.wait_for_selector("#final, .board")


@pytest.mark.parametrize(("lang", "tables"), [("en", 1), pytest.param("ja", 2, marks=pytest.mark.soak)])
def test_the_first_evening_of_a_club(chromium: Browser, club: Site, lang: str, tables: int) -> None:
    """A second table is opened in a soak run."""
    path = club.ledger
    with ExitStack() as open_windows:

        def phone(card: str, name: str) -> Page:
            page = open_windows.enter_context(window(chromium, club, locale=lang, allowed=tapping.CUT_OFF))
            signed_in(page, club, card, name)
            return page

        desk = open_windows.enter_context(window(chromium, club, DESK, at="/table-cards", locale=lang))
        cards = cards_made(desk, "table-1", "table-2")
        bert = phone(cards[0], "Bert")
        opens_table(bert, "kop", KOP[0]["players"], title=EVENING[lang])
        begins(bert, KOP[1][0]["dealer"])
        phones = [(bert, "table-1")]
        dora = phone(cards[0], "Dora")
        tapping.ready(dora)
        _kop_with_a_conflict(bert, dora, path)
        if tables == 2:
            ann = phone(cards[1], "Ann")
            opens_table(ann, "ombre", OMBRE[0]["players"], title=None)
            begins(ann, OMBRE[1][0]["dealer"])
            tapping.record_at(path, *OMBRE[1][1:], table="table-2")
            tapping.goes_on(ann, len(OMBRE[1]))
            phones.append((ann, "table-2"))

        for page, table in phones:
            closes(page, club, f"/record/{table}/close")
            with ledger.open(path) as store:
                totals = ledger.score(store, table).totals
            shown = page.locator("main").inner_text().replace("\N{MINUS SIGN}", "-")
            assert all(str(total) in shown for total in totals), shown
            assert violations(page) == []
        with ledger.open(path) as store:
            (session,) = {str(one.session) for one in ledger.tables(store)}
        closes(desk, club, f"/record/sessions/{session}/close")
        expect(desk.locator("h1")).to_contain_text(EVENING[lang])
    with ledger.open(path) as store:
        assert isinstance([*store.read_stream(f"session/{session}")][-1].event(), SessionClosed)
    assert ledger.verify(path).damage is None


def _kop_with_a_conflict(bert: Page, dora: Page, path: Path) -> None:
    """While one of two phones has no connection, the other records the next card; the rest comes from elsewhere."""
    acts = KOP[1]
    cards = [act for act in acts if act["type"] == "card_played"]
    for act in acts[1 : len(acts) - len(cards)]:
        tapping.tap(bert, act)
    tapping.tap(bert, cards[0])
    dora.wait_for_selector(f"#key-{cards[0]['card']}.hole")
    bert.context.set_offline(True)
    tapping.tap(bert, cards[1] | {"card": cards[4]["card"]}, settle=False)
    tapping.tap(dora, cards[1])
    bert.context.set_offline(False)
    bert.locator("[data-as=mine]").click()
    tapping.all_sent(bert)
    bert.wait_for_selector(f"#key-{cards[1]['card']}.hole")
    for act in cards[2:5]:
        tapping.tap(bert, act)
    tapping.record_at(path, *cards[5:], table="table-1")
    tapping.goes_on(bert, len(acts))
    tapping.comes_to_stand(bert, path, acts, "table-1")


def test_standings_change_in_another_window_while_a_result_is_recorded(chromium: Browser, tmp_path: Path) -> None:
    streams = {**STREAMS, "fri-2": STREAMS["fri-2"][:-1]}
    won = STREAMS["fri-2"][2]["outcome"]
    with (
        serving(ledger_with(tmp_path, streams)) as site,
        window(chromium, site, PROJECTOR) as screen,
        window(chromium, site, DESK, at="/sessions/fri") as page,
    ):
        screen.goto(f"{site.url}/sessions/fri/standings")
        dora = screen.locator('tr[data-player="Dora"]')
        expect(dora.locator(".place")).to_contain_text("1")
        before = dora.locator(".pts").inner_text()
        expect(screen.locator("[role=status]")).to_contain_text("So far 2 deals")
        with ledger.open(site.ledger) as store:
            record(store, "fri-2", DealStarted(deal=2, dealer=0), ResultRecorded(outcome={**won, "ombre": 1}))
        expect(dora).to_have_class(re.compile("changed"))
        expect(screen.locator("[role=status]")).to_contain_text("So far 3 deals")
        expect(dora.locator(".pts")).not_to_have_text(before)
        expect(screen.locator('tr[data-player="Ann"]')).not_to_have_class(re.compile("changed"))
        expect(page.locator("[role=status]")).to_contain_text("So far 3 deals")


def test_the_result_of_an_evening_is_one_page_of_paper(chromium: Browser, tmp_path: Path) -> None:
    records = sorted(Path("replays/session").glob("*.toml"))
    opened, *played = STREAMS["fri-1"]
    fourth = [{**opened, "session": "opening-night"}, *played]
    streams = {"opening-night-4": fourth, "session/opening-night": [SessionClosed()]}
    path = ledger_with(tmp_path, streams, *records)
    with serving(path) as site, window(chromium, site, DESK, at="/sessions/opening-night") as page:
        expect(page.get_by_role("heading", name="To read out")).to_be_visible()
        paper = page.pdf(prefer_css_page_size=True)
        assert len(re.findall(rb"/Type\s*/Page\b", paper)) == 1
        page.emulate_media(media="print")
        assert page.locator("nav:visible, button:visible").count() == 0
