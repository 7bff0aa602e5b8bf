"""`--format json`: an error is one object on standard error, with the exit status that it has in text."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator

from tests.cli.commands import FIRST_DEAL, OPENED, ROOT, CommandLine, lines

OUT_OF_TURN = {"type": "bid_made", "seat": 1, "call": "pass"}
TWICE = "0193f2a0-5c1e-7d3b-8a4f-2b6c9d0e1f23"


@cache
def schema() -> Draft202012Validator:
    return Draft202012Validator(json.loads((ROOT / "schemas" / "error.json").read_text(encoding="utf-8")))


def errors(cli: CommandLine, *words: object, stdin: bytes = b"", lang: str = "en") -> tuple[int, list[dict[str, Any]]]:
    """The exit status, which is that of the text, and the errors, of which nothing else stands on standard error."""
    told = cli.run(*words, "--format", "json", stdin=stdin, lang=lang)
    found = [json.loads(line) for line in told.stderr.splitlines()]
    for answer in found:
        schema().validate(answer)
    assert told.exit_code == cli.run(*words, stdin=stdin, lang=lang).exit_code
    return told.exit_code, [answer["error"] for answer in found]


def test_wrong_use_is_2(club: CommandLine) -> None:
    status, (error,) = errors(club, "score", "t", "--nonsense")
    assert (status, error) == (
        2,
        {
            "code": "usage",
            "text": "--nonsense",
            "message": "there is no option --nonsense; see trickledger score --help",
        },
    )


@pytest.mark.parametrize(
    ("words", "member", "value"),
    [
        (["score"], "message", "name a table, or say --all for all of them; see trickledger score --help"),
        (["replay", "t", "--deal", "x"], "where", "--deal"),
        (["score", "t", "extra"], "text", "extra"),
        (["receipt", "t"], "where", "--deal"),
        (["scroe"], "text", "scroe"),
    ],
)
def test_whatever_click_refuses_looks_like_the_others(
    club: CommandLine, words: list[str], member: str, value: str
) -> None:
    status, (error,) = errors(club, *words)
    assert (status, error["code"], error[member]) == (2, "usage", value)
    assert error["message"].endswith("--help")
    assert club.run(*words).stderr == f"trickledger: {error['message']}\n"


def test_what_is_not_there_is_2_and_says_what_is(club: CommandLine) -> None:
    status, (error,) = errors(club, "score", "tt")
    assert (status, error["code"], error["text"], error["known"]) == (2, "not_found", "tt", ["t", "ombre-revoke"])


def test_a_file_that_cannot_be_read_is_2(club: CommandLine) -> None:
    status, (error,) = errors(club, "stats", "league", "--rules", "nowhere.toml")
    assert (status, error) == (
        2,
        {"code": "file", "file": "nowhere.toml", "message": "No such file or directory: nowhere.toml"},
    )


def test_a_question_that_is_refused_is_2(club: CommandLine) -> None:
    status, (error,) = errors(club, "query", "DROP TABLE deals")
    assert (status, error["code"]) == (2, "query_refused")


def test_what_cannot_be_an_entry_is_3_and_says_where(cli: CommandLine) -> None:
    told = lines(OPENED, FIRST_DEAL, {"type": "bid_made", "seat": "x", "call": "pass"})
    status, (error,) = errors(cli, "import", cli.file("evening.ndjson", told))
    assert status == 3
    assert error == {
        "code": "malformed",
        "where": "event.seat",
        "text": "x",
        "expected": "int",
        "file": str(cli.folder / "evening.ndjson"),
        "line": 3,
        "message": error["message"],
    }
    assert error["message"].startswith(f"{cli.folder / 'evening.ndjson'}, line 3: event.seat: ")


def test_a_line_that_is_no_json_is_3(cli: CommandLine) -> None:
    status, (error,) = errors(cli, "import", "-", stdin=lines(OPENED) + b"{oops\n")
    assert (status, error["code"], error["file"], error["line"]) == (3, "not_json", "standard input", 2)


def test_what_is_against_the_rules_is_3_and_names_them(cli: CommandLine) -> None:
    status, (error,) = errors(cli, "import", "--strict", "-", stdin=lines(OPENED, FIRST_DEAL, OUT_OF_TURN))
    assert status == 3
    assert {key: error[key] for key in ("code", "finding", "rule", "seat", "stream", "version")} == {
        "code": "against_rules", "finding": "OMB-11.15", "rule": "OMB-4.8", "seat": 1,
        "stream": "table/t", "version": 3,
    }  # fmt: skip
    assert error["file"] == "standard input"


def test_each_file_that_is_refused_has_an_object_of_its_own(cli: CommandLine) -> None:
    files = [cli.file(name, content) for name, content in (("a", b"hello"), ("b", lines(OPENED)), ("c", b""))]
    status, found = errors(cli, "import", *files)
    assert (status, [error["file"] for error in found]) == (3, [str(cli.folder / "a"), str(cli.folder / "c")])


def test_a_conflict_is_4(club: CommandLine) -> None:
    note = '{"stream":"table/t","event":{"type":"noted","text":"%s"},"id":"' + TWICE + '"}'
    club.ok("import", "-", stdin=(note % "late").encode())
    status, (error,) = errors(club, "import", "-", stdin=(note % "early").encode())
    assert (status, error["code"], error["id"], error["line"]) == (4, "id_used", TWICE, 1)


def test_another_version_than_expected_is_4(club: CommandLine) -> None:
    words = ("correct", "ombre-revoke", "strike", "--last", "--reason", "x", "--expected-version", "3")
    status, (error,) = errors(club, *words)
    assert (status, error["code"], error["expected"], error["actual"]) == (4, "wrong_version", 3, 38)


def test_a_ledger_that_is_missing_is_5(bare_cli: CommandLine) -> None:
    status, (error,) = errors(bare_cli, "tables")
    assert (status, error["code"], error["file"]) == (5, "no_ledger", str(bare_cli.ledger))


def test_a_damaged_entry_is_5_with_its_position(club: CommandLine) -> None:
    content = club.ledger.read_bytes()
    club.ledger.write_bytes(content.replace(b'"players":["Ann"', b'"plxyers":["Ann"'))
    status, (error,) = errors(club, "score", "t")
    assert (status, error["code"], error["position"], error["stream"]) == (5, "damaged", 1, "table/t")


def test_the_message_is_in_the_language_asked_for(club: CommandLine) -> None:
    _, (error,) = errors(club, "score", "tt", lang="ja")
    assert error["message"] == "卓ttはありません。台帳にあるのはt、ombre-revokeです"
    assert club.run("score", "tt", lang="ja").stderr == f"trickledger: {error['message']}\n"
    _, (error,) = errors(club, "score", "--nonsense", lang="ja")
    assert error["message"] == "オプション--nonsenseはありません。trickledger score --help を見てください"


def test_where_the_option_stands_does_not_matter(club: CommandLine, tmp_path: Path) -> None:
    for words in (
        ("score", "--format", "json", "tt"),
        ("score", "--format=json", "tt"),
        ("score", "tt", "--format=json"),
    ):
        assert json.loads(club.run(*words).stderr)["error"]["code"] == "not_found"
    assert club.run("score", "tt", "--format=json", "--format=text").stderr.startswith("trickledger: ")
    assert club.run("score", "--", "--format", "json").stderr.startswith("trickledger: ")


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["replay", "ombre-revoke", "--deal", "1", "--step", "999"], "999"),
        (["score", "ombre-revoke", "--as-of", "99999"], "99999"),
        (["dispute", "ombre-revoke", "--case-sheet", "2"], "2"),
    ],
)
def test_what_was_typed_is_a_text_also_where_it_is_a_number(club: CommandLine, words: list[str], text: str) -> None:
    status, (error,) = errors(club, *words)
    assert (status, error["code"], error["text"]) == (2, "not_found", text)


@pytest.mark.parametrize("word", ["\ud800", "\udcff.ledger"])
def test_a_word_that_is_not_utf8_is_told_in_characters_that_are(cli: CommandLine, word: str) -> None:
    status, (error,) = errors(cli, "init", word)
    assert (status, error["code"], error["text"]) == (2, "usage", word.encode("utf-8", "backslashreplace").decode())
