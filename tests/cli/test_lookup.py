"""A rule and a player by name, as functions of the package take them; the commands are in `transcripts/`."""

from __future__ import annotations

import pytest

import ledger
from ledger.errors import NotFoundError
from tests.cli.commands import REVOKED, CommandLine, revoke_alone
from tests.japanese import assert_told_in_japanese


def test_a_number_alone_is_told_as_the_rule_of_each_rulebook(bare_cli: CommandLine) -> None:
    each = ("OMB-6.5", "QUA-6.5", "COU-6.5", "KOP-6.5")
    assert bare_cli.ok("rules", "6.5") == "".join(bare_cli.ok("rules", rule) for rule in each)


def test_one_rule_is_asked_for_by_its_whole_id() -> None:
    with pytest.raises(NotFoundError, match=r"^there is no rule 6\.5; did you mean OMB-6\.5, QUA-6\.5, ") as refused:
        ledger.rule("6.5")
    assert refused.value.values["known"] == ("OMB-6.5", "QUA-6.5", "COU-6.5", "KOP-6.5")
    assert_told_in_japanese(refused.value.said, "6.5", "OMB", "QUA", "COU", "KOP")


def test_a_name_of_several_or_of_nobody_is_told(bare_cli: CommandLine) -> None:
    bare_cli.made_by(revoke_alone)
    with ledger.open(bare_cli.ledger) as store:
        for name, told in (
            ("B", "B fits several players of deal 1: Belinda, Baron"),
            ("Nobody", "deal 1 has no player Nobody; it has Belinda, Baron, Clarissa"),
        ):
            with pytest.raises(NotFoundError) as refused:
                ledger.replay(store, REVOKED, seat=name)
            assert str(refused.value) == told
            assert_told_in_japanese(refused.value.said, name, "Belinda", "Baron", "Clarissa")
            with pytest.raises(NotFoundError):
                list(ledger.replay_all(store, REVOKED, seat=name))
