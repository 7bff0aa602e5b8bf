"""`dispute` and `ruling`: what ids, texts of others and the log hold; the rest is in `transcripts/`."""

from __future__ import annotations

import pytest

from tests.cli.commands import RAISE, REVOKED, CommandLine


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
        told = club.ok(command, REVOKED, *options).splitlines()
        assert not [line for line in told if line.startswith("The match is over")], words
    assert "      The match is over; first: Baron." in club.ok("score", REVOKED).splitlines()
