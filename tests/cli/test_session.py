"""`session` without a date, at a terminal and in Japanese; the rest is in `transcripts/session.txt`."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest

from tests.cli.commands import OPENED, CommandLine
from tests.cli.japanese import english_in
from tests.cli.terminal import at_a_terminal


@pytest.fixture
def seated(cli: CommandLine) -> CommandLine:
    """An evening with the tables `t` and `u`."""
    cli.ok("session", "open", "friday", "--title", "Friday evening")
    for table in ("t", "u"):
        cli.record({**OPENED, "session": "friday"}, table=table)
    return cli


def test_without_a_date_it_is_today_on_the_clock_that_is_asked_for(
    cli: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ledger.cli.session.utc_now", lambda: datetime(2026, 1, 30, 20, tzinfo=UTC))
    days = {}
    for slug, words in {
        "machine": (),
        "asked": ("--tz", "Asia/Tokyo"),
        "its-own": ("--zone", "Asia/Tokyo"),
        "both": ("--tz", "Europe/London", "--zone", "Asia/Tokyo"),
    }.items():
        cli.ok("session", "open", slug, "--title", "T", *words)
        days[slug] = cli.last_event()["date"]
    assert days == {"machine": "2026-01-30", "asked": "2026-01-31", "its-own": "2026-01-31", "both": "2026-01-30"}


def test_open_tables_are_named_in_japanese(seated: CommandLine) -> None:
    assert english_in(seated.refused(2, "session", "close", "friday", lang="ja"), re.compile("friday|TABLE")) == []


@pytest.mark.parametrize(("typed", "status"), [("y\n", 0), ("はい\n", 0), ("\n", 2), ("n\n", 2)])
def test_at_a_terminal_it_is_asked(seated: CommandLine, typed: str, status: int) -> None:
    ended, shown = at_a_terminal(seated, typed, "session", "close", "friday")
    assert ended == status
    assert "Tables of the session are still open: t, u. Close it all the same? [y/N] " in shown
    assert (seated.last_event()["type"] == "session_closed") is (status == 0)
