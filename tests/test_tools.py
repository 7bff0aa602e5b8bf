"""The tools and helpers of tests: summaries of several runs, small benchmarks, combinations, a stopwatch."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench import catch_up, fresh_pages, lake, pages, record, replay, serve, served_history, services, witness
from bench._laid_over import lay_over
from ledger import history as read_model
from ledger.history import History, open_history
from ledger.log import MemoryStore
from tests import patience
from tests.covering import covering, sample
from tests.history import helpers
from tests.history.helpers import NAMES, table_events
from tests.history.quick_sandbox import forked_answers, quick_queries  # noqa: F401 - pytest finds them here
from tests.patience import Stopwatch
from tools import run_tests
from tools.run_tests import Run

PASSES = "def test_one(): pass\ndef test_two(): pass\n"
FAILS = "def test_three(): assert False\n"
KILLED = "import os\ndef test_five(): os.kill(os.getpid(), 9)\n"


@pytest.fixture
def sum_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]):
    """Run these contents of test files, the first one shown; return the exit status and what was printed.

    `made`: a target of `make` that the second run begins with and a third consists of; `needs` belongs to the second.
    """

    def ended(*contents: str, made: str | None = None, needs: Path | None = None) -> tuple[int, str]:
        runs = []
        for number, content in enumerate(contents):
            path = tmp_path / f"test_{number}.py"
            path.write_text(content, encoding="utf-8")
            words = ["-p", "no:cacheprovider", "-c", "/dev/null", "--rootdir", str(tmp_path), str(path)]
            environment = (("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1"),)
            runs.append(Run(f"run-{number}", words, environment, *((made, needs) if number else ())))
        monkeypatch.setitem(run_tests.SUITES, "tried", ([runs[0]], runs[1:], [Run("alone", made=made)] if made else []))
        monkeypatch.setattr(run_tests, "REPORTS", tmp_path / "reports")
        return run_tests.main("tried"), capfd.readouterr().out

    return ended


SUMMED_UP = [
    ((PASSES, FAILS), 1, "1 failed, 2 passed", "FAILED in the run 'run-1': test_1::test_three"),
    ((PASSES, KILLED), -9, "2 passed, 1 error", "FAILED: the run 'run-1' ended with status -9"),
]


@pytest.mark.parametrize(("contents", "status", "outcome", "line"), SUMMED_UP)
def test_the_last_line_counts_the_tests_of_all_runs(sum_up, contents, status, outcome, line):
    ended, shown = sum_up(*contents)
    assert ended == status
    assert re.fullmatch(rf"=+ {outcome} in [0-9.]+s =+", shown.splitlines()[-1])
    assert re.search(f"^{line}", shown, re.MULTILINE)


@pytest.mark.parametrize(("make", "made", "status", "outcome"), [
    ("true", "made", 0, "4 passed"), ("true", "missing", 0, "2 passed"), ("false", "missing", 1, "2 passed, 2 errors"),
])  # fmt: skip
def test_a_run_whose_needs_cannot_be_made_here_is_left_out(sum_up, tmp_path, monkeypatch, make, made, status, outcome):
    """A target that fails is an error, and not a need that this machine lacks."""
    (tmp_path / "made").mkdir()
    monkeypatch.setenv("GNU_MAKE", make)
    ended, shown = sum_up(PASSES, PASSES, made="wheel", needs=tmp_path / made)
    assert ended == status
    assert re.search(r"^processor of the tests: user \d+ s, system \d+ s \(run-0 \d+ s(, run-1 \d+ s)?\)", shown, re.M)
    assert re.fullmatch(rf"=+ {outcome} in [0-9.]+s =+", shown.splitlines()[-1])
    assert ("FAILED: the run 'alone' ended with status 1" in shown) == bool(status)


TOOL = Path(__file__).parent.parent / "tools" / "mutants.py"


def said_of(*results: str) -> tuple[int, list[str]]:
    run = subprocess.run([sys.executable, TOOL], input="\n".join(results), capture_output=True, text=True, check=False)
    assert run.stderr == ""
    return run.returncode, run.stdout.splitlines()


def faults(module: str, **statuses: int) -> list[str]:
    listed = [status for status, count in statuses.items() for _ in range(count)]
    return [f"    ledger.games.{module}.f__mutmut_{n}: {status}" for n, status in enumerate(listed, 1)]


def test_nine_of_ten_faults_killed_in_each_file_are_enough():
    enough, too_few = faults("ombre.deal", killed=8, timeout=1, survived=1), faults("kop.scoring", killed=8, survived=2)
    said = ["ledger.games.ombre.deal.f__mutmut_10: survived", "ledger.games.ombre.deal: 9 of 10 found, 90.0 %"]
    assert said_of(*enough) == (0, said)
    status, said = said_of(*enough, *too_few)
    assert (status, said[-2]) == (1, "ledger.games.kop.scoring: 8 of 10 found, 80.0 %")


def test_faults_in_untested_code_count_as_survivors_and_no_checked_ones_are_a_failure():
    assert said_of() == (1, [])
    missed = [f"    ledger.games.kop.deal.g__mutmut_{n}: no tests" for n in (1, 2)]
    unchecked = [f"    ledger.games.ombre.deal.f__mutmut_{n}: not checked" for n in range(9)]
    status, said = said_of(*faults("kop.deal", killed=8), *missed, *unchecked)
    assert (status, said[-1]) == (1, "ledger.games.kop.deal: 8 of 10 found, 80.0 %")


def test_the_rows_of_a_read_model_are_laid_several_times_over(tmp_path: Path) -> None:
    """Check that rows are repeated at tables of their own, with the same points."""
    path = tmp_path / "history.duckdb"
    store = MemoryStore()
    for number in range(2):
        helpers.record(store, f"table/t{number}", *table_events(f"t{number}", 2))
    read_model.catch_up(store, path)
    with open_history(path) as once:
        expected = {table: 3 * rows for table, rows in _rows(once).items()}
        points = sum(row["points"] for row in once.statistic("placings").answer.objects())
    lay_over(path, 3)
    with open_history(path) as thrice:
        assert _rows(thrice) == expected
        placings = thrice.statistic("placings").answer.objects()
        assert sum(row["points"] for row in placings) == 3 * points
        assert len({row["table_name"] for row in placings}) == 6
        assert {row["player"] for row in placings} > set(NAMES[:3])


def _rows(history: History) -> dict[str, int]:
    return {table: history.query(f"FROM {table} SELECT count(*)").rows[0][0] for table in ("deals", "plays", "entries")}


MEASURED = {
    "read model": lambda folder: catch_up.main(folder, deals=20),
    "served read model": lambda folder: served_history.main(folder, deals=8, seconds=0.2),
    "recording": lambda folder: record.main(folder, entries=60, acts=10),
    "lake": lambda folder: lake.main(deals=40, federated=40, ledgers=(2,)),
    "witness": lambda folder: witness.main(folder, clubs=3, days=2),
    "fresh pages": lambda folder: fresh_pages.main(folder, deals=8, times=1, rounds=1, tables=2),
    "evening of pages": lambda folder: pages.main(folder, seconds=2.0, tables=1, watchers=2),
}
COUNTS = {"entries (count)": 21, "catch-ups (count)": 1, "table (count)": 60}
"""The least of some figures."""


@pytest.mark.soak
@pytest.mark.parametrize("what", MEASURED)
def test_all_of_it_is_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    monkeypatch.setattr(catch_up, "ROUNDS", 1)
    figures = MEASURED[what](tmp_path)
    assert [name for name, figure in figures.items() if (figure == 0) != ("without a page" in name)] == []
    assert all(figures[name] >= least for name, least in COUNTS.items() if name in figures)


@pytest.mark.soak
def test_the_service_is_measured(tmp_path: Path, ci_requires: Callable[[str], str]) -> None:
    ci_requires("wrk")
    figures = serve.main(tmp_path, seconds=1.0, requests=500, listeners=10, connections=(2,), tables=3)
    assert figures["10 listeners, 8 connections, messages (count)"] > 0
    faults = [what for what in figures if "lost" in what or "doubled" in what]
    assert len(faults) == 4
    assert {what: figures[what] for what in faults} == dict.fromkeys(faults, 0)
    assert [what for what, figure in figures.items() if figure <= 0 and "last watcher" not in what] == faults


@pytest.mark.soak
def test_several_services_are_measured(
    tmp_path: Path, ci_requires: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for program in ("wrk", "pg_ctlcluster"):
        ci_requires(program)
    monkeypatch.setattr(services, "ROUNDS", 1)
    figures = services.main(tmp_path, seconds=1.0, listeners=5, tables=3)
    faults = [what for what in figures if "lost" in what or "doubled" in what]
    assert len(faults) == 4 * 3
    assert {what: figures[what] for what in faults} == dict.fromkeys(faults, 0)
    assert {figures[what] for what in figures if "watch, messages" in what} == {30, 60}


def test_a_missing_wrk_is_reported(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("PATH", "")
    assert serve.main() == services.main() == {}
    assert "LEFT OUT: `wrk` is not installed" in capsys.readouterr().err


def test_each_contender_takes_turns_in_a_process_of_its_own() -> None:
    with replay._process_of("trickledger, kop") as turn:
        assert min(turn(), turn()) > 0


def test_a_contender_that_cannot_begin_is_named() -> None:
    with pytest.raises(RuntimeError, match="nobody cannot be measured"), replay._process_of("nobody"):
        pass


ROOT = Path(__file__).parent.parent
CHOOSES = re.compile(r"\b(covering|sample|some_records)\(|IS_SOAK|GAMES_AND_CHANGES|game_suite import")
"""The code of files whose rows depend on how much is tried."""

AXES = st.lists(st.integers(1, 5).map(lambda length: list(range(length))), min_size=1, max_size=3)


@given(AXES)
def test_each_value_of_each_axis_is_in_a_chosen_row(axes):
    rows = covering(*axes, is_soak=False)
    for axis, values in zip(axes, zip(*rows, strict=True), strict=True):
        assert set(values) == set(axis)


@given(AXES)
def test_a_soak_run_has_each_combination_once(axes):
    rows = [getattr(row, "values", row) for row in covering(*axes, is_soak=True)]
    count = 1
    for axis in axes:
        count *= len(axis)
    assert len(rows) == len(set(rows)) == count


@given(st.integers(1, 20), st.integers(1, 25))
def test_a_sample_has_its_ends_and_a_soak_run_all(length, count):
    values = list(range(length))
    chosen = sample(values, count, is_soak=False)
    assert len(chosen) == min(length, count)
    assert chosen[0] == 0
    assert count == 1 or chosen[-1] == length - 1
    everything = [value if isinstance(value, int) else value[0][0] for value in sample(values, count, is_soak=True)]
    assert sorted(everything) == values


def test_the_soak_can_be_collected():
    """Collect the rows of a soak run, where a mistake would be noticed late."""
    files = [str(path) for path in (ROOT / "tests").rglob("test_*.py") if CHOOSES.search(path.read_text("utf-8"))]
    command = [sys.executable, "-m", "pytest", "--collect-only", "-qq", "-m", "soak", "-p", "no:cacheprovider", *files]
    environment = {**os.environ, "HYPOTHESIS_PROFILE": "soak"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_waiting_for_a_processor_is_not_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let two threads wait three and four of ten seconds, as Linux reports in `schedstat`'s second number, in ns."""
    now_s = 100.0
    monkeypatch.setattr(patience, "monotonic", lambda: now_s)
    monkeypatch.setattr(patience, "Path", lambda place: tmp_path / place.strip("/").replace("self", "1"))
    threads = [tmp_path / "proc" / process / "task" / process / "schedstat" for process in ("1", "7")]
    for thread in threads:
        thread.parent.mkdir(parents=True)
        thread.write_text("5000000000 1000000000 9\n")
    watch = Stopwatch(7)
    assert watch.seconds == 0
    now_s += 10
    assert watch.seconds == 10
    threads[0].write_text("6000000000 4000000000 9\n")
    threads[1].write_text("6000000000 5000000000 9\n")
    assert watch.seconds == 10 - 3 - 4
    threads[1].unlink()
    assert watch.seconds == 10 - 3 - 4, "a thread that has ended keeps what was seen of it"
