"""The record as corrected, as first written, and as it stood at a position or a moment."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import Any

from tests.cli.commands import CommandLine

JAPAN = timezone(timedelta(hours=9))
CORRECTED, AS_WRITTEN = "CODILLE", "SACADA"


def result_of(answer: Any) -> str:
    return str(answer["deals"][0]["outcome"]["result"])


def moments(club: CommandLine) -> list[str]:
    return [entry["recorded_at"] for entry in club.entries()]


def test_as_of_a_moment_reads_what_was_recorded_by_then(club: CommandLine) -> None:
    first, corrected = moments(club)[2:4]
    assert result_of(club.json("score", "t", "--as-of", first)) == AS_WRITTEN
    assert result_of(club.json("score", "t", "--as-of", corrected)) == CORRECTED


def test_a_moment_may_have_another_offset(club: CommandLine) -> None:
    first = moments(club)[2]
    shifted = datetime.fromisoformat(first).astimezone(JAPAN).isoformat()
    assert shifted.endswith("+09:00")
    assert club.json("score", "t", "--as-of", shifted) == club.json("score", "t", "--as-of", first)
