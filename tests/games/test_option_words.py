"""The words that texts for people have for the options of a table, and for what it chooses."""

from __future__ import annotations

import pytest

from ledger.games import OURS, game_named
from ledger.games.kernel.protocol import Game
from ledger.i18n import LANGUAGES, catalogue
from ledger.text.catalogue import Wording, wording_for
from tests.contracts.game_source import options_of
from tests.japanese import assert_wholly_japanese

PACKETS = {f"options.deal_packets_{packets}" for packets in ("3-3-4", "4-3-3", "3-4-3")}
"""What is said in every language as it is recorded."""


@pytest.mark.parametrize("game", OURS, ids=lambda game: game.name)
def test_every_option_and_every_choice_has_words(game: Game) -> None:
    wanted = options_of(game.option_type) - PACKETS
    for lang in LANGUAGES:
        words = catalogue(game.package, lang)
        assert {key for key in wanted if key not in words} == set()
        if lang == "ja":
            for key in wanted:
                assert_wholly_japanese(words[key], ())


def test_what_an_option_is_called_and_what_is_chosen() -> None:
    wording = wording_for(game_named("quadrille"), "ja")
    assert wording.option("all_pass") == "全員パスのとき"
    assert wording.choice("all_pass", "throw_in") == "ディールの終了"
    assert [wording.choice("claims", chosen) for chosen in (True, False)] == ["はい", "いいえ"]
    assert [wording.choice(*one) for one in (("ante", 3), ("deal_packets", "3-3-4"))] == [3, "3-3-4"]


def test_without_words_an_option_is_called_as_it_was_recorded() -> None:
    for wording in (Wording("ja"), wording_for(game_named("ombre"), "ja")):
        assert (wording.option("half_deck"), wording.choice("half_deck", "low")) == ("half_deck", "low")
