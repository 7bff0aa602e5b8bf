"""Third-party files: their list is correct, and every package includes their licences."""

import re
import subprocess
import sys
import tarfile
import tomllib
from hashlib import sha256
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
VENDORED = [*(ROOT / "ledger").glob("**/vendored/*")]
"""A folder for each third party."""
PAGE = (ROOT / "THIRD-PARTY.md").read_text(encoding="utf-8")
WRITTEN = dict(re.findall(r"^\| `([^`]+)` \|.*\| `([0-9a-f]{64})` \|$", PAGE, re.MULTILINE))


def test_every_file_of_others_is_written_down_as_it_is() -> None:
    digests = {
        path.relative_to(ROOT).as_posix(): sha256(path.read_bytes()).hexdigest()
        for folder in VENDORED
        for path in folder.rglob("*")
        if path.is_file()
    }
    assert digests == WRITTEN
    assert len(digests) == 5


def test_each_has_its_licence() -> None:
    licences = {"htmx": "Zero-Clause BSD", "letters": "SIL OPEN FONT LICENSE Version 1.1"}
    assert {folder.name for folder in VENDORED} == licences.keys()
    for folder in VENDORED:
        assert licences[folder.name] in (folder / "LICENSE").read_text(encoding="utf-8")


PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
WHEEL = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]
ASIDE = [path for kind in ("force-include", "shared-data") for path in WHEEL[kind]]
"""The files of a wheel outside the package."""


def test_a_wheel_takes_their_licences_along() -> None:
    """Check the configuration; `make test-wheel` checks a built wheel."""
    taken = {path for pattern in PROJECT["project"]["license-files"] for path in ROOT.glob(pattern)}
    assert {ROOT / "LICENSE", ROOT / "THIRD-PARTY.md", *(folder / "LICENSE" for folder in VENDORED)} == taken
    tried = (ROOT / "tools" / "try_wheel.sh").read_text(encoding="utf-8")
    assert "THIRD-PARTY.md" in tried and "vendored/htmx/LICENSE" in tried


def test_a_wheel_is_built_from_a_copy_that_lacks_nothing() -> None:
    script = (ROOT / "tools" / "wheel.sh").read_text(encoding="utf-8")
    copied = re.findall(r"^cp (?:-r )?(.+) \"\$source", script, re.MULTILINE)
    licences = {Path(pattern).parts[0] for pattern in PROJECT["project"]["license-files"]}
    assert {*WHEEL["packages"], *licences, *ASIDE, "pyproject.toml", "README.md"} <= set(" ".join(copied).split())


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Return the files of the sdist by path, as it would be published."""
    folder = tmp_path_factory.mktemp("sdist")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (path,) = folder.glob("*.tar.gz")
    with tarfile.open(path) as opened:
        held = {one.name.partition("/")[2]: opened.extractfile(one) for one in opened if one.isfile()}
        return {name: file.read() for name, file in held.items() if file is not None}


def test_an_sdist_holds_the_files_of_others_as_they_are(sdist: dict[str, bytes]) -> None:
    assert {name: sha256(sdist[name]).hexdigest() for name in WRITTEN} == WRITTEN
    assert sdist["THIRD-PARTY.md"].decode() == PAGE
    assert b"Apache License" in sdist["LICENSE"]


def test_an_sdist_holds_all_that_a_wheel_is_built_of(sdist: dict[str, bytes]) -> None:
    needed = {
        path.relative_to(ROOT).as_posix()
        for part in (*WHEEL["packages"], *ASIDE)
        for path in (ROOT / part, *(ROOT / part).rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert {"ledger/text/site/templates/base.html", "ledger/text/site/styles/10-tokens.css"} <= needed
    assert needed | {"pyproject.toml", "README.md", "tools/wheel.sh"} <= sdist.keys()
