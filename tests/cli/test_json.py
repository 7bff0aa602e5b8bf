"""`--format json`: exactly the fields of the contract (section 5), and nothing else on the stream.

The rest is in `transcripts/json-answers.txt` and `transcripts/json-errors.txt`.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.cli.commands import OPENED, CommandLine, examples, lines
from tests.schemas.checks import assert_fits


def test_all_steps_begin_before_the_deal_and_are_one_state_a_line(club: CommandLine) -> None:
    output = club.ok("replay", "ombre-revoke", "--deal", 1, "--all-steps", "--format", "json")
    states = [json.loads(line) for line in output.splitlines()]
    assert [state["step"] for state in states] == list(range(len(states)))
    assert states[0]["dealer"] is None
    assert states[0]["legal"] == states[-1]["legal"] == {}


def test_every_step_alone_is_what_all_steps_say_of_it(club: CommandLine) -> None:
    output = club.ok("replay", "ombre-revoke", "--deal", 1, "--all-steps", "--format", "json").splitlines()
    for step in (0, 1, 2, 9, len(output) - 1):
        assert club.json("replay", "ombre-revoke", "--deal", 1, "--step", step) == json.loads(output[step])


@pytest.mark.parametrize("command", ["score", "audit"])
def test_all_answers_one_table_a_line_as_each_table_alone(club: CommandLine, command: str) -> None:
    output = club.run(command, "--all", "--format", "json").stdout.splitlines()
    assert [json.loads(line) for line in output] == [club.json(command, "t"), club.json(command, "ombre-revoke")]


def test_replay_all_answers_every_deal_of_every_table(club: CommandLine) -> None:
    output = club.ok("replay", "--all", "--format", "json").splitlines()
    assert [json.loads(line)["table"] for line in output] == ["t", "ombre-revoke"]


def test_what_all_tables_have_is_shown_of_each_deal_as_a_line(bare_cli: CommandLine) -> None:
    bare_cli.made_by(examples)
    shown = bare_cli.ok("replay", "--all", "--step", 1, "--seat", 2, "--format", "json").splitlines()
    scores = map(json.loads, bare_cli.ok("score", "--all", "--format", "json").splitlines())
    assert [json.loads(line)["step"] for line in shown] == [1 for table in scores for _ in table["deals"]]
    assert "one deal per line" in " ".join(bare_cli.ok("replay", "--help").split())


def test_a_refused_import_still_prints_nothing_but_json(cli: CommandLine) -> None:
    answered: Any = cli.run("import", "-", "--format", "json", stdin=b"hello")
    assert json.loads(answered.stdout) == []
    assert "not a JSON object" in answered.stderr


def errors(cli: CommandLine, *words: object) -> tuple[int, list[dict[str, Any]]]:
    """Return the exit status, the same as with text, and the errors. Assert that standard error has nothing else."""
    completed = cli.run(*words, "--format", "json")
    objects = [json.loads(line) for line in completed.stderr.splitlines()]
    for answer in objects:
        assert_fits("error", answer)
    assert completed.exit_code == cli.run(*words).exit_code
    return completed.exit_code, [answer["error"] for answer in objects]


def test_each_file_that_is_refused_has_an_object_of_its_own(cli: CommandLine) -> None:
    files = [cli.file(name, content) for name, content in (("a", b"hello"), ("b", lines(OPENED)), ("c", b""))]
    status, objects = errors(cli, "import", *files)
    assert (status, [error["file"] for error in objects]) == (3, [str(cli.folder / "a"), str(cli.folder / "c")])


@pytest.mark.parametrize("word", ["\ud800", "\udcff.ledger"])
def test_a_word_that_is_not_utf8_is_shown_in_characters_that_are(cli: CommandLine, word: str) -> None:
    status, (error,) = errors(cli, "init", word)
    assert (status, error["code"], error["text"]) == (2, "usage", word.encode("utf-8", "backslashreplace").decode())
