"""`players`: who stands in the record, and whose name is shown for whom, until it is erased."""

from __future__ import annotations

import json

import pytest

from tests.cli.commands import FIRST_DEAL, OPENED, CommandLine, named_club

SECRET = "Wisława Szymborska"
SEATED = {"type": "player_seated", "seat": 1, "player": "Dora"}


@pytest.fixture
def named(bare_cli: CommandLine) -> CommandLine:
    return bare_cli.made_by(named_club)


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


def test_a_forgotten_name_is_gone_from_texts_and_from_the_disk_and_the_ledger_is_sound(named: CommandLine) -> None:
    before = json.loads(named.ok("verify", "--format", "json"))
    named.ok("stats", "standings")
    named.ok("players", "Ann", "--forget")
    assert SECRET not in named.ok("score", "t")
    assert "Ann" in named.ok("score", "t")
    assert named.json("verify") == before
    assert not [path for path in named.folder.iterdir() if path.is_file() and SECRET.encode() in path.read_bytes()]
    assert [row["name"] for row in named.json("players") if row["player"] == "Baron"] == ["Lord Petre"]


@pytest.mark.parametrize("name", ["Lord Petre", "Baron", "lord", "1"])
def test_a_player_may_be_named_as_shown_or_as_recorded(named: CommandLine, name: str) -> None:
    named.ok("dispute", "ombre-revoke", "I had no diamond", "--deal", "1", "--player", name)
    assert named.json("dispute", "ombre-revoke")[0]["seat"] == 1
    told = named.ok("ruling", "ombre-revoke", "adjust", "a fine", "--deal", "1", "--deltas", f"{name} -5, Belinda +5")
    assert "Lord Petre" in told
    assert "Baron" not in told
