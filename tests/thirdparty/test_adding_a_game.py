"""`docs/how-to/adding-a-game.md` shows the actual code of the Whist package and the actual output of its commands."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.cli.guide import Reader, commands, settled
from tests.thirdparty.commands import ROOT
from tests.thirdparty.conftest import WHIST

GUIDE = ROOT / "docs" / "how-to" / "adding-a-game.md"
TEXT = GUIDE.read_text(encoding="utf-8")
PACKAGE = WHIST / "trickledger_whist"
EXCERPTS = re.findall(r"<!-- from: (\S+) -->\n```\w+\n(.*?)```\n", TEXT, re.DOTALL)
CONSOLE = re.findall(r"```console\n(.*?)```\n", TEXT, re.DOTALL)


def test_every_excerpt_is_in_the_package() -> None:
    assert [file for file, excerpt in EXCERPTS if excerpt not in (PACKAGE / file).read_text(encoding="utf-8")] == []


def test_every_file_of_the_package_is_shown() -> None:
    shown = {(PACKAGE / file).resolve() for file, _ in EXCERPTS}
    assert {path.resolve() for path in PACKAGE.rglob("*") if path.suffix in (".py", ".md", ".toml")} <= shown


@pytest.mark.usefixtures("whist")
def test_every_command_prints_what_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(WHIST / "evening.toml", tmp_path)
    monkeypatch.chdir(tmp_path)
    reader = Reader()
    for shown in CONSOLE:
        session = "".join(f"$ {command}\n{reader.type(command)}" for command in commands(shown))
        lines = "\n".join(line.rstrip() for line in session.splitlines()).rstrip("\n")
        assert settled(shown).rstrip("\n") == settled(lines)
