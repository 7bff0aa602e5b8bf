"""What the case sheet of a corrected dispute rests on, and how its corrections are shown in Japanese."""

from __future__ import annotations

import json
import re
from collections import defaultdict

from tests.cli.commands import REVOKED, CommandLine
from tests.japanese import assert_wholly_japanese

OTHER_FINE = {"type": "ruling_given", "deal": 1, "kind": "adjust", "text": "less", "deltas": [3, -3, 0], "dispute": 39}
OTHER_RAISER = {"type": "dispute_raised", "deal": 1, "text": "the Baron had two", "seat": 2, "version": 25}
BY_ANNA = ("--reason", "typo", "--by", "Anna", "--confirm")


def test_the_sheet_rests_on_the_entries_whose_words_it_shows(ruled: CommandLine) -> None:
    for version, event in ((40, OTHER_FINE), (39, OTHER_RAISER)):
        ruled.ok("correct", REVOKED, "replace", json.dumps(event), "--version", version, *BY_ANNA)
    log = {entry["position"]: entry for entry in ruled.entries()}
    told = defaultdict(list)
    for one in ruled.json("dispute", REVOKED, "--case-sheet", 39)["rests_on"]:
        assert log[one["position"]]["digest"] == one["digest"]
        told[one["what"]].append(one["version"])
    assert (told["dispute"], told["ruling"], told["written"]) == ([42], [41], [39, 40])


def test_the_corrections_of_a_director_are_told_in_japanese(ruled: CommandLine) -> None:
    ruled.ok("correct", REVOKED, "strike", "--version", 40, *BY_ANNA)
    ruled.ok("correct", REVOKED, "replace", json.dumps(OTHER_RAISER), "--version", 39, *BY_ANNA)
    written = {"Anna", "Belinda", "typo", "a fine", "the Baron had a diamond"}
    told = [line.strip() for line in ruled.ok("dispute", REVOKED, lang="ja").splitlines()]
    assert len(told) == 5
    signs_and_amounts = r"UTC\S*|OMB-6.5|Belinda [+]10、Baron -10、Clarissa 0"
    for line in told[2:]:
        assert_wholly_japanese(re.sub(r"\s*([,:、(])\s*", r"\1", re.sub(signs_and_amounts, "", line)), written)
