"""The score as people read it: who is named where, and that it says what the record says."""

from __future__ import annotations

from tests.cli.commands import FIRST_DEAL, OPENED, CommandLine, result

SECOND_DEAL = {"type": "deal_started", "deal": 2, "dealer": 0}


def seated(seat: int, player: str) -> dict[str, object]:
    return {"type": "player_seated", "seat": seat, "player": player}


def test_each_deal_names_who_sat_there_in_it(cli: CommandLine) -> None:
    cli.record(OPENED, FIRST_DEAL, result(5, 2, 2), seated(0, "Zed"), SECOND_DEAL, result(5, 2, 2))

    first, second = cli.ok("score", "t").split("deal 2, ")

    assert "pool → Ann " in first
    assert "Zed" not in first.split("\n", 1)[1]
    assert second.startswith("Zed deals")
    assert "pool → Zed " in second


def test_the_sheet_is_headed_by_who_sat_down_first_and_says_who_came_later(cli: CommandLine) -> None:
    cli.record(OPENED, FIRST_DEAL, result(5, 2, 2), seated(0, "Zed"), SECOND_DEAL, result(5, 2, 2))

    sheet = cli.ok("score", "t").split("\n\n")[-3].splitlines()

    assert sheet[0].split() == ["deal", "Ann", "Ben", "Cleo", "pool"]
    assert [line.split()[0] for line in sheet] == ["deal", "1", "Zed", "2", "total"]
    assert sheet[2].split() == ["Zed", "from", "deal", "2", "on"]
    assert sheet[2].index("Zed") == sheet[0].index("Ann")


def test_who_sat_down_after_the_last_deal_is_named_below_it(cli: CommandLine) -> None:
    cli.record(OPENED, FIRST_DEAL, result(5, 2, 2), seated(1, "Zed"))

    rows = [line.split() for line in cli.ok("score", "t").splitlines()]

    assert ["Zed", "from", "now", "on"] in rows


def test_a_sheet_on_which_nothing_was_counted_has_no_totals(cli: CommandLine) -> None:
    cli.record(OPENED)
    assert "total" not in cli.ok("score", "t")
    cli.record(FIRST_DEAL)  # its ante is counted at once
    assert "total" in cli.ok("score", "t")
