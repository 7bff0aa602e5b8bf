"""What the choice of combinations promises."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from tests.covering import covering, sample

ROOT = Path(__file__).parent.parent
CHOOSES = re.compile(r"^from tests\.(covering|hand_records|web\.side_by_side) import|IS_SOAK|\bsoak\b", re.MULTILINE)
"""Files whose rows depend on how much is tried."""

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
    """Its rows are made in a soak run only, where a mistake in them would be seen late."""
    files = [str(path) for path in (ROOT / "tests").rglob("test_*.py") if CHOOSES.search(path.read_text("utf-8"))]
    command = [sys.executable, "-m", "pytest", "--collect-only", "-qq", "-m", "soak", "-p", "no:cacheprovider", *files]
    environment = {**os.environ, "HYPOTHESIS_PROFILE": "soak"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
