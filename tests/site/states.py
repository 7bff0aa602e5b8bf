"""Every page and every state that it can be in: what the gallery draws, and what is held to be fit for everybody.

A page that is declared (`ledger.web.routes.PAGES`) and is not in here fails `tests/site/test_everybody.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import product
from typing import Any, Final, Literal, NamedTuple

from playwright.sync_api import Browser, Page

from tests.site.browser import DESK, PHONE, TABLET, Site, window
from tests.site.tapping import without_worker

Reach = Callable[[Page], None]


def at_once(page: Page) -> None:
    """The state is there when the page is."""


class State(NamedTuple):
    """`route`: of which page, as it is declared. `reach`: what is done there. `mockup`: what it was drawn as.

    `allowed`: what the browser itself writes on the console meanwhile. `is_part`: it is no page, but a part of one.
    """

    name: str
    route: str
    address: str
    reach: Reach = at_once
    mockup: str = ""
    allowed: Sequence[str] = ()


Theme = Literal["light", "dark", "contrast", "contrast-dark"]


class View(NamedTuple):
    """How a state is looked at."""

    lang: str
    theme: Theme
    size: tuple[int, int]

    @property
    def name(self) -> str:
        return f"{self.lang}-{self.theme}-{self.size[0]}"


LANGUAGES: Final = ("en", "ja")
THEMES: Final[Sequence[Theme]] = ("light", "dark", "contrast", "contrast-dark")
SIZES: Final = (PHONE, TABLET, DESK)

VIEWS: Final[Sequence[View]] = tuple(View(*one) for one in product(LANGUAGES, THEMES, SIZES))

_STRIDE: Final = 17
"""Has no divisor in common with the number of views, so that all of them are taken."""

REFUSED: Final = (r"the server responded with a status of 4\d\d",)
IN_TROUBLE: Final = (r"the server responded with a status of [45]\d\d",)
SIGNED_OUT: Final = '{"code": "unauthenticated", "status": 401}'
CUT_OFF: Final = (r"Failed to load resource: net::",)


@contextmanager
def reached(chromium: Browser, site: Site, state: State, view: View) -> Iterator[Page]:
    """A window of its own in which the state is to be seen."""
    how: dict[str, Any] = {"locale": view.lang, "color_scheme": _scheme_of(view.theme)}
    with window(chromium, site, view.size, allowed=state.allowed, **how) as page:
        without_worker(page)  # through it no route of a test would be asked
        page.context.add_cookies([{"name": "look", "value": f"{view.lang}.{_chosen_in(view.theme)}.", "url": site.url}])
        page.goto(f"{site.url}{state.address}")
        state.reach(page)
        yield page


def change_theme(page: Page, theme: Theme) -> None:
    """As if the state had been reached in it: of a page nothing else tells which was chosen."""
    page.emulate_media(color_scheme=_scheme_of(theme))
    page.evaluate("chosen => { document.documentElement.dataset.theme = chosen; }", _chosen_in(theme))


def _scheme_of(theme: Theme) -> Literal["light", "dark"]:
    """What the reader's system says."""
    return "dark" if theme.endswith("dark") else "light"


def _chosen_in(theme: Theme) -> str:
    """What he has chosen himself."""
    return "contrast" if theme.startswith("contrast") else "auto"


def looks(states: Sequence[State]) -> list[tuple[State, View]]:
    """Each state in one view, one after the other in the other language, in another theme, in another size."""
    return [(state, VIEWS[number * _STRIDE % len(VIEWS)]) for number, state in enumerate(states)]


def wrong_code(page: Page) -> None:
    page.locator("#code").fill("0000 0000")
    page.locator("#by-code button").click()
    page.wait_for_selector("#errors")


def cards_made(page: Page) -> None:
    page.locator("#tables").fill("friday-1 friday-2 friday-3")
    page.locator("#address").fill("http://192.168.1.20:8750")
    page.locator("main form button.main").click()
    page.wait_for_selector(".qrs")


def cards_without_tables(page: Page) -> None:
    page.locator("#address").fill("http://192.168.1.20:8750")
    page.locator("main form button.main").click()
    page.wait_for_selector("#errors")


def sent_empty(page: Page) -> None:
    """A form of the page as it stands."""
    with page.expect_navigation():
        page.locator("main form button.main").last.click()


def two_not_said(page: Page) -> None:
    """Somebody wants two to change places and does not say who."""
    page.locator("#swap > summary").click()
    page.locator("#swap button").click()
    page.wait_for_selector("#swap #refusal")


def menu_open(page: Page) -> None:
    summary = page.locator(".menu > summary")
    if summary.is_visible():
        summary.click()


def everything_open(page: Page) -> None:
    """All that is folded is unfolded."""
    page.evaluate("() => document.querySelectorAll('details').forEach(one => { one.open = true; })")


def without_connection(tapped: str) -> Reach:
    """The line is cut, and what is tapped then waits on the phone."""

    def reach(page: Page) -> None:
        page.wait_for_selector("#sent[data-count]")
        page.context.set_offline(True)
        page.locator(tapped).first.click()
        page.wait_for_selector("#sent[data-count='1']")
        page.wait_for_selector("#trouble .offline")

    return reach


CARD: Final = "#keys .key:not(.odd)"
CALL: Final = "#now button[data-acts]"
"""After a call nobody without the service can say what may come."""


def does_not_fit(page: Page) -> None:
    """Somebody played out of turn, and whoever records is asked what happened."""
    page.wait_for_selector("#sent[data-count]")
    page.locator("#mini .seat:not([aria-current])").first.click()
    page.locator(CARD).first.click()
    page.wait_for_selector("[role=alertdialog]")


def answered_so(status: int, problem: str) -> Reach:
    """The first card is tapped, and the service answers it so."""

    def reach(page: Page) -> None:
        page.wait_for_selector("#sent[data-count]")
        page.route(
            "**/api/v1/streams/**",
            lambda route: route.fulfill(status=status, content_type="application/problem+json", body=problem),
        )
        page.locator(CARD).first.click()
        page.wait_for_selector("#trouble :is([role=alertdialog], .judged, .offline, section)")

    return reach


def in_trouble(status: int, code: str) -> Reach:
    """The first card is tapped, and the service answers it with this problem, in no language."""
    return answered_so(status, f'{{"code": "{code}", "status": {status}}}')


PARTS: Final = frozenset({"/record/{table}/now"})
"""What is no page of its own: it is looked at within one."""

_AT: Final = "/t/{table}/{deal}/{step}"
_RECORD: Final = "/record/{table}"

STATES: Final[Sequence[State]] = (
    State("home", "/", "/", mockup="index.html"),
    State("home, menu open", "/", "/", menu_open),
    State("not there", "", "/nowhere", mockup="error-404.html", allowed=REFUSED),
    # Doors
    State("sign in", "/sign-in", "/sign-in", everything_open, mockup="signin.html"),
    State("sign in, wanted page", "/sign-in", "/sign-in?next=/record"),
    State("sign in, wrong code", "/sign-in", "/sign-in", wrong_code, mockup="signin-error.html", allowed=REFUSED),
    State("cards to choose", "/table-cards", "/table-cards", mockup="tokens.html"),
    State("cards, none chosen", "/table-cards", "/table-cards", cards_without_tables, allowed=REFUSED),
    State("cards to print", "/table-cards", "/table-cards", cards_made),
    State("tables", "/tables", "/tables", mockup="tables.html"),
    State("tables, found", "/tables", "/tables?q=Ada&game=kop"),
    State("tables, none found", "/tables", "/tables?q=nobody-has-this-name", mockup="empty.html"),
    State("evening", "/sessions/{session}", "/sessions/opening-night"),
    State("rules", "/rules", "/rules"),
    State("rules, found", "/rules", "/rules?q=revoke"),
    State("rules of ombre", "/rules/{game}", "/rules/ombre#OMB-6.5", mockup="rules.html"),
    State("rules of kop", "/rules/{game}", "/rules/kop"),
    State("settings", "/settings", "/settings"),
    State("problem", "/problems/{code}", "/problems/wrong_version"),
    # The replayer
    State("table", "/t/{table}", "/t/opening-night-1"),
    State("table of an open deal", "/t/{table}", "/t/kop-play"),
    State("table that has not begun", "/t/{table}", "/t/fresh"),
    State("deal from its start", "/t/{table}/{deal}", "/t/rape-of-the-lock/1"),
    State("ombre", _AT, "/t/ombre-revoke/1/24", mockup="replayer-ombre.html"),
    State("ombre, unfolded", _AT, "/t/ombre-revoke/1/24", everything_open, mockup="case.html"),
    State("ombre, before the deal", _AT, "/t/ombre-revoke/1/0"),
    State("ombre, exchange", _AT, "/t/rape-of-the-lock/1/7", mockup="replayer-exchange.html"),
    State("ombre, at its end", _AT, "/t/rape-of-the-lock/1/last"),
    State("ombre, seen by one", _AT, "/t/ombre-revoke/1/20?seat=1", mockup="replayer-seat.html"),
    State("ombre, as first written", _AT, "/t/ombre-revoke/1/24?reading=recorded"),
    State(
        "both readings", "/t/{table}/{deal}/readings", "/t/opening-night-1/3/readings", mockup="replayer-readings.html"
    ),
    State("kop", _AT, "/t/kop-example-04-kontra-re-losers-have-25/1/16", mockup="replayer-kop.html"),
    State("quadrille", _AT, "/t/quadrille-example-01-alliance-won/1/20", mockup="replayer-quadrille.html"),
    State("couillon, six", _AT, "/t/couillon-18a-six-players-24-cards/2/14", mockup="replayer-couillon-six.html"),
    State("couillon, eight", _AT, "/t/couillon-20-eight-players/3/12", mockup="replayer-couillon-eight.html"),
    State("deal that is open", _AT, "/t/kop-play/1/last", mockup="error-open.html"),
    State("deal with long names", _AT, "/t/ombre-names/1/last"),
    State("embedded", "/embed/{table}/{deal}/{step}", "/embed/ombre-revoke/1/24"),
    State("deal that is not there", "", "/t/ombre-revoke/9", allowed=REFUSED),
    # The recorder
    State("record, not begun", _RECORD, "/record/fresh"),
    State("record, kop auction", _RECORD, "/record/kop-auction", mockup="record-kop-auction.html"),
    State("record, free auction", _RECORD, "/record/kop-free"),
    State("record, kop", _RECORD, "/record/kop-play", mockup="record-kop-play.html"),
    State("record, trick complete", _RECORD, "/record/kop-trick"),
    State("record, hands known", _RECORD, "/record/kop-hands", mockup="record-hand.html"),
    State("record, between deals", _RECORD, "/record/kop-between", mockup="record-kop-score.html"),
    State("record, unfolded", _RECORD, "/record/kop-play", everything_open),
    State("record, trumps are made", _RECORD, "/record/couillon-making"),
    State("record, mit", _RECORD, "/record/couillon-mit", mockup="record-couillon-mit.html"),
    State("record, six", _RECORD, "/record/couillon-six"),
    State("record, eight", _RECORD, "/record/couillon-eight"),
    State("record, ombre auction", _RECORD, "/record/ombre-auction"),
    State("record, exchange", _RECORD, "/record/ombre-exchange", mockup="record-ombre-exchange.html"),
    State("record, ombre", _RECORD, "/record/ombre-play", mockup="record-ombre-play.html"),
    State("record, long names", _RECORD, "/record/ombre-names"),
    State("record, king is called", _RECORD, "/record/quadrille-call"),
    State("record, quadrille", _RECORD, "/record/quadrille-play"),
    State(
        "record, without connection",
        _RECORD,
        "/record/kop-play",
        without_connection(CARD),
        "record-offline.html",
        CUT_OFF,
    ),
    State("record, calls without connection", _RECORD, "/record/kop-auction", without_connection(CALL), "", CUT_OFF),
    State("record, does not fit", _RECORD, "/record/kop-play", does_not_fit, "record-kop-asplayed.html", REFUSED),
    State("record, signed out", _RECORD, "/record/kop-play", answered_so(401, SIGNED_OUT), allowed=REFUSED),
    State("record, another was faster", _RECORD, "/record/kop-play", in_trouble(409, "wrong_version"), allowed=REFUSED),
    State("record, too large", _RECORD, "/record/kop-play", in_trouble(413, "too_large"), allowed=REFUSED),
    State("record, too often", _RECORD, "/record/kop-play", in_trouble(429, "too_many_requests"), allowed=REFUSED),
    State("record, busy", _RECORD, "/record/kop-play", in_trouble(503, "busy"), allowed=IN_TROUBLE),
    State("record, disk full", _RECORD, "/record/kop-play", in_trouble(507, "no_space"), allowed=IN_TROUBLE),
    State("record, closed table", _RECORD, "/record/opening-night-1"),
    State("which table", "/record", "/record"),
    State("new table, which game", "/record/new", "/record/new"),
    State("new table", "/record/new", "/record/new?game=kop"),
    State("new table, nobody named", "/record/new", "/record/new?game=ombre", sent_empty, allowed=REFUSED),
    State("deal begins", "/record/{table}/start", "/record/fresh/start", mockup="record-start.html"),
    State("next deal begins", "/record/{table}/start", "/record/kop-between/start"),
    State("two who are not said", "/record/{table}/start", "/record/fresh/start", two_not_said, allowed=REFUSED),
    State("result alone", "/record/{table}/result", "/record/kop-between/result", mockup="record-result.html"),
    State("result, not answered", "/record/{table}/result", "/record/kop-between/result", sent_empty, allowed=REFUSED),
    State("result of ombre", "/record/{table}/result", "/record/ombre-auction/result"),
    State("sheet", "/record/{table}/sheet", "/record/kop-between/sheet", mockup="record-sheet.html"),
    State("deal so far", "/record/{table}/deal", "/record/kop-trick/deal"),
    State("deal so far, of ombre", "/record/{table}/deal", "/record/ombre-play/deal"),
    State("close a table", "/record/{table}/close", "/record/kop-between/close"),
    State("close an evening", "/record/sessions/{session}/close", "/record/sessions/opening-night/close"),
    State("record, table not there", "", "/record/nowhere", allowed=REFUSED),
)
