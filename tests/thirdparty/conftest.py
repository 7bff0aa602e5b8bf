"""Whist as an installed package, for a separate process or for the tests of one module in this one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import ledger.games
from ledger.games import registered_games
from ledger.games.kernel.protocol import Game

WHIST = Path(__file__).parents[2] / "examples" / "whist"


def entry_points_of(project: Path) -> str:
    """Return the file `entry_points.txt` that an installer would write."""
    table = tomllib.loads((project / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"]
    return "".join(
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in points.items())
        for group, points in table.items()
    )


def install(folder: Path, name: str, entry_points: str) -> None:
    """Register a distribution of this name for everyone with the folder on the path, as an installer does."""
    info = folder / f"{name.replace('-', '_')}-0.1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(entry_points, encoding="utf-8")


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder in which the Whist package is installed."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "trickledger_whist").symlink_to(WHIST / "trickledger_whist")
    install(folder, "trickledger-whist", entry_points_of(WHIST))
    return folder


@pytest.fixture(scope="module")
def whist(site: Path) -> Iterator[Game]:
    """Yield the game, registered in this process while the tests of one module run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(site))
        ledger.games._registry.cache_clear()
        yield registered_games()["whist"]
    ledger.games._registry.cache_clear()


ROOT = Path(__file__).parent.parent.parent


class Installed:
    """The command line in one folder, with these folders on the path."""

    def __init__(self, folder: Path, sites: Sequence[Path]) -> None:
        self.folder = folder
        self.path = os.pathsep.join(map(str, [*sites, ROOT]))

    def run(self, *words: object, module: str = "ledger", stdin: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", module, *map(str, words)],
            cwd=self.folder,
            input=stdin,
            capture_output=True,
            check=False,
            encoding="utf-8",
            env={**os.environ, "PYTHONPATH": self.path, "PYTHONUTF8": "1"},
            timeout=60,
        )

    def ok(self, *words: object, module: str = "ledger", stdin: str = "") -> str:
        answered = self.run(*words, module=module, stdin=stdin)
        assert answered.returncode == 0, answered.stderr
        return answered.stdout

    def json(self, *words: object) -> Any:
        return json.loads(self.run(*words, "--format", "json").stdout)
