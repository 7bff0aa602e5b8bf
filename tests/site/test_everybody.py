"""Every page and state is usable for everyone, once or, in a soak run, in all views; a whole deal is announced."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

import ledger.web.app  # noqa: F401  (declares the pages)
from ledger.web.http.routing import HTML, PAGES
from tests.site.browser import DESK, OF_COLOURS, PHONE, SMALL_PHONE, Site, script, serving, sideways, violations, window
from tests.site.fitness import blanks_after_sentences, covered_focus, not_for_paper, small_targets
from tests.site.states import (
    LANGUAGES,
    PARTS,
    SIZES,
    STATES,
    THEMES,
    State,
    View,
    at_once,
    change_theme,
    looks,
    reached,
)
from tests.site.tapping import REPLAYS, acts_of, opened, table_of, tap, without_worker
from tests.web.serving import ledger_of

OF_A_PAGE = {state.route: state for state in reversed(STATES)}.values()
"""One state of each page, as the focus moves alike in the others."""


TROUBLED = [state for state in STATES if state.allowed and state not in OF_A_PAGE]
"""The states of failure; `make test` checks every fifth."""


def named(one: State | View) -> str:
    return one.name


def test_every_page_is_looked_at() -> None:
    shown = {route.path for route in PAGES if route.is_page and route.method == "GET" and HTML in route.media}
    assert shown - PARTS == {state.route for state in STATES if state.route}


def test_states_have_names_of_their_own() -> None:
    assert len({state.name for state in STATES}) == len(STATES)


@pytest.fixture(scope="module")
def windows(chromium: Browser, house: Site) -> Iterator[Mapping[bool, Page]]:
    """Return a window with fingers and one without, for one state after the other."""
    with window(chromium, house, PHONE) as phone, window(chromium, house, DESK) as desk:
        yield {True: phone, False: desk}


@pytest.mark.parametrize(("state", "view"), looks([*OF_A_PAGE, *TROUBLED[::5]]), ids=named)
def test_a_state_is_fit_for_everybody(
    chromium: Browser, windows: Mapping[bool, Page], house: Site, state: State, view: View
) -> None:
    used = windows[view.size == PHONE] if state.reach is at_once else None
    with reached(chromium, house, state, view, used) as page:
        assert violations(page) == []
        assert not_for_paper(page) == []
        _assert_fits(page, state, view.lang, stops=15)


@pytest.mark.soak
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("state", STATES, ids=named)
def test_a_state_is_fit_for_everybody_however_it_is_looked_at(
    chromium: Browser, house: Site, state: State, lang: str
) -> None:
    """The state is reached once in each language, as themes differ only in their colours, and resized.

    In each size it is checked in two of the themes, in the other language in the other two: each theme meets each size
    and each language.
    """
    with reached(chromium, house, state, View(lang, "light", PHONE)) as page:
        for place, size in enumerate(SIZES):
            page.set_viewport_size({"width": size[0], "height": size[1]})
            for number, theme in enumerate(THEMES[(place + LANGUAGES.index(lang)) % 2 :: 2]):
                change_theme(page, theme)
                assert violations(page, only=OF_COLOURS if number else ()) == [], (size, theme)
                assert not_for_paper(page) == [], (size, theme)
            assert small_targets(page) == [], size
            assert sideways(page) == 0, size
        _assert_fits(page, state, lang, stops=200)


def _assert_fits(page: Page, state: State, lang: str, *, stops: int) -> None:
    """Check all that does not depend on colours, and make the window small. `stops`: Tab stops to follow."""
    assert page.locator("html").get_attribute("lang") == lang
    assert page.locator("h1").count() == 1
    assert blanks_after_sentences(page) == []
    assert small_targets(page) == []
    assert sideways(page) == 0
    page.set_viewport_size({"width": SMALL_PHONE[0], "height": SMALL_PHONE[1]})
    assert small_targets(page) == []
    assert sideways(page) == 0
    if state in OF_A_PAGE:
        assert covered_focus(page, stops) == []


def test_three_players_sit_side_by_side_with_their_cards_before_them(chromium: Browser, house: Site) -> None:
    with window(chromium, house, SMALL_PHONE, at="/record/ombre-play") as page:
        left, below, right, laid = page.evaluate(
            "all => all.map(one => document.querySelector(`#mini .${one}`).getBoundingClientRect().toJSON())",
            ["at-left", "at-bottom", "at-right", "lay-left"],
        )  # at once: the page may scroll meanwhile
        assert left["x"] + left["width"] <= below["x"] and below["x"] + below["width"] <= right["x"]
        assert left["x"] < laid["x"] < left["x"] + left["width"] and left["y"] + left["height"] <= laid["y"]


def test_colours_of_the_readers_own_system_leave_every_mark(chromium: Browser, house: Site) -> None:
    """Without backgrounds a border carries each mark; the border of the seat that is due is thicker."""
    with window(chromium, house, PHONE, forced_colors="active", at="/record/kop-play") as page:
        widths = {
            marked: page.locator(marked).first.evaluate("one => parseFloat(getComputedStyle(one).borderTopWidth)")
            for marked in (".seat[aria-current]", ".seat:not([aria-current])", ".ask", ".key")
        }
        assert min(widths.values()) >= 1
        assert widths[".seat[aria-current]"] >= 2 * widths[".seat:not([aria-current])"]


def test_nothing_moves_with_reduced_motion(chromium: Browser, house: Site) -> None:
    with window(chromium, house, PHONE, reduced_motion="reduce", at="/t/ombre-revoke/1/24") as page:
        moving = page.evaluate(
            "() => [...document.querySelectorAll('*')].filter(one =>"
            " !/^0s/.test(getComputedStyle(one).transitionDuration)).length"
        )
        assert moving == 0
        assert page.evaluate("() => getComputedStyle(document.documentElement).scrollBehavior") == "auto"


DEAL = "kop/04-kontra-re-losers-have-25.toml"
TABLE = "kop-example-04-kontra-re-losers-have-25"


def in_each_language(chosen: str) -> pytest.MarkDecorator:
    """Return marks for the chosen language in `make test` and for the others in `make soak`."""
    marks = {lang: () if lang == chosen else pytest.mark.soak for lang in LANGUAGES}
    return pytest.mark.parametrize("lang", [pytest.param(lang, marks=marks[lang]) for lang in LANGUAGES])


_HEARD = script("heard.js")


@pytest.fixture(scope="module")
def replayed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with serving(ledger_of(tmp_path_factory.mktemp("heard"), REPLAYS / DEAL)) as site:
        yield site


def golden(what: str, lang: str) -> str:
    return (Path(__file__).parent / f"heard-{what}-{lang}.txt").read_text(encoding="utf-8")


def heard(page: Page, least: int) -> str:
    """Return all announcements once there are this many and nothing follows."""
    page.wait_for_function("least => window.heard.length >= least", arg=least)
    page.wait_for_timeout(300)
    texts: list[str] = page.evaluate("() => window.heard")
    return "".join(f"{one}\n" for one in texts)


@in_each_language("ja")
def test_a_replay_is_heard_act_by_act(chromium: Browser, replayed: Site, lang: str) -> None:
    with window(chromium, replayed, locale=lang, at=f"/t/{TABLE}/1/0") as page:
        page.evaluate(_HEARD)
        assert page.locator("[role=status], [aria-live]").count() == 1
        page.evaluate("() => { window.first = document.getElementById('told'); }")
        last = int(page.locator("#step").get_attribute("max") or 0)
        assert last == 24
        for step in range(1, last + 1):
            page.keyboard.press("ArrowRight")
            page.wait_for_function("step => document.querySelector('.where b').textContent === String(step)", arg=step)
        assert page.evaluate("() => window.first === document.getElementById('told')"), "it stays in its place"
        awaited = golden("replayed", lang)
        assert heard(page, awaited.count("\n")) == awaited


@pytest.mark.parametrize(
    ("lang", "most"), [("en", 10), *(pytest.param(lang, None, marks=pytest.mark.soak) for lang in LANGUAGES)]
)
def test_a_deal_that_is_recorded_is_heard_act_by_act(
    chromium: Browser, tmp_path: Path, lang: str, most: int | None
) -> None:
    """It is recorded to the end, or until all calls and the first trick were heard."""
    table, (started, *acts) = acts_of(DEAL)
    path = table_of(tmp_path, table, started)
    with serving(path) as site, window(chromium, site, locale=lang) as page:
        without_worker(page)
        opened(page, site.url)
        page.evaluate(_HEARD)
        for act in acts[:most]:
            tap(page, act)
        awaited = golden("recorded", lang).splitlines()[: len(acts[:most]) + 1]
        assert heard(page, len(awaited)).splitlines() == awaited


@in_each_language("ja")
def test_a_first_tap_and_a_suit_led_are_announced_in_words(chromium: Browser, tmp_path: Path, lang: str) -> None:
    table, acts = acts_of("ombre/revoke.toml")
    led = next(place for place, act in enumerate(acts) if act["type"] == "card_played")
    path = table_of(tmp_path, table, *acts[: led + 1])
    with serving(path) as site, window(chromium, site, locale=lang) as page:
        without_worker(page)
        page.goto(f"{site.url}/sign-in")
        page.evaluate("localStorage.setItem('trickledger.two-taps', '1')")
        opened(page, site.url)
        page.evaluate(_HEARD)
        key = page.locator("#keys .key:not(.odd)").first
        key.click()
        announced = heard(page, 2)
        assert not set("♠♥♦♣") & set(announced), announced
        assert str(key.get_attribute("aria-label")) in announced
