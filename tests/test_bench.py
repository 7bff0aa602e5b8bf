"""The benchmarks that need nothing but the program run, on little: what nobody runs breaks unnoticed."""

from __future__ import annotations

from pathlib import Path

from bench import catch_up


def test_the_read_model_is_measured(tmp_path: Path) -> None:
    figures = catch_up.main(tmp_path, deals=20)
    assert figures["entries (count)"] > 20
    assert all(figure > 0 for figure in figures.values())
