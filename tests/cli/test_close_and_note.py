"""`close` and `note`: what they record, show and refuse, and how `correct` takes them back."""

from __future__ import annotations

import json

from tests.cli.commands import OPENED, REVOKED, CommandLine

ID = "0193f2a0-5c1e-7d3b-8a4f-2b6c9d0e1f23"


def is_closed(cli: CommandLine, table: str) -> bool:
    return {row["table"]: row["closed"] for row in cli.json("tables")}[table]


def test_closing_a_table_pays_out_what_its_end_does(club: CommandLine) -> None:
    told = club.ok("close", REVOKED)
    assert [line.split()[:5] for line in told.splitlines()[1:3]] == [
        ["total", "before", "-20", "0", "+15"],
        ["total", "after", "-18", "+2", "+16"],
    ]
    assert told.endswith("Recorded as entry 39 of ombre-revoke, position 43 of the ledger.\n")
    assert club.json("score", REVOKED)["totals"] == [-18, 2, 16]


def test_a_reason_is_recorded_with_the_closing(club: CommandLine) -> None:
    club.ok("close", REVOKED, "--reason", "the lamp went out", "--by", "Ann")
    assert club.last_event() == {"type": "table_closed", "reason": "the lamp went out"}
    assert json.loads(club.ok("export").splitlines()[-1])["recorded_by"] == "Ann"


def test_a_dry_run_closes_nothing(club: CommandLine) -> None:
    told = club.ok("close", REVOKED, "--dry-run")
    assert told.endswith("Nothing was recorded; it would be entry 39 of ombre-revoke.\n")
    assert not is_closed(club, REVOKED)


def test_a_table_is_closed_once(club: CommandLine) -> None:
    club.ok("close", REVOKED)
    refused = club.run("close", REVOKED)
    assert refused.exit_code == 3
    assert refused.stderr == "trickledger: the table is closed already; expected a table that is open\n"
    assert club.run("close", REVOKED, lang="ja").stderr.startswith("trickledger: 卓はすでに閉じています")


def test_the_same_id_closes_it_once_and_answers_the_same(club: CommandLine) -> None:
    first, again = (club.json("close", REVOKED, "--id", ID) for _ in range(2))
    assert (first["already_recorded"], again["already_recorded"]) == (False, True)
    assert first | {"already_recorded": True} == again


def test_a_table_that_went_on_is_not_closed(club: CommandLine) -> None:
    refused = club.run("close", REVOKED, "--expected-version", 37)
    assert refused.exit_code == 4 and not is_closed(club, REVOKED)


def test_correct_takes_a_closing_back_and_it_can_be_closed_again(club: CommandLine) -> None:
    before = club.json("score", REVOKED)
    club.ok("close", REVOKED)
    undone = club.ok("correct", REVOKED, "strike", "--last", "--reason", "they play on")
    assert "was  the table is closed\n  now  nothing\n" in undone
    assert club.json("score", REVOKED) == before
    club.ok("close", REVOKED)
    assert is_closed(club, REVOKED)


def test_a_note_stands_at_an_entry_and_a_player(club: CommandLine) -> None:
    told = club.ok("note", REVOKED, "the lamp went out", "--deal", 1, "--step", 24, "--player", "Bar")
    assert told == "Recorded as entry 39 of ombre-revoke, position 43 of the ledger.\n"
    assert club.last_event() == {"type": "noted", "text": "the lamp went out", "seat": 1, "version": 25}


def test_a_note_about_nothing_more_is_a_text_alone(club: CommandLine) -> None:
    club.ok("note", REVOKED, "late")
    assert club.last_event() == {"type": "noted", "text": "late"}


def test_a_note_names_players_as_they_are_shown(club: CommandLine) -> None:
    club.ok("players", "Belinda", "--name", "Arabella Fermor")
    club.ok("note", REVOKED, "late", "--seat", "Arabella")
    assert club.last_event()["seat"] == 0
    club.ok("note", REVOKED, "late", "--seat", "Belinda")
    assert club.last_event()["seat"] == 0


def test_a_note_can_be_struck_and_worded_anew(club: CommandLine) -> None:
    club.ok("note", REVOKED, "late")
    assert "now  noted: very late" in club.ok("correct", REVOKED, "replace", "very late", "--last", "--reason", "typo")
    assert "now  nothing" in club.ok("correct", REVOKED, "strike", "--last", "--reason", "typo")


def test_a_table_without_deals_is_closed_too(cli: CommandLine) -> None:
    cli.record(OPENED)
    cli.ok("close", "t", "--format", "json")
    assert is_closed(cli, "t")
