"""`correct` where one correction is several entries: a card that takes seats with it, and a deal typed anew."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.commands import CommandLine
from tests.recording.test_correcting_deal import ANEW
from tests.recording.test_moved_seats import WRONG

CARD = ("correct", "slip", "replace", "HA", "--deal", 1, "--step", 10, "--reason", "misread")
"""The fourth card: `deal_started`, `cards_dealt` and four calls come before the play."""


@pytest.fixture
def wrong(cli: CommandLine) -> CommandLine:
    cli.ok("import", cli.file("slip.toml", WRONG.encode()))
    return cli


@pytest.fixture
def anew(cli: CommandLine) -> Path:
    return cli.file("anew.toml", ANEW.encode())


def test_the_seats_that_move_are_shown_and_recorded(wrong: CommandLine) -> None:
    before = len(wrong.entries())
    tried = wrong.ok(*CARD, "--dry-run")
    assert "was  Dan ♦A\n  now  Dan ♥A\nwith it\n  entry 12: Cleo ♠A → Dan ♠A\n" in tried
    assert tried.splitlines()[-1].startswith("Nothing was recorded; it would be entries ")
    assert len(wrong.entries()) == before
    told = wrong.ok(*CARD)
    assert told.splitlines()[:-1] == tried.splitlines()[:-1]
    assert told.splitlines()[-1].startswith(f"Recorded as entries {before + 1} to {len(wrong.entries())} of slip, ")
    assert wrong.run("audit", "slip").exit_code == 0


def test_they_stay_where_somebody_says_so(wrong: CommandLine) -> None:
    before = len(wrong.entries())
    told = wrong.ok(*CARD, "--keep-seats")
    assert "with it" not in told
    assert len(wrong.entries()) == before + 1
    assert wrong.run("audit", "slip").exit_code == 1


def test_programs_are_told_of_all(wrong: CommandLine) -> None:
    answer = wrong.json(*CARD)
    recorded = [one["event"] for one in wrong.entries() if one["event"]["type"] == "corrected"]
    assert [answer["event"], *answer["more"]] == recorded
    assert len(recorded) > 2


def test_a_deal_typed_anew_is_one_correction(wrong: CommandLine, anew: Path) -> None:
    told = wrong.ok("correct", "slip", "deal", 1, "--from", anew, "--reason", "read wrongly")
    assert told.startswith("slip · entry ")
    corrections = [one["event"] for one in wrong.entries() if one["event"]["type"] == "corrected"]
    assert {event["reason"] for event in corrections} == {"read wrongly"}
    assert wrong.run("audit", "slip").exit_code == 0
    (deal,) = wrong.json("score", "slip")["deals"]
    assert (deal["deltas"], deal["claimed"]["deltas"]) == ([1, -1, -1, 1], [1, -1, -1, 1])


def test_it_is_told_in_japanese(wrong: CommandLine, anew: Path) -> None:
    told = wrong.ok("correct", "slip", "deal", 1, "--from", anew, "--reason", "誤読", "--dry-run", lang="ja")
    assert "合わせて" in told
    assert "何も記録していません。記録すれば slip の記録 " in told


def test_what_is_wrong_in_the_file_is_said_with_its_line(wrong: CommandLine, cli: CommandLine) -> None:
    file = cli.file("bad.toml", ANEW.replace("SQ CJ", "SQ XX").encode())
    answered = wrong.run("correct", "slip", "deal", 1, "--from", file, "--reason", "x")
    assert (answered.exit_code, answered.stderr.partition(": ")[2].partition(";")[0]) == (
        3,
        f"{file}, line 7: not a card: 'XX'",
    )
