"""Completion of words in the shell: names from the ledger, which is read without leaving a trace.

First by click's protocol for each shell, then in real shells, set up according to docs/how-to/completion.md: bash,
zsh and fish.
"""

import os
import pty
import re
import select
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import chdir, contextmanager, redirect_stderr
from io import StringIO
from pathlib import Path
from unittest.mock import patch

import click
import pytest
from click.shell_completion import get_completion_class

from ledger.cli import completion, main
from ledger.cli.shells import answer_shells
from ledger.games.kernel.rulebook import load
from ledger.log import open_store
from tests.cli.commands import OPENED, ROOT, CommandLine, contents, environment, small_club
from tests.patience import PATIENCE_S

PAGE = (ROOT / "docs" / "how-to" / "completion.md").read_text(encoding="utf-8")
SETUP = dict(re.findall(r"```(bash|zsh|fish)\n(.*?)```", PAGE, re.DOTALL))
"""The commands of the page that set up each shell."""

NO_TABLES = {"simulate": {"tables", "session"}, "new": {"table"}}
"""Parameters with such a name that do not name anything in the ledger."""


def with_names(club: CommandLine) -> None:
    """Make the small club with a session, a saved query, a player who needs quotes and one who is renamed."""
    small_club(club)
    club.ok("session", "open", "friday", "--title", "Friday evening", "--place", "Hampton")
    club.ok("query", "FROM deals LIMIT 1", "--save", "first-deal")
    club.record({**OPENED, "players": ["Sir Plume", "Ben", "Gold, Cleo"]}, table="poem")
    club.ok("players", "Belinda", "--name", "Arabella Fermor")
    for token in ("ann", "ben"):
        club.ok("token", "add", token, "--role", "viewer")
    club.ok("token", "revoke", "ben")


@pytest.fixture
def evening(bare_cli: CommandLine) -> CommandLine:
    return bare_cli.made_by(with_names)


def request_completion(cli: CommandLine, shell: str, *words: str, typed: str = "", **variables: str) -> str:
    """Return the program's answer to a shell that completes `typed` after these words."""
    line = ["trickledger", *words, *([typed] if typed or shell == "bash" else [])]
    request = {
        "COMP_WORDS": "\n".join(line) if shell == "bash" else " ".join(line),
        "COMP_CWORD": typed if shell == "fish" else str(1 + len(words)),
    }
    answer_shells()
    kind = get_completion_class(shell)
    assert kind is not None
    with chdir(cli.folder), patch.dict(os.environ, request | variables), redirect_stderr(StringIO()) as complaints:
        completions = kind(main, {}, "trickledger", "_TRICKLEDGER_COMPLETE").complete()
    assert complaints.getvalue() == ""
    return f"{completions}\n"


def completed(cli: CommandLine, *words: str, typed: str = "", **variables: str) -> list[str]:
    lines = request_completion(cli, "bash", *words, typed=typed, **variables).splitlines()
    return [line.removeprefix("plain,") for line in lines if line]


COMPLETED = [
    [part.strip() for part in line.split("|")]
    for line in Path(__file__).with_name("completed.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]


def test_names_are_completed(evening: CommandLine) -> None:
    completions = [[words, typed, *completed(evening, *words.split(), typed=typed)] for words, typed, *_ in COMPLETED]
    assert completions == COMPLETED
    assert completed(evening, "rules", typed="omb") == ["ombre", *(rule.id for rule in load("ombre").rules)]


def test_the_program_itself_answers_a_shell(evening: CommandLine) -> None:
    words = [sys.executable, "-c", "from ledger.__main__ import run; run()"]
    request = {"_TRICKLEDGER_COMPLETE": "bash_complete", "COMP_WORDS": "trickledger\nscore\np", "COMP_CWORD": "2"}
    variables = environment(**request)
    answered = subprocess.run(words, cwd=evening.folder, capture_output=True, check=True, timeout=60, env=variables)
    assert (answered.stdout, answered.stderr) == (b"plain,poem\n", b"")


def test_every_shell_gets_the_names_in_its_form(evening: CommandLine) -> None:
    assert request_completion(evening, "bash", "score", typed="p") == "plain,poem\n"
    assert request_completion(evening, "zsh", "score", typed="p") == "plain\npoem\n_\n"
    assert request_completion(evening, "fish", "score", typed="p") == "plain,poem\n"


def test_a_name_with_blanks_stays_one_word_in_every_shell(evening: CommandLine) -> None:
    words = ("replay", "poem", "--seat")
    assert request_completion(evening, "bash", *words, typed="Sir") == "plain,Sir\\ Plume\n"
    assert request_completion(evening, "bash", *words, typed='"Sir') == "plain,Sir Plume\n"
    assert request_completion(evening, "bash", *words, typed="Sir\\ P") == "plain,Sir\\ Plume\n"
    assert request_completion(evening, "zsh", *words, typed="Sir") == "plain\nSir Plume\n_\n"
    assert request_completion(evening, "fish", *words, typed="Sir") == "plain,Sir Plume\n"


def test_the_ledger_is_the_one_that_is_named(evening: CommandLine) -> None:
    other = evening.elsewhere("elsewhere")
    other.record(OPENED, table="other")
    path = str(other.ledger)
    assert completed(evening, "--ledger", path, "score") == ["other"]
    assert completed(evening, "--ledger", "=", path, "score") == ["other"]  # as bash takes --ledger=PATH apart
    assert completed(evening, "score", TRICKLEDGER_LEDGER=path) == ["other"]
    assert completed(evening, "--ledger", "~/club.ledger", "score", HOME=str(other.folder)) == ["other"]


READING = [("score",), ("report",), ("stats", "standings", "--player"), ("query",), ("players",)]


def test_nothing_is_written_next_to_the_ledger(evening: CommandLine) -> None:
    before = contents(evening.folder)
    for words in READING:
        assert completed(evening, *words)
    assert contents(evening.folder) == before


def test_while_somebody_records_the_newest_table_is_completed_and_nothing_appears(evening: CommandLine) -> None:
    with open_store(evening.ledger) as store:
        store.head()
        evening.record(OPENED, table="newest")
        before = contents(evening.folder)
        assert {"club.ledger-wal", "club.ledger-shm"} <= before.keys()
        assert "newest" in completed(evening, "score")
        assert contents(evening.folder).keys() == before.keys()
        assert contents(evening.folder)["club.ledger"] == before["club.ledger"]


def test_where_there_is_no_ledger_nothing_is_completed_and_nothing_said(bare_cli: CommandLine) -> None:
    for content in (None, b"", b"no ledger", b"SQLite format 3\0" + bytes(84)):
        if content is not None:
            bare_cli.ledger.write_bytes(content)
        before = contents(bare_cli.folder)
        assert [completed(bare_cli, *words) for words in READING] == [[]] * len(READING), content
        assert contents(bare_cli.folder) == before


def test_a_damaged_or_locked_ledger_completes_nothing_and_says_nothing(evening: CommandLine) -> None:
    with sqlite3.connect(evening.ledger, isolation_level=None) as holder:
        holder.execute("PRAGMA locking_mode = EXCLUSIVE")
        holder.execute("BEGIN EXCLUSIVE")
        request_completion(evening, "bash", "score")
    evening.ledger.write_bytes(evening.ledger.read_bytes()[:4096])
    assert completed(evening, "score") == []


def test_what_no_text_can_be_is_silent(evening: CommandLine) -> None:
    assert completed(evening, "score", typed="\udcff") == []


def test_every_option_and_argument_that_names_something_is_completed() -> None:
    """Parameters of new commands are covered, too: by their names."""
    named = {
        "table": (completion.table_names, completion.table_or_session_names),
        "session": (completion.session_names,),
        "player": (completion.player_names, completion.recorded_player_names, completion.words_of_players),
        "rule": (completion.rule_ids,),
        "game": (completion.game_names,),
    }
    lacking = [
        (name, param.name)
        for name, command in main.commands.items()
        for param in command.params
        if param.name in named
        and param.name not in NO_TABLES.get(name, ())
        and not isinstance(param.type, click.Choice)
        and param._custom_shell_complete not in named[param.name]
    ]
    assert lacking == []


def test_the_players_of_a_corrected_table_are_those_that_it_is_read_with(cli: CommandLine) -> None:
    cli.record(OPENED)
    now = {**OPENED, "players": ["Anna", "Ben", "Cleo"]}
    cli.record({"type": "corrected", "version": 1, "action": "replace", "reason": "typo", "events": [now]})
    cli.record({"type": "player_seated", "seat": 1, "player": "Dora"})
    assert completed(cli, "players", "link") == ["Anna", "Ben", "Cleo", "Dora"]


@pytest.fixture
def installed(evening: CommandLine) -> CommandLine:
    """Put the program next to the same ledger, as `trickledger`."""
    program = evening.folder / "bin" / "trickledger"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m ledger "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    return evening


def shell_environment(cli: CommandLine) -> dict[str, str]:
    path = f"{cli.folder / 'bin'}:{os.environ['PATH']}"
    return environment(PATH=path, HOME=str(cli.folder), TERM="dumb", LC_ALL="C.UTF-8", XDG_CONFIG_HOME=str(cli.folder))


@contextmanager
def terminal(cli: CommandLine, *words: str) -> Iterator[Callable[[bytes, str], str]]:
    """Start a shell at a terminal; yield a function that types and returns what is shown until a pattern matches."""
    ours, theirs = pty.openpty()
    shell = subprocess.Popen(
        words, cwd=cli.folder, stdin=theirs, stdout=theirs, stderr=theirs, env=shell_environment(cli), close_fds=True,
        start_new_session=True,
    )  # fmt: skip
    os.close(theirs)

    def type_until(typed: bytes, pattern: str) -> str:
        os.write(ours, typed)
        shown, until = "", time.monotonic() + PATIENCE_S
        while not re.search(pattern, shown):
            assert time.monotonic() < until, f"{pattern!r} is not in {shown!r}"
            if select.select([ours], [], [], 0.2)[0]:
                shown += os.read(ours, 4096).decode(errors="replace")
        return shown

    try:
        yield type_until
    finally:
        shell.kill()
        shell.wait()
        os.close(ours)


def test_bash_completes_tables_and_players(installed: CommandLine, ci_requires: Callable[[str], str]) -> None:
    with terminal(installed, ci_requires("bash"), "--norc", "--noprofile", "-i") as type_until:
        type_until(b"PS1='ready> '\n" + SETUP["bash"].encode() + b"echo set''up\n", r"\nsetup")
        type_until(b"trickledger score ombre-r\t", r"ombre-revoke ")
        type_until(b"\x15trickledger replay poem --seat Si\t", r"Sir\\ Plume ")


def test_zsh_completes_tables_and_players(installed: CommandLine, ci_requires: Callable[[str], str]) -> None:
    with terminal(installed, ci_requires("zsh"), "-f", "-i") as type_until:
        setup = b"PS1='ready> '; autoload -Uz compinit; compinit -u -D\n" + SETUP["zsh"].encode()
        type_until(setup + b"echo set''up\n", r"\nsetup|\rsetup")
        type_until(b"trickledger score ombre-r\t", r"evoke")
        type_until(b"\x15trickledger replay poem --seat Si\t", r"r\\ Plume")


def test_fish_completes_tables_and_players(installed: CommandLine, ci_requires: Callable[[str], str]) -> None:
    def shown(line: str) -> list[str]:
        script = f"{SETUP['fish']}\ncomplete -C {line!r}"
        words = [ci_requires("fish"), "--no-config", "-c", script]
        answered = subprocess.run(
            words, cwd=installed.folder, capture_output=True, check=True, env=shell_environment(installed), timeout=60
        )
        assert answered.stderr == b""
        return answered.stdout.decode().splitlines()

    assert shown("trickledger score ombre-r") == ["ombre-revoke"]
    assert shown("trickledger replay poem --seat Si") == ["Sir Plume"]
    assert shown("trickledger scor") == ["score\tShow the score sheet of TABLE: every..."]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_is_one_that_the_shell_reads(ci_requires: Callable[[str], str], shell: str, tmp_path: Path) -> None:
    answer_shells()
    kind = get_completion_class(shell)
    assert kind is not None
    file = tmp_path / "script"
    file.write_text(kind(main, {}, "trickledger", "_TRICKLEDGER_COMPLETE").source(), encoding="utf-8")
    subprocess.run([ci_requires(shell), "-n", str(file)], check=True, capture_output=True, timeout=60)
