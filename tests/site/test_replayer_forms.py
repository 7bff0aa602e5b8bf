"""Every game and every form of it in a real browser: three, four, six and eight seats fit the smallest phone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.site.browser import DESK, SMALL_PHONE, Site, serving, sideways, violations, window
from tests.web.serving import ledger_of

REPLAYS = Path(__file__).parents[2] / "replays"

FORMS = {
    "ombre/rape-of-the-lock.toml": ("rape-of-the-lock", 1, 3),
    "ombre/18e-neighbours-of-four.toml": ("ombre-example-18e-neighbours-of-four", 1, 4),
    "quadrille/02-bidding-with-priority.toml": ("quadrille-example-02-bidding-with-priority", 1, 4),
    "quadrille/06-partner-reveals-himself-and-stop.toml": (
        "quadrille-example-06-partner-reveals-himself-and-stop", 1, 4,
    ),
    "couillon/17-the-mit-window.toml": ("couillon-17-the-mit-window", 1, 4),
    "couillon/18a-six-players-24-cards.toml": ("couillon-18a-six-players-24-cards", 2, 6),
    "couillon/36-match-six32-upcard-bars.toml": ("couillon-36-match-six32-upcard-bars", 1, 6),
    "couillon/38-match-eight32-bars.toml": ("couillon-38-match-eight32-bars", 1, 8),
    "kop/19-free-auction-fifth-doubling.toml": ("kop-example-19-free-auction-fifth-doubling", 1, 4),
    "kop/match-baska.toml": ("kop-match-baska", 1, 4),
}  # fmt: skip


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with serving(ledger_of(tmp_path_factory.mktemp("games"), *(REPLAYS / one for one in FORMS))) as site:
        yield site


OFTEN = ("quadrille/02-bidding-with-priority.toml", "couillon/38-match-eight32-bars.toml", "kop/match-baska.toml")
"""Each time, on the smallest phone; the others, and all on a desk and in Japanese, in `make soak`."""

LOOKS = {"en": SMALL_PHONE, "ja": DESK}
SHOWN = [
    pytest.param(*told, lang, id=f"{form}-{lang}", marks=() if form in OFTEN and lang == "en" else pytest.mark.soak)
    for lang in LOOKS
    for form, told in FORMS.items()
]


@pytest.mark.parametrize(("table", "deal", "seats", "lang"), SHOWN)
def test_a_deal_of_each_form_is_replayed(
    chromium: Browser, games: Site, table: str, deal: int, seats: int, lang: str
) -> None:
    with window(chromium, games, LOOKS[lang], locale=lang) as page:
        page.goto(f"{games.url}/t/{table}/{deal}/0")
        replay = page.locator("#replay")
        assert page.locator("#picture .plate").count() == seats
        first, *stops = (replay.get_attribute("data-stops") or "").split()
        for stop in stops:
            page.keyboard.press("ArrowDown")
            expect(replay).to_have_attribute("data-step", stop)
            assert sideways(page) == 0
        assert (first, stops[-1]) == ("0", replay.get_attribute("data-last"))
        assert violations(page) == []
