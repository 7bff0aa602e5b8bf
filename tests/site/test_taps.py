"""A deal of every game and form, recorded by taps on a phone: what was tapped is what stands in the ledger."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs, to_builtins
from playwright.sync_api import Browser, Page

import ledger
from ledger.events import CardPlayed, CardsDealt, CardTurned, DealStarted, Event, PartnerCalled, TableOpened
from ledger.log import NewEntry
from ledger.recording.live import LiveTable
from tests.hand_records import REPLAYS, record_in, table_events
from tests.recording.typed.scripts import without_hands
from tests.site.browser import Site, serving, sideways, window
from tests.site.tapping import goes_on, rested

DEALS = {
    "kop": "kop/04-kontra-re-losers-have-25",
    "free": "kop/19-free-auction-fifth-doubling",
    "baska": "kop/16-grand-du-lost-after-rekontra",
    "ombre": "ombre/rape-of-the-lock",
    "turned": "ombre/02-vuelta-stopped",
    "quadrille": "quadrille/01-alliance-won",
    "basic4": "couillon/30-match-basic4-bars",
    "mit4": "couillon/31-match-mit4-points",
    "six24": "couillon/32-match-six24-points",
    "six32": "couillon/34-match-six32-points",
    "eight32": "couillon/37-match-eight32-points",
}


def first_deal(record: str) -> list[Event]:
    """The first deal that was played, as a table tells it where nobody writes down hands."""
    opened, *events = without_hands(table_events(record_in(REPLAYS / f"{record}.toml")))
    assert isinstance(opened, TableOpened)
    deals: list[list[Event]] = []
    for event in events:
        if isinstance(event, DealStarted):
            deals.append([])
        if deals and not isinstance(event, CardsDealt):
            deals[-1].append(event)
    played = next(deal for deal in deals if sum(isinstance(event, CardPlayed) for event in deal) > 3)
    assert isinstance(played[0], DealStarted)
    return [structs.replace(opened, session=None), structs.replace(played[0], deal=1), *played[1:]]


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Site, Path]]:
    """Tables at which a deal has begun."""
    path = tmp_path_factory.mktemp("taps") / "club.ledger"
    with ledger.create(path) as store:
        for table, record in DEALS.items():
            opened, started = first_deal(record)[:2]
            assert isinstance(opened, TableOpened)
            live = LiveTable.open(store, table, opened, by="phone")
            live.record([NewEntry(started)], by="phone", as_played=True)
    with serving(path) as site:
        yield site, path


OFTEN = ("turned", "quadrille", "mit4")
"""Each time, as far as the first trick and a card; all of them to the end in `make soak`."""


@pytest.mark.parametrize(
    ("table", "most_cards"),
    [*((table, 5) for table in OFTEN), *(pytest.param(table, 99, marks=pytest.mark.soak) for table in DEALS)],
)
def test_a_deal_is_recorded_by_taps(chromium: Browser, club: tuple[Site, Path], table: str, most_cards: int) -> None:
    site, path = club
    events = first_deal(DEALS[table])
    with window(chromium, site) as page:
        page.goto(f"{site.url}/record/{table}")
        for event in events[2:]:
            if told(page)["stage"] == "between" or most_cards == 0:
                break
            tap(page, event)
            most_cards -= isinstance(event, CardPlayed)
        assert sideways(page) == 0
        version = told(page)["version"]
    with ledger.open(path) as store:
        recorded = [row.event() for row in store.read_stream(f"table/{table}")]
    assert recorded == events[:version]
    assert most_cards == 0 or len(events) - version <= 1


def tap(page: Page, event: Event) -> None:
    """Records one act by the fewest taps, and waits until the page says that it stands."""
    before = told(page)["version"]
    button = button_of(page, event)
    if button is None:
        button = button_of(page, event, is_anybody=True)
        assert button is not None, f"nothing records {event}"
        seat = getattr(event, "seat", None)
        if seat is not None and seat != told(page)["turn"]:
            page.locator(f"#seat-{seat}").tap()
    if not page.locator(button).is_visible():
        page.locator("#more > summary").tap()
    rested(page, button)
    page.locator(button).tap()
    goes_on(page, before)


def button_of(page: Page, event: Event, *, is_anybody: bool = False) -> str | None:
    """Where on the page what records it is."""
    if isinstance(event, CardPlayed | CardTurned | PartnerCalled) and event.card not in (None, "??"):
        return f"#key-{event.card}"
    wanted = to_builtins(event)
    if is_anybody:
        wanted = {**wanted, "seat": None}
    raw = next((raw for raw, acts in acts_on(page) if acts == [wanted]), None)
    return None if raw is None else f"#now [data-acts={json.dumps(raw)}]"


def acts_on(page: Page) -> Sequence[tuple[str, list[dict[str, Any]]]]:
    found = page.eval_on_selector_all("#now [data-acts]", "all => all.map(one => one.dataset.acts)")
    return [(raw, json.loads(raw)) for raw in found]


def told(page: Page) -> dict[str, Any]:
    board: dict[str, Any] = json.loads(page.locator("#board").text_content() or "{}")
    return board
