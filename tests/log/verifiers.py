"""The verifiers shown in the documentation, run by Node unchanged; no test itself."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


def page(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def code_in(name: str) -> str:
    """Return the only JavaScript program on a page."""
    (code,) = re.findall(r"^```js\n(.*?)^```$", page(name), re.MULTILINE | re.DOTALL)
    return code


def run_verifier(name: str, node: str, folder: Path, files: Mapping[str, bytes]) -> tuple[int, str]:
    """Run a page's program on these files; return its exit status and output."""
    (folder / "verify.mjs").write_text(code_in(name), encoding="utf-8")
    for file, content in files.items():
        (folder / file).write_bytes(content)
    answer = subprocess.run([node, "verify.mjs", *files], cwd=folder, capture_output=True, text=True, check=False)
    assert answer.stderr == ""
    return answer.returncode, answer.stdout.strip()
