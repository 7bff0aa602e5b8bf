"""A browser for all tests of a worker, and ledgers to look at."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.patience import PATIENCE_S
from tests.site.browser import ARGUMENTS, Site, serving
from tests.web.serving import ledger_of

expect.set_options(timeout=PATIENCE_S * 1000)

REPLAYS = Path(__file__).parents[2] / "replays"


@pytest.fixture(scope="session")
def program(ci_requires: Callable[..., str]) -> str:
    """Debian's browser: the one that has no screen, if it is there, for it does the same with a third of the work."""
    return ci_requires("chromium-headless-shell", "chromium")


@pytest.fixture(scope="module")
def chromium(program: str) -> Iterator[Browser]:
    """For a module, not longer: as long as Playwright is at work no other event loop runs in this thread."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(ARGUMENTS))
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A club with an evening, a famous deal and a quarrel, to be read only."""
    folder = tmp_path_factory.mktemp("site")
    records = [REPLAYS / "ombre/rape-of-the-lock.toml", REPLAYS / "ombre/revoke.toml"]
    with serving(ledger_of(folder, *records, *sorted((REPLAYS / "session").glob("*.toml")))) as one:
        yield one
