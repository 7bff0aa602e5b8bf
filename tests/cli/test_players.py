"""`players`: who stands in the record, and whose name is shown for whom, until it is erased."""

from __future__ import annotations

import json

import pytest

from tests.cli.commands import FIRST_DEAL, OPENED, CommandLine, result

SECRET = "Wisława Szymborska"
SEATED = {"type": "player_seated", "seat": 1, "player": "Dora"}


@pytest.fixture
def named(club: CommandLine) -> CommandLine:
    """The club, where Ann (table `t`) and the Baron (who revoked) have names to show."""
    club.ok("players", "Ann", "--name", SECRET)
    club.ok("players", "Baron", "--name", "Lord Petre")
    return club


def test_the_list_shows_every_player_of_the_record(named: CommandLine) -> None:
    named.record(OPENED, FIRST_DEAL, SEATED, table="u")
    rows = {row["player"]: (row["name"], row["tables"]) for row in named.json("players")}
    assert rows == {
        "Ann": (SECRET, 2), "Ben": (None, 2), "Cleo": (None, 2), "Dora": (None, 1),
        "Belinda": (None, 1), "Baron": ("Lord Petre", 1), "Clarissa": (None, 1),
    }  # fmt: skip
    assert "Ann       Wisława Szymborska  2" in named.ok("players")


def test_text_shows_the_name_and_json_the_record(named: CommandLine) -> None:
    for words in (
        ["score", "t"], ["replay", "ombre-revoke"], ["replay", "ombre-revoke", "--step", "12"],
        ["audit", "ombre-revoke"], ["tables"], ["stats", "standings"], ["score", "--all", "--as-recorded"],
    ):  # fmt: skip
        text = named.run(*words).stdout
        shown = [name for name in (SECRET, "Lord Petre") if name in text]
        hidden = [name for name in ("Ann", "Baron ", "Baron,") if name in text]
        assert shown, words
        assert not hidden, words
        answered = named.run(*words, "--format", "json").stdout
        assert answered, words
        assert SECRET not in answered, words
        assert "Lord Petre" not in answered, words


def test_statistics_of_one_player_may_be_asked_for_by_the_name_shown(named: CommandLine) -> None:
    by_name = named.json("stats", "standings", "--player", SECRET)
    assert by_name == named.json("stats", "standings", "--player", "Ann")
    assert len(by_name["rows"]) == 1


def test_findings_name_who_is_shown(named: CommandLine) -> None:
    assert "Lord Petre played ♥2 and did not follow suit" in named.run("audit", "ombre-revoke").stdout
    assert "Lord Petre" in named.run("audit", "ombre-revoke", lang="ja").stdout


def test_a_case_sheet_shows_the_name(named: CommandLine) -> None:
    version = named.json("dispute", "ombre-revoke", "a heart was kept back", "--deal", "1", "--player", "Baron")[
        "version"
    ]
    sheet = named.ok("dispute", "ombre-revoke", "--case-sheet", str(version))
    assert "Lord Petre" in sheet
    assert "Baron" not in sheet
    assert "raised by Lord Petre" in sheet
    assert "by Lord Petre" in named.ok("dispute", "ombre-revoke")


def test_a_forgotten_name_is_gone_from_texts_and_from_the_disk_and_the_ledger_is_sound(named: CommandLine) -> None:
    before = json.loads(named.ok("verify", "--format", "json"))
    named.ok("stats", "standings")
    named.ok("players", "Ann", "--forget")
    assert SECRET not in named.ok("score", "t")
    assert "Ann" in named.ok("score", "t")
    assert named.json("verify") == before
    assert not [path for path in named.folder.iterdir() if path.is_file() and SECRET.encode() in path.read_bytes()]
    assert [row["name"] for row in named.json("players") if row["player"] == "Baron"] == ["Lord Petre"]


def test_no_export_holds_a_name_that_is_only_shown(named: CommandLine) -> None:
    for words in (["export"], ["export", "--bare"]):
        assert SECRET not in named.ok(*words)


def test_what_is_no_name_is_3(club: CommandLine) -> None:
    assert club.run("players", "Ann", "--name", "x" * 201).exit_code == 3


def test_an_empty_ledger_says_what_to_do(cli: CommandLine) -> None:
    assert "No player yet" in cli.ok("players")
    assert cli.json("players") == []


def test_who_left_the_record_by_a_correction_is_not_listed(cli: CommandLine) -> None:
    cli.record(OPENED, FIRST_DEAL, result(5, 2, 2), SEATED)
    struck = {"type": "corrected", "version": 4, "action": "strike", "reason": "she only watched"}
    cli.record(struck)
    assert [row["player"] for row in cli.json("players")] == ["Ann", "Ben", "Cleo"]


def test_a_name_that_a_correction_put_into_the_record_is_shown_too(cli: CommandLine) -> None:
    cli.record(OPENED, FIRST_DEAL, result(5, 2, 2))
    renamed = {**OPENED, "players": ["Anne", "Ben", "Cleo"]}
    corrected = {
        "type": "corrected",
        "version": 1,
        "action": "replace",
        "events": [renamed],
        "reason": "a typing error",
    }
    cli.record(corrected)
    cli.ok("players", "Anne", "--name", SECRET)
    assert SECRET in cli.ok("score", "t")
    assert SECRET not in cli.ok("score", "t", "--as-recorded")


def test_nobody_is_shown_under_the_name_of_another(named: CommandLine) -> None:
    for taken in ("Lord Petre", "Clarissa"):
        refused = named.run("players", "Ben", "--name", taken)
        assert (refused.exit_code, "nothing was changed" in refused.stderr) == (4, True)
    named.ok("players", "Ben", "--name", "Ben")
    assert {row["player"]: row["name"] for row in named.json("players")}["Ben"] == "Ben"


@pytest.mark.parametrize("name", ["Lord Petre", "Baron", "lord", "1"])
def test_a_player_may_be_named_as_shown_or_as_recorded(named: CommandLine, name: str) -> None:
    named.ok("dispute", "ombre-revoke", "I had no diamond", "--deal", "1", "--player", name)
    assert named.json("dispute", "ombre-revoke")[0]["seat"] == 1
    told = named.ok("ruling", "ombre-revoke", "adjust", "a fine", "--deal", "1", "--deltas", f"{name} -5, Belinda +5")
    assert "Lord Petre" in told
    assert "Baron" not in told
