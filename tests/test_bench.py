"""The benchmarks that need nothing but the program run, on little: what nobody runs breaks unnoticed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bench import catch_up, pages, record, replay, serve, served_history
from bench._laid_over import lay_over
from ledger import history as read_model
from ledger.history import History, open_history
from ledger.log import MemoryStore
from tests.history import helpers
from tests.history.helpers import NAMES, table_events


@pytest.mark.soak
def test_the_read_model_is_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catch_up, "ROUNDS", 1)
    figures = catch_up.main(tmp_path, deals=20)
    assert figures["entries (count)"] > 20
    assert all(figure > 0 for figure in figures.values())


def test_the_rows_of_a_read_model_are_laid_several_times_over(tmp_path: Path) -> None:
    """As often as asked for, at tables of their own, with the points of once."""
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


@pytest.mark.soak
def test_the_served_read_model_is_measured(tmp_path: Path) -> None:
    figures = served_history.main(tmp_path, deals=8, seconds=0.2)
    assert figures["catch-ups (count)"] >= 1
    assert all(figure > 0 for figure in figures.values())


def test_recording_is_measured(tmp_path: Path) -> None:
    figures = record.main(tmp_path, entries=60, acts=10)
    assert figures["table (count)"] == 60
    assert all(figure > 0 for figure in figures.values())


@pytest.mark.soak
def test_the_service_is_measured(tmp_path: Path, ci_requires: Callable[[str], str]) -> None:
    ci_requires("wrk")
    figures = serve.main(tmp_path, seconds=1.0, requests=500, listeners=10, connections=(2,), tables=3)
    assert figures["10 listeners, 8 connections, messages (count)"] > 0
    faults = [what for what in figures if "lost" in what or "doubled" in what]
    assert len(faults) == 4
    assert {what: figures[what] for what in faults} == dict.fromkeys(faults, 0)
    assert [what for what, figure in figures.items() if figure <= 0] == faults


@pytest.mark.soak
def test_an_evening_of_pages_is_measured(tmp_path: Path) -> None:
    figures = pages.main(tmp_path, seconds=2.0, tables=1, watchers=2)
    assert [what for what, figure in figures.items() if (figure == 0) != ("without" in what)] == []


def test_where_wrk_is_missing_that_is_said(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("PATH", "")
    assert serve.main() == {}
    assert "LEFT OUT: `wrk` is not installed" in capsys.readouterr().err


def test_each_contender_takes_turns_in_a_process_of_its_own() -> None:
    with replay._process_of("trickledger, kop") as turn:
        assert min(turn(), turn()) > 0


def test_a_contender_that_cannot_begin_is_named() -> None:
    with pytest.raises(RuntimeError, match="nobody cannot be measured"), replay._process_of("nobody"):
        pass
