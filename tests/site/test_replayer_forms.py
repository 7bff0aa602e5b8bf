"""Replay every game and form in a browser on the smallest phone, a deal with a dispute, and one being played."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

import ledger
from tests.site.browser import DESK, PHONE, SMALL_PHONE, Site, serving, sideways, violations, window
from tests.web.lists import lines_in
from tests.web.serving import OMBRE, ledger_of, ledger_with, record

REPLAYS = Path(__file__).parents[2] / "replays"

FORMS = [line.split() for line in lines_in(Path(__file__).with_name("forms.txt"))]


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with serving(ledger_of(tmp_path_factory.mktemp("games"), *(REPLAYS / one[0] for one in FORMS))) as site:
        yield site


LOOKS = {"en": SMALL_PHONE, "ja": DESK}
SHOWN = [
    pytest.param(table, deal, int(seats), lang, marks=() if often and lang == "en" else pytest.mark.soak)
    for lang in LOOKS
    for record, table, deal, seats, *often in FORMS
]
"""The records to show; `make soak` shows the others, and all on a desk and in Japanese."""


@pytest.mark.parametrize(("table", "deal", "seats", "lang"), SHOWN)
def test_each_form_is_replayed(chromium: Browser, games: Site, table: str, deal: str, seats: int, lang: str) -> None:
    with window(chromium, games, LOOKS[lang], locale=lang, at=f"/t/{table}/{deal}/0") as page:
        replay = page.locator("#replay")
        assert page.locator("#picture .plate").count() == seats
        first, *stops = (replay.get_attribute("data-stops") or "").split()
        for stop in stops:
            page.keyboard.press("ArrowDown")
            expect(replay).to_have_attribute("data-step", stop)
            assert sideways(page) == 0
        assert (first, stops[-1]) == ("0", replay.get_attribute("data-last"))
        assert violations(page) == []


REVOKE = Path(__file__).parents[2] / "replays/ombre/revoke.toml"
DEAL = "/t/ombre-revoke/1"


@pytest.fixture(scope="module")
def quarrel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    dispute = {"type": "dispute_raised", "deal": 1, "seat": 0, "version": 25, "text": "the Baron had a diamond"}
    ruling = {
        "type": "ruling_given", "deal": 1, "kind": "adjust", "text": "ten for the revoke",
        "rule": "OMB-6.5", "deltas": [10, -10, 0], "dispute": 39,
    }  # fmt: skip
    correction = {"type": "corrected", "action": "replace", "reason": "changed about"}
    changed = [
        {**correction, "version": version, "events": [{"type": "card_played", "seat": 1, "card": card}]}
        for version, card in ((25, "D4"), (27, "H2"))
    ]
    quarrel = {"ombre-revoke": [dispute, ruling, *changed]}
    with serving(ledger_with(tmp_path_factory.mktemp("quarrel"), quarrel, REVOKE)) as site:
        yield site


def test_decisions_are_shown_with_the_deal(chromium: Browser, quarrel: Site) -> None:
    with window(chromium, quarrel, SMALL_PHONE, at=f"{DEAL}/24") as page:
        notes = page.locator(".judged")
        expect(notes.filter(has_text="the Baron had a diamond")).to_contain_text("ruled")
        expect(notes.filter(has_text="ten for the revoke")).to_contain_text("Stale")
        expect(notes.filter(has_text="written: Baron")).to_have_count(2)
        expect(page.locator(".course .stamp", has_text="≠")).to_have_count(2)
        expect(page.get_by_role("link", name="Case sheet")).to_have_count(1)
        assert violations(page) == [] and sideways(page) == 0
        notes.filter(has_text="written: Baron").last.get_by_role("link", name="entry 27").click()
        expect(page.locator("#replay")).to_have_attribute("data-step", "26")


def test_both_readings_are_one_choice_away(chromium: Browser, quarrel: Site) -> None:
    with window(chromium, quarrel, DESK, at=f"{DEAL}/24") as page:
        expect(page.locator("#told span").first).to_contain_text("Baron plays ♦︎4")
        page.get_by_label("Reading").select_option("as first written")
        page.get_by_role("button", name="Show").click()
        expect(page.locator("#told span").first).to_contain_text("Baron plays ♥︎2")
        expect(page).to_have_url(f"{quarrel.url}{DEAL}/24?reading=recorded")
        expect(page.locator(".note").first).to_contain_text("without corrections")
        page.get_by_label("Reading").select_option("side by side")
        page.get_by_role("button", name="Show").click()
        expect(page.locator("h1")).to_have_text("ombre-revoke, deal 1: both readings")
        expect(page.locator("tr.changed del")).to_have_count(2)
        expect(page.locator(".both tbody tr")).to_have_count(9)
        assert sideways(page) == 0
        page.get_by_role("link", name="Show all entries").click()
        expect(page.locator(".both tbody tr")).to_have_count(37)
        page.get_by_role("link", name="Go to this step").nth(23).click()
        expect(page.locator("#replay")).to_have_attribute("data-step", "24")


def test_whose_eyes_were_chosen_stays_from_page_to_page(chromium: Browser, quarrel: Site) -> None:
    with window(chromium, quarrel, DESK, at=f"{DEAL}/readings") as page:
        page.get_by_label("Seen by").select_option("Baron")
        page.get_by_role("button", name="Show").click()
        expect(page).to_have_url(f"{quarrel.url}{DEAL}/readings?seat=1")
        expect(page.locator("h1")).to_have_text("ombre-revoke, deal 1: both readings, as Baron saw it")
        expect(page.get_by_label("Seen by")).to_have_value("1")
        assert sideways(page) == 0
        page.get_by_role("link", name="Go to this step").nth(1).click()
        expect(page.locator("h1")).to_have_text("ombre-revoke, deal 1, as Baron saw it")
        expect(page.locator("#known")).to_have_text("What Baron had seen")
        page.keyboard.press("ArrowRight")
        expect(page).to_have_url(re.compile(r"/1/\d+\?seat=1$"))
        page.get_by_label("Reading", exact=True).select_option("side by side")
        page.get_by_role("button", name="Show").click()
        expect(page).to_have_url(f"{quarrel.url}{DEAL}/readings?seat=1")
        page.get_by_label("Reading", exact=True).select_option("as first written")
        page.get_by_role("button", name="Show").click()
        expect(page).to_have_url(f"{quarrel.url}{DEAL}?seat=1&reading=recorded")


TABLE = "fri-1"


def play(live: Site, *events: Mapping[str, Any]) -> None:
    with ledger.open(live.ledger) as store:
        record(store, TABLE, *events)


PASSES = ({"type": "bid_made", "seat": 1, "call": "pass"}, {"type": "bid_made", "seat": 2, "call": "pass"})
VOID = {"type": "deal_voided", "reason": "a card was seen"}
NEXT = {"type": "deal_started", "deal": 2, "dealer": 0}


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Site]:
    """Serve a table to viewers; on this machine anyone may see hands unless `--no-loopback` is given."""
    with serving(ledger_with(tmp_path, {TABLE: OMBRE}), "--no-loopback", "--public") as site:
        yield site


def test_who_is_at_the_end_goes_along_and_who_is_not_stays(chromium: Browser, live: Site) -> None:
    with window(chromium, live, PHONE) as first, window(chromium, live, DESK) as second:
        first.goto(f"{live.url}/t/{TABLE}/1")
        second.goto(f"{live.url}/t/{TABLE}/1/1")
        expect(first.locator("#replay")).to_have_attribute("data-step", "3")
        expect(first.locator(".note")).to_contain_text("This deal is being played")
        expect(first.locator("#td")).to_contain_text("Ben holds 9 unknown")
        assert "HK" not in first.content() and "king of" not in first.content()
        first.locator("#keep summary").click()

        play(live, PASSES[0])
        expect(first.locator("#replay")).to_have_attribute("data-step", "4")
        expect(first.locator("#told span").first).to_contain_text("Ben pass. Also legal")
        expect(first).to_have_url(f"{live.url}/t/{TABLE}/1/4")
        expect(first.locator("#keep")).to_have_attribute("open", "")
        news = second.locator("#news")
        expect(news).to_be_visible()
        expect(news).to_contain_text("1 new")
        expect(second.locator("#replay")).to_have_attribute("data-step", "1")
        expect(second.locator("#replay")).to_have_attribute("data-last", "4")
        expect(second.locator("#told span").first).to_have_text("Cleo deals.")

        play(live, PASSES[1])
        expect(news).to_contain_text("2 new")
        second.get_by_role("button", name="Next").click()
        expect(second.locator("#replay")).to_have_attribute("data-step", "2")
        expect(news).to_contain_text("2 new")
        news.click()
        expect(second.locator("#replay")).to_have_attribute("data-step", "5")
        expect(news).to_be_hidden()
        expect(second).to_have_url(f"{live.url}/t/{TABLE}/1/5")
        play(live, {"type": "trump_named", "seat": 0, "suit": "S"})
        expect(second.locator("#replay")).to_have_attribute("data-step", "6")


def test_hands_open_by_themselves_when_the_deal_does(chromium: Browser, live: Site) -> None:
    with window(chromium, live, PHONE, at=f"/t/{TABLE}/1/2") as page:
        expect(page.locator("#td")).to_contain_text("Ben holds 9 unknown")
        play(live, VOID, {"type": "hands_opened", "deal": 1})
        expect(page.locator("#td")).to_contain_text("Ben holds spades K Q J")
        expect(page.locator("#replay")).to_have_attribute("data-step", "2")
        expect(page.locator("#result")).to_have_text("Result: voided")
        play(live, NEXT)
        follow = page.locator("#next-deal")
        expect(follow).to_have_text("Deal 2 has begun")
        follow.click()
        expect(page.locator("h1")).to_have_text(f"{TABLE}, deal 2")


def test_a_lost_connection_shows_a_notice_and_nothing_is_missed(chromium: Browser, live: Site) -> None:
    lost = ["net::", "Failed to fetch"]
    with window(chromium, live, PHONE, allowed=lost, at=f"/t/{TABLE}/1") as page:
        page.context.set_offline(True)
        port = live.url.rpartition(":")[2]
        play(live, PASSES[0])
        live.process.terminate()
        live.process.join(20)
        expect(page.locator("#lost")).to_contain_text("Not connected")
        expect(page.locator("#replay")).to_have_attribute("data-step", "3")
        with serving(live.ledger, "--no-loopback", "--public", port=int(port)):
            page.context.set_offline(False)
            expect(page.locator("#replay")).to_have_attribute("data-step", "4")
            expect(page.locator("#lost")).to_be_empty()


def test_an_announced_step_is_fetched_again_after_a_failure(chromium: Browser, live: Site) -> None:
    with window(chromium, live, PHONE, allowed=["net::", "Failed to fetch"], at=f"/t/{TABLE}/1") as page:
        page.route("**/1/last*", lambda route: route.abort(), times=1)
        play(live, PASSES[0])
        expect(page.locator("#lost")).to_contain_text("Not connected")
        expect(page.locator("#replay")).to_have_attribute("data-step", "4")
        expect(page.locator("#lost")).to_be_empty()


def test_the_page_of_a_table_goes_along(chromium: Browser, live: Site) -> None:
    with window(chromium, live, PHONE, at=f"/t/{TABLE}") as page:
        expect(page.get_by_role("link", name="Watch")).to_be_visible()
        expect(page.locator("tr.now")).to_have_count(1)
        play(live, VOID, NEXT)
        expect(page.locator("tbody tr")).to_have_count(3)
        expect(page.locator("tbody tr").first).to_contain_text("voided")
        page.get_by_role("link", name="Watch").click()
        expect(page.locator("h1")).to_have_text(f"{TABLE}, deal 2")
