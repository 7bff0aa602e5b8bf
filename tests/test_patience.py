"""The clock of tests that measure stands still for a machine that is busy, and for nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from time import monotonic, sleep

from tests.patience import Stopwatch

WORK = "import os; os.sched_setaffinity(0, {int(__import__('sys').argv[1])}); sum(range(8_000_000))"


def test_a_rest_is_measured() -> None:
    watch = Stopwatch()
    sleep(0.2)
    assert watch.seconds > 0.15


def test_what_waits_for_a_processor_is_not_measured() -> None:
    """Six at one processor take six times as long as one, each of which waits for the others."""
    processor = str(min(os.sched_getaffinity(0)))
    begun = monotonic()
    crowd = [subprocess.Popen([sys.executable, "-c", WORK, processor]) for _ in range(6)]
    took_s, _ = Stopwatch(crowd[0].pid).until_ended(crowd[0])
    for one in crowd:
        one.wait()
    assert took_s < (monotonic() - begun) / 2
