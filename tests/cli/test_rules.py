"""The command `rules`: a rule by its id or its number, and what may have been meant."""

from __future__ import annotations

import pytest

import ledger
from ledger.errors import NotFoundError
from tests.cli.commands import CommandLine
from tests.japanese import assert_told_in_japanese


def test_a_number_alone_is_told_as_the_rule_of_each_rulebook(bare_cli: CommandLine) -> None:
    each = ("OMB-6.5", "QUA-6.5", "COU-6.5", "KOP-6.5")
    assert bare_cli.ok("rules", "6.5") == "".join(bare_cli.ok("rules", rule) for rule in each)


def test_one_rule_is_asked_for_by_its_whole_id() -> None:
    with pytest.raises(NotFoundError, match=r"^there is no rule 6\.5; did you mean OMB-6\.5, QUA-6\.5, ") as refused:
        ledger.rule("6.5")
    assert refused.value.values["known"] == ("OMB-6.5", "QUA-6.5", "COU-6.5", "KOP-6.5")
    assert_told_in_japanese(refused.value.said, "6.5", "OMB", "QUA", "COU", "KOP")
