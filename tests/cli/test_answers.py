"""Answers that no transcript can show: errors of functions, moments, copies of a ledger, and acts of directors."""

import json
import re
import tomllib
from collections import defaultdict
from datetime import UTC, datetime, timedelta, timezone
from errno import ENOSPC
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

import ledger
from ledger.cli.errors import of_file, print_error
from ledger.cli.token import end_of_validity
from ledger.cli.writing import default_recorder
from ledger.errors import NotFoundError, UsageError
from tests.cli.commands import OPENED, RAISE, REVOKED, CommandLine, examples, lines, revoke_alone
from tests.japanese import assert_has_japanese, assert_wholly_japanese
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


def test_a_backup_into_a_folder_or_without_target_is_named_by_the_moment(club: CommandLine, tmp_path: Path) -> None:
    folder = tmp_path / "stick"
    folder.mkdir()
    for words, place in ((["backup"], club.folder), (["backup", folder], folder)):
        path = Path(club.json(*words)["backup"])
        assert path.parent == place
        assert re.fullmatch(r"club-\d{4}-\d\d-\d\d-\d{6}\.ledger", path.name)
        assert path.exists()


def test_all_steps_begin_before_the_deal_and_are_one_state_a_line(club: CommandLine) -> None:
    output = club.ok("replay", "ombre-revoke", "--deal", 1, "--all-steps", "--format", "json")
    states = [json.loads(line) for line in output.splitlines()]
    assert [state["step"] for state in states] == list(range(len(states)))
    assert states[0]["dealer"] is None
    assert states[0]["legal"] == states[-1]["legal"] == {}
    for step in (0, 1, 2, 9, len(states) - 1):
        assert club.json("replay", "ombre-revoke", "--deal", 1, "--step", step) == states[step]


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


def test_an_error_of_the_system_names_no_file_but_that_of_the_import(capsys: pytest.CaptureFixture[str]) -> None:
    print_error(of_file(OSError(ENOSPC, "No space left on device")), "en", as_json=True, file="a.ledger")
    error = json.loads(capsys.readouterr().err)["error"]
    assert (error["file"], error["message"]) == ("a.ledger", "No space left on device")


def test_a_user_without_a_name_is_the_recorder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("getpass.getuser", Mock(side_effect=KeyError))
    assert default_recorder() == "recorder"


@pytest.mark.parametrize("word", ["\ud800", "\udcff.ledger"])
def test_a_word_that_is_not_utf8_is_shown_in_characters_that_are(cli: CommandLine, word: str) -> None:
    status, (error,) = errors(cli, "init", word)
    assert (status, error["code"], error["text"]) == (2, "usage", word.encode("utf-8", "backslashreplace").decode())


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
