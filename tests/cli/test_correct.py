"""`correct`: what it shows, what it records, what it refuses; and how a correction shows everywhere else."""

from __future__ import annotations

import json

import pytest

from tests.cli.commands import CommandLine, lines

REVOKE = "ombre-revoke"
ID = "0193f2a0-5c1e-7d3b-8a4f-2b6c9d0e1f23"
MEND = ("correct", REVOKE, "replace", "D4", "--deal", 1, "--step", 24, "--reason", "misread")


def test_it_shows_what_was_read_and_what_is_read_now(club: CommandLine) -> None:
    told = club.ok(*MEND)
    assert "was  Baron ♥2\n  now  Baron ♦4\n" in told
    assert "no longer error   OMB-11.37  deal 1, entry 25" in told
    assert told.endswith("Recorded as entry 39 of ombre-revoke, position 43 of the ledger.\n")


def test_it_records_who_and_why_and_nothing_else(club: CommandLine) -> None:
    before = club.entries()
    club.ok(*MEND, "--by", "director")
    *same, new = club.entries()
    assert same == before
    assert (new["recorded_by"], new["event"]) == (
        "director",
        {
            "type": "corrected",
            "version": 25,
            "action": "replace",
            "reason": "misread",
            "events": [{"type": "card_played", "seat": 1, "card": "D4"}],
        },
    )


def test_a_dry_run_shows_the_same_and_records_nothing(club: CommandLine) -> None:
    before = club.entries()
    told = club.ok(*MEND, "--dry-run")
    assert club.entries() == before
    assert told.endswith("Nothing was recorded; it would be entry 39 of ombre-revoke.\n")
    assert club.ok(*MEND).splitlines()[:-1] == told.splitlines()[:-1]


def test_json_has_the_score_and_the_findings_before_and_after(club: CommandLine) -> None:
    answer = club.json("correct", "t", "strike", "--last", "--reason", "not played")
    assert answer.keys() == {"table", "version", "position", "id", "already_recorded", "event", "change"}
    change = answer["change"]
    assert (change["totals_before"], change["totals_after"]) == ([-20, 20, -5], [0, 0, -5])
    (deal,) = change["deals"]
    assert (deal["before"]["status"], deal["after"]["status"]) == ("complete", "open")


def test_undoing_goes_back_entry_by_entry(club: CommandLine) -> None:
    for version in (38, 37, 36):
        answer = club.json("correct", REVOKE, "strike", "--last", "--reason", "typed twice")
        assert answer["event"]["version"] == version


def test_events_come_from_standard_input(club: CommandLine) -> None:
    event = {"type": "noted", "text": "a glass was spilt"}
    told = club.ok(
        "correct", "t", "insert_after", "-", "--version", 3, "--reason", "x", stdin=json.dumps(event).encode()
    )
    assert "now  the result is" in told
    assert "noted: a glass was spilt" in told


def test_what_is_no_text_is_refused(club: CommandLine) -> None:
    answered = club.run("correct", "t", "replace", "-", "--last", "--reason", "x", stdin=b"\xff")
    assert (answered.exit_code, answered.stderr) == (
        3,
        "trickledger: standard input: not UTF-8; expected text in UTF-8\n",
    )


def test_the_same_id_again_is_recorded_once(club: CommandLine) -> None:
    first = club.json(*MEND, "--id", ID)
    size = len(club.entries())
    second = club.json(*MEND, "--id", ID)
    assert (first["already_recorded"], second["already_recorded"]) == (False, True)
    assert {**second, "already_recorded": False} == first
    assert "Recorded before as entry 39" in club.ok(*MEND, "--id", ID.upper())
    assert len(club.entries()) == size


def test_the_same_id_for_something_else_is_a_conflict(club: CommandLine) -> None:
    club.ok(*MEND, "--id", ID)
    answered = club.refused(4, "correct", REVOKE, "strike", "--last", "--reason", "x", "--id", ID)
    assert f"the id {ID} is used for something else" in answered
    assert club.run("correct", "t", "strike", "--last", "--reason", "x", "--id", ID).exit_code == 4


def test_the_id_of_another_table_is_a_conflict(cli: CommandLine, club: CommandLine) -> None:
    event = {"stream": "table/later", "event": {"type": "table_opened", "game": "ombre", "players": ["A", "B", "C"]}}
    first = club.entries()[0]["id"]
    cli.ok("import", "-", stdin=json.dumps(event).encode())
    note = '{"type": "noted", "text": "x"}'
    answered = club.refused(4, "correct", "later", "insert_after", note, "--last", "--reason", "x", "--id", first)
    assert f"the id {first} is used for something else: version 1 of table/t" in answered


@pytest.mark.parametrize("trial", [(), ("--dry-run",)])
def test_another_version_than_expected_is_a_conflict(club: CommandLine, trial: tuple[str, ...]) -> None:
    answered = club.refused(4, *MEND, "--expected-version", 37, *trial)
    assert "table/ombre-revoke is at version 38, not at 37 as expected" in answered
    assert club.run(*MEND, "--expected-version", 38, *trial).exit_code == 0


# --- shown everywhere as what it is -----------------------------------------------------------------------------------


def test_a_replay_marks_the_corrected_step_and_names_the_correction(club: CommandLine) -> None:
    club.ok(*MEND)
    story = club.ok("replay", REVOKE)
    assert "♦4* Baron" in story
    assert "corrected  entry 25: Baron ♦4, written: Baron ♥2\n           by entry 39: misread\n" in story
    assert "24  Baron ♦4 *" in club.ok("replay", REVOKE, "--all-steps")
    assert "after step 24 of 36: Baron ♦4 *" in club.ok("replay", REVOKE, "--step", 24)
    assert "*" not in club.ok("replay", REVOKE, "--as-recorded")


def test_a_corrected_hand_is_shown_to_no_seat_that_cannot_know_it(club: CommandLine) -> None:
    told = ("Baron: SA S2 HA H7 H3 DA D6 D4 C6", "--deal", 1, "--step", 2, "--reason", "misread")
    club.ok("correct", REVOKE, "replace", *told)
    assert "corrected  entry 3: the cards are dealt, Belinda ♥ K J" in club.ok("replay", REVOKE)
    assert "corrected  entry 3: the cards are dealt, written: the cards are dealt\n" in club.ok(
        "replay", REVOKE, "--seat", 0
    )


def test_a_struck_step_is_named_too(club: CommandLine) -> None:
    club.ok("correct", REVOKE, "strike", "--version", 25, "--reason", "misread")
    assert "corrected  entry 25: nothing, written: Baron ♥2\n" in club.ok("replay", REVOKE)


def test_both_readings_stand_side_by_side(club: CommandLine) -> None:
    club.ok(*MEND)
    told = club.ok("replay", REVOKE, "--diff").splitlines()
    (line,) = [line for line in told if line.startswith("   25")]
    was, now = line.split("≠")
    assert was.split() == ["25", "Baron", "♥2", "!", "OMB-11.37"]
    assert now.split() == ["Baron", "♦4"]
    assert "by entry 39: misread" in told[told.index(line) + 1]


def test_both_readings_in_json(club: CommandLine) -> None:
    answer = club.json("replay", "t", "--diff")
    assert answer.keys() == {
        "table", "deal", "entries", "score_recorded", "score_corrected", "totals_recorded", "totals_corrected",
    }  # fmt: skip
    assert (answer["totals_recorded"], answer["totals_corrected"]) == ([5, 0, -5], [-20, 20, -5])
    (changed,) = [entry for entry in answer["entries"] if entry["correction"] is not None]
    assert (changed["version"], changed["correction"]) == (3, 4)


def test_both_readings_as_of_a_position(club: CommandLine) -> None:
    answer = club.json("replay", "t", "--diff", "--as-of", 3)
    assert answer["totals_recorded"] == answer["totals_corrected"] == [5, 0, -5]


def test_what_followed_is_judged_again(cli: CommandLine) -> None:
    opened = {"type": "table_opened", "game": "ombre", "players": ["Ann", "Ben", "Cleo"]}
    deals = [{"type": "deal_started", "deal": deal, "dealer": (deal + 1) % 3} for deal in (1, 2)]
    cli.ok("import", "-", stdin=lines(opened, *deals))
    told = cli.ok("correct", "t", "replace", "Ben", "--version", 2, "--reason", "Ben dealt")
    assert "deal 2, entry 3: Ann dealt, but it was Cleo's deal" in told
    assert cli.json("audit", "t") != cli.json("audit", "t", "--as-recorded")
