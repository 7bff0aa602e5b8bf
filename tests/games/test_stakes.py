"""What a call is played for, as it is told beside it; and who cuts and leads."""

from __future__ import annotations

import pytest

from ledger.events import Announced, BidMade, CardPlayed, Event
from ledger.games import game_named
from ledger.i18n import LANGUAGES, sentence


def told(game: str, event: Event, seats: int = 4, lang: str = "en", **options: object) -> str | None:
    meant = game_named(game)
    assert meant.stakes is not None
    words = meant.stakes(event, meant.make_options(options, seats))
    return None if words is None else sentence(meant.package, words, [], lang)


def bid(call: str) -> BidMade:
    return BidMade(seat=0, call=call)


def said(what: str) -> Announced:
    return Announced(seat=0, what=what)


@pytest.mark.parametrize(
    ("event", "stakes"),
    [
        (bid("pass"), None),
        (bid("kontra"), "stake × 2"),
        (bid("re"), "stake × 4"),
        (bid("d8"), "stake × 256"),
        (bid("wesele"), "with a partner, stake 1"),
        (bid("zolo"), "alone, stake 5"),
        (bid("zolo_du"), "alone, all four tricks, stake 10"),
        (said("ask"), None),
    ],
)
def test_a_call_of_kop_tells_its_stake_or_what_it_multiplies(event: Event, stakes: str | None) -> None:
    assert told("kop", event) == stakes


@pytest.mark.parametrize(
    ("call", "stakes"),
    [
        ("pass", None),
        ("entrada", "the pool"),
        ("entrada_favour", "the pool, 3 from each"),
        ("vuelta", "the pool, 2 from each"),
        ("solo", "the pool, 5 from each"),
        ("solo_favour", "the pool, 8 from each"),
    ],
)
def test_a_call_of_ombre_tells_what_each_pays_by_the_options_of_the_table(call: str, stakes: str | None) -> None:
    assert told("ombre", bid(call), 3, favourite_suit="H", favour_points=3) == stakes


@pytest.mark.parametrize(
    ("call", "stakes"),
    [
        ("pass", None),
        ("alliance", "with a partner"),
        ("solo", "alone"),
        ("vole", "alone, all ten tricks; each stakes 3"),
    ],
)
def test_a_call_of_quadrille_tells_what_is_undertaken(call: str, stakes: str | None) -> None:
    assert told("quadrille", bid(call)) == stakes


@pytest.mark.parametrize(
    ("what", "stakes"),
    [
        ("mit", "counts 2; the others may say kontra"),
        ("kontra", "counts 3; the team of the mit may say re"),
        ("re", "counts 4"),
        ("concede", None),
    ],
)
def test_a_raise_of_couillon_tells_the_points_and_who_may_answer(what: str, stakes: str | None) -> None:
    assert told("couillon", said(what), form="mit4") == stakes


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
