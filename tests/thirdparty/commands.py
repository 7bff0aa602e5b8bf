"""The command line in a process of its own that sees the packages installed in some folders, as after `pip install`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

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
