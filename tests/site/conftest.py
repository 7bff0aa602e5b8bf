"""Provide a browser for all tests of a worker, and ledgers to look at."""

import os
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.patience import PATIENCE_S
from tests.site.browser import ARGUMENTS, Site, keep_evidence, serving
from tests.site.house import house_of
from tests.web.serving import ledger_of

expect.set_options(timeout=PATIENCE_S * 1000)

_at_work: Final = ExitStack()
_browsers: Final[list[Browser]] = []

REPLAYS = Path(__file__).parents[2] / "replays"


@pytest.fixture(scope="session")
def program(ci_requires: Callable[..., str]) -> str:
    """Return Debian's browser, the one without a screen if it is installed, as it takes a third of the work."""
    return ci_requires("chromium-headless-shell", "chromium")


@pytest.fixture(scope="module")
def chromium(program: str) -> Browser:
    """Return one browser for all consecutive tests of this folder."""
    if not _browsers or not _browsers[-1].is_connected():
        _at_work.close()
        playwright = _at_work.enter_context(sync_playwright())
        _browsers.append(playwright.chromium.launch(executable_path=program, args=list(ARGUMENTS)))
        _at_work.callback(_browsers[-1].close)
    return _browsers[-1]


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Serve a table in every state that a page can show. Read only."""
    with serving(house_of(tmp_path_factory.mktemp("house"))) as one:
        yield one


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Close the browser before a test of another folder, as Playwright allows no other event loop in its thread."""
    if nextitem is None or not nextitem.path.is_relative_to(item.config.rootpath / "tests/site"):
        _at_work.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(call: pytest.CallInfo[None]) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Save the evidence of a failure while the windows of fixtures are still open."""
    if call.excinfo is not None and not call.excinfo.errisinstance(pytest.skip.Exception):
        keep_evidence(call.excinfo.value, os.environ["PYTEST_CURRENT_TEST"])
    return (yield)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Serve a club with an evening, a famous deal and a dispute. Read only."""
    folder = tmp_path_factory.mktemp("site")
    records = [REPLAYS / "ombre/rape-of-the-lock.toml", REPLAYS / "ombre/revoke.toml"]
    with serving(ledger_of(folder, *records, *sorted((REPLAYS / "session").glob("*.toml")))) as one:
        yield one
