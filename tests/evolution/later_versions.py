"""Later versions of the program: copies of the package in which the event `noted` has changed its shape once or twice.

They follow docs/log-format.md: the old Struct stays, the new one gets a `type` with a number, and an upcaster leads
from each to the next.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple, Self

from tests.cli.commands import ROOT

_NOTED = re.compile(r"class Noted\(EventBase.*?\n\n\n", re.DOTALL)

_SHAPE = """
class {name}(EventBase, frozen=True, tag="{tag}"):
    {text}: Text{more}
    seat: Seat | None = None
    version: Version | None = None


"""
_SHAPE_1 = _SHAPE.format(name="Noted1", tag="noted", text="text", more="")
_SHAPE_2 = _SHAPE.replace("{tag}", "noted.2").replace("{text}", "words").replace("{more}", "")
_SHAPE_3 = _SHAPE.format(name="Noted", tag="noted.3", text="text", more='\n    lang: Word = "und"')

_RECORDABLE = re.compile(r"(?<=^Recordable: TypeAlias = )", re.MULTILINE)
_UPCASTERS = re.compile(r"UPCASTERS: Final\[dict\[type, Callable\[\[Any\], Event\]\]\] = \{\}")
_UPCAST_1 = "{name}(words=old.text, seat=old.seat, version=old.version)"
_UPCAST_2 = 'Noted(text=old.words, lang="en", seat=old.seat, version=old.version)'


_SERVE = """
import json, sys
from click.testing import CliRunner
from ledger.cli import main
for line in sys.stdin:
    words, stdin = json.loads(line)
    result = CliRunner().invoke(main, words, input=stdin.encode(), prog_name="trickledger")
    print(json.dumps([result.exit_code, result.stdout, result.stderr]), flush=True)
"""


class CommandResult(NamedTuple):
    """The result of a command."""

    status: int
    stdout: str
    stderr: str


class Program:
    """The command line of one version: a process that runs one command after the other."""

    def __init__(self, package: Path) -> None:
        serve = [sys.executable, "-c", _SERVE]
        env = {**os.environ, "PYTHONPATH": str(package), "PYTHONUTF8": "1"}
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(serve, stdin=pipe, stdout=pipe, text=True, cwd=package, env=env)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def run(self, ledger: Path, *words: str, stdin: str = "") -> CommandResult:
        assert self._process.stdin is not None and self._process.stdout is not None
        print(json.dumps([["--ledger", str(ledger), *words], stdin]), file=self._process.stdin, flush=True)
        return CommandResult(*json.loads(self._process.stdout.readline()))

    def ok(self, ledger: Path, *words: str, stdin: str = "") -> str:
        answer = self.run(ledger, *words, stdin=stdin)
        assert answer.status == 0, answer.stderr
        return answer.stdout


def current_version() -> Program:
    return Program(ROOT)


def second_version(folder: Path) -> Program:
    """Make a version in which `noted` has `words` in place of `text`."""
    upcasters = {"Noted1": _UPCAST_1.format(name="Noted")}
    return _program(folder, _SHAPE_1 + _SHAPE_2.format(name="Noted"), upcasters)


def third_version(folder: Path) -> Program:
    """Make a version in which `noted` has `text` again, with its language."""
    shapes = _SHAPE_1 + _SHAPE_2.format(name="Noted2") + _SHAPE_3
    return _program(folder, shapes, {"Noted1": _UPCAST_1.format(name="Noted2"), "Noted2": _UPCAST_2})


def _program(folder: Path, shapes: str, upcasters: dict[str, str]) -> Program:
    shutil.copytree(ROOT / "ledger", folder / "ledger", ignore=shutil.ignore_patterns("__pycache__"))
    events = folder / "ledger" / "events.py"
    text = events.read_text(encoding="utf-8")
    text = _replaced(_NOTED, shapes.lstrip("\n"), text)
    text = _replaced(_RECORDABLE, "".join(f"{name} | " for name in upcasters), text)
    table = ", ".join(f"{old}: lambda old: {new}" for old, new in upcasters.items())
    text = _replaced(_UPCASTERS, f"UPCASTERS: Final[dict[type, Callable[[Any], Event]]] = {{{table}}}", text)
    events.write_text(text, encoding="utf-8")
    return Program(folder)


def _replaced(pattern: re.Pattern[str], new: str, text: str) -> str:
    changed, count = pattern.subn(lambda _: new, text)
    assert count == 1, f"ledger/events.py has changed: {pattern.pattern} fits {count} times"
    return changed
