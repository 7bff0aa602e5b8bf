"""Run the examples of docs/tutorials/guide.md; `python -m tests.cli.guide` writes their current outputs into it.

A block with the language `console` has commands after `$ ` and their output. A comment `<!-- file: NAME -->` writes the
block after it to a file of that name. All run in order in one folder, where `replays` is that of the project.
"""

import re
import shlex
import tempfile
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path

from click.testing import CliRunner

from ledger.cli import main
from tests.cli.commands import ROOT

GUIDE = ROOT / "docs" / "tutorials" / "guide.md"

_BLOCK = re.compile(r"(?:<!-- file: (?P<file>\S+) -->\n)?```(?P<kind>\w+)\n(?P<body>.*?)```\n", re.DOTALL)
_CHANGING = [
    (re.compile(r"\b[0-9a-f]{64}\b"), "DIGEST"),
    (re.compile(r"digest [0-9a-f]{12}…"), "digest SHORT…"),
    (re.compile(r"\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b"), "ID"),
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z"), "TIME"),
    (re.compile(r"\+[0-9a-f]{8}(\+[A-Za-z0-9+/]{44})?(?![\w+])"), "+KEY"),
    (re.compile(r"root [A-Za-z0-9+/]{43}="), "root ROOT"),
    (re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC"), "MOMENT"),
    (re.compile(r"^(recorded MOMENT to MOMENT by) .*", re.MULTILINE), r"\1 RECORDER"),
]
"""Patterns of text that differs at each run, and the words that replace it."""


class Reader:
    """A reader who types the guide's commands in order, in the current folder."""

    def __init__(self) -> None:
        self.status = 0

    def type(self, command: str) -> str:
        """Run a command and return its output; commands separated by `|` are piped."""
        if command == "echo $?":
            return f"{self.status}\n"
        output = b""
        for part in command.split(" | "):
            answered = CliRunner().invoke(main, self._words(part), input=output, prog_name="trickledger")
            if answered.exception is not None and not isinstance(answered.exception, SystemExit):
                raise answered.exception
            self.status, output = answered.exit_code, answered.output_bytes
        return output.decode()

    def _words(self, part: str) -> list[str]:
        program, *words = shlex.split(part)
        assert program == "trickledger", f"the guide may use trickledger alone, not {program}"
        return [name for word in words for name in self._files(word)]

    def _files(self, word: str) -> list[str]:
        return sorted(map(str, Path().glob(word))) if word.endswith("*.toml") else [word]


def run(text: str) -> str:
    """Return the guide with current outputs."""
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        Path("replays").symlink_to(ROOT / "replays")
        reader = Reader()
        return _BLOCK.sub(lambda block: _block(block, reader), text)


def _block(block: re.Match[str], reader: Reader) -> str:
    if block["file"] is not None:
        Path(block["file"]).write_text(block["body"], encoding="utf-8")
    if block["kind"] != "console":
        return block[0]
    shown = "".join(f"$ {command}\n{reader.type(command)}" for command in commands(block["body"]))
    lines = "\n".join(line.rstrip() for line in shown.splitlines()).rstrip("\n")
    return f"```console\n{lines}\n```\n"


def commands(body: str) -> Iterator[str]:
    return (line.removeprefix("$ ") for line in body.splitlines() if line.startswith("$ "))


def settled(text: str) -> str:
    """Replace text that differs at each run by fixed words."""
    for pattern, word in _CHANGING:
        text = pattern.sub(word, text)
    return text


if __name__ == "__main__":
    old = GUIDE.read_text(encoding="utf-8")
    new = run(old)
    if settled(new) != settled(old):
        GUIDE.write_text(new, encoding="utf-8")
