"""The command `rules`: a rule by its id or its number, and what may have been meant."""

from __future__ import annotations

from pathlib import Path

import pytest

import ledger
from ledger.errors import NotFoundError
from tests.cli.commands import CommandLine
from tests.japanese import assert_told_in_japanese


@pytest.fixture
def club(tmp_path: Path) -> CommandLine:
    return CommandLine(tmp_path)


def ids(club: CommandLine, what: str) -> list[str]:
    return [row["rule"] for row in club.json("rules", what)]


def test_a_number_alone_is_looked_up_in_every_rulebook(club: CommandLine) -> None:
    assert ids(club, "6.5") == ["OMB-6.5", "QUA-6.5", "COU-6.5", "KOP-6.5"]
    told = club.ok("rules", "6.5")
    assert told == "".join(club.ok("rules", rule_id) for rule_id in ids(club, "6.5"))


def test_a_number_that_one_rulebook_has_is_that_rule(club: CommandLine) -> None:
    assert ids(club, "11.71") == ["KOP-11.71"]


def test_an_id_is_one_rule_as_ever(club: CommandLine) -> None:
    assert ids(club, "omb-6.5") == ["OMB-6.5"]


@pytest.mark.parametrize(
    ("what", "meant"),
    [("OMB6.5", "OMB-6.5"), ("OBM-6.5", "OMB-6.5"), ("ombr", "ombre"), ("Quadrile", "quadrille"), ("6.99", "OMB-6.9")],
)
def test_a_slip_of_the_pen_is_told_what_may_be_meant(club: CommandLine, what: str, meant: str) -> None:
    refused = club.run("rules", what)
    assert refused.exit_code == 2
    start = f"trickledger: there is no rule {what}; did you mean "
    assert refused.stderr.startswith(start)
    assert meant in refused.stderr.removeprefix(start)


def test_what_is_like_nothing_is_told_what_ids_look_like(club: CommandLine) -> None:
    refused = club.run("rules", "zzzzzz")
    assert "there is no rule zzzzzz; rule ids look like OMB-6.8 and begin with " in refused.stderr


def test_one_rule_is_asked_for_by_its_whole_id() -> None:
    with pytest.raises(NotFoundError, match=r"^there is no rule 6\.5; did you mean OMB-6\.5, QUA-6\.5, ") as refused:
        ledger.rule("6.5")
    assert refused.value.values["known"] == ("OMB-6.5", "QUA-6.5", "COU-6.5", "KOP-6.5")
    assert_told_in_japanese(refused.value.said, "6.5", "OMB", "QUA", "COU", "KOP")
