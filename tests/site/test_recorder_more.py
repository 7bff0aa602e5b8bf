"""Record what is more than plain taps: hands, cards put aside, misfits, announcements, later undo."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

import pytest
from playwright.sync_api import Browser, expect

from tests.site.browser import Site, serving, violations, window
from tests.site.tapping import KOP, acts_of, events_of, goes_on, record_at, recorded, recording, version_of
from tests.site.test_taps import board_of
from tests.web.serving import ledger_with

TABLES = {
    "begun": (KOP, 1),
    "odd": ("kop/22-two-irregularities.toml", 10),
    "play": (KOP, 13),
    "free": ("kop/19-free-auction-fifth-doubling.toml", 2),
    "exchange": ("ombre/rape-of-the-lock.toml", 5),
}
"""The deal of each table, and the number of its recorded acts."""


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    tables = {table: events_of(replay)[: count + 1] for table, (replay, count) in TABLES.items()}
    with serving(ledger_with(tmp_path_factory.mktemp("more"), tables, by="loopback")) as site:
        yield site


def test_what_is_folded_open_stays_open_while_others_record(chromium: Browser, club: Site) -> None:
    with recording(chromium, club, "free") as page:
        rows = page.locator("#now > .by-whom").count()
        page.locator("#more > summary").tap()
        page.locator("#more textarea").first.fill("half a sentence")
        replay, count = TABLES["free"]
        calls = takewhile(lambda act: act["type"] != "card_played", acts_of(replay)[1])
        record_at(club.ledger, *list(calls)[count:], table="free", by="another")
        expect(page.locator("#now > .by-whom")).not_to_have_count(rows)
        assert page.locator("#more").get_attribute("open") is not None
        expect(page.locator("#more textarea").first).to_have_value("half a sentence")


def test_hands_are_typed_before_the_first_call(chromium: Browser, club: Site) -> None:
    with recording(chromium, club, "begun") as page:
        before = version_of(page)
        page.locator("#more > summary").tap()
        page.get_by_role("button", name="Type the hands").tap()
        assert page.evaluate("document.activeElement.id") == "hands-title"
        for card in ("CQ", "HA", "DA", "CA", "SA", "ST", "HT", "DT"):
            page.locator(f"#hand-keys .key[value={card}]").tap()
        assert violations(page) == []
        page.locator("#hands-done").tap()
        goes_on(page, before)
    hands = [["CQ", "HA", "DA", "CA"], ["SA", "ST", "HT", "DT"], None, None]
    assert recorded(club.ledger, "begun")[-1] == {"type": "cards_dealt", "hands": hands}


def test_the_cards_put_aside_may_be_recorded(chromium: Browser, club: Site) -> None:
    with recording(chromium, club, "exchange") as page:
        board = board_of(page)
        page.get_by_role("button", name="Say which cards").tap()
        for card in ("S2", "H3", "C5", "C5", "C6"):
            page.locator(f"#hand-keys .key[value={card}]").tap()
        page.get_by_role("button", name="Record these 3 cards").tap()
        goes_on(page, board["version"])
    aside = {"seat": board["turn"], "count": 3, "discarded": ["S2", "H3", "C6"]}
    assert recorded(club.ledger, "exchange")[-1] == {"type": "cards_exchanged", **aside}


def test_a_card_against_what_is_known_needs_confirmation(chromium: Browser, club: Site) -> None:
    with recording(chromium, club, "odd") as page:
        before = version_of(page)
        odd = page.locator(".key.odd[data-why]").first
        card = (odd.get_attribute("id") or "").removeprefix("key-")
        odd.tap()
        expect(page.locator("#odd")).to_contain_text("KOP-")
        assert violations(page) == []
        page.get_by_role("button", name="I mistapped").tap()
        expect(page.locator("#odd")).to_have_text("")
        assert version_of(page) == before
        odd.tap()
        page.get_by_role("button", name="This is what happened").tap()
        goes_on(page, before)
    assert recorded(club.ledger, "odd")[-1]["card"] == card


def test_a_note_is_written(chromium: Browser, club: Site) -> None:
    with recording(chromium, club, "play") as page:
        before = version_of(page)
        page.locator("#more > summary").tap()
        page.locator("#note-text").fill("  Ben’s glass fell over  ")
        page.get_by_role("button", name="Record the note").tap()
        goes_on(page, before)
        expect(page.locator("#note-text")).to_be_hidden()
    assert recorded(club.ledger, "play")[-1] == {"type": "noted", "text": "Ben’s glass fell over"}


def test_later_acts_are_taken_back_and_read_again_from_the_list(chromium: Browser, club: Site) -> None:
    with window(chromium, club, at="/record/play/deal") as page:
        acts = page.locator("ol.acts > li")
        count = acts.count()
        acts.nth(2).get_by_role("button", name="Undo back to here (3 acts)").click()
        expect(page.locator("ol .stamp")).to_have_count(3)
        acts.nth(2).get_by_role("button", name="Restore it").click()
        expect(page.locator("ol .stamp")).to_have_count(2)
        assert acts.count() == count


def test_with_hands_known_only_those_of_the_player_are_shown(chromium: Browser, house: Site) -> None:
    with recording(chromium, house, "kop-hands") as page:
        shown = page.locator("#keys .key:visible")
        expect(page.locator("#keys .key.may:visible")).not_to_have_count(0)
        assert 0 < shown.count() <= 4
        page.get_by_text("All cards").tap()
        expect(shown.nth(8)).to_be_visible()
