"""Statistics come to what a plain computation over the folded tables comes to."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from ledger.errors import NotFoundError
from ledger.events import SessionOpened
from ledger.history import FILTERS, History, LeagueRules, Statistic, catch_up, open_history, statistics
from ledger.log import MemoryStore
from ledger.table.fold import DealRecord, TableFold
from ledger.table.score import score_answer
from tests.history.helpers import NAMES, Club, fold_of, record, table_events
from tools.reference import STATISTICS_PAGE, with_statistics

DAYS = {"spring": date(2026, 3, 20), "autumn": date(2026, 9, 23)}
GAMES = 12
"""Tables of the club: a third in spring, a third in autumn, a third in no session."""


def session_of(number: int) -> str | None:
    return (None, *DAYS)[number % 3]


@pytest.fixture(scope="module")
def store() -> MemoryStore:
    store = MemoryStore()
    for session, day in DAYS.items():
        record(store, f"session/{session}", SessionOpened(title=session, date=day.isoformat()))
    for number in range(GAMES):
        events = table_events(f"t{number}", 8, seats=3 + number % 2, session=session_of(number), seed=number)
        record(store, f"table/t{number}", *events, happened_at="2025-12-31T23:00:00.000000Z")
    return store


@pytest.fixture(scope="module")
def history(store: MemoryStore, tmp_path_factory: pytest.TempPathFactory) -> Iterator[History]:
    path = tmp_path_factory.mktemp("history") / "h.duckdb"
    catch_up(store, path)
    with open_history(path) as history:
        yield history


def rows(history: History, name: str, **filters: Any) -> list[dict[str, Any]]:
    answer = history.statistic(name, filters).answer
    return [dict(zip(answer.columns, row, strict=True)) for row in answer.rows]


def folds(store: MemoryStore, chosen: Callable[[int], bool]) -> list[TableFold]:
    return [fold_of(store, f"t{number}") for number in range(GAMES) if chosen(number)]


def expected_points(tables: list[TableFold]) -> Counter[str]:
    points: Counter[str] = Counter()
    for fold in tables:
        answer = score_answer("t", fold)
        points.update(dict(zip(answer.players, answer.totals, strict=True)))
    return points


CHOICES: dict[str, tuple[dict[str, Any], Callable[[int], bool]]] = {
    "all": ({}, lambda number: True),
    "one session": ({"session": "spring"}, lambda number: session_of(number) == "spring"),
    "since": ({"since": date(2026, 3, 20)}, lambda number: session_of(number) is not None),
    "until": ({"until": date(2026, 3, 20)}, lambda number: session_of(number) != "autumn"),
    "before all": ({"until": date(2025, 12, 30)}, lambda number: False),
    "a day": ({"since": date(2025, 12, 31), "until": date(2025, 12, 31)}, lambda number: session_of(number) is None),
    "ombre": ({"game": "ombre"}, lambda number: True),
    "another game": ({"game": "kop"}, lambda number: False),
}


@pytest.mark.parametrize("choice", CHOICES)
def test_standings_add_up_the_totals_of_score(store: MemoryStore, history: History, choice: str) -> None:
    filters, chosen = CHOICES[choice]
    tables = folds(store, chosen)
    points = expected_points(tables)
    found = rows(history, "standings", **filters)
    assert {row["player"]: row["points"] for row in found} == points
    assert [row["points"] for row in found] == sorted(points.values(), reverse=True)
    assert [row["place"] for row in found] == [1 + sum(p > row["points"] for p in points.values()) for row in found]
    deals = Counter(
        name for fold in tables for deal in fold.deals if deal.status == "complete" for name in deal.players
    )
    assert {row["player"]: row["deals"] for row in found} == deals
    assert {row["player"]: row["tables"] for row in found} == Counter(name for fold in tables for name in fold.players)


@pytest.mark.parametrize("seed", range(4))
def test_standings_agree_with_score_after_rulings_corrections_and_substitutions(tmp_path: Path, seed: int) -> None:
    store = MemoryStore()
    club = Club(store, seed)
    for _ in range(30):
        club.do_something()
    catch_up(store, tmp_path / "h.duckdb")
    with open_history(tmp_path / "h.duckdb") as history:
        total = sum(row["points"] for row in rows(history, "standings"))
    assert total == sum(sum(fold_of(store, table).match.totals) for table in club.tables)


def test_a_player_keeps_the_place_among_all(history: History) -> None:
    everyone = rows(history, "standings")
    for row in everyone:
        assert rows(history, "standings", player=row["player"]) == [row]


def test_equal_points_share_a_place(tmp_path: Path) -> None:
    store = MemoryStore()
    record(store, "table/t", *table_events(deals=1, seed=2, closed=False))
    catch_up(store, tmp_path / "h.duckdb")
    with open_history(tmp_path / "h.duckdb") as history:
        assert [row["place"] for row in rows(history, "standings")] == [1, 1, 3]


@pytest.mark.parametrize("player", [None, NAMES[0], NAMES[3]])
def test_contracts_count_what_the_outcomes_say(store: MemoryStore, history: History, player: str | None) -> None:
    by_contract: dict[str, list[DealRecord]] = defaultdict(list)
    for fold in folds(store, lambda number: True):
        for deal in fold.deals:
            outcome = deal.outcome
            if outcome is None or outcome.ombre is None or player not in (None, deal.players[outcome.ombre]):
                continue
            by_contract[outcome.contract].append(deal)
    found = {row["contract"]: row for row in rows(history, "contracts", player=player)}
    assert set(found) == set(by_contract)
    for contract, deals in by_contract.items():
        row = found[contract]
        results = Counter(deal.outcome.result for deal in deals if deal.outcome)
        won = sum(count for result, count in results.items() if result.startswith("SACADA"))
        assert (row["played"], row["won"]) == (len(deals), won)
        decided = len(deals) - results["DEFENDED_SAVED"]
        assert (row["declared"], row["decided"], row["lost"]) == (len(deals), decided, decided - won)
        assert row["share_won"] == pytest.approx(won / decided, abs=0.0006)
        assert row["low"] <= row["share_won"] <= row["high"]
        gains = [deal.settlement.deltas[deal.outcome.ombre] for deal in deals if deal.settlement and deal.outcome]
        assert row["mean_points"] == pytest.approx(sum(gains) / len(gains), abs=0.006)


def test_a_statistic_names_the_entry_that_it_rests_on(store: MemoryStore, history: History) -> None:
    found = history.statistic("contracts", {})
    assert (found.name, found.position, found.digest) == (
        "contracts",
        store.head().position,
        store.head().digest.hex(),
    )


@pytest.mark.parametrize("name", list(statistics()))
def test_every_statistic_answers_with_every_filter(history: History, name: str) -> None:
    rules = LeagueRules(title="spring", points=(3, 1))
    values = {
        "player": "Ann", "game": "ombre", "since": date(2020, 1, 1), "until": None, "session": "spring", "rules": rules,
        "min_deals": 3, "by": "table", "season": "2025/26", "season_from": "09-01",
        "option": {"ante": 5}, "place": "Warszawa", "weekday": "fri",
    }  # fmt: skip
    statistic = statistics()[name]
    answer = history.statistic(name, {key: values[key] for key in statistic.parameters}).answer
    assert len(answer.columns) == len(answer.types)


@pytest.mark.parametrize("name", list(statistics()))
def test_a_season_of_a_statistic_is_what_its_days_leave(history: History, name: str) -> None:
    needed = {"rules": LeagueRules(title="all", points=(3, 1))} if name == "league" else {}

    def answer(**filters: Any) -> list[tuple[Any, ...]]:
        return list(history.statistic(name, needed | filters).answer.rows)

    begins = {} if name != "season-standings" else {"season_from": "09-01"}
    autumn = answer(**begins, since=date(2026, 9, 1), until=date(2027, 8, 31))
    assert answer(season="2026", season_from="09-01") == answer(season="2026/27", season_from="09-01") == autumn
    assert answer(season="2025") == answer(since=date(2025, 1, 1), until=date(2025, 12, 31))
    cut = answer(season="2026", since=date(2026, 4, 1))
    assert cut == answer(since=date(2026, 4, 1), until=date(2026, 12, 31))
    if name != "season-standings":
        assert answer(season_from="09-01") == answer()


@pytest.mark.parametrize("statistic", statistics().values(), ids=lambda statistic: statistic.name)
def test_every_statistic_says_what_its_rows_and_columns_are(history: History, statistic: Statistic) -> None:
    assert statistic.sentence.endswith(".")
    assert statistic.row.startswith("One row")
    needed = {"rules": LeagueRules(title="all", points=(1,))} if "rules" in statistic.parameters else {}
    assert history.statistic(statistic.name, needed).answer.columns == list(statistic.columns)


def test_the_reference_of_the_statistics_is_that_of_their_files() -> None:
    page = STATISTICS_PAGE.read_text(encoding="utf-8")
    assert page == with_statistics(page, list(statistics().values())), "write it anew: make reference"


def test_unknown_names_are_told_what_there_is(history: History) -> None:
    with pytest.raises(NotFoundError) as unknown:
        history.statistic("medals", {})
    assert str(unknown.value) == f"there is no statistic medals; there are {', '.join(statistics())}"
    with pytest.raises(NotFoundError) as refused:
        history.statistic("standings", {"colour": "red"})
    assert str(refused.value) == f"standings takes no colour; it takes {', '.join(FILTERS)}, min_deals, by"
    with pytest.raises(NotFoundError) as no_unit:
        history.statistic("standings", {"by": "evening"})
    assert str(no_unit.value) == "there are no intervals by evening; there are by table"
    with pytest.raises(NotFoundError) as no_weekday:
        history.statistic("standings", {"weekday": "Friday"})
    assert str(no_weekday.value) == "Friday is no weekday; expected one of mon, tue, wed, thu, fri, sat, sun"
