"""`dispute`, `ruling` and the case sheet: what they record, show and refuse; what is stale is marked everywhere."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from tests.cli.commands import FINE, FIRST_DEAL, OPENED, RAISE, REVOKED, CommandLine, lines, result

MEND = ("correct", REVOKED, "replace", "D4", "--deal", 1, "--step", 24, "--reason", "misread")


# --- disputes ---------------------------------------------------------------------------------------------------------


def test_a_dispute_is_recorded_with_player_and_entry(club: CommandLine) -> None:
    told = club.ok(*RAISE)
    assert told == (
        "Recorded as entry 39 of ombre-revoke, position 43 of the ledger.\nA ruling names it with --dispute 39.\n"
    )
    assert club.entries()[-1]["event"] == {
        "type": "dispute_raised",
        "deal": 1,
        "text": "the Baron had a diamond",
        "seat": 0,
        "version": 25,
    }


def test_a_seat_may_be_named_instead_of_a_player(club: CommandLine) -> None:
    club.ok("dispute", REVOKED, "no", "--deal", 1, "--seat", 1, "--version", 25)
    assert club.entries()[-1]["event"]["seat"] == 1


def test_a_table_without_disputes_says_so(club: CommandLine) -> None:
    assert club.ok("dispute", REVOKED) == "ombre-revoke has no dispute.\n"
    assert club.json("dispute", REVOKED) == []


def test_disputes_are_listed_with_their_state(ruled: CommandLine) -> None:
    assert ruled.ok("dispute", REVOKED) == (
        "entry 39  deal 1, about entry 25 by Belinda: ruled, entry 40\n  the Baron had a diamond\n"
    )
    (listed,) = ruled.json("dispute", REVOKED)
    assert (listed["state"], listed["rulings"], listed["about"]) == ("ruled", [40], 25)
    assert ruled.json("dispute", REVOKED, "--deal", 2) == []


def test_the_state_follows_the_rulings(club: CommandLine) -> None:
    club.ok(*RAISE)
    assert ": open\n" in club.ok("dispute", REVOKED)
    club.ok("ruling", REVOKED, "void", "x", "--deal", 1, "--dispute", 39)
    assert ": ruled, entry 40\n" in club.ok("dispute", REVOKED)
    told = club.ok("ruling", REVOKED, "stands", "x", "--deal", 1)
    assert ": overruled, entry 40 (overruled by 41)\n" in club.ok("dispute", REVOKED)
    assert "stays open" not in told


def test_programs_get_which_ruling_overruled_which(club: CommandLine) -> None:
    club.ok(*RAISE)
    for words in (("void", "--dispute", 39), ("stands", "--dispute", 39), ("void",)):
        club.ok("ruling", REVOKED, words[0], "x", "--deal", 1, *words[1:])
    (listed,) = club.json("dispute", REVOKED)
    assert (listed["rulings"], listed["overruled"]) == (
        [40, 41],
        [{"version": 40, "by": 41}, {"version": 41, "by": 42}],
    )
    assert "overruled, entry 40 (overruled by 41), 41 (overruled by 42)" in club.ok("dispute", REVOKED)


def test_a_ruled_dispute_may_be_withdrawn_and_the_ruling_stands(ruled: CommandLine) -> None:
    totals = ruled.json("score", REVOKED)["totals"]
    ruled.ok("correct", REVOKED, "strike", "--version", 39, "--reason", "withdrawn by Belinda", "--confirm")
    (deal,) = ruled.json("score", REVOKED)["deals"]
    assert [one["version"] for one in deal["rulings"]] == [40]
    assert ruled.json("score", REVOKED)["totals"] == totals
    assert ruled.json("dispute", REVOKED) == []


def test_an_entry_in_dispute_may_be_struck_though_it_was_the_last(club: CommandLine) -> None:
    club.ok("dispute", REVOKED, "the sheet is wrong", "--deal", 1, "--version", 38)
    club.ok("correct", REVOKED, "strike", "--version", 38, "--reason", "typed twice")
    assert club.json("dispute", REVOKED)[0]["about"] == 38


# --- rulings ----------------------------------------------------------------------------------------------------------


def test_a_ruling_shows_the_totals_before_and_after(club: CommandLine) -> None:
    club.ok(*RAISE)
    told = club.ok(*FINE, "--dry-run")
    assert re.search(r"total before +-20 +0 +\+15", told)
    assert re.search(r"total after +-10 +-10 +\+15", told)
    assert told.endswith("Nothing was recorded; it would be entry 40 of ombre-revoke.\n")
    assert club.entries()[-1]["event"]["type"] == "dispute_raised"


def test_a_ruling_that_names_no_dispute_says_which_stay_open(club: CommandLine) -> None:
    club.ok(*RAISE)
    told = club.ok("ruling", REVOKED, "stands", "no fault", "--deal", 1)
    assert told.endswith("The dispute of entry 39 stays open: --dispute 39 was not said.\n")


def test_every_ruling_says_which_disputes_it_leaves_open(club: CommandLine) -> None:
    club.ok(*RAISE)
    club.ok(*RAISE)
    for words, left in (((), [39, 40]), (("--dry-run",), [39, 40]), (("--dispute", 40), [39])):
        told = club.ok("ruling", REVOKED, "stands", "no fault", "--deal", 1, *words)
        assert [f"The dispute of entry {version} stays open" in told for version in (39, 40)] == [
            version in left for version in (39, 40)
        ]
    asked = club.json("ruling", REVOKED, "adjust", "x", "--deal", 1, "--deltas", "0,0,0", "--dry-run")
    assert asked["left_open"] == [39]
    assert "left_open" not in club.json("ruling", REVOKED, "void", "x", "--deal", 1, "--dispute", 39, "--dry-run")


@pytest.mark.parametrize(
    ("words", "status", "deltas"),
    [
        (["replace", "--deltas", "Belinda -10, Baron 5", "--pool", 5], "complete", [-10, 5, 0]),
        (["replace", "--deltas", "-10,5,5"], "complete", [-10, 5, 5]),
        (["void"], "voided", [0, 0, -5]),
        (["accept"], "complete", [-20, 0, 15]),
        (["stands"], "complete", [-20, 0, 15]),
    ],
    ids=lambda value: value[0] if isinstance(value, list) and isinstance(value[0], str) else "",
)
def test_every_kind_is_recorded_and_in_force(
    club: CommandLine, words: list[object], status: str, deltas: list[int]
) -> None:
    kind, *options = words
    club.ok("ruling", REVOKED, kind, "so ruled", "--deal", 1, *options)
    (deal,) = club.json("score", REVOKED)["deals"]
    assert (deal["status"], deal["deltas"], deal["rulings"][0]["kind"]) == (status, deltas, kind)
    assert deal["rulings"][0]["in_force"] is True


LEFT = (OPENED, FIRST_DEAL, {"type": "bid_made", "seat": 0, "call": "entrada"})


@pytest.mark.parametrize("sheet", [(), ({"type": "score_claimed", "totals": [5, 0, -5]},)], ids=["none", "no deltas"])
def test_a_score_sheet_that_is_not_there_cannot_be_accepted(
    cli: CommandLine, sheet: tuple[dict[str, Any], ...]
) -> None:
    cli.record(*LEFT, *sheet, {"type": "table_closed"})
    before = cli.ok("export")

    refused = cli.run("ruling", "t", "accept", "as the sheet says", "--deal", 1)

    message = (
        "deal 1 would stay unscorable: it has no score sheet that it can be scored from; "
        "say the score yourself with `replace`, in Couillon with `award`"
    )
    assert (refused.exit_code, refused.stdout, refused.stderr) == (4, "", f"trickledger: {message}\n")
    assert cli.ok("export") == before


def test_a_score_sheet_with_deltas_can_be_accepted(cli: CommandLine) -> None:
    cli.record(*LEFT, {"type": "score_claimed", "deltas": [10, -5, -5], "pool": 0}, {"type": "table_closed"})

    told = cli.ok("ruling", "t", "accept", "as the sheet says", "--deal", 1)

    assert "changed nothing" not in told
    assert cli.json("score", "t")["deals"][0]["status"] == "complete"


def test_accepting_what_is_scored_already_is_told_to_change_nothing(club: CommandLine) -> None:
    told = club.ok("ruling", REVOKED, "accept", "as the sheet says", "--deal", 1)

    assert "Deal 1 was complete already: accepting its score sheet changed nothing.\n" in told


def test_an_award_decides_a_deal_of_couillon(cli: CommandLine) -> None:
    opened = {"type": "table_opened", "game": "couillon", "players": ["Ann", "Ben", "Cleo", "Dan"]}
    cli.ok("import", "-", stdin=lines(opened, FIRST_DEAL, {"type": "table_closed"}))
    cli.ok("ruling", "t", "award", "so ruled", "--deal", 1, "--award", "winner=0,strength=1,circle=false,draw_mark=0")
    (deal,) = cli.json("score", "t")["deals"]
    assert deal["status"] == "complete"
    assert deal["rulings"][0]["award"]["strength"] == 1
    assert cli.run("ruling", "t", "award", "x", "--deal", 1, "--award", "winner=0,v=2").exit_code == 3
    assert cli.run("ruling", "t", "adjust", "x", "--deal", 1, "--deltas", "1,-1,1,-1").exit_code == 3


@pytest.mark.parametrize("words", [RAISE, ("ruling", REVOKED, "void", "x", "--deal", 1)], ids=lambda words: words[0])
def test_the_same_id_again_records_nothing_twice(club: CommandLine, words: tuple[object, ...]) -> None:
    id = "0193f2a0-5c1e-7d3b-8a4f-2b6c9d0e1f23"
    first = club.json(*words, "--id", id)
    assert club.json(*words, "--id", id) == {**first, "already_recorded": True}
    assert club.entries()[-1]["version"] == first["version"] == 39
    assert club.run(*words, "--expected-version", 38).exit_code == 4


def test_the_score_shows_totals_with_rulings_and_without(ruled: CommandLine) -> None:
    told = ruled.ok("score", REVOKED)
    assert re.search(r"without rulings +-20 +0 +\+15", told)
    assert re.search(r"total +-10 +-10 +\+15", told)
    assert ruled.json("score", REVOKED, "--without-rulings")["totals"] == [-20, 0, 15]
    assert "without rulings" not in ruled.ok("score", "t")


# --- stale ------------------------------------------------------------------------------------------------------------


def test_a_correction_marks_ruling_and_score_sheet_stale_everywhere(ruled: CommandLine) -> None:
    assert "stale" not in ruled.run("audit", REVOKED).stdout + ruled.ok("score", REVOKED) + ruled.ok("dispute", REVOKED)
    told = ruled.ok(*MEND)
    assert "stale     the ruling of entry 40 (adjust: a fine) rests on what was read before\n" in told
    assert "stale     the score sheet of deal 1, entry 38, rests on what was read before\n" in told
    since = "(stale: the record was corrected since, entry 41)"
    assert f"ruling adjust {since}" in ruled.ok("score", REVOKED)
    assert f"score sheet of entry 38 {since}" in ruled.ok("score", REVOKED)
    audit = ruled.run("audit", REVOKED).stdout
    assert f"  ruling  of entry 40, deal 1 {since}: a fine\n" in audit
    assert f"  sheet   of entry 38, deal 1 {since}\n" in audit
    assert f"ruled, entry 40 {since}" in ruled.ok("dispute", REVOKED)
    (deal,) = ruled.json("score", REVOKED)["deals"]
    assert (deal["rulings"][0]["stale"], deal["claimed"]["stale"]) == ([41], [41])
    assert ruled.json("audit", REVOKED).keys() == {"table", "findings"}


def test_nothing_is_stale_as_of_before_the_correction_or_as_recorded(ruled: CommandLine) -> None:
    ruled.ok(*MEND)
    for option in (("--as-of", 44), ("--as-recorded",)):
        (deal,) = ruled.json("score", REVOKED, *option)["deals"]
        assert deal["rulings"][0]["stale"] == []


def test_what_made_a_ruling_stale_is_named_in_the_order_of_the_record(ruled: CommandLine) -> None:
    for step, card in ((26, "H2"), (24, "D4")):
        ruled.ok("correct", REVOKED, "replace", card, "--deal", 1, "--step", step, "--reason", "changed about")
    (deal,) = ruled.json("score", REVOKED)["deals"]
    assert (deal["rulings"][0]["stale"], deal["claimed"]["stale"]) == ([41, 42], [41, 42])
    assert "(stale: the record was corrected since, entry 41, 42)" in ruled.ok("dispute", REVOKED)


def test_only_what_became_stale_now_is_told(ruled: CommandLine) -> None:
    ruled.ok(*MEND)
    told = ruled.ok("correct", REVOKED, "replace", "H2", "--deal", 1, "--step", 26, "--reason", "changed about")
    assert "stale" not in told


# --- the case sheet ---------------------------------------------------------------------------------------------------


def test_the_case_sheet_has_all_that_a_director_decides_by(ruled: CommandLine) -> None:
    ruled.ok(*MEND)
    sheet = ruled.json("dispute", REVOKED, "--case-sheet", 39)
    assert sheet["dispute"]["text"] == "the Baron had a diamond"
    assert [len(hand) for hand in sheet["hands"]] == [9, 9, 9]
    assert [call["call"] for call in sheet["auction"]] == ["entrada", "pass", "pass"]
    question = sheet["in_question"]
    assert (question["trick"], question["step"], question["seat"], question["legal"]) == (5, 24, 1, ["D4", "D6"])
    assert [rule["rule"] for rule in question["why"]][:2] == ["OMB-6.4", "OMB-6.5"]
    scores = {score["basis"]: score["deltas"] for score in sheet["scores"]}
    assert scores == {
        "claimed": [-20, 0, 15],
        "as_recorded": [-20, 0, 15],
        "by_the_rules": [-20, 0, 15],
        "as_ruled": [-10, -10, 15],
    }
    assert [one["corrects"] for one in sheet["corrections"]] == [25]
    assert (sheet["rulings"][0]["ruling"]["stale"], sheet["sheet_stale"]) == ([41], [41])
    assert sheet["rulings"][0]["rule_text"].startswith("If a plain suit is led")


def test_the_case_sheet_tells_the_score_as_recorded_by_the_rules_and_as_ruled(club: CommandLine) -> None:
    club.ok("dispute", "t", "the sheet was right", "--deal", 1)
    club.ok("ruling", "t", "adjust", "a fine", "--deal", 1, "--deltas", "Ann -5", "--pool", 5, "--dispute", 5)
    sheet = club.json("dispute", "t", "--case-sheet", 5)
    assert [(one["basis"], one["deltas"], one["pool_after"], one["totals"]) for one in sheet["scores"]] == [
        ("as_recorded", [5, 0, -5], 0, [5, 0, -5]),
        ("by_the_rules", [-20, 20, -5], 5, [-20, 20, -5]),
        ("as_ruled", [-25, 20, -5], 10, [-25, 20, -5]),
    ]
    assert sheet["in_question"] is None


def test_the_case_sheet_rests_on_entries_that_are_in_the_log(ruled: CommandLine) -> None:
    sheet = ruled.json("dispute", REVOKED, "--case-sheet", 39)
    log = {entry["position"]: entry for entry in map(json.loads, ruled.ok("export").splitlines())}
    for one in sheet["rests_on"]:
        entry = log[one["position"]]
        assert (entry["version"], entry["digest"], entry["recorded_by"]) == (
            one["version"],
            one["digest"],
            one["recorded_by"],
        )
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


@pytest.mark.parametrize("form", ["text", "json"])
def test_the_sheet_is_written_to_a_file_as_it_is_printed(ruled: CommandLine, form: str) -> None:
    path = ruled.folder / "case.out"
    answered = ruled.run("dispute", REVOKED, "--case-sheet", 39, "-o", path, "--format", form)
    assert answered.stdout == ("" if form == "json" else f"Wrote {path}.\n")
    assert path.read_text(encoding="utf-8") == ruled.ok("dispute", REVOKED, "--case-sheet", 39, "--format", form)


def test_a_case_sheet_may_be_sent_on_through_a_pipe(club: CommandLine) -> None:
    club.ok(*RAISE)
    version = str(club.json("dispute", "ombre-revoke")[0]["version"])
    sheet = club.ok("dispute", "ombre-revoke", "--case-sheet", version)
    assert club.ok("dispute", "ombre-revoke", "--case-sheet", version, "-o", "-") == sheet


# --- a deal that cannot be scored -------------------------------------------------------------------------------------

NOT_SCORED = (
    "deal 1 is unscorable; missing: the rest of the deal. "
    "Rulings that can settle it: accept (its score sheet), replace, void"
)


def abandoned(cli: CommandLine) -> CommandLine:
    """A table closed when nothing but the beginning of its deal was told, and a dispute about that."""
    cli.record(OPENED, FIRST_DEAL, {"type": "table_closed"}, table="left")
    cli.ok("dispute", "left", "--deal", 1, "the rest was lost")
    return cli


def test_a_ruling_that_does_not_settle_a_deal_says_what_would(cli: CommandLine) -> None:
    words = ("ruling", "left", "stands", "we wait for the papers", "--deal", 1)
    abandoned(cli)
    assert NOT_SCORED in cli.ok(*words, "--dry-run").splitlines()
    assert NOT_SCORED in cli.ok(*words).splitlines()
    assert "missing" not in cli.ok("ruling", "left", "void", "it was lost", "--deal", 1, "--dry-run")


def test_a_correction_that_leaves_a_deal_unscorable_says_what_is_missing(cli: CommandLine) -> None:
    cli.record(OPENED, FIRST_DEAL, result(5, 2, 2), table="right")
    words = ("correct", "right", "strike", "--version", 3, "--reason", "of another deal")
    assert "missing" not in cli.ok(*words, "--dry-run")  # a deal that goes on
    cli.record({"type": "table_closed"}, table="right")
    assert NOT_SCORED in cli.ok(*words).splitlines()


def test_the_case_sheet_says_what_an_unscorable_deal_lacks(cli: CommandLine) -> None:
    told = NOT_SCORED.partition("; ")[2]
    page = cli.folder / "case.html"
    words = ("dispute", "left", "--case-sheet", 4)
    assert f"  {told}" in abandoned(cli).ok(*words).splitlines()
    cli.ok(*words, "-o", page)
    assert f"<mark>{told}</mark>" in page.read_text(encoding="utf-8")
    assert (
        "  不足:ディールの残り。決着できる裁定:得点表の承認、差し替え、無効"
        in cli.ok("--lang", "ja", *words).splitlines()
    )
    missing = {"untold": [], "is_unfinished": True, "fatal": [], "kinds": ["accept", "replace", "void"]}
    assert cli.json(*words)["unscorable"] == missing
    cli.ok("ruling", "left", "void", "it was lost", "--deal", 1)
    assert "unscorable" not in cli.json(*words)
    assert told not in cli.ok(*words)
