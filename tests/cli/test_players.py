"""`players`: who stands in the record, whose name is shown, which spellings are one person, and who is hidden."""

from __future__ import annotations

import json

import pytest

from tests.cli.commands import FIRST_DEAL, OPENED, CommandLine, misspelled_club, named_club, result

SECRET = "Wisława Szymborska"
ASKED = (["stats", "standings"], ["stats", "ratings"], ["stats", "head-to-head"], ["stats", "cumulative"])
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
    before = named.json("verify")
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


@pytest.fixture
def misspelled(bare_cli: CommandLine) -> CommandLine:
    return bare_cli.made_by(misspelled_club)


def answers(club: CommandLine, *more: str) -> list[object]:
    return [club.json(*words, *more) for words in ASKED]


def points(club: CommandLine) -> dict[str, int]:
    return {row["player"]: row["points"] for row in club.json("stats", "standings")["rows"]}


def test_linked_spellings_are_one_person_until_they_are_unlinked(misspelled: CommandLine) -> None:
    before, apart = answers(misspelled), points(misspelled)
    (row,) = misspelled.json("players", "link", "Anne", "Ann")
    assert row == {"player": "Ann", "name": None, "tables": 2, "spellings": ["Anne"], "hidden": False}
    together = points(misspelled)
    assert together.pop("Ann") == apart.pop("Ann") + apart.pop("Anne")
    assert together == apart
    assert misspelled.json("players", "links") == [{"spelling": "Anne", "player": "Ann", "person": "Ann", "apart": []}]
    assert "Anne" in misspelled.ok("score", "u")
    misspelled.ok("players", "unlink", "Anne")
    assert answers(misspelled) == before
    assert misspelled.json("players", "links") == []


def test_who_is_hidden_has_initials_in_rankings_plots_and_reports_in_every_form(misspelled: CommandLine) -> None:
    misspelled.record({**OPENED, "session": "s"}, FIRST_DEAL, result(5, 2, 2), table="v")
    misspelled.ok("players", "Ann", "--name", "Anna Kowalska")
    misspelled.ok("players", "hide", "Ann")
    for words in (*ASKED, ["stats", "standings", "--format", "csv"], ["plot", "standings", "--format", "json"]):
        told = misspelled.ok(*words)
        assert "Anna Kowalska" not in told, words
        assert "Ann" not in told.replace("Anne", ""), words
    assert "A. K." in misspelled.ok("stats", "standings")
    page = misspelled.folder / "s.html"
    misspelled.ok("report", "s", "-o", str(page))
    assert ("A. K." in page.read_text(), "Kowalska" in page.read_text()) == (True, False)
    misspelled.ok("report", "s", "-o", str(page), "--overwrite", "--with-hidden")
    assert "Kowalska" in page.read_text()
    assert "Kowalska" in misspelled.ok("stats", "standings", "--with-hidden")
    assert "Kowalska" in misspelled.ok("score", "t")
    assert "Kowalska" in misspelled.ok("replay", "t", "--deal", "1")


def test_hiding_changes_no_number(misspelled: CommandLine) -> None:
    before = answers(misspelled)
    misspelled.ok("players", "hide", "Ben")
    named = answers(misspelled, "--with-hidden")
    assert named == before
    assert json.loads(json.dumps(answers(misspelled)).replace('"B."', '"Ben"')) == before
    misspelled.ok("players", "show", "Ben")
    assert answers(misspelled) == before
