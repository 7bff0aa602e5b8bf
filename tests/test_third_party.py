"""Files of others: what is written of them is true, and whoever gets the program gets their licences."""

from __future__ import annotations

import re
import tomllib
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).parent.parent
VENDORED = ROOT / "ledger" / "text" / "site" / "vendored"
TOLD = (ROOT / "THIRD-PARTY.md").read_text(encoding="utf-8")
WRITTEN = dict(re.findall(r"^\| `([^`]+)` \|.*\| `([0-9a-f]{64})` \|$", TOLD, re.MULTILINE))


def test_every_file_of_others_is_written_down_as_it_is() -> None:
    found = {
        path.relative_to(ROOT).as_posix(): sha256(path.read_bytes()).hexdigest()
        for path in VENDORED.rglob("*")
        if path.is_file()
    }
    assert found == WRITTEN
    assert len(found) == 3


def test_each_has_its_licence() -> None:
    for folder in VENDORED.iterdir():
        assert (folder / "LICENSE").read_text(encoding="utf-8").startswith("Zero-Clause BSD")


def test_a_release_takes_them_along() -> None:
    """Wheel and sdist hold all of `ledger/`; that a wheel which was built has the licences, `make test-wheel` looks."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    taken = {path for pattern in project["project"]["license-files"] for path in ROOT.glob(pattern)}
    assert {ROOT / "LICENSE", ROOT / "THIRD-PARTY.md", *VENDORED.glob("*/LICENSE")} == taken
    targets = project["tool"]["hatch"]["build"]["targets"]
    assert targets["wheel"]["packages"] == ["ledger"]
    assert not any("ledger" in pattern or "THIRD" in pattern for pattern in targets["sdist"]["exclude"])
    tried = (ROOT / "tools" / "try_wheel.sh").read_text(encoding="utf-8")
    assert "THIRD-PARTY.md" in tried and "vendored/htmx/LICENSE" in tried
