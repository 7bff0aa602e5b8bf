"""Two spellings that are one person, and people whom others do not see: `players link`, `unlink`, `hide` and `show`."""

from __future__ import annotations

import json

import pytest

from tests.cli.commands import FIRST_DEAL, OPENED, CommandLine, misspelled_club, result

ASKED = (["stats", "standings"], ["stats", "ratings"], ["stats", "head-to-head"], ["stats", "cumulative"])


@pytest.fixture
def misspelled(bare_cli: CommandLine) -> CommandLine:
    return bare_cli.made_by(misspelled_club)


def answers(club: CommandLine, *more: str) -> list[object]:
    return [club.json(*words, *more) for words in ASKED]


def points(club: CommandLine) -> dict[str, int]:
    return {row["player"]: row["points"] for row in club.json("stats", "standings")["rows"]}


def test_linked_spellings_are_one_person_until_they_are_unlinked(misspelled: CommandLine) -> None:
    before, apart = answers(misspelled), points(misspelled)
    (row,) = json.loads(misspelled.ok("players", "link", "Anne", "Ann", "--format", "json"))
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
    misspelled.record(
        {**OPENED, "players": ["Ann", "Ben", "Cleo"], "session": "s"}, FIRST_DEAL, result(5, 2, 2), table="v"
    )
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
