"""Run the unit tests of the recorder's scripts in Node, without a page."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

SCRIPTS = sorted(Path(__file__).with_name("scripts").glob("*.test.mjs"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name.partition(".")[0])
def test_a_script_decides_as_its_tests_say(script: Path, ci_requires: Callable[[str], str]) -> None:
    command = [ci_requires("node"), "--no-warnings", "--test", "--test-reporter=tap", str(script)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "# fail 0" in done.stdout
