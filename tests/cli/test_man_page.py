"""docs/trickledger.1: made from the help of every command, and without faults according to man page viewers."""

import re
import subprocess
import tomllib
from collections.abc import Callable

import click
import pytest

from ledger.cli import main
from ledger.errors import EXIT_STATUSES
from tests.cli.commands import ROOT
from tools import man

NO_DATE = re.compile(r'.*missing date, using "": TH')
"""The page has the version of the program; a date would change with every build."""


@pytest.fixture
def shown(ci_requires: Callable[[str], str]) -> str:
    """Return the page as a reader sees it, with unbroken lines."""
    words = [ci_requires("groff"), "-man", "-Tutf8", "-P-cbou", "-rLL=2000n", str(man.PAGE)]
    return subprocess.run(words, check=True, capture_output=True, timeout=60).stdout.decode()


def test_it_is_as_the_commands_are() -> None:
    assert man.PAGE.read_text(encoding="ascii") == man.page(), "run: python -m tools.man"


def test_a_changed_help_is_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(main.commands["tables"], "help", "List no table.")
    assert man.PAGE.read_text(encoding="ascii") != man.page()


def test_groff_finds_no_fault(ci_requires: Callable[[str], str]) -> None:
    words = [ci_requires("groff"), "-man", "-ww", "-Tutf8", "-z", str(man.PAGE)]
    answered = subprocess.run(words, check=True, capture_output=True, timeout=60)
    assert (answered.stdout, answered.stderr) == (b"", b"")


def test_mandoc_finds_no_fault(ci_requires: Callable[[str], str]) -> None:
    words = [ci_requires("mandoc"), "-T", "lint", "-W", "style", str(man.PAGE)]
    output = subprocess.run(words, check=False, capture_output=True, timeout=60).stdout.decode()
    assert [line for line in output.splitlines() if not NO_DATE.fullmatch(line)] == []


def test_every_command_and_option_is_in_it_as_it_is_typed(shown: str) -> None:
    for name, command in main.commands.items():
        assert re.search(rf"^ +trickledger {name} ", shown, re.MULTILINE), name
        for option in command.params:
            if isinstance(option, click.Option) and not option.hidden:
                assert max(option.opts, key=len) in shown


def test_examples_and_letters_beyond_ascii_are_shown_as_they_are(shown: str) -> None:
    assert '  trickledger ruling ombre-revoke adjust "a fine for the revoke" --deal 1 --deltas' in shown
    assert "Couillon, Kop and Baśka" in shown


def test_every_exit_status_is_listed(shown: str) -> None:
    output = shown.split("EXIT STATUS")[1]
    for status in {0, 1, *EXIT_STATUSES.values()}:
        assert re.search(rf"^ +{status} +\w", output, re.MULTILINE)


def test_what_would_be_a_request_is_text() -> None:
    assert man._escaped(".B it's `a-b` \\") == "\\&.B it\\(aqs \\(gaa\\-b\\(ga \\e"


def test_a_wheel_brings_it_to_where_man_looks() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    shared = project["tool"]["hatch"]["build"]["targets"]["wheel"]["shared-data"]
    assert shared == {"docs/trickledger.1": "share/man/man1/trickledger.1"}
