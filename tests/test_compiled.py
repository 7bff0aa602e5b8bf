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


PROGRAM = """
import sys
from click.testing import CliRunner
from ledger.cli import main
for words in sys.argv[1:]:
    answered = CliRunner().invoke(main, words.split())
    assert answered.exit_code == 0, answered.output
    print(answered.output)
"""


def test_a_record_is_read_and_scored_from_an_empty_folder(tmp_path: Path) -> None:
    """Check that messages, rulebooks, schemas, SQL and recorded games are in the package."""
    commands = ("--lang ja score rape-of-the-lock", "rules OMB-6.8", "stats standings")
    record = replays_folder() / "ombre" / "rape-of-the-lock.toml"
    done = subprocess.run(
        [sys.executable, "-P", "-c", PROGRAM, "init", f"import {record}", *commands],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(INSTALLED_IN), "PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    score, standings = done.stdout.split("OMB-6.8")[0], done.stdout.split("OMB-6.8")[-1]
    assert "Belinda" in score and "Belinda" in standings
