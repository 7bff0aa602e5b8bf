"""What the recorder's page has beside plain taps: hands, cards put aside, what does not fit, words, later undo."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from msgspec import structs
from playwright.sync_api import Browser, Page, expect

import ledger
from ledger.events import CardPlayed, CardsDealt, CardsExchanged, Event, Noted, TableOpened
from ledger.log import NewEntry
from ledger.recording.live import LiveTable
from tests.hand_records import REPLAYS, record_in, table_events
from tests.recording.typed.scripts import without_hands
from tests.site.browser import PHONE, Site, serving, violations, window
from tests.site.tapping import goes_on
from tests.site.test_taps import told

TABLES = {
    "begun": ("kop/04-kontra-re-losers-have-25", 2, True),
    "known": ("kop/04-kontra-re-losers-have-25", 11, False),
    "odd": ("kop/22-two-irregularities", 12, True),
    "play": ("kop/04-kontra-re-losers-have-25", 15, True),
    "free": ("kop/19-free-auction-fifth-doubling", 4, True),
    "exchange": ("ombre/rape-of-the-lock", 8, True),
    "over": ("couillon/31-match-mit4-points", 40, True),
}


def told_to(record: str, most: int, *, is_hidden: bool) -> Sequence[Event]:
    events = table_events(record_in(REPLAYS / f"{record}.toml"))
    return (without_hands(events) if is_hidden else events)[:most]


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Site, Path]]:
    path = tmp_path_factory.mktemp("more") / "club.ledger"
    with ledger.create(path) as store:
        for table, (record, most, is_hidden) in TABLES.items():
            opened, *events = told_to(record, most, is_hidden=is_hidden)
            assert isinstance(opened, TableOpened)
            live = LiveTable.open(store, table, structs.replace(opened, session=None), by="loopback")
            for event in events:
                if not (table == "begun" and isinstance(event, CardsDealt)) and not isinstance(event, Noted):
                    live.record([NewEntry(event)], by="loopback", as_played=True)
    with serving(path) as site:
        yield site, path


def last(path: Path, table: str) -> Event:
    with ledger.open(path) as store:
        return store.read_stream(f"table/{table}")[-1].event()


@contextmanager
def at(chromium: Browser, site: Site, table: str, size: tuple[int, int] = PHONE, lang: str = "en") -> Iterator[Page]:
    with window(chromium, site, size, locale=lang) as page:
        page.goto(f"{site.url}/record/{table}")
        page.wait_for_selector("#now #board", state="attached")
        yield page


def test_what_is_folded_open_stays_open_while_others_record(chromium: Browser, club: tuple[Site, Path]) -> None:
    site, path = club
    with at(chromium, site, "free") as page:
        rows = page.locator("#now > .by-whom").count()
        page.locator("#more > summary").tap()
        page.locator("#more textarea").first.fill("half a sentence")
        record, most, is_hidden = TABLES["free"]
        with ledger.open(path) as store:
            live = LiveTable.resume(store, "free")
            for event in told_to(record, most + 20, is_hidden=is_hidden)[most:]:
                live.record([NewEntry(event)], by="another", as_played=True)
                if isinstance(event, CardPlayed):
                    break
        expect(page.locator("#now > .by-whom")).not_to_have_count(rows)
        assert page.locator("#more").get_attribute("open") is not None
        expect(page.locator("#more textarea").first).to_have_value("half a sentence")


def test_hands_are_typed_before_the_first_call(chromium: Browser, club: tuple[Site, Path]) -> None:
    site, path = club
    with at(chromium, site, "begun") as page:
        before = told(page)["version"]
        page.locator("#more > summary").tap()
        page.get_by_role("button", name="Type the hands").tap()
        assert page.evaluate("document.activeElement.id") == "hands-title"
        for card in ("CQ", "HA", "DA", "CA", "SA", "ST", "HT", "DT"):
            page.locator(f"#hand-keys .key[value={card}]").tap()
        assert violations(page) == []
        page.locator("#hands-done").tap()
        goes_on(page, before)
    assert last(path, "begun") == CardsDealt(hands=(("CQ", "HA", "DA", "CA"), ("SA", "ST", "HT", "DT"), None, None))


def test_which_cards_were_put_aside_may_be_told(chromium: Browser, club: tuple[Site, Path]) -> None:
    site, path = club
    with at(chromium, site, "exchange") as page:
        board = told(page)
        page.get_by_role("button", name="Say which cards").tap()
        for card in ("S2", "H3", "C5", "C5", "C6"):
            page.locator(f"#hand-keys .key[value={card}]").tap()
        page.get_by_role("button", name="Record these 3 cards").tap()
        goes_on(page, board["version"])
    assert last(path, "exchange") == CardsExchanged(seat=board["turn"], count=3, discarded=("S2", "H3", "C6"))


def test_a_card_against_what_is_known_is_asked_about_first(chromium: Browser, club: tuple[Site, Path]) -> None:
    site, _ = club
    with at(chromium, site, "odd") as page:
        before = told(page)["version"]
        odd = page.locator(".key.odd[data-why]").first
        odd.tap()
        expect(page.locator("#odd")).to_contain_text("KOP-")
        assert violations(page) == []
        page.get_by_role("button", name="I mistapped").tap()
        expect(page.locator("#odd")).to_have_text("")
        assert told(page)["version"] == before
        odd.tap()
        page.get_by_role("button", name="It happened so").tap()
        goes_on(page, before)


def test_a_note_is_written(chromium: Browser, club: tuple[Site, Path]) -> None:
    site, path = club
    with at(chromium, site, "play") as page:
        before = told(page)["version"]
        page.locator("#more > summary").tap()
        page.locator("#note-text").fill("  Ben’s glass fell over  ")
        page.get_by_role("button", name="Record the note").tap()
        goes_on(page, before)
        expect(page.locator("#note-text")).to_be_hidden()
    assert last(path, "play") == Noted(text="Ben’s glass fell over")


def test_later_acts_are_taken_back_and_read_again_from_the_list(chromium: Browser, club: tuple[Site, Path]) -> None:
    site, _ = club
    with window(chromium, site) as page:
        page.goto(f"{site.url}/record/play/deal")
        acts = page.locator("ol.acts > li")
        count = acts.count()
        acts.nth(2).get_by_role("button", name="Undo back to here (3 acts)").click()
        expect(page.locator("ol .stamp")).to_have_count(3)
        acts.nth(2).get_by_role("button", name="Read it again").click()
        expect(page.locator("ol .stamp")).to_have_count(2)
        assert acts.count() == count


def test_with_hands_known_only_those_of_the_player_are_shown(chromium: Browser, club: tuple[Site, Path]) -> None:
    site, _ = club
    with at(chromium, site, "known") as page:
        shown = page.locator("#keys .key:visible")
        expect(page.locator("#keys .key.may:visible")).not_to_have_count(0)
        assert 0 < shown.count() <= 4
        page.get_by_text("All cards").tap()
        expect(shown.nth(8)).to_be_visible()
