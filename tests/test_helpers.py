"""The helpers of tests: the choice of combinations, and a stopwatch for a busy machine."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import patience
from tests.covering import covering, sample
from tests.patience import Stopwatch

ROOT = Path(__file__).parent.parent
CHOOSES = re.compile(r"^from tests\.(covering|hand_records|web\.side_by_side) import|IS_SOAK|\bsoak\b", re.MULTILINE)
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
