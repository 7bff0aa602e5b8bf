"""What a call is played for, as it is told beside it; and who cuts and leads."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from ledger.events import Announced, BidMade, CardPlayed, Event
from ledger.games import game_named
from ledger.i18n import LANGUAGES, sentence

STAKES: dict[str, Any] = tomllib.loads(Path(__file__).with_name("stakes.toml").read_text("utf-8"))


def told(game: str, event: Event, seats: int = 4, lang: str = "en", **options: object) -> str | None:
    meant = game_named(game)
    assert meant.stakes is not None
    words = meant.stakes(event, meant.make_options(options, seats))
    return None if words is None else sentence(meant.package, words, [], lang)


def bid(call: str) -> BidMade:
    return BidMade(seat=0, call=call)


def said(what: str) -> Announced:
    return Announced(seat=0, what=what)


@pytest.mark.parametrize(("game", "word"), [(game, word) for game in STAKES for word in STAKES[game]["words"]])
def test_a_call_tells_what_it_is_played_for_by_the_options_of_the_table(game: str, word: str) -> None:
    table = STAKES[game]
    event = bid(word) if word in game_named(game).calls else said(word)
    assert told(game, event, table["seats"], **table["options"]) == (table["words"][word] or None)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", ["kop", "baska", "ombre", "quadrille", "couillon"])
def test_every_call_of_every_game_can_be_told_in_every_language(game: str, lang: str) -> None:
    meant = game_named(game)
    seats = 3 if game == "ombre" else 4
    for event in (*map(bid, sorted(meant.calls)), *map(said, sorted(meant.announcements))):
        assert told(game, event, seats, lang) != ""
    assert told(game, CardPlayed(seat=0, card="HA"), seats, lang) is None


@pytest.mark.parametrize(
    ("game", "seats", "cutter", "leader"),
    [("kop", 4, 1, 3), ("baska", 4, 1, 3), ("quadrille", 4, 1, 3), ("couillon", 6, 1, 3), ("couillon", 8, 1, 3)],
)
def test_who_cuts_and_who_leads_sit_beside_the_dealer(game: str, seats: int, cutter: int, leader: int) -> None:
    meant = game_named(game)
    assert meant.cutter is not None and meant.first_leader is not None
    assert (meant.cutter(2, seats), meant.first_leader(2, seats)) == (cutter, leader)


@pytest.mark.parametrize(("seats", "leader"), [(3, 0), (4, 3)])
def test_ombre_does_not_say_who_cuts(seats: int, leader: int) -> None:
    meant = game_named("ombre")
    assert meant.cutter is None and meant.first_leader is not None
    assert meant.first_leader(2, seats) == leader
