"""`replay --seat` takes the name of a player: what they could know, wherever he sits."""

from __future__ import annotations

import pytest

import ledger
from ledger.errors import NotFoundError
from tests.cli.commands import REVOKED, CommandLine, revoke_alone
from tests.japanese import assert_told_in_japanese


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
