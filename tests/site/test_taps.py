"""Record a deal of every game and form by taps on a phone, and compare the ledger."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.site.browser import Site, serving, sideways
from tests.site.tapping import Event, acts_of, recorded, recording, tap
from tests.web.lists import section
from tests.web.serving import ledger_with

DEALS = dict(map(str.split, section(Path(__file__).with_name("deals.txt"), "tapped")))


@cache
def first_deal(record: str) -> tuple[Event, list[Event]]:
    """Return the opening of the table and the first deal that was played, without hands."""
    opened, acts = acts_of(f"{record}.toml")
    starts = [place for place, act in enumerate(acts) if act["type"] == "deal_started"]
    deals = [acts[start:end] for start, end in pairwise([*starts, len(acts)])]
    started, *deal = next(deal for deal in deals if sum(act["type"] == "card_played" for act in deal) > 3)
    return opened, [{**started, "deal": 1}, *deal]


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Serve tables at which a deal has begun."""
    begun = {}
    for table, name in DEALS.items():
        opened, (started, *_) = first_deal(name)
        begun[table] = (opened, started)
    with serving(ledger_with(tmp_path_factory.mktemp("taps"), begun, by="loopback")) as site:
        yield site


OFTEN = ("turned", "quadrille", "mit4")
"""Tables recorded to the first trick and a card in every run; `make soak` records all of them to the end."""


@pytest.mark.parametrize(
    ("table", "most_cards"),
    [*((table, 5) for table in OFTEN), *(pytest.param(table, 99, marks=pytest.mark.soak) for table in DEALS)],
)
def test_a_deal_is_recorded_by_taps(chromium: Browser, club: Site, table: str, most_cards: int) -> None:
    _, acts = first_deal(DEALS[table])
    with recording(chromium, club, table) as page:
        for act in acts[1:]:
            if board_of(page)["stage"] == "between" or most_cards == 0:
                break
            tap(page, act)
            most_cards -= act["type"] == "card_played"
        assert sideways(page) == 0
        count = board_of(page)["version"] - 1
    assert recorded(club.ledger, table) == acts[:count]
    assert most_cards == 0 or len(acts) - count <= 1


def board_of(page: Page) -> dict[str, Any]:
    board: dict[str, Any] = json.loads(page.locator("#board").text_content() or "{}")
    return board
