"""Skills: counting wins over careful play, and both over random play."""

from math import sqrt
from statistics import mean, stdev
from typing import Any

import pytest

from ledger.cards import BIT, INDEX, PACK_52
from ledger.events import BidMade, CardPlayed, CardsDealt, DealStarted
from ledger.games import game_named
from ledger.games.couillon.pack import TRUMP_TABLES
from ledger.games.kernel.moves import plays
from ledger.recording.seasons.policies import SKILLS, SeatView, Skill, careful, counting, revoking, view_of_seat
from ledger.recording.simulate import simulate_table
from ledger.table.fold import TableFold
from ledger.table.score import score_answer
from tests.builders import NAMES
from tests.covering import covering, sample

WAYS: list[tuple[str, dict[str, Any], int]] = [
    ("ombre", {}, 3),
    ("quadrille", {}, 4),
    ("couillon", {}, 4),
    ("couillon", {"form": "mit4"}, 4),
    ("kop", {}, 4),
]


def advantages(game: str, options: dict[str, Any], seats: int, one: Skill, other: Skill, deals: int) -> list[float]:
    """Return how much more a player of the one kind made in each deal than one of the other kind at the same table."""
    differences: list[float] = []
    number = 0
    while len(differences) < deals:
        number += 1
        sides = [(seat + number) % 2 for seat in range(seats)]
        skills = [(one, other)[side] for side in sides]
        of_seats = {"skills": lambda deal, at=skills: at}
        events = simulate_table(game_named(game), NAMES[:seats], options, 20, number, "t", **of_seats)
        for deal in score_answer("t", TableFold(list(enumerate(events, 1)))).deals:
            made = [mean(delta for delta, side in zip(deal.deltas, sides, strict=True) if side == at) for at in (0, 1)]
            differences.append(made[0] - made[1])
    return differences


@pytest.mark.parametrize(("skill", "way"), covering(["careful", "counting"], WAYS), ids=str)
def test_skill_wins_against_chance(skill: str, way: tuple[str, dict[str, Any], int]) -> None:
    game, options, seats = way
    differences = advantages(game, options, seats, SKILLS[skill], SKILLS["random"], 280)
    assert mean(differences) > 2 * stdev(differences) / sqrt(len(differences))


@pytest.mark.parametrize("way", sample([WAYS[3], WAYS[2]], 1), ids=str)
def test_who_counts_wins_over_who_is_careful(way: tuple[str, dict[str, Any], int]) -> None:
    differences = advantages(*way, SKILLS["counting"], SKILLS["careful"], 800)
    assert mean(differences) > 2 * stdev(differences) / sqrt(len(differences))


def sight(
    hand: str, *, winning: str | None = None, out: str = "", is_last: bool = False, is_ours: bool = False
) -> SeatView:
    """Return the view of a Couillon player with spades as trumps, where aces count most, then kings, queens, jacks."""
    table = TRUMP_TABLES["S"]
    points = tuple({"A": 4, "K": 3, "Q": 2, "J": 1}.get(card[1], 0) for card in PACK_52)
    order = [sum(above >> card & 1 for above in table.beaten_by) for card in range(len(PACK_52))]
    held = sum(BIT[card] for card in hand.split())
    return SeatView(
        table=table,
        order=order,
        points=points,
        hand=held,
        may=held,
        out=sum(BIT[card] for card in out.split()),
        winning=None if winning is None else INDEX[winning],
        is_ours=is_ours,
        is_last=is_last,
    )


class Fixed:
    """A chance that always falls the same way."""

    def random(self) -> float:
        return 0.0

    def sample(self, population: Any, k: int) -> Any:
        return list(population)[:k]


CHOICES = {
    "the last player takes a trick with the cheapest card that wins": (
        *(careful, counting), sight("HA HK H9 H8", winning="HT", is_last=True), "HK",
    ),
    "what cannot win is the cheapest card": (careful, counting, sight("HK H9 H8", winning="HA"), "H8"),
    "an ally who wins gets points": (careful, counting, sight("HK H9", winning="HA", is_last=True, is_ours=True), "HK"),
    "who counts covers only with a card that holds": (counting, sight("HK H9", winning="HQ", out="HA"), "H9"),
    "who counts covers with a card that holds": (counting, sight("HK H9", winning="HQ", out="HT"), "HK"),
    "who counts leads what stands": (counting, sight("HK DQ", out="HQ DA DK"), "HK"),
    "who counts does not lead what would be taken": (counting, sight("HK DQ", out="HA D9"), "DQ"),
    "who counts draws trumps while his are longer": (counting, sight("SA SK HA", out="SQ S9 HK"), "SA"),
}  # fmt: skip


@pytest.mark.parametrize("choice", CHOICES.values(), ids=CHOICES)
def test_a_card_is_chosen_by_what_is_seen(choice: tuple[Any, ...]) -> None:
    *policies, seen, card = choice
    assert [policy(seen, Fixed()) for policy in policies] == [INDEX[card]] * len(policies)


def test_nobody_looks_into_another_hand() -> None:
    """The view is the same for the same visible cards and other hidden hands."""
    kop = game_named("kop")
    seen = []
    for others in (("SJ CA HT DJ", "DA DT DQ HJ", "HA CT ST CJ"), ("DA DT DQ HJ", "SJ CA HT DJ", "HA CT ST CJ")):
        deal = kop.make_match(kop.make_options({}, 4), 4).start_deal(3)
        deal.apply(CardsDealt(hands=tuple(tuple(hand.split()) for hand in ("SA SQ CQ HQ", *others))), 0)
        for seat in range(4):
            deal.apply(BidMade(seat=seat, call="pass"), 0)
        assert kop.simulation is not None
        seen.append(view_of_seat(deal, kop.simulation, 0, plays(0, ["SA", "SQ", "CQ", "HQ"])))
    assert seen[0] is not None
    assert seen[0] == seen[1]


def test_a_revoke_happens_once_in_a_long_while() -> None:
    forgetful = revoking(Skill(lambda sight, chance: None, False))
    must_follow = sight("HK D9")._replace(may=BIT["HK"])
    assert forgetful.card(must_follow, Fixed()) == INDEX["D9"]
    assert forgetful.card(sight("HK D9"), Fixed()) is None


def test_an_overlooked_duty_is_a_finding_in_the_record() -> None:
    always = Skill(lambda sight, chance: next(iter(_forbidden(sight)), None), False)
    events = simulate_table(game_named("couillon"), NAMES[:4], {}, 9, 3, "t", skills=lambda deal: [always] * 4)
    assert sum(isinstance(event, DealStarted) for event in events) > 1
    assert any(isinstance(event, CardPlayed) for event in events)
    codes = {one.code for record in TableFold(list(enumerate(events, 1))).deals for one in record.violations}
    assert codes & game_named("couillon").revokes


def _forbidden(sight: SeatView) -> list[int]:
    return [card for card in range(len(PACK_52)) if (sight.hand & ~sight.may) >> card & 1]
