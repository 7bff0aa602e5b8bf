"""The record as corrected, as first written, and as it stood at a position or a moment."""

from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from tests.cli.commands import CommandLine

JAPAN = timezone(timedelta(hours=9))
CORRECTED, AS_WRITTEN = "CODILLE", "SACADA"


def result_of(answer: Any) -> str:
    return str(answer["deals"][0]["outcome"]["result"])


def moments(club: CommandLine) -> list[str]:
    return [json.loads(line)["recorded_at"] for line in club.ok("export").splitlines()]


def test_by_default_corrections_are_read(club: CommandLine) -> None:
    assert result_of(club.json("score", "t")) == CORRECTED


def test_as_recorded_leaves_them_out(club: CommandLine) -> None:
    assert result_of(club.json("score", "t", "--as-recorded")) == AS_WRITTEN


@pytest.mark.parametrize(("position", "read"), [(3, AS_WRITTEN), (4, CORRECTED), (5, CORRECTED)])
def test_as_of_a_position_reads_up_to_it(club: CommandLine, position: int, read: str) -> None:
    assert result_of(club.json("score", "t", "--as-of", position)) == read


def test_as_of_a_moment_reads_what_was_recorded_by_then(club: CommandLine) -> None:
    first, corrected = moments(club)[2:4]
    assert result_of(club.json("score", "t", "--as-of", first)) == AS_WRITTEN
    assert result_of(club.json("score", "t", "--as-of", corrected)) == CORRECTED


def test_a_moment_may_have_another_offset(club: CommandLine) -> None:
    first = moments(club)[2]
    shifted = datetime.fromisoformat(first).astimezone(JAPAN).isoformat()
    assert shifted.endswith("+09:00")
    assert club.json("score", "t", "--as-of", shifted) == club.json("score", "t", "--as-of", first)


def test_a_moment_to_come_reads_everything(club: CommandLine) -> None:
    assert club.json("score", "t", "--as-of", "2999-01-01") == club.json("score", "t")


def test_as_recorded_and_as_of_can_be_asked_together(club: CommandLine) -> None:
    assert result_of(club.json("score", "t", "--as-recorded", "--as-of", 4)) == AS_WRITTEN


@pytest.mark.parametrize("command", ["score", "audit"])
def test_all_leaves_out_the_tables_opened_later(club: CommandLine, command: str) -> None:
    told = club.run(command, "--all", "--as-of", 4, "--format", "json").stdout
    assert [json.loads(line)["table"] for line in told.splitlines()] == ["t"]


def test_audit_follows_the_correction(club: CommandLine) -> None:
    club.record({"type": "corrected", "version": 25, "action": "strike", "reason": "misread"}, table="ombre-revoke")
    assert club.json("audit", "ombre-revoke") != club.json("audit", "ombre-revoke", "--as-recorded")
    codes = [finding["code"] for finding in club.json("audit", "ombre-revoke", "--as-recorded")["findings"]]
    assert codes == ["OMB-11.51", "OMB-11.37"]


def test_replay_follows_the_correction(club: CommandLine) -> None:
    club.record(
        {
            "type": "corrected",
            "version": 25,
            "action": "replace",
            "events": [{"type": "card_played", "seat": 1, "card": "D4"}],
            "reason": "misread",
        },
        table="ombre-revoke",
    )
    step = 24
    assert club.json("replay", "ombre-revoke", "--step", step)["tricks"][4]["cards"][-1] == "D4"
    assert club.json("replay", "ombre-revoke", "--step", step, "--as-recorded")["tricks"][4]["cards"][-1] == "H2"


def test_the_record_itself_never_changes(club: CommandLine) -> None:
    before = club.ok("export").splitlines()
    club.record({"type": "corrected", "version": 3, "action": "strike", "reason": "never played"})
    assert club.ok("export").splitlines()[:-1] == before
