"""What `--format json` answers: exactly the fields of the contract (section 5), and nothing else on standard output."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.cli.commands import FIRST_DEAL, OPENED, CommandLine, result

SCORE = {"table", "game", "players", "deals", "closing", "totals", "state", "match"}
DEAL = {
    "deal", "dealer", "status", "outcome", "deltas", "pool_before", "pool_after", "lines", "rulings", "claimed",
}  # fmt: skip
FINDING = {"deal", "version", "code", "rule", "severity", "seat", "message", "legal"}
STATE = {
    "phase", "turn", "dealer", "hands", "stock", "auction", "trump", "contract", "declarer", "partner", "tricks",
    "trick_counts", "card_points", "legal",
}  # fmt: skip


def test_score_has_the_fields_of_the_contract(club: CommandLine) -> None:
    answer = club.json("score", "t")
    assert answer.keys() == SCORE
    assert answer["match"].keys() == {"over", "winners"}
    (deal,) = answer["deals"]
    assert deal.keys() == DEAL
    assert all(line.keys() == {"rule", "from", "to", "amount", "text"} for line in deal["lines"])


def test_score_adds_up(club: CommandLine) -> None:
    answer = club.json("score", "ombre-revoke")
    (deal,) = answer["deals"]
    assert sum(deal["deltas"]) + deal["pool_after"] - deal["pool_before"] == 0
    assert answer["totals"] == deal["deltas"]
    assert answer["state"] == {"pool": deal["pool_after"]}


def test_a_match_that_goes_on_has_no_winners_and_no_closing(club: CommandLine) -> None:
    answer = club.json("score", "t")
    assert (answer["match"], answer["closing"]) == ({"over": False, "winners": []}, None)


def test_a_closed_table_has_winners_and_pays_the_pool_out(cli: CommandLine) -> None:
    cli.record(OPENED, FIRST_DEAL, result(3, 5, 1), {"type": "table_closed"})
    answer = cli.json("score", "t")
    assert answer["match"] == {"over": True, "winners": [1]}
    assert answer["closing"].keys() == {"deltas", "lines"}
    assert answer["state"] == {"pool": 0}


def test_audit_has_the_fields_of_the_contract(club: CommandLine) -> None:
    answer = club.json("audit", "ombre-revoke")
    assert answer.keys() == {"table", "findings"}
    assert all(finding.keys() == FINDING for finding in answer["findings"])
    revoke = next(finding for finding in answer["findings"] if finding["severity"] == "error")
    assert (revoke["deal"], revoke["version"], revoke["seat"]) == (1, 25, 1)
    assert (revoke["code"], revoke["rule"], revoke["legal"]) == ("OMB-11.37", "OMB-6.5", ["D4", "D6"])


def test_replay_has_the_fields_of_the_contract(club: CommandLine) -> None:
    answer = club.json("replay", "ombre-revoke", "--deal", 1, "--step", 12)
    assert answer.keys() == STATE | {"table", "deal", "step"}
    assert all({"leader", "cards", "winner"} <= trick.keys() for trick in answer["tricks"])


def test_all_steps_begin_before_the_deal_and_are_one_state_a_line(club: CommandLine) -> None:
    told = club.ok("replay", "ombre-revoke", "--deal", 1, "--all-steps", "--format", "json")
    states = [json.loads(line) for line in told.splitlines()]
    assert [state["step"] for state in states] == list(range(len(states)))
    assert states[0]["dealer"] is None
    assert states[0]["legal"] == states[-1]["legal"] == {}


def test_every_step_alone_is_what_all_steps_say_of_it(club: CommandLine) -> None:
    told = club.ok("replay", "ombre-revoke", "--deal", 1, "--all-steps", "--format", "json").splitlines()
    for step in (0, 1, 2, 9, len(told) - 1):
        assert club.json("replay", "ombre-revoke", "--deal", 1, "--step", step) == json.loads(told[step])


def test_legal_values_are_sorted_as_strings_and_never_empty(club: CommandLine) -> None:
    for line in club.ok("replay", "ombre-revoke", "--all-steps", "--format", "json").splitlines():
        for kind, values in json.loads(line)["legal"].items():
            assert values, f"{kind} is left out where nothing is legal"
            if kind == "cards_exchanged":
                assert all(isinstance(count, int) for count in values)
            else:
                assert values == sorted(values)


def test_a_seat_sees_its_own_cards_alone(club: CommandLine) -> None:
    seen = club.json("replay", "ombre-revoke", "--step", 2, "--seat", 1)
    assert "??" not in seen["hands"][1]
    assert set(seen["hands"][0] + seen["hands"][2] + seen["stock"]) == {"??"}


def test_a_seat_is_told_in_words_too_only_what_it_could_know(club: CommandLine) -> None:
    for words in (["--all-steps"], ["--step", 7], []):
        own = club.ok("replay", "ombre-revoke", "--seat", 0, *words)
        other = club.ok("replay", "ombre-revoke", "--seat", 1, *words)
        assert "Belinda exchanges 4, puts aside ♥K" in own
        assert "Belinda exchanges 4" in other
        assert "puts aside ♥K" not in other


@pytest.mark.parametrize("command", ["score", "audit"])
def test_all_answers_one_table_a_line_as_each_table_alone(club: CommandLine, command: str) -> None:
    told = club.run(command, "--all", "--format", "json").stdout.splitlines()
    assert [json.loads(line) for line in told] == [club.json(command, "t"), club.json(command, "ombre-revoke")]


def test_replay_all_answers_every_deal_of_every_table(club: CommandLine) -> None:
    told = club.ok("replay", "--all", "--format", "json").splitlines()
    assert [json.loads(line)["table"] for line in told] == ["t", "ombre-revoke"]


def test_replay_all_leaves_out_the_tables_without_that_deal(club: CommandLine) -> None:
    club.record({"type": "deal_started", "deal": 2, "dealer": 0})
    told = club.ok("replay", "--all", "--deal", 2, "--format", "json").splitlines()
    assert [json.loads(line)["table"] for line in told] == ["t"]


def test_an_empty_ledger_has_nothing_to_answer(cli: CommandLine) -> None:
    assert cli.ok("score", "--all", "--format", "json") == ""
    assert cli.json("tables") == []


def test_tables_lists_what_is_there(club: CommandLine) -> None:
    assert club.json("tables")[0] == {
        "table": "t",
        "game": "ombre",
        "session": None,
        "players": ["Ann", "Ben", "Cleo"],
        "deals": 1,
        "closed": False,
        "totals": club.json("score", "t")["totals"],
    }


def test_import_says_what_it_stored(cli: CommandLine) -> None:
    path = cli.file("evening.ndjson", b'{"stream":"table/t","event":' + json.dumps(OPENED).encode() + b"}\n")
    assert cli.json("import", path) == [
        {
            "source": str(path),
            "form": "bare events",
            "tables": 1,
            "deals": 0,
            "events": 1,
            "already_recorded": 0,
            "findings": 0,
        }
    ]


def test_verify_answers_with_the_head_of_the_chain(club: CommandLine) -> None:
    entries = club.ok("export").splitlines()
    assert club.json("verify") == {
        "undamaged": True,
        "entries": len(entries),
        "digest": json.loads(entries[-1])["digest"],
        "damage": None,
        "growth_checked": True,
    }


def test_rules_answers_with_the_rules_own_words(cli: CommandLine) -> None:
    (rule,) = cli.json("rules", "OMB-6.5")
    assert rule["rule"] == "OMB-6.5"
    assert rule["text"].startswith("If a plain suit is led")


def test_a_whole_rulebook_in_json_is_all_its_rules(cli: CommandLine) -> None:
    rules = {rule["rule"] for rule in cli.json("rules", "ombre")}
    assert {"OMB-2.1", "OMB-6.5", "OMB-11.37"} <= rules


def test_query_answers_with_objects_and_stats_with_the_entry_they_rest_on(club: CommandLine) -> None:
    assert club.json("query", "SELECT count(*) AS n FROM tables") == [{"n": 2}]
    standings = club.json("stats", "standings")
    assert {"name", "position", "digest", "rows"} <= standings.keys()
    assert standings["position"] == club.json("verify")["entries"]


def every_json_answer(club: CommandLine) -> list[tuple[str, ...]]:
    return [
        ("score", "t"),
        ("audit", "t"),
        ("replay", "t"),
        ("tables",),
        ("verify",),
        ("rules", "OMB-6.8"),
        ("rules", "--search", "surrender"),
        ("stats", "standings"),
        ("stats", "--list"),
        ("query", "FROM deals"),
        ("query", "--list"),
    ]


def test_json_is_one_value_and_nothing_else_on_standard_output(club: CommandLine) -> None:
    for words in every_json_answer(club):
        answered = club.run(*words, "--format", "json")
        json.loads(answered.stdout)
        assert (answered.exit_code, answered.stderr) == (0, ""), words


def test_a_refused_import_still_prints_nothing_but_json(cli: CommandLine) -> None:
    answered: Any = cli.run("import", "-", "--format", "json", stdin=b"hello")
    assert json.loads(answered.stdout) == []
    assert "not a JSON object" in answered.stderr
