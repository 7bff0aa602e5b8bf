"""List every page and its states, for the gallery and for the tests of usability."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from itertools import product
from pathlib import Path
from typing import Final, Literal, NamedTuple

from playwright.sync_api import Browser, Page

from tests.contracts.scripts import scripts
from tests.site.browser import DESK, PHONE, TABLET, Site, assert_silent, window
from tests.site.tapping import without_worker
from tests.web.lists import lines_in

Reach = Callable[[Page], None]


def at_once(page: Page) -> None:
    """Do nothing, as the page shows the state at once."""


class State(NamedTuple):
    """A state of a page.

    `route`: the declared route of its page. `reach`: the steps that lead to it. `mockup`: its drawing. `allowed`:
    console messages that the browser itself writes. `is_part`: it is a part of a page.
    """

    name: str
    route: str
    address: str
    reach: Reach = at_once
    mockup: str = ""
    allowed: Sequence[str] = ()


Theme = Literal["light", "dark", "contrast", "contrast-dark"]


class View(NamedTuple):
    """The language, theme and window size in which a state is shown."""

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
"""A number without common divisors with the number of views, so that all views are taken."""

ALLOWED: Final[Mapping[str, Sequence[str]]] = {
    "": (),
    "4xx": (r"the server responded with a status of 4\d\d",),
    "4xx 5xx": (r"the server responded with a status of [45]\d\d",),
    "cut off": (r"Failed to load resource: net::",),
}
"""Messages that the browser itself writes for rejected requests, failures, and a cut network."""


@contextmanager
def reached(chromium: Browser, site: Site, state: State, view: View, used: Page | None = None) -> Iterator[Page]:
    """Show the state in a window of its own, or in `used`, which may have shown others that are reached at once."""
    with nullcontext(used) if used else window(chromium, site, view.size, allowed=state.allowed) as page:
        without_worker(page)  # it would bypass the routes of a test
        page.emulate_media(color_scheme=_scheme_of(view.theme), reduced_motion="null")
        page.set_viewport_size({"width": view.size[0], "height": view.size[1]})
        page.context.add_cookies([{"name": "look", "value": f"{view.lang}.{_chosen_in(view.theme)}.", "url": site.url}])
        page.goto(f"{site.url}{state.address}")
        state.reach(page)
        yield page
        assert_silent(page.context, allowed=state.allowed)


def change_theme(page: Page, theme: Theme) -> None:
    """Change the theme as if the state had been reached in it; nothing else on a page depends on the theme."""
    page.emulate_media(color_scheme=_scheme_of(theme))
    page.evaluate("chosen => { document.documentElement.dataset.theme = chosen; }", _chosen_in(theme))


def _scheme_of(theme: Theme) -> Literal["light", "dark"]:
    """Return the setting of the reader's system."""
    return "dark" if theme.endswith("dark") else "light"


def _chosen_in(theme: Theme) -> str:
    """Return the theme that the reader has chosen."""
    return "contrast" if theme.startswith("contrast") else "auto"


def looks(states: Sequence[State]) -> list[tuple[State, View]]:
    """Return each state in one view, alternating the language, the theme and the size."""
    return [(state, VIEWS[number * _STRIDE % len(VIEWS)]) for number, state in enumerate(states)]


def sent_empty(page: Page) -> None:
    """Send a form of the page unchanged."""
    with page.expect_navigation():
        page.locator("main form button.main").last.click()


def menu_open(page: Page) -> None:
    summary = page.locator(".menu > summary")
    if summary.is_visible():
        summary.click()


def everything_open(page: Page) -> None:
    """Unfold everything."""
    page.evaluate("() => document.querySelectorAll('details').forEach(one => { one.open = true; })")


def in_trouble(status: int, code: str) -> Reach:
    """Tap the first card and let the service answer with this problem, without texts."""
    problem = f'{{"code": "{code}", "status": {status}}}'

    def reach(page: Page) -> None:
        page.wait_for_selector("#sent[data-count]")
        page.route(
            "**/api/v1/streams/**",
            lambda route: route.fulfill(status=status, content_type="application/problem+json", body=problem),
        )
        page.locator("#keys .key:not(.odd)").first.click()
        page.wait_for_selector("#trouble :is([role=alertdialog], .judged, .offline, section)")

    return reach


PARTS: Final = frozenset({"/record/{table}/now"})
"""Routes of parts of pages, which are seen within their page."""

STEPS: Final = scripts(Path(__file__).with_name("steps.txt"))


def taking(steps: Sequence[str]) -> Reach:
    """Return the steps of `steps.txt` one after the other."""

    def reach(page: Page) -> None:
        for step in steps:
            act, _, rest = step.partition(" ")
            selector, _, text = rest.partition(" =")
            if act == "offline":
                page.context.set_offline(True)
            elif act == "wait":
                page.wait_for_selector(rest)
            elif act == "fill":
                page.locator(selector).fill(text.strip())
            else:
                one = page.locator(selector)
                {"check": one.check, "click": one.click, "first": one.first.click, "last": one.last.click}[act]()

    return reach


_DONE: Final[Mapping[str, Reach]] = {
    "open the menu": menu_open,
    "unfold all": everything_open,
    "send it empty": sent_empty,
    **{title: taking(steps) for title, steps in STEPS.items()},
}


def _reach(done: str) -> Reach:
    if not done.startswith("answer "):
        return _DONE[done] if done else at_once
    _, status, code = done.split()
    return in_trouble(int(status), code)


def _states() -> Iterator[State]:
    route = ""
    for line in lines_in(Path(__file__).with_suffix(".txt")):
        if line.startswith("["):
            route = line.strip("[]")
        else:
            name, address, *rest = map(str.strip, line.split("|"))
            fields = dict(one.split(": ", 1) for one in rest)
            reach, allowed = _reach(fields.pop("do", "")), ALLOWED[fields.pop("console", "")]
            yield State(name, route, address, reach, fields.pop("drawn as", ""), allowed)
            assert not fields, line


STATES: Final[Sequence[State]] = tuple(_states())
