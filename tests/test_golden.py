"""Every worked example of a rulebook, every form and every contract has a record under `replays/`."""

import re
from collections.abc import Iterable
from functools import cache
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest

from ledger.events import TableOpened
from ledger.games import BUILT_IN
from ledger.games.kernel.protocol import Game
from ledger.games.kop.auction import BASKA_BIDS, KOP_BIDS
from ledger.recording.hand.record import HandRecord
from ledger.table.fold import TableFold
from tests.games import sentences
from tests.games.couillon.strategies import FORMS, settled
from tests.hand_records import REPLAYS, fold_of, record_in

GAMES = pytest.mark.parametrize("game", BUILT_IN, ids=lambda game: game.name)
EXAMPLES = {"ombre": range(1, 24), "quadrille": range(1, 28), "couillon": range(1, 27), "kop": range(1, 23)}
"""The numbers of the worked examples in each rulebook."""


@cache
def records() -> list[HandRecord]:
    """Return all records under replays/."""
    return [record_in(path) for path in sorted(REPLAYS.rglob("*.toml"))]


@cache
def recorded_tables() -> list[TableFold]:
    """Return the folds of their tables."""
    return list(map(fold_of, records()))


def tables_of(name: str) -> list[TableFold]:
    return [table for table in recorded_tables() if table.game.name == name]


def contracts_of(tables: Iterable[TableFold]) -> set[str | None]:
    return {getattr(deal.outcome, "contract", None) for table in tables for deal in table.deals}


def literals(kind: Any) -> set[str]:
    """Return the words that a field may hold."""
    if get_origin(kind) is Literal:
        return {choice for choice in get_args(kind) if isinstance(choice, str)}
    if get_origin(kind) in (Union, UnionType) or hasattr(kind, "__metadata__"):
        return set().union(*(literals(part) for part in get_args(kind)))
    return set()


def choices(struct: type, field: str) -> set[str]:
    return literals(get_type_hints(struct, include_extras=True).get(field))


@pytest.mark.parametrize("game", EXAMPLES)
def test_every_example_of_the_rulebook_has_a_record(game: str) -> None:
    heads = [path.read_text(encoding="utf-8").partition("\n")[0] for path in (REPLAYS / game).glob("*.toml")]
    headings = [re.match(rf"# {game.title()} rulebook, examples? (\d+)", head) for head in heads]
    assert {int(match[1]) for match in headings if match} == set(EXAMPLES[game])


@GAMES
def test_every_contract_of_a_game_is_played_in_a_recorded_deal(game: Game) -> None:
    played = contracts_of(tables_of(game.name))
    assert choices(game.outcome_type, "contract") <= played | _of_the_sister_game(game)


def _of_the_sister_game(game: Game) -> set[str]:
    """Return the contracts that only Baśka has: it shares Kop's vocabulary but not its table (KOP-4.3)."""
    return {"grand", "grand_du", "baska"} if game.name == "kop" else set()


@GAMES
def test_every_form_of_a_game_has_a_whole_match(game: Game) -> None:
    finished = [table for table in tables_of(game.name) if table.is_closed or table.match.is_over]
    assert finished, "no recorded match of this game comes to its end"
    assert choices(game.option_type, "form") <= {getattr(table.options, "form", "") for table in finished}


def test_every_form_and_scoring_of_couillon_has_a_whole_match_and_each_contract_and_result_is_in_one() -> None:
    matches = [table for table in tables_of("couillon") if table.match.is_decided]
    played = {(table.options.form, table.options.is_on_points) for table in matches}
    wanted = [settled(form) for form in FORMS if "mit_card" not in form]
    assert {(options.form, options.is_on_points) for options in wanted} <= played
    summaries = [table.game.summarise(deal.outcome) for table in matches for deal in table.deals]
    assert {summary.contract for summary in summaries} == {"plain", "mit", "kontra", "re"}
    assert {summary.result for summary in summaries} == {"WIN", "ALL_TRICKS", "DRAW"}
    assert {summary.declarer is None for summary in summaries} == {True, False}


@pytest.mark.parametrize(
    ("game", "order", "bids"),
    [("kop", "official", KOP_BIDS), ("kop", "free", KOP_BIDS), ("baska", "official", BASKA_BIDS)],
)
def test_a_whole_match_of_every_form_of_kop_shows_every_contract(game: str, order: str, bids: Iterable[str]) -> None:
    tables = [table for table in tables_of(game) if table.options.auction_order == order and table.options.match_length]
    assert contracts_of(tables) == {"normal", "cicha", *bids}
    assert all(table.match.is_over and len(table.deals) == table.options.match_length for table in tables)


def test_every_payment_and_every_fault_of_the_records_is_said_as_it_is_written_down() -> None:
    assert sentences.sentences_of(recorded_tables()) == sentences.FILE.read_text(encoding="utf-8").splitlines()


def test_no_two_records_use_the_same_table_and_each_session_is_opened_by_exactly_one() -> None:
    streams = [record.stream for record in records()]
    assert len(streams) == len(set(streams))
    opened: dict[str, int] = {}
    for record in records():
        for stream, event, _ in record.events:
            if isinstance(event, TableOpened) and event.session is not None:
                opened.setdefault(f"session/{event.session}", 0)
            if stream.startswith("session/"):
                opened[stream] = opened.get(stream, 0) + 1
    assert set(opened.values()) == {1}
