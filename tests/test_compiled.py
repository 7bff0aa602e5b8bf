"""The build under test. `make test` runs the rules on the wheel, too; these tests prove that it does."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import ledger
from ledger.recording.examples import replays_folder

pytestmark = pytest.mark.compiled

INSTALLED_IN = Path(ledger.__file__).parent.parent


@pytest.mark.parametrize(
    "module", ["ledger.cards", "ledger.games.kernel.matadors", "ledger.games.ombre.deal", "ledger.table.fold"]
)
def test_the_requested_build_is_the_one_under_test(module: str) -> None:
    wants_compiled = os.environ.get("TRICKLEDGER_BUILD") == "compiled"
    spec = find_spec(module)
    assert spec is not None and spec.origin is not None
    assert spec.origin.endswith(".py") != wants_compiled


def test_a_record_is_read_and_scored_from_an_empty_folder(tmp_path: Path) -> None:
    """Check that messages, rulebooks, schemas, SQL and recorded games are in the package."""

    def answer(*words: str) -> str:
        done = subprocess.run(
            [sys.executable, "-P", "-m", "ledger", *words],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(INSTALLED_IN), "PYTHONUTF8": "1"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=True,
            timeout=60,
        )
        return done.stdout.decode()

    answer("init")
    answer("import", str(replays_folder() / "ombre" / "rape-of-the-lock.toml"))
    assert "Belinda" in answer("--lang", "ja", "score", "rape-of-the-lock")
    assert "OMB-6.8" in answer("rules", "OMB-6.8")
    assert "Belinda" in answer("stats", "standings")
