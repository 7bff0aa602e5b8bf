"""`session`: opens an evening, amends what it says of itself, closes it when its tables are, and reopens it."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from datetime import UTC, datetime

import pytest

from tests.cli.commands import OPENED, CommandLine, environment
from tests.cli.japanese import english_in

ID = "0193f2a0-5c1e-7d3b-8a4f-2b6c9d0e1f23"
OPEN = ("session", "open", "friday", "--title", "Friday evening")
AT = ("--date", "2026-01-30", "--place", "Leiden", "--zone", "Europe/Amsterdam")


@pytest.fixture
def friday(cli: CommandLine) -> CommandLine:
    """An evening in Leiden, without tables."""
    cli.ok(*OPEN, *AT, "--by", "Ann")
    return cli


@pytest.fixture
def seated(friday: CommandLine) -> CommandLine:
    """The same with the tables `t` and `u`; another one belongs to no evening."""
    for table in ("t", "u"):
        friday.record({**OPENED, "session": "friday"}, table=table)
    friday.record(OPENED, table="other")
    return friday


def test_a_session_is_opened_with_all_that_it_says_of_itself(friday: CommandLine) -> None:
    (line,) = friday.ok("export").splitlines()
    entry = json.loads(line)
    assert (entry["stream"], entry["recorded_by"]) == ("session/friday", "Ann")
    assert entry["event"] == {
        "type": "session_opened",
        "title": "Friday evening",
        "date": "2026-01-30",
        "place": "Leiden",
        "zone": "Europe/Amsterdam",
    }


def test_its_author_is_told_how_it_stands(cli: CommandLine) -> None:
    assert cli.ok(*OPEN, *AT) == (
        "Friday evening, 2026-01-30; place Leiden; times of Europe/Amsterdam; open\n"
        "Recorded as entry 1 of session/friday, position 1 of the ledger.\n"
    )


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


def test_amending_corrects_the_first_entry_and_leaves_the_rest_of_it(friday: CommandLine) -> None:
    told = friday.ok("session", "amend", "friday", "--place", "Utrecht", "--club", "The Matadors", "--reason", "typo")
    assert told.splitlines()[:3] == [
        "session/friday · entry 1 · typo",
        "  was  Friday evening, 2026-01-30; place Leiden; times of Europe/Amsterdam; open",
        "  now  Friday evening, 2026-01-30; club The Matadors; place Utrecht; times of Europe/Amsterdam; open",
    ]
    event = friday.last_event()
    assert (event["type"], event["version"], event["action"], event["reason"]) == ("corrected", 1, "replace", "typo")
    friday.ok("session", "amend", "friday", "--title", "Thursday", "--date", "2026-01-29", "--reason", "typo")
    (now,) = friday.last_event()["events"]
    assert (now["title"], now["date"], now["place"], now["club"]) == (
        "Thursday",
        "2026-01-29",
        "Utrecht",
        "The Matadors",
    )


def test_an_empty_text_empties_a_field(friday: CommandLine) -> None:
    answer = friday.json("session", "amend", "friday", "--place", "", "--zone", "", "--reason", "nobody knows")
    assert (answer["before"]["place"], answer["after"]["place"], answer["after"]["zone"]) == ("Leiden", None, None)
    refused = friday.run("session", "amend", "friday", "--title", "", "--reason", "x")
    assert refused.exit_code == 3


def test_a_session_without_open_tables_is_closed_and_reopened(friday: CommandLine) -> None:
    assert friday.ok("session", "close", "friday").startswith("Friday evening, 2026-01-30; ")
    assert friday.last_event() == {"type": "session_closed"}
    told = friday.ok("session", "reopen", "friday", "--reason", "they play on")
    assert friday.last_event() == {"type": "corrected", "version": 2, "action": "strike", "reason": "they play on"}
    assert told.splitlines()[1].endswith("; closed") and told.splitlines()[2].endswith("; open")


def test_a_reopened_session_can_be_closed_again(friday: CommandLine) -> None:
    for _ in range(2):
        friday.ok("session", "close", "friday")
        refused = friday.run("session", "close", "friday")
        assert refused.exit_code == 3 and "the session is closed already" in refused.stderr
        friday.ok("session", "reopen", "friday", "--reason", "they play on")


def test_open_tables_are_named_and_nothing_is_recorded(seated: CommandLine) -> None:
    before = len(seated.entries())
    refused = seated.run("session", "close", "friday")
    assert (refused.exit_code, refused.stderr) == (
        2,
        "trickledger: tables of the session friday are still open: t, u; close them first (trickledger close TABLE), "
        "or say --confirm\n",
    )
    assert english_in(seated.refused(2, "session", "close", "friday", lang="ja"), re.compile("friday|TABLE")) == []
    as_json = json.loads(seated.run("session", "close", "friday", "--format", "json").stderr)["error"]
    assert (as_json["code"], as_json["known"]) == ("confirm_required", ["t", "u"])
    assert len(seated.entries()) == before


def test_it_is_closed_with_open_tables_where_that_is_meant(seated: CommandLine) -> None:
    told = seated.ok("session", "close", "friday", "--confirm")
    assert "Open tables: t, u.\n" in told and seated.last_event() == {"type": "session_closed"}


def test_a_closed_table_is_not_in_the_way_and_one_that_was_reopened_is(seated: CommandLine) -> None:
    for table in ("t", "u"):
        seated.ok("close", table)
    seated.ok("correct", "u", "strike", "--last", "--reason", "they play on")
    assert "are still open: u;" in seated.run("session", "close", "friday").stderr
    seated.ok("close", "u")
    assert seated.json("session", "close", "friday")["open_tables"] == []


def test_a_dry_run_shows_the_open_tables_and_asks_for_nothing(seated: CommandLine) -> None:
    before = len(seated.entries())
    told = seated.ok("session", "close", "friday", "--dry-run")
    assert told.endswith("Open tables: t, u.\nNothing was recorded; it would be entry 2 of session/friday.\n")
    assert len(seated.entries()) == before


@pytest.mark.parametrize(("typed", "status"), [(b"y\n", 0), ("はい\n".encode(), 0), (b"\n", 2), (b"n\n", 2)])
def test_at_a_terminal_it_is_asked(seated: CommandLine, typed: bytes, status: int) -> None:
    ours, theirs = pty.openpty()
    os.write(ours, typed)
    words = [sys.executable, "-m", "ledger", "--ledger", str(seated.ledger), "session", "close", "friday"]
    ended = subprocess.run(
        words, stdin=theirs, stdout=subprocess.PIPE, stderr=theirs, check=False, env=environment(), timeout=60
    )
    os.close(theirs)
    shown = os.read(ours, 10_000).decode()
    os.close(ours)
    assert ended.returncode == status
    assert "Tables of the session are still open: t, u. Close it all the same? [y/N] " in shown
    assert (seated.last_event()["type"] == "session_closed") is (status == 0)


def test_the_same_id_opens_it_once_and_answers_the_same(cli: CommandLine) -> None:
    first, again = (cli.json(*OPEN, *AT, "--id", ID) for _ in range(2))
    assert first | {"already_recorded": True} == again and len(cli.entries()) == 1
    assert cli.run("session", "close", "friday", "--id", ID).exit_code == 4


def test_a_session_that_went_on_is_not_closed(friday: CommandLine) -> None:
    friday.ok("note", "session/friday", "a cup was handed over")
    assert friday.run("session", "close", "friday", "--expected-version", 1).exit_code == 4
    assert friday.run("session", "close", "friday", "--expected-version", 2).exit_code == 0


def test_a_note_about_the_evening_can_be_worded_anew_and_struck(friday: CommandLine) -> None:
    friday.ok("note", "session/friday", "a cop was handed over")
    assert friday.last_event() == {"type": "noted", "text": "a cop was handed over"}
    friday.ok("correct", "session/friday", "replace", "a cup was handed over", "--last", "--reason", "typo")
    assert friday.last_event()["events"] == [{"type": "noted", "text": "a cup was handed over"}]
    friday.ok("correct", "session/friday", "strike", "--version", 2, "--reason", "another evening")
    assert friday.last_event()["action"] == "strike"
    friday.ok("correct", "session/friday", "restore", "--version", 2, "--reason", "it was this one")
    assert friday.last_event()["events"] == [{"type": "noted", "text": "a cop was handed over"}]


def test_a_report_has_what_was_amended(friday: CommandLine) -> None:
    friday.ok("session", "amend", "friday", "--title", "Friday the 30th", "--reason", "typo")
    page = friday.folder / "friday.html"
    assert friday.ok("report", "friday", "-o", page).startswith(f"Wrote {page}, as of entry ")
    assert "Friday the 30th" in page.read_text(encoding="utf-8")
