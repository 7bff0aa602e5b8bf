"""Run the examples of the tutorials and how-to pages; `python -m tests.cli.guide` writes their current outputs.

A block with the language `console` has commands after `$ ` and their output, a block `pycon` has Python. A comment
`<!-- file: NAME -->` writes the block after it to a file of that name, and `export` sets a variable for the commands
after it. All examples of a page run in order in a folder of its own, where `examples` and `replays` have the example
records.
"""

import re
import shlex
import sys
import tempfile
from collections.abc import Iterator
from contextlib import chdir, redirect_stdout
from doctest import DocTestParser
from io import StringIO
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from click.testing import CliRunner

from ledger.cli import main
from tests.cli.commands import ROOT

DOCS = ROOT / "docs"
PAGES = [
    *sorted((DOCS / "tutorials").glob("*.md")),
    *sorted((DOCS / "ja" / "tutorials").glob("*.md")),
    *(
        page
        for page in [*sorted((DOCS / "how-to").glob("*.md")), *sorted((DOCS / "ja" / "how-to").glob("*.md"))]
        if page.stem not in ("adding-a-game", "upgrade") and "```console\n" in page.read_text(encoding="utf-8")
    ),
]
"""The pages whose examples run here; the other two need a package and a ledger of an earlier version."""

_BLOCK = re.compile(r"(?:<!-- file: (?P<file>\S+) -->\n)?```(?P<kind>\w+)\n(?P<body>.*?)```\n", re.DOTALL)
_CHANGING = [
    (re.compile(r"\b[0-9a-f]{64}\b"), "DIGEST"),
    (re.compile(r"(digest|ダイジェスト) [0-9a-f]{12}…"), "digest SHORT…"),
    (re.compile(r"\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b"), "ID"),
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z"), "TIME"),
    (re.compile(r"\+[0-9a-f]{8}(\+[A-Za-z0-9+/]{44})?(?![\w+])"), "+KEY"),
    (re.compile(r"(root|ルート) [A-Za-z0-9+/]{43}="), "root ROOT"),
    (re.compile(r"trk_\w+"), "TOKEN"),
    (re.compile(r"\bp-[2-9a-z]{8}\b"), "p-anybody"),
    (re.compile(r"^\d{8}$", re.MULTILINE), "CODE"),
    (re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC"), "MOMENT"),
    (re.compile(r"^(recorded MOMENT to MOMENT by) .*", re.MULTILINE), r"\1 RECORDER"),
]
"""Patterns of text that differs at each run, and the words that replace it."""


class Reader:
    """A reader who types the commands of a page in order, in the current folder."""

    def __init__(self) -> None:
        self.status = 0
        self._variables = {"TRICKLEDGER_LANG": "en"}
        self._names: dict[str, Any] = {}

    def type(self, command: str) -> str:
        """Run a command and return its output; commands separated by `|` are piped."""
        if command == "echo $?":
            return f"{self.status}\n"
        output = b""
        for part in command.split(" | "):
            program, *words = shlex.split(part)
            if program == "export":
                self._variables |= dict(word.split("=", 1) for word in words)
                continue
            if program != "trickledger":
                self.status, output = 0, _OTHERS[program](words, output)
                continue
            files = [name for word in words for name in self._files(word)]
            answered = CliRunner().invoke(main, files, input=output, env=self._variables, prog_name="trickledger")
            if answered.exception is not None and not isinstance(answered.exception, SystemExit):
                raise answered.exception
            self.status, output = answered.exit_code, answered.output_bytes
        return output.decode()

    def evaluate(self, session: str) -> str:
        """Return a Python session with current outputs."""
        lines = []
        for example in DocTestParser().get_examples(session):
            source = example.source.rstrip("\n").replace("\n", "\n... ")
            with redirect_stdout(StringIO()) as shown:
                exec(compile(example.source, "<page>", "single"), self._names)
            lines.append(f">>> {source}\n{shown.getvalue()}")
        return "".join(lines)

    def _files(self, word: str) -> list[str]:
        return sorted(map(str, Path().glob(word))) if word.endswith("*.toml") else [word]


def _first_lines(words: list[str], given: bytes) -> bytes:
    """Return the output of `head -n NUMBER`."""
    return b"".join(given.splitlines(keepends=True)[: int(words[1])])


def _content(words: list[str], _: bytes) -> bytes:
    return Path(words[0]).read_bytes()


def _answer_of_the_service(words: list[str], _: bytes) -> bytes:
    """Return the answer of `curl` at a service of `club.ledger`, which runs in this process."""
    from ledger.service.running import Settings
    from tests.web.serving import serving

    headers = dict(words[place + 1].split(": ", 1) for place, word in enumerate(words) if word == "-H")
    body = next((words[place + 1] for place, word in enumerate(words) if word == "-d"), None)
    (address,) = (word for word in words if word.startswith("http://"))
    parts = urlsplit(address)
    path = parts.path + (f"?{parts.query}" if parts.query else "")
    with serving(Path("club.ledger"), Settings()) as served:
        method = "GET" if body is None else "POST"
        return served.ask(method, path, who=None, headers=headers, is_page=True, content=body).content


_OTHERS = {"cat": _content, "curl": _answer_of_the_service, "head": _first_lines}
"""The programs that the pages use besides `trickledger`."""


def run(page: Path) -> str:
    """Return the text of the page with current outputs."""
    text = page.read_text(encoding="utf-8")
    assert " ```console" not in text, "an indented block would not run"
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        for name in ("examples", "replays"):  # as an installed user has them, and in a clone
            if name != "examples" or "$ trickledger examples\n" not in text:
                Path(name).symlink_to(ROOT / "replays")
        reader = Reader()
        return _BLOCK.sub(lambda block: _block(block, reader), text)


def _block(block: re.Match[str], reader: Reader) -> str:
    if block["file"] is not None:
        Path(block["file"]).write_text(block["body"], encoding="utf-8")
    if block["kind"] == "pycon":
        return f"```pycon\n{reader.evaluate(block['body'])}```\n"
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
    for page in [Path(name).resolve() for name in sys.argv[1:]] or PAGES:
        old = page.read_text(encoding="utf-8")
        new = run(page)
        if settled(new) != settled(old):
            page.write_text(new, encoding="utf-8")
