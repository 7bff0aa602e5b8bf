"""Measure replay: events validated, folded and scored on one core, against python-chess, PokerKit and OpenSpiel.

`python -m bench.replay`. Each contender replays its own records, already decoded, with the checks of its own rules:
ours replays tables of each game (legality of every event, score of every deal), python-chess a game by `push` after a
check that the move is legal, PokerKit a hand of no-limit hold'em by its state operations, OpenSpiel a deal of bridge by
`apply_action` after a look at `legal_actions`. All records have about the same number of steps, so that the caches
favour no contender. Each contender has a process of its own, so that none works in memory that another has fragmented.
They take turns in one run, one at a time; figures are medians over the rounds.
"""

from __future__ import annotations

import gc
import random
import statistics
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any, TypeAlias, TypeVar

from ledger.events import DealStarted
from ledger.games import game_named, registered_games
from ledger.recording.simulate import simulate_table
from ledger.table.audit import audit_answer
from ledger.table.corrections import Entry
from ledger.table.fold import TableFold
from ledger.table.score import score_answer

ROUNDS = 9
TURN_S = 0.25
"""The least length of a turn: a single pass of some 20 ms would measure what the others left in the caches."""

STEPS = 3_000
"""The least number of events, moves, operations or actions in the records of each contender."""

DEALS = 30
"""The largest number of deals at one table."""

CHESS = "python-chess, legality check and push"
POKER = "pokerkit, state operations"
BRIDGE = "openspiel bridge, legal_actions and apply_action"


Contender: TypeAlias = tuple[int, Callable[[], object]]
"""The number of steps in the records, and the function that replays them."""


def main() -> dict[str, float]:
    """Return all figures by name: events (moves, operations) per second, and our ratio to each peer."""
    with ExitStack() as running:
        turns = {name: running.enter_context(_process_of(name)) for name in _contenders()}
        rates: dict[str, list[float]] = {name: [] for name in turns}
        names = list(turns)
        for turn in range(ROUNDS):
            # Each is first in some rounds, so that full caches do not always burden the same one.
            for name in names[turn % len(names) :] + names[: turn % len(names)]:
                rates[name].append(turns[name]())
    figures = {name: statistics.median(values) for name, values in rates.items()}
    for name, events_a_deal in _events_a_deal().items():
        figures[f"{name}, deals"] = figures[name] / events_a_deal
    for peer in (CHESS, POKER, BRIDGE):
        for name in names:
            if name.startswith("trickledger, "):
                contest = f"{name.removeprefix('trickledger, ')} / {peer.partition(',')[0]}"
                figures[f"{contest} (ratio)"] = figures[name] / figures[peer]
    return figures


def _contenders() -> dict[str, Callable[[], Contender]]:
    """Return the function that prepares each contender and its records."""
    return {
        "trickledger, fold and score": lambda: _tables(_simulated()),
        "trickledger, the same, deals played to the end": lambda: _tables(_simulated(**_TO_THE_END)),
        "trickledger, with score sheet and audit in words": _answers,
        CHESS: _chess_games,
        POKER: _poker_hands,
        BRIDGE: _bridge_deals,
        **{f"trickledger, {name}": partial(_game, name) for name in sorted(registered_games()) if name != "ombre"},
    }


@contextmanager
def _process_of(name: str) -> Iterator[Callable[[], float]]:
    """Start a contender, wait until its records are ready, and yield the function that runs a turn."""
    spawning = get_context("spawn")
    ours, its = spawning.Pipe()
    process = spawning.Process(target=_take_turns, args=(name, its), daemon=True)
    process.start()
    its.close()

    def answer() -> float:
        try:
            rate: float = ours.recv()
        except EOFError:
            raise RuntimeError(f"{name} cannot be measured, see its error above") from None
        return rate

    def turn() -> float:
        ours.send(None)
        return answer()

    try:
        answer()
        yield turn
    finally:
        ours.close()
        process.join()


def _take_turns(name: str, calls: Connection) -> None:
    """Run a contender's process: one turn to warm up, then one turn per call."""
    size, work = _contenders()[name]()
    gc.collect()
    gc.freeze()  # keep the collector off the records
    try:
        while True:
            calls.send(_rate(size, work))
            calls.recv()
    except EOFError:
        pass  # the benchmark is over


_TO_THE_END: dict[str, Any] = {"throw_in_allowed": False, "surrender_allowed": False, "all_pass": "spadille_forced"}
"""Without these options, at a table where everything is allowed, a deal has 28 events on average; with them 34."""


Record = TypeVar("Record")


def _records(make: Callable[[int], Record], steps: Callable[[Record], int]) -> list[Record]:
    """Make records number 0, 1, 2 … until they have `STEPS` steps."""
    made: list[Record] = []
    while sum(map(steps, made)) < STEPS:
        made.append(make(len(made)))
    return made


def _simulated(**options: Any) -> list[list[Entry]]:
    """Return tables of Ombre, alternately with three and four players."""

    def table(number: int) -> list[Entry]:
        players = ("Belinda", "Baron", "Sir Plume", "Clarissa")[: 3 + number % 2]
        return _table("ombre", players, options, number)

    return _records(table, len)


def _tables_of(name: str) -> list[list[Entry]]:
    """Return tables of four players of another game, with its default options."""
    return _records(lambda number: _table(name, ("Ann", "Ben", "Cleo", "Dan"), {}, number), len)


def _table(game: str, players: tuple[str, ...], options: dict[str, Any], number: int) -> list[Entry]:
    events = simulate_table(game_named(game), players, options, DEALS, number, f"bench-{number}")
    return list(enumerate(events, start=1))


def _events_a_deal() -> dict[str, float]:
    """Return the average number of events in a deal, for each of our contenders."""
    played = {
        "trickledger, fold and score": _simulated(),
        "trickledger, the same, deals played to the end": _simulated(**_TO_THE_END),
        **{f"trickledger, {name}": _tables_of(name) for name in sorted(registered_games()) if name != "ombre"},
    }
    return {
        name: sum(map(len, tables)) / sum(type(event) is DealStarted for entries in tables for _, event in entries)
        for name, tables in played.items()
    }


def _game(name: str) -> Contender:
    return _tables(_tables_of(name))


def _tables(tables: list[list[Entry]]) -> Contender:
    def fold_all() -> None:
        for entries in tables:
            fold = TableFold(entries)
            assert all(record.status == "complete" for record in fold.deals)

    return sum(map(len, tables)), fold_all


def _answers() -> Contender:
    tables = _simulated()

    def answer_all() -> None:
        for entries in tables:
            fold = TableFold(entries)
            score_answer("bench", fold)
            audit_answer("bench", fold)

    return sum(map(len, tables)), answer_all


def _chess_games() -> Contender:
    import chess

    chance = random.Random(1)

    def game(number: int) -> list[chess.Move]:
        board = chess.Board()
        moves: list[chess.Move] = []
        while not board.is_game_over() and len(moves) < 120:
            moves.append(chance.choice(list(board.legal_moves)))
            board.push(moves[-1])
        return moves

    games = _records(game, len)

    def replay_all() -> None:
        for moves in games:
            board = chess.Board()
            for move in moves:
                if not board.is_legal(move):
                    raise AssertionError(f"{move} is not legal")
                board.push(move)

    return sum(map(len, games)), replay_all


def _poker_hands() -> Contender:
    """Prepare hands of three players who check or call, some with one raise; every operation verifies itself."""
    chance = random.Random(1)
    deck = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
    hands = _records(lambda number: _operations(chance.sample(deck, 11), chance.random() < 0.5), len)

    def replay_all() -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for operations in hands:
                state = _poker_state()
                for operation, arguments in operations:
                    getattr(state, operation)(*arguments)
                if state.status:
                    raise AssertionError("the hand is not over")

    replay_all()
    return sum(map(len, hands)), replay_all


def _bridge_deals() -> Contender:
    """Prepare random legal deals of bridge, including the dealing of the cards."""
    import pyspiel

    chance = random.Random(1)
    bridge = pyspiel.load_game("bridge(use_double_dummy_result=false)")  # otherwise it solves every deal

    def deal(number: int) -> list[int]:
        state = bridge.new_initial_state()
        while not state.is_terminal():
            state.apply_action(chance.choice(state.legal_actions()))
        actions: list[int] = state.history()
        return actions

    deals = _records(deal, len)

    def replay_all() -> None:
        for actions in deals:
            state = bridge.new_initial_state()
            for action in actions:
                if action not in state.legal_actions():
                    raise AssertionError(f"{action} is not legal")
                state.apply_action(action)

    return sum(map(len, deals)), replay_all


def _poker_state() -> Any:
    from pokerkit import NoLimitTexasHoldem

    return NoLimitTexasHoldem.create_state((), True, 0, (1, 2), 2, 200, 3)


def _operations(cards: list[str], with_raise: bool) -> list[tuple[str, tuple[Any, ...]]]:
    """Return the operations of one hand."""
    state, dealt, made = _poker_state(), iter(cards), []
    while state.status:
        arguments: tuple[Any, ...] = ()
        if state.can_post_ante():
            operation = "post_ante"
        elif state.can_collect_bets():
            operation = "collect_bets"
        elif state.can_post_blind_or_straddle():
            operation = "post_blind_or_straddle"
        elif state.can_burn_card():
            operation, arguments = "burn_card", ("??",)
        elif state.can_deal_hole():
            operation, arguments = "deal_hole", (next(dealt),)
        elif state.can_deal_board():
            size = 1 if state.board_cards else 3
            operation, arguments = "deal_board", ("".join(next(dealt) for _ in range(size)),)
        elif state.actor_index is not None and with_raise:
            operation, arguments, with_raise = "complete_bet_or_raise_to", (6,), False
        elif state.actor_index is not None:
            operation = "check_or_call"
        elif state.can_show_or_muck_hole_cards():
            operation, arguments = "show_or_muck_hole_cards", (True,)
        elif state.can_kill_hand():
            operation = "kill_hand"
        elif state.can_push_chips():
            operation = "push_chips"
        else:
            operation = "pull_chips"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            getattr(state, operation)(*arguments)
        made.append((operation, arguments))
    return made


def _rate(size: int, work: Callable[[], object]) -> float:
    """Return events per second, repeating the work for the length of a turn."""
    gc.collect()
    runs, took = 0, 0.0
    start = time.perf_counter()
    while took < TURN_S:
        work()
        runs, took = runs + 1, time.perf_counter() - start
    return runs * size / took


if __name__ == "__main__":
    for name, figure in main().items():
        print(f"{name:50} {figure:>12,.2f}" if "(ratio)" in name else f"{name:50} {figure:>12,.0f} /s")
