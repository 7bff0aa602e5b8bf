"""What `--format json` answers: exactly the fields of the contract (section 5), and nothing else on standard output."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.cli.commands import CommandLine


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


def test_a_refused_import_still_prints_nothing_but_json(cli: CommandLine) -> None:
    answered: Any = cli.run("import", "-", "--format", "json", stdin=b"hello")
    assert json.loads(answered.stdout) == []
    assert "not a JSON object" in answered.stderr
