"""A season of every game, and its facts from the answers of `score`, `audit` and `replay`: the reference for
statistics.

Nothing here reads the read model or shares its SQL.
"""

import shutil
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cached_property, lru_cache
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs, to_builtins

from ledger import events as ev
from ledger.games import game_named
from ledger.history import Filters, History, catch_up, open_history
from ledger.log import MemoryStore
from ledger.recording.simulate import simulate_table
from ledger.table.audit import deal_findings
from ledger.table.fold import DealRecord, TableFold
from ledger.table.score import score_answer
from tests.games.kop.tables import ALONE
from tests.games.kop.tables import Table as Kop
from tests.history.helpers import NAMES, fold_of, record, table_events

SESSIONS = {"spring": date(2025, 3, 20), "autumn": date(2026, 9, 23)}
PLACES = {"spring": "Warszawa", "autumn": "Łódź"}

DEFAULTS: dict[str, dict[str, Any]] = {
    "ombre": {"ante": 5, "all_pass": "redeal", "match_deals": 0, "favourite_suit": None},
    "quadrille": {"ante": 1, "all_pass": "forced_spadille", "match_deals": 0},
    "couillon": {"form": "basic4", "bars_per_team": 5},
    "kop": {"bez_in_solo": True, "concessions": False, "match_deals": None},
    "baska": {"bez_in_solo": True, "concessions": False, "match_deals": None},
}
"""The rulebooks' defaults of some options."""

LONE_DAY = date(2026, 5, 1)
LONE_DAYS = {"new-year": date(2023, 12, 31)}
"""The day on which each table without a session was opened."""

_KINDS: tuple[tuple[str, int, dict[str, Any]], ...] = (
    ("ombre", 3, {"favourite_suit": "H"}), ("ombre", 4, {}), ("quadrille", 4, {}), ("couillon", 4, {}),
    ("couillon", 4, {"form": "mit4"}), ("couillon", 6, {"form": "six24"}), ("kop", 4, {}), ("baska", 4, {}),
)  # fmt: skip


@dataclass(frozen=True)
class Amount:
    """One change of a player's total."""

    table: str
    deal: int | None
    cause: str
    seat: int
    player: str
    amount: int


@dataclass(frozen=True)
class DealFacts:
    """One deal, from the answers about it and its events."""

    table: "TableFacts"
    record: DealRecord
    score: dict[str, Any]

    @property
    def outcome(self) -> dict[str, Any]:
        return self.score["outcome"]

    @cached_property
    def deltas(self) -> list[int]:
        """The amounts by seat after all rulings."""
        return [sum(amounts) for amounts in zip(self.score["deltas"], *self.adjustments, strict=True)]

    @property
    def adjustments(self) -> list[list[int]]:
        """The adjustments that the rulebook accepts."""
        refused = [version for version, _ in self.table.fold.ignored_adjustments]
        given = [one for one in self.score["rulings"] if one["kind"] == "adjust" and one["version"] not in refused]
        return [one["deltas"] for one in given]

    @cached_property
    def scoring_ruling(self) -> dict[str, Any] | None:
        """The ruling in force that gives the deal its score."""
        given = [ruling for ruling in self.score["rulings"] if ruling["kind"] in ("replace", "award")]
        return next((ruling for ruling in given if ruling["in_force"]), None)

    @property
    def award(self) -> dict[str, Any] | None:
        return self.scoring_ruling and self.scoring_ruling["award"]

    @property
    def winner(self) -> int | None:
        """In Couillon, the team that won."""
        return self.outcome["winner"] if self.award is None else self.award["winner"]

    @cached_property
    def is_ruled(self) -> bool:
        """Whether rulings changed the result of the deal."""
        if self.scoring_ruling is None:
            return self.deltas != self.score["deltas"]
        others = [entry for entry in self.table.fold.entries if entry[0] != self.scoring_ruling["version"]]
        deals = to_builtins(score_answer("unruled", TableFold(others)))["deals"]
        unruled = deals[self.table.fold.deals.index(self.record)]
        is_other_winner = self.award is not None and unruled["outcome"]["winner"] != self.winner
        return unruled["deltas"] != self.deltas or is_other_winner

    @property
    def players(self) -> list[str]:
        """The players by seat; "" for seats that are left out."""
        return [name if self.table.seat in (None, seat) else "" for seat, name in enumerate(self.record.players)]

    @property
    def is_scored(self) -> bool:
        return self.score["status"] == "complete" and bool(self.outcome)

    @cached_property
    def view(self) -> Any:
        return self.record.machine.view()

    @cached_property
    def events(self) -> list[tuple[int, ev.Event]]:
        return self.table.fold.entries[self.record.start : self.record.end]

    def of(self, kind: type[Any]) -> list[Any]:
        return [event for _, event in self.events if type(event) is kind]

    @property
    def declarer(self) -> int | None:
        return self.view.declarer

    @property
    def declarer_player(self) -> str | None:
        return None if self.declarer is None else self.record.players[self.declarer]

    @property
    def declarers(self) -> list[int]:
        """The seats that played the contract, by the words of the outcome: both partners in Kop's two against two."""
        if self.table.game in ("kop", "baska"):
            return self.outcome["declarers"]
        declarer = self.outcome["maker" if self.table.game == "couillon" else "ombre"]
        return [] if declarer is None else [declarer]

    @property
    def contract(self) -> str | None:
        return self.view.contract

    @property
    def is_won(self) -> bool | None:
        """Whether the declarer won, from an award or the words of the outcome."""
        if not self.declarers or (self.is_ruled and self.award is None):
            return None
        result = self.outcome.get("result")
        match self.table.game:
            case "ombre" if result == "DEFENDED_SAVED":
                return None
            case "ombre":
                return str(result).startswith("SACADA")
            case "quadrille":
                return result == "win"
            case "couillon":
                return None if self.winner is None else self.winner == self.declarers[0] % 2
            case _:
                return self.outcome["winning_side"] == "declarer"


@dataclass(frozen=True)
class TableFacts:
    """One table: its fold, and the answer of `score`."""

    name: str
    session: str | None
    fold: TableFold
    seat: int | None = None
    """The only seat whose players and amounts count."""

    @cached_property
    def answer(self) -> dict[str, Any]:
        return to_builtins(score_answer(self.name, self.fold))

    @property
    def game(self) -> str:
        return self.fold.opened.game

    @property
    def day(self) -> date:
        return LONE_DAYS.get(self.name, LONE_DAY) if self.session is None else SESSIONS[self.session]

    @property
    def options(self) -> dict[str, Any]:
        """The values of `DEFAULTS`, named or by default."""
        return DEFAULTS[self.game] | self.fold.opened.options

    @cached_property
    def deals(self) -> list[DealFacts]:
        pairs = zip(self.fold.deals, self.answer["deals"], strict=True)
        return [DealFacts(self, record, score) for record, score in pairs]

    @cached_property
    def amounts(self) -> list[Amount]:
        """All changes of totals: each deal, then its rulings, at last the closing."""
        return [amount for amount in self._amounts() if self.seat in (None, amount.seat)]

    def _amounts(self) -> Iterator[Amount]:
        for deal in self.deals:
            number = deal.record.number
            moved = [("deal", deal.score["deltas"]), *(("adjust", deltas) for deltas in deal.adjustments)]
            for cause, deltas in moved:
                for seat, amount in enumerate(deltas):
                    yield Amount(self.name, number, cause, seat, deal.record.players[seat], amount)
        if self.answer["closing"] is not None:
            for seat, amount in enumerate(self.answer["closing"]["deltas"]):
                yield Amount(self.name, None, "closing", seat, self.fold.players[seat], amount)

    @cached_property
    def findings(self) -> list[tuple[DealFacts, Any]]:
        return [(deal, finding) for deal in self.deals for finding in deal_findings(self.fold, deal.record)]

    @property
    def is_over(self) -> bool:
        return self.answer["match"]["over"]

    @property
    def is_match(self) -> bool:
        return any(deal.score["status"] == "complete" for deal in self.deals)

    @property
    def opponents(self) -> list[tuple[str, str]]:
        """Each player with each of their opponents: in Couillon, players who sit opposite each other are partners."""
        pairs = permutations(self.seats, 2)
        return [(a, b) for a, b in pairs if self.game != "couillon" or self.seats[a] % 2 != self.seats[b] % 2]

    @cached_property
    def seats(self) -> dict[str, int]:
        """The lowest seat of each player."""
        return {amount.player: amount.seat for amount in sorted(self.amounts, key=lambda one: -one.seat)}

    @property
    def points(self) -> dict[str, int]:
        made: dict[str, int] = {}
        for amount in self.amounts:
            made[amount.player] = made.get(amount.player, 0) + amount.amount
        return made


@dataclass(frozen=True)
class Season:
    """Tables in the order of play: by day, then as recorded."""

    store: MemoryStore
    tables: list[TableFacts]
    all_tables: list[TableFacts]
    """All tables, including those that were not chosen."""

    seat: int | None = None
    """The seat to which `tables` are restricted."""

    @property
    def whole(self) -> list[TableFacts]:
        """The chosen tables with all their seats."""
        names = {table.name for table in self.tables}
        return [table for table in self.all_tables if table.name in names]

    def is_seated(self, table: TableFacts, player: str) -> bool:
        """Return whether the player's lowest seat at a whole table is the chosen one."""
        return self.seat in (None, table.seats[player])

    @property
    def deals(self) -> list[DealFacts]:
        return [deal for table in self.tables for deal in table.deals]

    @property
    def matches(self) -> list[TableFacts]:
        return [table for table in self.tables if table.is_match]

    @property
    def finished(self) -> list[TableFacts]:
        return [table for table in self.whole if table.is_over and table.is_match]

    @property
    def scored(self) -> list[DealFacts]:
        return [deal for deal in self.deals if deal.is_scored]

    def chosen(
        self,
        game: str | None,
        session: str | None,
        since: date | None,
        until: date | None,
        option: dict[str, Any] | None = None,
        place: str | None = None,
        weekday: str | None = None,
        seat: int | None = None,
    ) -> "Season":
        tables = [
            table
            for table in self.tables
            if game in (None, table.game)
            and session in (None, table.session)
            and (since is None or table.day >= since)
            and (until is None or table.day <= until)
            and (option or {}).items() <= table.options.items()
            and (place is None or (table.session is not None and PLACES[table.session] == place))
            and weekday in (None, table.day.strftime("%a").lower())
        ]
        if seat is not None:
            tables = [replace(table, seat=seat) for table in tables]
        return replace(self, tables=tables, seat=seat)


@lru_cache(maxsize=1)
def make_season(seed: int = 0, rounds: int = 2) -> Season:
    """Return a season with tables of each kind, one a round, with faults and rulings at all but the first.

    One table has only results, one goes on over midnight, one has no deal that counts. The same seed makes the same
    season.
    """
    store = MemoryStore()
    names: dict[str, str | None] = {}
    for session, day in SESSIONS.items():
        record(
            store, f"session/{session}", ev.SessionOpened(title=session, date=day.isoformat(), place=PLACES[session])
        )
    for number, (game, seats, options) in enumerate(_KINDS * rounds):
        name, session = f"t{number}", (None, *SESSIONS)[number % 3]
        players = (*NAMES[number % 6 :], *NAMES[: number % 6])[:seats]
        events = simulate_table(
            game_named(game), players, options, 8, 100 * seed + number, name, session=session, closed=number % 5 != 4
        )
        events = _with_faults(_with_substitution(events)) if number >= len(_KINDS) else events
        record(store, f"table/{name}", *events, happened_at=f"{LONE_DAY}T19:{number % 60:02}:00.000000Z")
        names[name] = session
    for number in (0, *range(len(_KINDS), len(_KINDS) * rounds)):
        record(store, f"table/t{number}", *_rulings(fold_of(store, f"t{number}"), number))
    for name, (evening, morning) in _night_tables().items():
        day = LONE_DAYS.get(name, LONE_DAY)
        record(store, f"table/{name}", *evening, happened_at=f"{day}T23:50:00.000000Z")
        record(store, f"table/{name}", *morning, happened_at=f"{day + timedelta(1)}T00:20:00.000000Z")
        names[name] = None
    for name, events in _results().items():
        record(store, f"table/{name}", *events, happened_at=f"{LONE_DAY}T22:00:00.000000Z")
        names[name] = None
    tables = [TableFacts(name, session, fold_of(store, name)) for name, session in names.items()]
    tables.sort(key=lambda table: table.day)
    return Season(store, tables, tables)


def _rulings(fold: TableFold, number: int) -> Iterator[ev.RulingGiven]:
    """Yield a ruling on most deals, of each kind and for each side, in turn."""
    kinds = ("adjust", "against", "same", "void", "nothing", "stands")
    for place, deal in enumerate(fold.deals):
        assert deal.settlement is not None
        kind, winner = kinds[(number + place) % len(kinds)], getattr(deal.outcome, "winner", None) or 0
        if kind in ("void", "stands"):
            yield ev.RulingGiven(deal=deal.number, text="so be it", kind=kind)
        elif fold.opened.game == "couillon":
            is_on_points, is_more = fold.options.is_on_points, kind == "adjust"
            figures = {"v": 1, "plus_one": is_more} if is_on_points else {"strength": 1, "circle": is_more}
            award = ev.Award(winner=winner if kind == "same" else 1 - winner, **figures)
            yield ev.RulingGiven(deal=deal.number, text="by the director", kind="award", award=award)
        else:
            factor = {"adjust": -2, "against": -1, "same": 1, "nothing": 0}[kind]
            amounts = tuple(factor * delta for delta in deal.settlement.deltas)
            given = "adjust" if kind in ("adjust", "nothing") else "replace"
            yield ev.RulingGiven(deal=deal.number, text="wrong", kind=given, deltas=amounts, pool=-sum(amounts))


def _night_tables() -> dict[str, tuple[list[ev.Event], list[ev.Event]]]:
    """Return tables without a session, with their events before midnight and after.

    One goes on, one has no deal that counts, in one two deals were broken off, of which the director accepts the sheet
    of the first.
    """
    going_on, broken_off = (table_events(name, 4, seed=7) for name in ("new-year", "accepted"))
    _, second, third = [at for at, event in enumerate(broken_off) if isinstance(event, ev.DealStarted)][:3]
    del broken_off[third - 3 : third]
    broken_off[second - 3 : second] = [ev.ScoreClaimed(deltas=(-5, 10, -5))]
    voids = [ev.RulingGiven(deal=number, text="misdealt", kind="void") for number in (1, 2)]
    voided = table_events("voided", 2, closed=False)
    middle = [at for at, event in enumerate(going_on) if isinstance(event, ev.DealStarted)][2]
    return {
        "new-year": (going_on[:middle], going_on[middle:]),
        "voided": (voided, [*voids, ev.TableClosed()]),
        "accepted": (broken_off, [ev.RulingGiven(deal=1, text="as written", kind="accept")]),
    }


def _with_substitution(events: list[ev.Event]) -> list[ev.Event]:
    """Return the events with another player on seat 1 before the third deal."""
    opened = events[0]
    assert isinstance(opened, ev.TableOpened)
    other = next(name for name in NAMES[::-1] if name not in opened.players) if len(opened.players) < 6 else None
    at = [number for number, event in enumerate(events) if isinstance(event, ev.DealStarted)]
    if other is None or len(at) < 3:
        return events
    return [*events[: at[2]], ev.PlayerSeated(seat=1, player=other), *events[at[2] :]]


def _with_faults(events: list[ev.Event]) -> list[ev.Event]:
    """Return the events with a fault in every third trick: a card that should have been kept for later.

    The first partner to be called is not called: the Ombre says that none can be.
    """
    faulty = list(events)
    for at in [number for number, event in enumerate(events) if isinstance(event, ev.PartnerCalled)][:1]:
        faulty[at] = structs.replace(faulty[at], card=None)
    places = [number for number, event in enumerate(events) if isinstance(event, ev.CardPlayed)]
    for at in places[5::11]:
        here = faulty[at]
        assert isinstance(here, ev.CardPlayed)
        for other in range(at + 1, len(faulty)):
            there = faulty[other]
            if isinstance(there, ev.DealStarted):
                break
            if isinstance(there, ev.CardPlayed) and there.seat == here.seat:
                faulty[at], faulty[other] = there, here
                break
    return faulty


def _results() -> dict[str, list[ev.Event]]:
    """Return deals known only by their outcome, and one that ended in its first trick, all rare in simulations."""
    outcomes = tomllib.loads(Path(__file__).with_name("results.toml").read_text(encoding="utf-8"))
    conceded = Kop(concessions=True).deal_out(ALONE).passed_out().played(0, "HA").conceded(0, 1).closed()
    return {
        "conceded": [event for _, event in conceded.entries],
        "r-ombre": [*_recorded("ombre", outcomes["ombre"], seats=3)[:-1], ev.DealStarted(deal=3, dealer=2)],
        "r-kop": _recorded("kop", outcomes["kop"]),
        "r-kop-mild": _recorded("kop", outcomes["kop"], {"bez_in_solo": False}),
        "r-quadrille": _recorded("quadrille", outcomes["quadrille"]),
        "r-couillon": _recorded("couillon", outcomes["couillon"], {"form": "mit4"}),
    }


def _recorded(
    game: str, outcomes: list[dict[str, Any]], options: dict[str, Any] | None = None, seats: int = 4
) -> list[ev.Event]:
    events: list[ev.Event] = [ev.TableOpened(game=game, players=NAMES[:seats], options=options or {})]
    for number, outcome in enumerate(outcomes):
        events += [ev.DealStarted(deal=number + 1, dealer=number % seats), ev.ResultRecorded(outcome=outcome)]
    return [*events, ev.TableClosed()]


def rows(history: History, name: str, **filters: Any) -> list[dict[str, Any]]:
    return history.statistic(name, Filters(**filters)).answer.objects()


@pytest.fixture(scope="session")
def season() -> Season:
    return make_season()


@pytest.fixture(scope="session")
def season_path(season: Season, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("season") / "club.history.duckdb"
    catch_up(season.store, path)
    return path


@pytest.fixture(scope="session")
def season_history(season_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[History]:
    """Yield a copy: it stays open, and DuckDB opens no file twice in different ways."""
    folder = shutil.copytree(season_path.parent, tmp_path_factory.mktemp("asked"), dirs_exist_ok=True)
    with open_history(folder / season_path.name) as history:
        yield history
