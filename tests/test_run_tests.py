"""Several runs of pytest are summed up as one, and none that failed or broke off passes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tools import run_tests
from tools.run_tests import Run

PASSES = "def test_one(): pass\ndef test_two(): pass\n"
FAILS = "def test_three(): assert False\n"
BREAKS_OFF = "import os\ndef test_four(): os._exit(9)\n"


@pytest.fixture
def sum_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]):
    """Run these contents of test files, the first one shown; return the exit status and what was printed.

    `made`: what the second one needs.
    """

    def ended(*contents: str, made: tuple[str, Path] | None = None) -> tuple[int, str]:
        runs = []
        for number, content in enumerate(contents):
            path = tmp_path / f"test_{number}.py"
            path.write_text(content, encoding="utf-8")
            words = ["-p", "no:cacheprovider", "-c", "/dev/null", "--rootdir", str(tmp_path), str(path)]
            runs.append(
                Run(f"run-{number}", words, (("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1"),), made if number else None)
            )
        monkeypatch.setitem(run_tests.SUITES, "tried", (runs[0], runs[1:]))
        monkeypatch.setattr(run_tests, "REPORTS", tmp_path / "reports")
        return run_tests.main("tried"), capfd.readouterr().out

    return ended


def test_the_last_line_counts_the_tests_of_all_runs(sum_up):
    status, shown = sum_up(PASSES, FAILS)
    assert status == 1
    assert re.fullmatch(r"=+ 1 failed, 2 passed in [0-9.]+s =+", shown.splitlines()[-1])
    assert "FAILED in the run 'run-1': test_1::test_three" in shown


def test_a_run_that_breaks_off_fails_and_is_named(sum_up):
    status, shown = sum_up(PASSES, BREAKS_OFF)
    assert status == 9
    assert re.fullmatch(r"=+ 2 passed, 1 error in [0-9.]+s =+", shown.splitlines()[-1])
    assert "FAILED: the run 'run-1' ended with status 9" in shown


@pytest.mark.parametrize(("made", "outcome"), [("made", "4 passed"), ("missing", "2 passed")])
def test_a_run_whose_needs_cannot_be_made_here_is_left_out(sum_up, tmp_path, monkeypatch, made, outcome):
    (tmp_path / "made").mkdir()
    monkeypatch.setenv("GNU_MAKE", "true")
    status, shown = sum_up(PASSES, PASSES, made=("wheel", tmp_path / made))
    assert status == 0
    assert re.fullmatch(rf"=+ {outcome} in [0-9.]+s =+", shown.splitlines()[-1])


def test_a_run_whose_needs_fail_to_be_made_fails(sum_up, tmp_path, monkeypatch):
    monkeypatch.setenv("GNU_MAKE", "false")
    status, shown = sum_up(PASSES, PASSES, made=("wheel", tmp_path))
    assert status == 1
    assert re.fullmatch(r"=+ 2 passed, 1 error in [0-9.]+s =+", shown.splitlines()[-1])


def test_all_runs_pass_and_their_processor_time_is_shown(sum_up):
    status, shown = sum_up(PASSES, PASSES)
    assert status == 0
    assert re.search(r"^processor: user \d+ s, system \d+ s \(run-0 \d+ s, run-1 \d+ s\)$", shown, re.MULTILINE)
    assert re.fullmatch(r"=+ 4 passed in [0-9.]+s =+", shown.splitlines()[-1])
