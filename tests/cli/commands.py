"""How tests call the command: in this process, or in one of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from ledger.cli import main

ROOT = Path(__file__).parent.parent.parent
REVOKE = ROOT / "replays" / "ombre" / "revoke.toml"
REVOKED = "ombre-revoke"
"""The table of that replay, of which this is raised and ruled:"""
RAISE = ("dispute", REVOKED, "the Baron had a diamond", "--deal", 1, "--step", 24, "--player", "Belinda")
FINE = ("ruling", REVOKED, "adjust", "a fine", "--deal", 1, "--deltas", "Belinda +10, Baron -10", "--dispute", 39)

OPENED = {"type": "table_opened", "game": "ombre", "players": ["Ann", "Ben", "Cleo"]}
FIRST_DEAL = {"type": "deal_started", "deal": 1, "dealer": 2}


def result(*tricks: int) -> dict[str, Any]:
    """The result of an entrada that Ann played in spades."""
    outcome = {"ombre": 0, "contract": "entrada", "trump": "S", "tricks": list(tricks)}
    return {"type": "result_recorded", "outcome": outcome}


def lines(*events: dict[str, Any], table: str = "t") -> bytes:
    """The events of a table as lines of a bare import."""
    return b"".join(json.dumps({"stream": f"table/{table}", "event": event}).encode() + b"\n" for event in events)


class CommandLine:
    """`trickledger` at one ledger; every call asserts that no traceback was shown."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ledger = folder / "club.ledger"

    def run(self, *words: object, lang: str = "en", stdin: bytes = b"") -> Result:
        answered = CliRunner().invoke(
            main,
            ["--ledger", str(self.ledger), "--lang", lang, *map(str, words)],
            input=stdin,
            prog_name="trickledger",
        )
        if answered.exception is not None and not isinstance(answered.exception, SystemExit):
            raise answered.exception
        return answered

    def ok(self, *words: object, lang: str = "en", stdin: bytes = b"") -> str:
        """What the command printed on standard output; it must have succeeded."""
        answered = self.run(*words, lang=lang, stdin=stdin)
        assert answered.exit_code == 0, answered.stderr
        return answered.stdout

    def json(self, *words: object, lang: str = "en") -> Any:
        return json.loads(self.run(*words, "--format", "json", lang=lang).stdout)

    def record(self, *events: dict[str, Any], table: str = "t") -> None:
        self.ok("import", "-", stdin=lines(*events, table=table))

    def file(self, name: str, content: bytes) -> Path:
        path = self.folder / name
        path.write_bytes(content)
        return path


def process(
    *words: object, folder: Path, stdin: Any = subprocess.DEVNULL, **variables: str
) -> subprocess.CompletedProcess:
    """The command in a process of its own, in `folder`."""
    return subprocess.run(
        [sys.executable, "-m", "ledger", *map(str, words)],
        cwd=folder,
        stdin=stdin,
        capture_output=True,
        check=False,
        env=environment(**variables),
        timeout=60,
    )


def environment(**variables: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", **variables}
