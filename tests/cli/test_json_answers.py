"""What `--format json` answers: exactly the fields of the contract (section 5), and nothing else on standard output."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.cli.commands import CommandLine

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


@pytest.mark.parametrize("command", ["score", "audit"])
def test_all_answers_one_table_a_line_as_each_table_alone(club: CommandLine, command: str) -> None:
    told = club.run(command, "--all", "--format", "json").stdout.splitlines()
    assert [json.loads(line) for line in told] == [club.json(command, "t"), club.json(command, "ombre-revoke")]


def test_replay_all_answers_every_deal_of_every_table(club: CommandLine) -> None:
    told = club.ok("replay", "--all", "--format", "json").splitlines()
    assert [json.loads(line)["table"] for line in told] == ["t", "ombre-revoke"]


def test_verify_answers_with_the_head_of_the_chain(club: CommandLine) -> None:
    entries = club.ok("export").splitlines()
    assert club.json("verify") == {
        "undamaged": True,
        "entries": len(entries),
        "digest": json.loads(entries[-1])["digest"],
        "damage": None,
        "growth_checked": True,
    }


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
