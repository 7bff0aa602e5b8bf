"""Transcripts of commands, in `transcripts/*.txt`: typed commands, and assertions about their answers.

    [a closed table is not closed again] club
    $ close t
    $ close t
    exit 3
    = trickledger: the table is already closed; expected a table that is open

A section has a title and the name of the function in `tests/cli/commands.py` that makes its ledger. A file may begin
with steps that are run before each of its sections. A line that begins with `#` is a comment. The steps:

    $ WORDS         run a command; lines with `< ` after it are its standard input
    + TABLE EVENT   record an event at a table
    file NAME       write a file of the lines with `< ` after it
    cat NAME        read a file that a command has written
    cp NAME NAME    copy a file
    rm NAME         remove a file, if it is there
    no NAME         assert that there is no such file
    edit NAME A => B     replace the last A in the file by B, e.g. in the oldest entry of a ledger

Assertions about an answer, i.e. standard output, or standard error if the exit status is 2 or more:

    exit N          the exit status, if it is not 0
    = LINE          these lines are the whole answer
    | LINE          the answer has these lines, in direct succession unless a blank line separates them
    : TEXT          the answer contains this
    ~ WORDS         a line has these words, with anything between them
    ! TEXT          the answer does not contain this
    also TEXT       the other stream contains this; without such a line it is empty
    == WORDS        another command, or `cat NAME`, gives the same answer
    != WORDS        it gives another answer
    unchanged       the ledger has the same entries as before
    .MEMBER OP VALUE     a member of the answer with `--format json`: `.deals.0.status`, `.deals.*.status` for all of
                    them, `.deals.#` for how many there are; OP is `=`, `has`, `lacks`, or `keys`
    entry.MEMBER OP VALUE     a member of the newest entry; `entries` is the list of all

An error as JSON fits its schema, and has the exit status and the message of the text.
Moments such as `2026-01-30 19:00 UTC` are replaced by MOMENT.
"""

import json
import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from click.testing import Result

from tests.cli.commands import CommandLine
from tests.schemas.checks import assert_fits

FOLDER: Final = Path(__file__).with_name("transcripts")

_STEP: Final = ("$ ", "+ ", "file ", "cat ", "cp ", "rm ", "no ", "edit ")
_BELOW: Final = re.compile(r"$|[<=|:~!](?: |$)|also |exit \d|[=!]= |unchanged$|[.]|entr(?:y|ies)[.]")
_MOMENT: Final = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC")
_MEMBER: Final = re.compile(r"(entry|entries)?((?:\.[\w*#-]*)*) (=|has|lacks|keys) (.*)")


class Transcript(NamedTuple):
    name: str
    ledger: str
    """The name of the function that makes the ledger."""

    steps: list[list[str]]


def all_transcripts() -> list[Transcript]:
    return [one for path in sorted(FOLDER.glob("*.txt")) for one in transcripts(path)]


def transcripts(path: Path) -> Iterator[Transcript]:
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    starts = [row for row, line in enumerate(lines) if line.startswith("[")]
    before = _steps(lines[: starts[0]])
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        title, _, ledger = lines[start].removeprefix("[").partition("]")
        yield Transcript(f"{path.stem}: {title}", ledger.strip(), before + _steps(lines[start + 1 : end]))


def _steps(lines: list[str]) -> list[list[str]]:
    steps: list[list[str]] = []
    for line in lines:
        if line.startswith(_STEP):
            steps.append([line])
        elif steps or line:
            assert steps and _BELOW.match(line), f"no step, and no assertion about one: {line}"
            steps[-1].append(line)
    return steps


def play(cli: CommandLine, transcript: Transcript) -> None:
    for head, *below in transcript.steps:
        kind, words = head.split(" ", 1)
        stdin = "".join(f"{line[2:]}\n" for line in below if line.startswith("<")).encode()
        expected = [line for line in below if not line.startswith("<")]
        assert kind in ("$", "cat") or not any(expected), f"nothing can be asserted of {head}"
        if kind == "+":
            table, event = words.split(" ", 1)
            cli.record(json.loads(event), table=table)
        elif kind == "file":
            cli.file(words, stdin)
        elif kind == "cp":
            shutil.copyfile(*(cli.folder / name for name in words.split()))
        elif kind == "rm":
            (cli.folder / words).unlink(missing_ok=True)
        elif kind == "no":
            assert not (cli.folder / words).exists(), head
        elif kind == "edit":
            _edit(cli.folder / words.split()[0], *words.split(" ", 1)[1].split(" => "))
        elif kind == "cat":
            text = (cli.folder / words).read_text(encoding="utf-8")
            _check_text(text, [line for line in expected if not line.startswith("==")])
            assert all(_other_answer(cli, line[3:]) == text for line in expected if line.startswith("==")), expected
        else:
            _check_command(cli, shlex.split(words), stdin, expected)


def _edit(path: Path, before: str, after: str) -> None:
    head, match, tail = path.read_bytes().rpartition(before.encode())
    assert match, f"{path.name} has no {before}"
    path.write_bytes(head + after.encode() + tail)


def _check_command(cli: CommandLine, words: list[str], stdin: bytes, expected: list[str]) -> None:
    before = cli.ok("export") if "unchanged" in expected else None
    is_json = any(line.startswith(".") for line in expected)
    answered = cli.run(*words, *(("--format", "json") if is_json else ()), stdin=stdin)
    status = next((int(line.removeprefix("exit ")) for line in expected if line.startswith("exit ")), 0)
    assert answered.exit_code == status, f"{shlex.join(words)}\n{answered.output}"
    text, other = (answered.stderr, answered.stdout) if status > 1 else (answered.stdout, answered.stderr)
    if is_json and status > 1:
        assert_fits("error", json.loads(text))
        as_text = cli.run(*words, stdin=stdin)
        assert as_text.exit_code == status
        assert as_text.stderr.startswith(f"trickledger: {json.loads(text)['error']['message']}")
    also = [line.removeprefix("also ") for line in expected if line.startswith("also ")]
    assert all(expectation in other for expectation in also) if also else other == "" or (is_json and status > 1), other
    assert before in (None, cli.ok("export") if before is not None else None)
    _check_text(text, [line for line in expected if not line.startswith((".", "entr", "==", "!="))])
    for line in expected:
        if line.startswith(("==", "!=")):
            is_same = _other_answer(cli, line[3:]) == answered.stdout
            assert is_same is line.startswith("=="), line
        elif line.startswith((".", "entr")):
            _check_member(cli, answered, line)


def _other_answer(cli: CommandLine, words: str) -> str:
    if words.startswith("cat "):
        return (cli.folder / words.removeprefix("cat ")).read_text(encoding="utf-8")
    return cli.run(*shlex.split(words)).stdout


def _check_text(answer: str, expected: list[str]) -> None:
    text = _MOMENT.sub("MOMENT", answer)
    whole = [line[2:] for line in expected if line.startswith("=")]
    assert not whole or text.removesuffix("\n") == "\n".join(whole), f"{text}\n{whole}"
    blocks = "\n".join(line if line.startswith("|") else "" for line in expected)
    for block in filter(None, re.split(r"\n\n+", blocks.strip("\n"))):
        lines = "\n".join(line[2:] for line in block.splitlines())
        assert f"\n{lines}\n" in f"\n{text}\n", f"{text}\n{lines}"
    for mark, expectation in (line.split(" ", 1) for line in expected if line.startswith((": ", "! ", "~ "))):
        if mark == "~":
            assert any(_has_words(line, expectation.split()) for line in text.splitlines()), f"{text}\n{expectation}"
        else:
            assert (expectation in text) is (mark == ":"), f"{text}\n{mark} {expectation}"


def _has_words(line: str, words: list[str]) -> bool:
    line_words = line.split()
    return any(line_words[place : place + len(words)] == words for place in range(len(line_words)))


def _check_member(cli: CommandLine, answered: Result, line: str) -> None:
    match = _MEMBER.fullmatch(line)
    assert match, line
    if match[1]:
        answer: Any = cli.entries() if match[1] == "entries" else cli.entries()[-1]
    else:
        answer = json.loads(answered.stdout if answered.exit_code < 2 else answered.stderr)
    member, value = _member(answer, [name for name in match[2].split(".") if name]), json.loads(match[4])
    if match[3] == "keys":
        holds = all(one.keys() == set(value) for one in (member if isinstance(member, list) else [member]))
    else:
        holds = member == value if match[3] == "=" else (value in member) is (match[3] == "has")
    assert holds, f"{line}\n{member}"


def _member(value: Any, names: list[str]) -> Any:
    for place, name in enumerate(names):
        if name == "*":
            return [_member(item, names[place + 1 :]) for item in value]
        if name == "#":
            return len(value)
        value = value[int(name)] if isinstance(value, list) else value[name]
    return value
