"""What tests of the log make of a damage: it is told in every language."""

from __future__ import annotations

from ledger.log.verify import Damage
from tests.japanese import assert_told_in_japanese


def told(damage: Damage | None) -> tuple[int | None, str]:
    """Where it is, and what it is in English."""
    assert damage is not None
    assert_told_in_japanese(damage.what, "--since")
    return damage.position, str(damage.what)
