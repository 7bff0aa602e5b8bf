"""What may be done, as people read it."""

from __future__ import annotations

import pytest

from ledger.games import game_named
from ledger.text.cards import legal_value
from ledger.text.words import wording_for


@pytest.mark.parametrize(("value", "text"), [("HK", "♥K"), (3, "3"), ("pass", "pass"), (None, "None")])
def test_what_may_be_done_is_a_card_a_number_or_a_word(value: object, text: str) -> None:
    assert legal_value(value, wording_for(game_named("ombre"), "en")) == text
