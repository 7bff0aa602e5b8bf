"""The clock of tests that measure stands still for a machine that is busy, and for nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import patience
from tests.patience import Stopwatch


def test_what_waits_for_a_processor_is_not_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of ten seconds two threads waited three and four, as Linux says in the second number of `schedstat`, in ns."""
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
