"""Answers that no transcript can show: errors of functions, the end of a token, moments, and copies of a ledger."""

import json
import re
import tomllib
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

import ledger
from ledger.cli.token import end_of_validity
from ledger.errors import NotFoundError, UsageError
from tests.cli.commands import OPENED, REVOKED, CommandLine, examples, lines, revoke_alone
from tests.japanese import assert_has_japanese
from tests.schemas.checks import assert_fits


def test_a_number_alone_is_the_rule_of_each_rulebook(bare_cli: CommandLine) -> None:
    each = ("OMB-6.5", "QUA-6.5", "COU-6.5", "KOP-6.5")
    assert bare_cli.ok("rules", "6.5") == "".join(bare_cli.ok("rules", rule) for rule in each)


def test_one_rule_is_named_by_its_whole_id() -> None:
    with pytest.raises(NotFoundError, match=r"^there is no rule 6\.5; did you mean OMB-6\.5, QUA-6\.5, ") as refused:
        ledger.rule("6.5")
    assert refused.value.values["known"] == ("OMB-6.5", "QUA-6.5", "COU-6.5", "KOP-6.5")
    assert_has_japanese(refused.value.said, "6.5", "OMB", "QUA", "COU", "KOP")


def test_a_name_of_several_or_of_nobody_is_reported(bare_cli: CommandLine) -> None:
    bare_cli.made_by(revoke_alone)
    with ledger.open(bare_cli.ledger) as store:
        for name, sentence in (
            ("B", "B matches several players of deal 1: Belinda, Baron"),
            ("Nobody", "Nobody does not play in deal 1; its players are Belinda, Baron, Clarissa"),
        ):
            with pytest.raises(NotFoundError) as refused:
                ledger.replay(store, REVOKED, seat=name)
            assert str(refused.value) == sentence
            assert_has_japanese(refused.value.said, name, "Belinda", "Baron", "Clarissa")
            with pytest.raises(NotFoundError):
                list(ledger.replay_all(store, REVOKED, seat=name))


NOW = datetime(2026, 1, 30, 19, 0, tzinfo=UTC)


DATA = tomllib.loads(Path(__file__).with_name("moments.toml").read_text(encoding="utf-8"))
ENDS = [(text, tz, end) for tz, ends in DATA["ends"].items() for text, end in ends.items()]


@pytest.mark.parametrize(("text", "tz", "end"), ENDS)
def test_an_end_is_read_by_the_clocks_of_the_zone(text: str, tz: str, end: str) -> None:
    zone = None if tz == "UTC" else tz
    assert end_of_validity("--until", text, NOW, zone).astimezone(UTC).isoformat() == end


@pytest.mark.parametrize("text", DATA["no_end"])
def test_another_text_is_no_end(text: str) -> None:
    with pytest.raises(UsageError, match="is not a time of expiry"):
        end_of_validity("--until", text, NOW, None)


JAPAN = timezone(timedelta(hours=9))
CORRECTED, AS_WRITTEN = "CODILLE", "SACADA"


def result_of(answer: Any) -> str:
    return str(answer["deals"][0]["outcome"]["result"])


def moments(club: CommandLine) -> list[str]:
    return [entry["recorded_at"] for entry in club.entries()]


def test_as_of_a_moment_reads_what_was_recorded_by_then(club: CommandLine) -> None:
    first, corrected = moments(club)[2:4]
    assert result_of(club.json("score", "t", "--as-of", first)) == AS_WRITTEN
    assert result_of(club.json("score", "t", "--as-of", corrected)) == CORRECTED


def test_a_moment_may_have_another_offset(club: CommandLine) -> None:
    first = moments(club)[2]
    shifted = datetime.fromisoformat(first).astimezone(JAPAN).isoformat()
    assert shifted.endswith("+09:00")
    assert club.json("score", "t", "--as-of", shifted) == club.json("score", "t", "--as-of", first)


def test_a_backup_can_be_restored_elsewhere(club: CommandLine, tmp_path: Path) -> None:
    head = club.json("verify")["digest"]
    target = tmp_path / "backup.ledger"
    output = club.ok("backup", target)
    assert output == f"Backed up {club.ledger} to {target}: 42 entries, head {head}\n"
    other = CommandLine(tmp_path / "elsewhere")
    other.folder.mkdir()
    assert other.ok("restore", target) == f"Restored {target} to {other.ledger}: 42 entries, head {head}\n"
    assert other.ok("export") == club.ok("export")
    third = tmp_path / "third.ledger"
    assert club.json("restore", target, third) == {"ledger": str(third), "entries": 42, "digest": head}


def test_a_backup_into_a_folder_or_without_target_is_named_by_the_moment(club: CommandLine, tmp_path: Path) -> None:
    folder = tmp_path / "stick"
    folder.mkdir()
    for words, place in ((["backup"], club.folder), (["backup", folder], folder)):
        path = Path(club.json(*words)["backup"])
        assert path.parent == place
        assert re.fullmatch(r"club-\d{4}-\d\d-\d\d-\d{6}\.ledger", path.name)
        assert path.exists()


def test_the_drill_reports_and_keeps_no_file(club: CommandLine) -> None:
    answer = club.json("backup", "--drill")
    verified = club.json("verify")
    assert (answer["entries"], answer["digest"]) == (verified["entries"], verified["digest"])
    assert "42 entries" in club.ok("backup", "--drill")
    assert list(club.folder.glob("*.ledger")) == [club.ledger]
    assert club.run("backup", "--drill", club.folder).exit_code == 2


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
