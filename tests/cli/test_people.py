"""Two spellings that are one person, and people whom others do not see: `players link`, `unlink`, `hide` and `show`."""

from __future__ import annotations

import json

import pytest

from tests.cli.commands import FIRST_DEAL, OPENED, CommandLine, result

ASKED = (["stats", "standings"], ["stats", "ratings"], ["stats", "head-to-head"], ["stats", "cumulative"])


@pytest.fixture
def misspelled(club: CommandLine) -> CommandLine:
    """The club, whose second table has Ann as Anne."""
    club.record({**OPENED, "players": ["Anne", "Ben", "Cleo"]}, FIRST_DEAL, result(5, 2, 2), table="u")
    return club


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


def test_a_person_is_asked_for_by_any_spelling_and_shown_by_any_name(misspelled: CommandLine) -> None:
    misspelled.ok("players", "link", "Anne", "Ann")
    by_person = misspelled.json("stats", "standings", "--player", "Ann")
    assert len(by_person["rows"]) == 1
    assert misspelled.json("stats", "standings", "--player", "Anne") == by_person
    misspelled.ok("players", "Anne", "--name", "Annabel")
    assert "Annabel" in misspelled.ok("stats", "standings")
    assert misspelled.json("stats", "standings", "--player", "Annabel") == by_person


def test_the_lists_tell_who_is_one_person_and_who_is_hidden(misspelled: CommandLine) -> None:
    assert "No spelling is linked" in misspelled.ok("players", "links")
    assert "also written" not in misspelled.ok("players")
    misspelled.ok("players", "link", "Anne", "Ann")
    assert "Anne      Ann        Ann" in misspelled.ok("players", "links")
    told = misspelled.ok("players", "hide", "Anne")
    assert all(word in told for word in ("also written", "Anne", "for others", "initials"))
    assert "別の表記" in misspelled.run("players", lang="ja").stdout


def test_where_they_sit_together_later_they_are_two(misspelled: CommandLine) -> None:
    misspelled.ok("players", "link", "Anne", "Ann")
    misspelled.record({**OPENED, "players": ["Anne", "Ann", "Cleo"]}, FIRST_DEAL, result(5, 2, 2), table="both")
    assert misspelled.json("players", "links")[0]["apart"] == ["both"]
    assert "another person at (both sat there)" in misspelled.ok("players", "links")
    assert {"Ann", "Anne"} <= points(misspelled).keys()


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


def test_hidden_people_are_told_apart_by_a_number_and_from_those_who_are_called_so(club: CommandLine) -> None:
    club.record({**OPENED, "players": ["A. K.", "Adam Król", "Anna Kowalska"]}, FIRST_DEAL, result(5, 2, 2), table="w")
    club.ok("players", "hide", "Anna Kowalska")
    assert {"A. K.", "A. K. 2", "Adam Król"} <= points(club).keys()
    club.ok("players", "hide", "Adam Król")
    assert {"A. K.", "A. K. 2", "A. K. 3"} <= points(club).keys()
    club.ok("players", "show", "Adam Król")
    club.ok("players", "show", "Anna Kowalska")
    assert {"A. K.", "Adam Król", "Anna Kowalska"} <= points(club).keys()


def test_hiding_changes_no_number(misspelled: CommandLine) -> None:
    before = answers(misspelled)
    misspelled.ok("players", "hide", "Ben")
    named = answers(misspelled, "--with-hidden")
    assert named == before
    assert json.loads(json.dumps(answers(misspelled)).replace('"B."', '"Ben"')) == before
    misspelled.ok("players", "show", "Ben")
    assert answers(misspelled) == before


def test_a_player_who_is_called_like_a_word_of_the_command_has_a_name_to_show(club: CommandLine) -> None:
    club.record({**OPENED, "players": ["links", "Ben", "Cleo"]}, FIRST_DEAL, table="w")
    assert "Anna" in club.ok("players", "links", "--name", "Anna")
