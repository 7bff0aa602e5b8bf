"""A dispute or ruling that was corrected is never shown as if it had always been so; correcting it is confirmed."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from tests.cli.commands import REVOKED, CommandLine
from tests.japanese import assert_wholly_japanese

OTHER_FINE = {
    "type": "ruling_given",
    "deal": 1,
    "kind": "adjust",
    "text": "a smaller fine",
    "deltas": [3, -3, 0],
    "rule": "OMB-6.5",
    "dispute": 39,
}
OTHER_RAISER = {"type": "dispute_raised", "deal": 1, "text": "the Baron had two", "seat": 2, "version": 25}
WAS_FINE = "ruling, deal 1, adjust Belinda +10, Baron -10, Clarissa 0 (OMB-6.5, dispute of entry 39): a fine"
WAS_RAISED = "dispute, deal 1, about entry 25 by Belinda: the Baron had a diamond"
WHEN = r"\d{4}-\d\d-\d\d \d\d:\d\d UTC\S*"


def change(version: int, event: dict[str, Any] | None) -> tuple[object, ...]:
    """A correction of that entry by Anna: to other words, or to nothing."""
    how = ("strike",) if event is None else ("replace", json.dumps(event))
    return ("correct", REVOKED, *how, "--version", version, "--reason", "typo", "--by", "Anna", "--confirm")


@pytest.fixture
def amended(ruled: CommandLine) -> CommandLine:
    """Fine and dispute of the revoke, replaced by entries 41 and 42."""
    ruled.ok(*change(40, OTHER_FINE))
    ruled.ok(*change(39, OTHER_RAISER))
    return ruled


@pytest.fixture
def struck(ruled: CommandLine) -> CommandLine:
    """The fine is struck by entry 41."""
    ruled.ok(*change(40, None))
    return ruled


def answers(club: CommandLine, *options: object) -> dict[str, str]:
    """What each command that shows anything of a director tells."""
    told = {
        "score": club.ok("score", REVOKED, *options),
        "audit": club.run("audit", REVOKED, *options).stdout,
        "dispute": club.ok("dispute", REVOKED, *options),
        "case sheet": club.ok("dispute", REVOKED, "--case-sheet", 39, *options),
    }
    club.ok("dispute", REVOKED, "--case-sheet", 39, "-o", club.folder / "case.html", *options)
    return {**told, "page": (club.folder / "case.html").read_text(encoding="utf-8")}


@pytest.mark.parametrize("where", ["score", "audit", "case sheet", "page"])
def test_a_replaced_fine_is_shown_with_what_it_was_by_whom_when_and_why(amended: CommandLine, where: str) -> None:
    told = answers(amended)[where]
    assert "a smaller fine" in told
    assert re.search(rf"corrected by entry 41 \(Anna, {WHEN}\): typo; it was: {re.escape(WAS_FINE)}", told)


@pytest.mark.parametrize("where", ["audit", "dispute", "case sheet", "page"])
def test_a_replaced_dispute_is_shown_with_who_had_raised_it(amended: CommandLine, where: str) -> None:
    told = answers(amended)[where]
    assert re.search(rf"corrected by entry 42 \(Anna, {WHEN}\): typo; it was: {re.escape(WAS_RAISED)}", told)


@pytest.mark.parametrize("where", ["score", "audit", "dispute", "case sheet", "page"])
def test_a_struck_fine_does_not_vanish(struck: CommandLine, where: str) -> None:
    told = answers(struck)[where]
    assert f"struck: entry 40, {WAS_FINE}" in told
    assert re.search(rf"corrected by entry 41 \(Anna, {WHEN}\): typo", told)


def test_a_struck_dispute_does_not_vanish(ruled: CommandLine) -> None:
    ruled.ok(*change(39, None))
    for told in (ruled.ok("dispute", REVOKED), ruled.ok("score", REVOKED), ruled.run("audit", REVOKED).stdout):
        assert f"struck: entry 39, {WAS_RAISED}" in told
    assert "struck" not in ruled.ok("dispute", REVOKED, "--deal", 2)


def test_programs_get_the_corrections_beside_the_words(amended: CommandLine) -> None:
    (deal,) = amended.json("score", REVOKED)["deals"]
    was = {"type": "ruling_given", "deal": 1, "text": "a fine", "kind": "adjust", "rule": "OMB-6.5"}
    by = {"version": 41, "action": "replace", "reason": "typo", "recorded_by": "Anna"}
    assert deal["rulings"][0]["corrected_by"] == [by | {"was": was | {"deltas": [10, -10, 0], "dispute": 39}}]
    assert "struck" not in deal
    (dispute,) = amended.json("dispute", REVOKED)
    sheet = amended.json("dispute", REVOKED, "--case-sheet", 39)
    assert dispute["corrected_by"][0]["was"]["seat"] == 0
    assert sheet["dispute"]["corrected_by"] == dispute["corrected_by"]
    assert sheet["rulings"][0]["ruling"]["corrected_by"] == deal["rulings"][0]["corrected_by"]


def test_programs_get_what_was_struck_beside_rulings_never_in_them(struck: CommandLine) -> None:
    (deal,) = struck.json("score", REVOKED)["deals"]
    assert deal["rulings"] == []
    (gone,) = deal["struck"]
    assert gone.keys() == {"version", "event", "corrected_by"}
    assert (gone["version"], gone["event"]["text"]) == (40, "a fine")
    assert [(one["version"], one["action"], one["recorded_by"]) for one in gone["corrected_by"]] == [
        (41, "strike", "Anna")
    ]
    (dispute,) = struck.json("dispute", REVOKED)
    assert (dispute["state"], dispute["rulings"], dispute["struck"]) == ("open", [], [gone])
    assert struck.json("dispute", REVOKED, "--case-sheet", 39)["struck"] == [gone]


def test_the_sheet_rests_on_the_entries_whose_words_it_shows(amended: CommandLine) -> None:
    sheet = amended.json("dispute", REVOKED, "--case-sheet", 39)
    log = {entry["position"]: entry for entry in map(json.loads, amended.ok("export").splitlines())}
    told = {}
    for one in sheet["rests_on"]:
        assert log[one["position"]]["digest"] == one["digest"]
        told.setdefault(one["what"], []).append(one["version"])
    assert (told["dispute"], told["ruling"], told["written"]) == ([42], [41], [39, 40])
    assert [(one["corrects"], one["version"], one["recorded_by"]) for one in sheet["corrections"]] == [
        (40, 41, "Anna"),
        (39, 42, "Anna"),
    ]
    assert "as_recorded" not in [score["basis"] for score in sheet["scores"]]


def test_what_was_struck_stands_in_what_the_sheet_rests_on(struck: CommandLine) -> None:
    sheet = struck.json("dispute", REVOKED, "--case-sheet", 39)
    told = [(one["what"], one["version"]) for one in sheet["rests_on"]]
    assert ("written", 40) in told
    assert ("correction", 41) in told


def test_a_correction_recorded_after_later_deals_stands_on_the_sheet_of_its_deal_alone(cli: CommandLine) -> None:
    started = [{"type": "deal_started", "deal": deal, "dealer": (deal + 1) % 3} for deal in (1, 2)]
    opened = {"type": "table_opened", "game": "ombre", "players": ["Ann", "Ben", "Cleo"]}
    cli.record(opened, *started)
    for deal in (1, 2):
        cli.ok("dispute", "t", "no", "--deal", deal)
    cli.ok("correct", "t", "strike", "--version", 4, "--reason", "typo", "--confirm", "--dry-run")
    other = json.dumps({"type": "dispute_raised", "deal": 1, "text": "yes"})
    cli.ok("correct", "t", "replace", other, "--version", 4, "--reason", "typo", "--confirm")
    sheets = [cli.json("dispute", "t", "--case-sheet", version) for version in (4, 5)]
    assert [[one["corrects"] for one in sheet["corrections"]] for sheet in sheets] == [[4], []]


def test_the_corrections_of_a_director_are_told_in_japanese(struck: CommandLine) -> None:
    struck.ok(*change(39, OTHER_RAISER))
    written = {"Anna", "Belinda", "typo", "a fine", "the Baron had a diamond"}
    told = [line.strip() for line in struck.ok("dispute", REVOKED, lang="ja").splitlines()]
    assert len(told) == 5
    signs_and_amounts = r"UTC\S*|OMB-6.5|Belinda [+]10、Baron -10、Clarissa 0"
    for line in told[2:]:
        assert_wholly_japanese(re.sub(r"\s*([,:、(])\s*", r"\1", re.sub(signs_and_amounts, "", line)), written)


@pytest.mark.parametrize("version", [39, 40])
def test_what_a_director_wrote_is_corrected_only_when_that_is_confirmed(ruled: CommandLine, version: int) -> None:
    before = ruled.ok("export")
    words = ("correct", REVOKED, "strike", "--version", version, "--reason", "typo")

    refused = ruled.run(*words)
    error = json.loads(ruled.run(*words, "--format", "json").stderr)["error"]

    assert (refused.exit_code, refused.stdout, error["code"]) == (2, "", "confirm_required")
    assert f"trickledger ruling {REVOKED} stands TEXT --deal 1" in refused.stderr
    assert "--confirm" in refused.stderr
    assert ruled.ok("export") == before
    assert "Nothing was recorded" in ruled.ok(*words, "--dry-run")
    ruled.ok(*words, "--confirm")


def test_what_nobody_ruled_is_corrected_without_asking(ruled: CommandLine) -> None:
    ruled.ok("correct", REVOKED, "strike", "--version", 38, "--reason", "typed twice")
    assert "struck" not in ruled.ok("score", REVOKED)


def test_correcting_a_ruling_shows_the_amounts(ruled: CommandLine) -> None:
    told = ruled.ok(*change(40, OTHER_FINE))
    now = "ruling, deal 1, adjust Belinda +3, Baron -3, Clarissa 0 (OMB-6.5, dispute of entry 39): a smaller fine"
    assert f"  was  {WAS_FINE}\n  now  {now}\n" in told


def test_a_struck_dispute_says_who_struck_it_and_why(ruled: CommandLine) -> None:
    ruled.ok(*change(39, None))
    told = "the dispute of entry 39 was struck by entry 41, recorded by Anna: typo"
    assert told in ruled.run("dispute", REVOKED, "--case-sheet", 39).stderr
    in_japanese = "記録39の争いは記録41の訂正で外されています(記録者: Anna): typo"
    assert in_japanese in ruled.run("--lang", "ja", "dispute", REVOKED, "--case-sheet", 39).stderr
    assert "entry 38 is no dispute" in ruled.run("dispute", REVOKED, "--case-sheet", 38).stderr
    assert ruled.json("dispute", REVOKED) == []
    assert [one["version"] for one in ruled.json("score", REVOKED)["deals"][0]["struck"]] == [39]


def test_without_rulings_none_is_told_as_struck_but_disputes_are(struck: CommandLine) -> None:
    struck.ok(*change(39, None))
    with_rulings, by_rules = (struck.json("score", REVOKED, *words) for words in ((), ("--without-rulings",)))
    assert [one["version"] for one in with_rulings["deals"][0]["struck"]] == [39, 40]
    assert [one["version"] for one in by_rules["deals"][0]["struck"]] == [39]
    assert WAS_FINE not in struck.ok("score", REVOKED, "--without-rulings")
