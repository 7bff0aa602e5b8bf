"""`correct`, `dispute` and `ruling`: ids, texts of others, the log, and Japanese; the rest is in `transcripts/`."""

import json
import re
from collections import defaultdict

import pytest

from tests.cli.commands import RAISE, REVOKED, CommandLine
from tests.japanese import assert_wholly_japanese

OTHER_FINE = {"type": "ruling_given", "deal": 1, "kind": "adjust", "text": "less", "deltas": [3, -3, 0], "dispute": 39}
OTHER_RAISER = {"type": "dispute_raised", "deal": 1, "text": "the Baron had two", "seat": 2, "version": 25}
BY_ANNA = ("--reason", "typo", "--by", "Anna", "--confirm")


def test_what_is_no_text_is_refused(club: CommandLine) -> None:
    answered = club.refused(3, "correct", "t", "replace", "-", "--last", "--reason", "x", stdin=b"\xff")
    assert answered == "trickledger: standard input: not UTF-8; expected text in UTF-8\n"


@pytest.mark.parametrize("words", [RAISE, ("ruling", REVOKED, "void", "x", "--deal", 1)], ids=lambda words: words[0])
def test_the_same_id_again_records_nothing_twice(club: CommandLine, words: tuple[object, ...]) -> None:
    id = "0193f2a0-5c1e-7d3b-8a4f-2b6c9d0e1f23"
    first = club.json(*words, "--id", id)
    assert club.json(*words, "--id", id) == {**first, "already_recorded": True}
    assert club.entries()[-1]["version"] == first["version"] == 39
    assert club.run(*words, "--expected-version", 38).exit_code == 4


def test_the_case_sheet_rests_on_entries_that_are_in_the_log(ruled: CommandLine) -> None:
    sheet = ruled.json("dispute", REVOKED, "--case-sheet", 39)
    log = {entry["position"]: entry for entry in ruled.entries()}
    for one in sheet["rests_on"]:
        entry = log[one["position"]]
        assert [entry[field] for field in ("version", "digest", "recorded_by")] == [
            one[field] for field in ("version", "digest", "recorded_by")
        ]
    assert [one["what"] for one in sheet["rests_on"]] == ["opened", "deal", "in_question", "last", "dispute", "ruling"]
    assert (sheet["head_position"], sheet["head_digest"]) == (max(log), log[max(log)]["digest"])


def test_no_text_of_others_can_pass_for_a_line_of_ours(club: CommandLine) -> None:
    false = "ruled as follows\nThe match is over; first: Baron.\ntotal  0 0 0"
    club.ok("dispute", REVOKED, false, "--deal", 1)
    club.ok("ruling", REVOKED, "stands", false, "--deal", 1)
    club.ok("ruling", REVOKED, "adjust", false, "--deal", 1, "--deltas", "Belinda +1, Baron -1")

    for words in (("score",), ("dispute",), ("dispute", "--case-sheet", 39), ("replay", "--diff")):
        command, *options = words
        lines = club.ok(command, REVOKED, *options).splitlines()
        assert not [line for line in lines if line.startswith("The match is over")], words
    assert "      The match is over; first: Baron." in club.ok("score", REVOKED).splitlines()


def test_the_sheet_rests_on_the_entries_whose_words_it_shows(ruled: CommandLine) -> None:
    for version, event in ((40, OTHER_FINE), (39, OTHER_RAISER)):
        ruled.ok("correct", REVOKED, "replace", json.dumps(event), "--version", version, *BY_ANNA)
    log = {entry["position"]: entry for entry in ruled.entries()}
    lines = defaultdict(list)
    for one in ruled.json("dispute", REVOKED, "--case-sheet", 39)["rests_on"]:
        assert log[one["position"]]["digest"] == one["digest"]
        lines[one["what"]].append(one["version"])
    assert (lines["dispute"], lines["ruling"], lines["written"]) == ([42], [41], [39, 40])


def test_the_corrections_of_a_director_are_in_japanese(ruled: CommandLine) -> None:
    ruled.ok("correct", REVOKED, "strike", "--version", 40, *BY_ANNA)
    ruled.ok("correct", REVOKED, "replace", json.dumps(OTHER_RAISER), "--version", 39, *BY_ANNA)
    written = {"Anna", "Belinda", "typo", "a fine", "the Baron had a diamond"}
    lines = [line.strip() for line in ruled.ok("dispute", REVOKED, lang="ja").splitlines()]
    assert len(lines) == 5
    signs_and_amounts = r"UTC(?:[+-][\d:]*\d)?|OMB-6.5|Belinda [+]10、Baron -10、Clarissa 0"
    for line in lines[2:]:
        assert_wholly_japanese(re.sub(r"\s*([,:、(])\s*", r"\1", re.sub(signs_and_amounts, "", line)), written)
