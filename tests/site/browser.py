"""Open pages in a real browser: watched windows, a service, and the violations that axe-core finds.

    with serving(ledger) as site, window(chromium, site, at="/t/ombre-revoke/1") as page:
        page.get_by_role("button", name="Next").click()

A window fails its test at the end for any message on the console, any violation of a page's policy, any error of a
script, and any request to another host. A failed test leaves the trace, the screenshots and the console of its windows
in a folder under `build/failures`, which the failure names.
"""

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from importlib.resources import files
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any, Final, NamedTuple

from playwright.sync_api import Browser, BrowserContext, Page
from playwright.sync_api import Error as PlaywrightError

from ledger import api
from ledger.access.grants import Role
from tests.patience import PATIENCE_S
from tests.web.at_hand import command_with_late_history, started

PHONE: Final = (390, 844)
SMALL_PHONE: Final = (320, 568)
TABLET: Final = (820, 1180)
DESK: Final = (1366, 768)
PROJECTOR: Final = (1920, 1080)

ARGUMENTS: Final = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
"""Without these switches the browser connects to its maker's hosts at every start."""

_AXE: Final = """only => axe.run(document, {
  resultTypes: ["violations"], preload: false,
  ...(only.length ? {runOnly: only} : {rules: {"target-size": {enabled: true}}}),
})"""
"""`target-size`, which axe-core knows of WCAG 2.2, is off by default. All is in the page, so nothing is preloaded."""

OF_COLOURS: Final = ("color-contrast", "link-in-text-block")
"""The rules of axe-core about colours; all other rules give the same result in every theme."""

FAILURES: Final = Path(__file__).parents[2] / "build/failures"

TRACED: Final[dict[str, Any]] = {"snapshots": False, "screenshots": False}
"""Each action with its time and error, the console and the network: 3 % more processor. Snapshots cost 30 %."""

_open_windows: Final[dict[BrowserContext, list[str]]] = {}
"""The console messages of each open window."""

_CHECKED: Final = "log: all messages before this one are checked"

_URL: Final = re.compile(r"https?://\S+")


def script(name: str) -> str:
    """Return a script of the folder `scripts`, which a page runs."""
    return Path(__file__).with_name("scripts").joinpath(name).read_text(encoding="utf-8")


class Site(NamedTuple):
    """A running service: its address on this machine, its process, and its ledger."""

    url: str
    process: ForkServerProcess
    ledger: Path


def token_of(ledger: Path, id: str, role: Role = "viewer", **rights: Any) -> str:
    return api.add_token(ledger, id, role=role, **rights).secret


@contextmanager
def serving(ledger: Path, *arguments: str, port: int = 0) -> Iterator[Site]:
    """Run a real service of this ledger until the end of the block. On this machine no token is needed."""
    words = ("--ledger", str(ledger), "serve", "--port", str(port), *arguments)
    process, out = started(command_with_late_history, *words, NO_COLOR="1", TRICKLEDGER_LANG="en")
    try:
        said = []
        with out, open(out.fileno(), encoding="utf-8", closefd=False) as lines:
            for line in lines:
                said.append(line)
                if (match := _URL.search(line)) is not None:
                    break
            else:
                raise AssertionError(f"the service did not start: {''.join(said)}")
            yield Site(match[0].rstrip("/"), process, ledger)
    finally:
        process.terminate()
        process.join(PATIENCE_S)


@contextmanager
def window(
    chromium: Browser,
    site: Site | str,
    size: tuple[int, int] = PHONE,
    *,
    at: str | None = None,
    allowed: Sequence[str] = (),
    **how: Any,
) -> Iterator[Page]:
    """Open a window in a browser context of its own, with its own cookies and storage.

    `how`: options of `Browser.new_context`, e.g. `locale` or `color_scheme`. `at`: the path of the first page; by
    default the window stays empty. `allowed`: patterns of allowed console messages, e.g. of a cut connection.
    """
    url = site if isinstance(site, str) else site.url
    is_phone = size[0] < TABLET[0]
    options = {"viewport": {"width": size[0], "height": size[1]}, "has_touch": is_phone, "locale": "en", **how}
    with closing(chromium.new_context(**options)) as context, watched(context, url, allowed=allowed):
        context.set_default_timeout(PATIENCE_S * 1000)
        page = context.new_page()
        if at is not None:
            page.goto(f"{url}{at}")
        yield page


@contextmanager
def watched(context: BrowserContext, url: str, *, allowed: Sequence[str] = ()) -> Iterator[None]:
    """Fail at the end of the block for anything that no page of ours does. The windows of a browser share one watch."""
    console: list[str] = []
    context.on("console", lambda one: console.append(f"{one.type}: {one.text}"))
    context.on("weberror", lambda one: console.append(f"error: {one.error}"))
    context.on("request", lambda one: None if _is_of(one.url, url) else console.append(f"asks elsewhere: {one.url}"))
    test = os.environ.get("PYTEST_CURRENT_TEST")
    if test is not None:  # `tools/gallery.py` opens windows, too
        context.tracing.start(**TRACED)
    _open_windows[context] = console
    try:
        yield
        assert_silent(context, allowed=allowed)
    except Exception as error:
        if test is not None:
            keep_evidence(error, test)
        raise
    finally:
        del _open_windows[context]
        if test is not None:
            with suppress(PlaywrightError):  # the browser may have died
                context.tracing.stop()  # else the stacks of its calls stay in memory and in a temporary folder


def assert_silent(context: BrowserContext, *, allowed: Sequence[str] = ()) -> None:
    """Fail for what the windows of this context have reported since the last call."""
    console = _open_windows[context]
    since = max((place for place, one in enumerate(console) if one == _CHECKED), default=-1) + 1
    faults = [one for one in console[since:] if not re.search("|".join(("^log:", *allowed)), one)]
    console.append(_CHECKED)
    assert faults == [], faults


def keep_evidence(error: BaseException, test: str) -> None:
    """Save trace, screenshots and console of the open windows. `test`: as in PYTEST_CURRENT_TEST."""
    if any("playwright show-trace" in note for note in getattr(error, "__notes__", ())):
        return
    for number, (context, console) in enumerate(_open_windows.items()):
        folder = FAILURES / re.sub(r"[^\w.-]+", "-", test.removeprefix("tests/site/").rpartition(" (")[0])
        folder /= f"window-{number}" if number else ""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "console.txt").write_text("".join(f"{one}\n" for one in console), encoding="utf-8")
        for place, page in enumerate(context.pages):
            with suppress(PlaywrightError):  # one that hangs is shown by the trace
                (folder / f"page-{place}.html").write_text(page.content(), encoding="utf-8")
                page.screenshot(path=folder / f"screenshot-{place}.png", timeout=5_000)
        with suppress(PlaywrightError):
            context.tracing.stop(path=folder / "trace.zip")
            context.tracing.start(**TRACED)
        error.add_note(f"trace, screenshots and console: {folder} (`playwright show-trace {folder}/trace.zip`)")


def _is_of(address: str, url: str) -> bool:
    return address.startswith((f"{url}/", "data:", "blob:", "about:"))


def violations(page: Page, *, above: str = "minor", only: Sequence[str] = ()) -> list[str]:
    """Return the violations that axe-core finds, except minor ones, with their elements. `only`: the rules to check."""
    severities = ["minor", "moderate", "serious", "critical"]
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8"))
    result = page.evaluate(_AXE, list(only))
    return [
        f"{one['impact']} {one['id']}: {one['help']} ({', '.join(str(node['target']) for node in one['nodes'][:5])})"
        for one in result["violations"]
        if severities.index(one["impact"] or "minor") > severities.index(above)
    ]


def sideways(page: Page) -> int:
    wide: int = page.evaluate("() => document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return wide
