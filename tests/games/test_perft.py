"""Endings counted twice: the number of lawful ways to play them, by the engine and by a naive enumerator.

Thousands of simulated deals have no finding, and sums that hold. The numbers are fixed, too, to catch a fault that both
share. Those of Couillon are in its `test_properties.py`.
"""

import gc
from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations, product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.cards import BIT, INDEX
from ledger.events import CardPlayed, DealStarted, Event, ResultRecorded, TableClosed, TableOpened
from ledger.games import BUILT_IN, game_named, registered_games
from ledger.games.kernel.holdings import Holdings
from ledger.games.kernel.matadors import PACK, PACK_MASK, TRUMP_TABLES
from ledger.games.kernel.protocol import Game
from ledger.games.kop.options import KopOptions
from ledger.games.kop.pack import PACK as KOP_PACK
from ledger.games.kop.pack import SCHEMES
from ledger.games.kop.play import KopPlay
from ledger.games.ombre.options import OmbreOptions
from ledger.games.ombre.play import Play as OmbrePlay
from ledger.games.quadrille.options import QuadrilleOptions
from ledger.games.quadrille.play import Play as QuadrillePlay
from ledger.games.quadrille.play_state import DealtCards, OmbreSide
from ledger.recording.simulate import simulate_table
from ledger.table.audit import audit_answer
from ledger.table.fold import TableFold
from ledger.table.score import score_answer
from tests.builders import EIGHT_NAMES, cards
from tests.contracts.game_tables import lawful_table, some_options
from tests.covering import examples
from tests.games import naive_matadors, naive_play
from tests.games.kop import naive as kop_naive
from tests.games.kop.tables import hands_of
from tests.web.lists import lines_in

MATADORS = {"ombre": naive_matadors.may_play_ombre, "quadrille": naive_matadors.may_play_quadrille}
FULL_OF_MATADORS = sorted({"SA", "CA", "S2", "C2", "H7", "D7", "HA", "DA", "S3", "C3"})


def nothing_happens() -> None:
    """Do nothing at the end of an ending."""


def matador_play(game: str, trump: str, hands: list[list[str]]) -> Any:
    """Return the engine's play of Ombre or Quadrille at its first lead, by seat 0."""
    holdings = Holdings(len(hands), PACK_MASK)
    for seat, hand in enumerate(hands):
        holdings.give_known(seat, sum(BIT[card] for card in hand))
    table = TRUMP_TABLES[trump]
    if game == "ombre":
        return OmbrePlay(holdings, table, (0, 1, 2), 0, "entrada", OmbreOptions(), 3, on_end=nothing_happens)
    side = OmbreSide(0, 0, DealtCards(holdings.known[:]))
    return QuadrillePlay(holdings, table, 0, side, "solo", QuadrilleOptions(), nothing_happens)


def kop_play(scheme: str, hands: list[list[str]], **options: Any) -> Any:
    return KopPlay(
        hands_of(*map(" ".join, hands)), SCHEMES[scheme], 0, KopOptions(**options), [], on_change=nothing_happens
    )


def copied(play: Any) -> Any:
    if isinstance(play, KopPlay):
        return play.copy(play.hands.copy(), [], play.on_end)
    return play.copy(play.holdings.copy(), nothing_happens)


def continuations(play: Any, cards_left: int) -> int:
    """Count with the engine: every playable card is applied to a copy."""
    if not cards_left:
        return 1
    ways = 0
    for card in play.playable(play.turn):
        after = copied(play)
        violations = after.take_card(CardPlayed(seat=play.turn, card=card), 1)
        assert not [violation for violation in violations if violation.severity == "error"]
        ways += continuations(after, cards_left - 1)
    return ways


def both_counts(game: str, trumps: str, hands: list[list[str]], **options: Any) -> tuple[int, int]:
    """Return the engine's and the naive number of continuations; `trumps`: the suit, or the scheme of Kop."""
    held = sum(map(len, hands))
    if game == "kop":
        may_play = partial(kop_naive.may_play, trumps, **options)
        naive = naive_play.continuations(may_play, partial(kop_naive.winner, trumps), hands)
        return continuations(kop_play(trumps, hands, **options), held), naive
    follow = partial(MATADORS[game], trumps)
    won_by = partial(naive_matadors.winner, trumps)
    naive = naive_play.continuations(lambda trick, hand: follow(trick[0], hand) if trick else hand, won_by, hands)
    return continuations(matador_play(game, trumps, hands), held), naive


def endings() -> Iterator[Any]:
    for line in lines_in(Path(__file__).with_name("endings.txt")):
        head, hands, number, *marks = line.split(" | ")
        yield pytest.param(*head.split(), hands.split(" / "), int(number), marks=[pytest.mark.soak] if marks else ())


@pytest.mark.parametrize(("game", "trumps", "hands", "number"), list(endings()))
def test_an_ending_has_as_many_continuations_as_the_rulebook_allows(game, trumps, hands, number):
    assert both_counts(game, trumps, [list(cards(hand)) for hand in hands]) == (number, number)


def dealt(pack: list[str], seats: int, each: int) -> list[list[str]]:
    return [pack[place : place + each] for place in range(0, seats * each, each)]


@examples(25)
@given(st.sampled_from("SHDC"), st.permutations(sorted(PACK)), st.permutations(FULL_OF_MATADORS))
def test_any_ending_of_ombre_is_counted_alike(trump, pack, matadors):
    for drawn in (pack, matadors):
        engine, naive = both_counts("ombre", trump, dealt(drawn, 3, 3))
        assert engine == naive


@examples(15)
@given(st.sampled_from("SHDC"), st.permutations(FULL_OF_MATADORS))
def test_any_ending_of_quadrille_is_counted_alike(trump, pack):
    engine, naive = both_counts("quadrille", trump, dealt(pack, 4, 2))
    assert engine == naive


@examples(5)
@given(st.sampled_from(sorted(SCHEMES)), st.permutations(sorted(KOP_PACK)), st.booleans(), st.booleans())
def test_any_ending_of_kop_is_counted_alike(scheme, pack, must_trump, must_beat):
    engine, naive = both_counts("kop", scheme, dealt(pack, 4, 3), must_trump=must_trump, must_beat=must_beat)
    assert engine == naive


@pytest.mark.parametrize("naive", MATADORS.values(), ids=MATADORS)
@pytest.mark.parametrize("trump", "SHDC")
def test_engine_and_decision_table_agree_for_any_lead(trump: str, naive: Callable[[str, str, list[str]], list[str]]):
    table = TRUMP_TABLES[trump]
    for led in sorted(PACK):
        for one, other in combinations(sorted(PACK - {led}), 2):
            allowed = table.playable(BIT[one] | BIT[other], INDEX[led])
            assert allowed == sum(BIT[card] for card in naive(trump, led, [one, other])), (led, one, other)


GAMES = pytest.mark.parametrize("game", BUILT_IN, ids=lambda game: game.name)


def as_results(events: list[Event], answers: list[dict[str, Any]]) -> Iterator[Event]:
    """Yield the same table with each deal known only by its result."""
    outcomes = iter(answers)
    for event in events:
        if isinstance(event, TableOpened | TableClosed):
            yield event
        elif isinstance(event, DealStarted):
            yield event
            yield ResultRecorded(outcome=next(outcomes))


def check_deals(game: Game, deals: int, seed: int) -> None:
    chance = Random(seed)
    played = 0
    while played < deals:
        options, players = some_options(game, chance)
        events = simulate_table(game, EIGHT_NAMES[:players], options, 50, chance.randrange(10**9), "many")
        fold = TableFold(list(enumerate(events, start=1)))
        findings = [finding for finding in audit_answer("many", fold).findings if finding.severity != "info"]
        assert not findings, (options, findings[0])
        answer = score_answer("many", fold)
        for deal in answer.deals:
            assert deal.status == "complete", options
            if game.is_zero_sum:
                assert sum(deal.deltas) + deal.pool_after - deal.pool_before == 0, options
        again = list(as_results(events, [deal.outcome for deal in answer.deals]))
        replayed = score_answer("many", TableFold(list(enumerate(again, start=1))))
        assert [deal.deltas for deal in replayed.deals] == [deal.deltas for deal in answer.deals], options
        assert (replayed.totals, replayed.state) == (answer.totals, answer.state), options
        played += len(answer.deals)


@GAMES
def test_a_hundred_simulated_deals_are_without_fault(game: Game) -> None:
    check_deals(game, 100, seed=1)


@pytest.mark.soak
@GAMES
def test_ten_thousand_simulated_deals_are_without_fault(game: Game) -> None:
    check_deals(game, 10_000, seed=2)


TIMES = 20


@pytest.fixture
def resting_collector():
    """Stop the garbage collector meanwhile, and hide existing objects from it."""
    gc.collect()
    gc.disable()
    gc.freeze()
    yield
    gc.unfreeze()
    gc.enable()


@pytest.mark.usefixtures("resting_collector")
def test_a_folded_table_leaves_nothing_behind():
    for name, seed in product(sorted(registered_games()), range(3)):
        entries = list(enumerate(lawful_table(game_named(name), seed), 1))
        assert {record.status for record in TableFold(entries).deals} == {"complete"}
        before = len(gc.get_objects())
        for _ in range(TIMES):
            TableFold(entries)
        assert len(gc.get_objects()) - before < TIMES / 2, (name, seed)
