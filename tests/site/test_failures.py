"""A failed browser test leaves what it saw in a folder, and its failure names the folder."""

import re
from pathlib import Path
from zipfile import ZipFile

import pytest
from playwright.sync_api import Browser

from tests.site import browser
from tests.site.browser import Site, keep_evidence, window


@pytest.fixture(autouse=True)
def failures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(browser, "FAILURES", tmp_path)
    return tmp_path


def assert_evidence(error: BaseException, folder: Path) -> None:
    (note,) = error.__notes__
    assert str(folder) in note
    assert (folder / "screenshot-0.png").read_bytes().startswith(b"\x89PNG")
    assert (folder / "console.txt").read_text(encoding="utf-8") == "log: about to fail\n"
    with ZipFile(folder / "trace.zip") as trace:
        assert re.search("/rules", trace.read("trace.trace").decode())


def test_a_failed_window_leaves_trace_screenshot_and_console(chromium: Browser, site: Site, failures: Path) -> None:
    with pytest.raises(AssertionError, match="on purpose") as failed, window(chromium, site, at="/rules") as page:
        page.evaluate("console.log('about to fail')")
        raise AssertionError("on purpose")
    name = "test_failures.py-test_a_failed_window_leaves_trace_screenshot_and_console"
    assert_evidence(failed.value, failures / name)


def test_a_failure_outside_a_window_leaves_the_same_and_a_success_nothing(
    chromium: Browser, site: Site, failures: Path
) -> None:
    error = AssertionError("on purpose")
    with window(chromium, site, at="/rules") as page:
        page.evaluate("console.log('about to fail')")
        assert list(failures.iterdir()) == []
        for _ in range(2):
            keep_evidence(error, "tests/site/test_doors.py::test_a_door[en/ja] (call)")
    assert_evidence(error, failures / "test_doors.py-test_a_door-en-ja-")
    assert len(list(failures.iterdir())) == 1
