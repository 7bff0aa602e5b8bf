"""A live table: each act is judged after the recorded entries, and a rejected act changes nothing."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import json

from ledger import events as ev
from ledger.errors import AgainstRulesError, ConflictError, LedgerError, MalformedError, NotFoundError
from ledger.games import game_named
from ledger.log import LogStore, MemoryStore, NewEntry, SqliteStore
from ledger.recording.adding import Recording
from ledger.recording.correcting import CorrectionTarget
from ledger.recording.live import LiveTable
from ledger.recording.simulate import simulate_table
from ledger.table.answers import AuditAnswer, ScoreAnswer
from ledger.table.audit import audit_answer
from ledger.table.fold import TableFold
from ledger.table.repository import fold_table
from ledger.table.score import score_answer
from tests.contracts.scripts import scripts

PLAYERS = ("Ann", "Ben", "Cleo", "Dan")
GAMES = ("ombre", "quadrille", "couillon", "kop", "baska")
OPENED = ev.TableOpened(game="kop", players=PLAYERS)


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[LogStore]:
    made: LogStore = MemoryStore() if request.param == "memory" else SqliteStore.create(tmp_path / "club.ledger")
    with made:
        yield made


@pytest.fixture
def table(store: LogStore) -> LiveTable:
    made = LiveTable.open(store, "fri-1", OPENED, by="Ann")
    act(made, ev.DealStarted(deal=1, dealer=3))
    return made


def act(table: LiveTable, *events: ev.Event, as_played: bool = False) -> list[str]:
    """Record the events and return the codes of their violations above `info`."""
    done = table.record([NewEntry(event) for event in events], by="Ann", as_played=as_played)
    return [violation.code for violation in done.violations if violation.severity != "info"]


def answers(fold: TableFold) -> tuple[ScoreAnswer, AuditAnswer]:
    return score_answer("t", fold), audit_answer("t", fold)


def call(seat: int, word: str) -> ev.BidMade:
    return ev.BidMade(seat=seat, call=word)


def simulated(
    store: LogStore, game: str, deals: int, seed: int, *, closed: bool = True
) -> tuple[LiveTable, list[ev.Event]]:
    """Return a table that has just been opened, and the events to record at it."""
    players = PLAYERS[: 3 if game == "ombre" else 4]
    opened, *events = simulate_table(game_named(game), players, {}, deals, seed, "contract", closed=closed)
    assert isinstance(opened, ev.TableOpened)
    return LiveTable.open(store, "t", opened, by="Ann"), events


@pytest.mark.parametrize("game", GAMES)
def test_a_lawful_table_is_recorded_act_by_act_as_it_would_be_at_once(store: LogStore, game: str) -> None:
    table, events = simulated(store, game, 2, 7)
    for event in events:
        assert act(table, event) == []
    assert answers(table.settled) == answers(fold_table(store, "t"))
    recorded = [row.event() for row in store.read(after=1)]
    assert [event for event in recorded if not isinstance(event, ev.HandsOpened)] == events


def test_legal_acts_are_listed_before_each_act(store: LogStore) -> None:
    opened = ev.TableOpened(game="ombre", players=PLAYERS[:3])
    table = LiveTable.open(store, "t", opened, by="Ann")
    assert (table.turn(), table.legal(), table.dealer_due()) == (None, {}, None)
    act(table, ev.DealStarted(deal=1, dealer=2))
    assert (table.turn(), table.legal()) == (None, {})
    act(table, ev.CardsDealt(hands=(None, None, None)))
    assert (table.turn(), table.legal()["bid_made"]) == (0, ["entrada", "pass", "solo", "vuelta"])
    for seat in range(3):
        act(table, call(seat, "pass"))
    assert (table.turn(), table.legal()) == (None, {})
    assert table.dealer_due() == 0
    act(table, ev.TableClosed())
    assert (table.turn(), table.legal()) == (None, {})


CASES = scripts(Path(__file__).with_name("acts.txt"))


def event_of(words: str) -> ev.Event:
    first, _, rest = words.partition(" ")
    if first.startswith("{"):
        return json.decode(words, type=ev.Event)
    if first.isdigit():
        return ev.CardPlayed(seat=int(first), card=rest) if rest.isupper() else call(int(first), rest)
    if first == "start":
        return ev.DealStarted(deal=int(rest[0]), dealer=int(rest[2]))
    if first == "ruled":
        return ev.RulingGiven(deal=1, text="a misdeal", kind=rest)  # type: ignore[arg-type]
    return {"dealt": ev.CardsDealt(hands=(None,) * 4), "close": ev.TableClosed(), "note": ev.Noted(text="a remark")}[
        first
    ]


def take(table: LiveTable, step: str) -> list[str]:
    """Undo, redo, or record acts; return the rules that these break."""
    first, _, seen = step.partition(" ")
    if first in ("undo", "redo"):
        getattr(table, first)(Recording(by="Ann", expected_version=int(seen) if seen else None), "misheard")
        return []
    acts = step.removeprefix("as played ")
    return act(table, *map(event_of, acts.split(" & ")), as_played=acts != step)


@pytest.mark.parametrize("title", CASES)
def test_acts(store: LogStore, table: LiveTable, title: str) -> None:
    for line in CASES[title]:
        step, _, refused = line.partition(" ! ")
        acts, _, expected = step.partition(" | ")
        what, _, facts = step.partition(" ")
        before = table.version, answers(table.settled), store.head()
        if what == "version":
            assert table.version == int(facts), line
        elif what == "statuses":
            assert [deal.status for deal in table.settled.deals] == facts.split(), line
        elif what == "findings":
            assert [finding.code for finding in before[1][1].findings] == facts.replace("nothing", "").split(), line
        elif refused:
            with pytest.raises(LedgerError) as error:
                take(table, acts)
            name, _, part = refused.partition(" ")
            said = f"{error.value} {getattr(error.value, 'code', '')} {getattr(error.value, 'finding', '')}"
            assert (type(error.value).__name__, part in said) == (f"{name}Error", True), f"{line}: {error.value!r}"
            assert (table.version, answers(table.settled), store.head()) == before, line
        else:
            broken = take(table, acts)
            assert broken == expected.replace("nothing", "").split(), line
            assert {*broken} <= {finding.code for finding in audit_answer("t", table.settled).findings}
            assert answers(table.settled) == answers(fold_table(store, "fri-1")), line


def test_a_score_sheet_is_compared_before_it_is_recorded(store: LogStore) -> None:
    table, events = simulated(store, "kop", 1, 7, closed=False)
    act(table, *events)
    deltas = score_answer("t", table.settled).deals[0].deltas
    wrong = (deltas[0] + 1, deltas[1] - 1, *deltas[2:])
    with pytest.raises(AgainstRulesError) as refusal:
        act(table, ev.ScoreClaimed(deltas=wrong))
    assert refusal.value.finding == "KOP-11.61"
    assert act(table, ev.ScoreClaimed(deltas=tuple(deltas))) == []


def test_what_others_wrote_is_taken_in_before_an_act_is_judged(store: LogStore, table: LiveTable) -> None:
    other = LiveTable.resume(store, "fri-1")
    act(other, ev.Noted(text="from the other phone"))
    act(table, call(0, "pass"))
    assert (table.version, [row.version for row in other.catch_up()]) == (4, [4])
    assert answers(table.settled) == answers(other.settled)


def test_the_same_act_sent_by_two_recorders_is_recorded_once(store: LogStore, table: LiveTable) -> None:
    other = LiveTable.resume(store, "fri-1")
    act(other, call(0, "pass"))
    with pytest.raises(ConflictError, match="not recorded: Ann has already recorded pass"):
        table.record([NewEntry(call(0, "pass"))], by="Ben", expected_version=2)
    assert table.version == 3


def test_an_unknown_table_is_named(store: LogStore, table: LiveTable) -> None:
    with pytest.raises(NotFoundError, match="fri-1"):
        LiveTable.resume(store, "fri-2")
    with pytest.raises(ConflictError, match="at version 2, not at the expected version 0"):
        LiveTable.open(store, "fri-1", OPENED, by="Ann")
    with pytest.raises(MalformedError, match="table/sat-1"):
        LiveTable.open(store, "sat-1", ev.TableOpened(game="kop", players=("Ann",)), by="Ann")


def test_acts_are_undone_and_redone_one_by_one(store: LogStore, table: LiveTable) -> None:
    stood = [answers(table.settled)]
    for seat in range(3):
        act(table, call(seat, "pass"))
        stood.append(answers(table.settled))
    for before in reversed(stood[:-1]):
        table.undo(Recording(by="Ann"), "misheard")
        assert answers(table.settled) == before
    for after in stood[1:]:
        table.redo(Recording(by="Ann"), "heard right")
        assert answers(table.settled) == after
    assert answers(fold_table(store, "fri-1")) == stood[-1]
    assert store.head().position == 2 + 3 + 3 + 3


@pytest.mark.parametrize("game", GAMES)
def test_an_open_deal_is_seen_without_its_hidden_cards_until_it_ends(game: str) -> None:
    table, events = simulated(MemoryStore(), game, 2, 5)
    for event in events:
        act(table, event)
        record = table.fold.deals[-1]
        if record.machine.status != "open" or table.fold.is_closed:
            assert table.seen_by_all is table.fold
            continue
        view = table.seen_by_all.deals[-1].machine.view()
        shown = {"SA"} if any(isinstance(public, ev.Announced) for _, public in table.entries) else set()  # QUA-4.16
        assert {card for hand in view.hands for card in hand} <= {"??"} | shown
        anew = LiveTable.resume(table._store, "t").seen_by_all.deals[-1]
        assert (view, table.seen_by_all.deals[-1].violations) == (anew.machine.view(), anew.violations)
        assert [deal.status for deal in table.seen_by_all.deals[:-1]] == ["complete"] * (len(table.fold.deals) - 1)


def test_entries_after_a_version_are_listed_with_their_recorder(table: LiveTable) -> None:
    act(table, ev.Noted(text="a remark"))
    assert [(row.version, row.recorded_by) for row in table.recorded_since(2)] == [(3, "Ann")]


def test_a_refused_adjustment_of_an_earlier_deal_is_reported_once_in_repeated_readings(store: LogStore) -> None:
    table, events = simulated(store, "quadrille", 2, 7)
    moves_nothing = ev.RulingGiven(deal=1, text="", kind="adjust", deltas=(0, 0, 0, 0), pool=0)
    second = next(place for place, event in enumerate(events) if isinstance(event, ev.DealStarted) and event.deal == 2)
    act(table, *events[: second + 2], moves_nothing)
    for event in events[second + 2 :]:
        violations = audit_answer("t", table.settled).findings
        assert [(finding.deal, finding.code) for finding in violations] == [(1, "QUA-11.53")]
        act(table, event)
    assert answers(table.settled) == answers(fold_table(store, "t"))


def test_an_adjustment_in_an_open_deal_is_seen_by_everybody_after_a_correction(store: LogStore) -> None:
    table, events = simulated(store, "quadrille", 2, 7)
    second = next(place for place, event in enumerate(events) if isinstance(event, ev.DealStarted) and event.deal == 2)
    table.record([NewEntry(event) for event in events[: second + 2]], by="Ann", as_seen=True)
    table.replace(CorrectionTarget(3), [events[2]], Recording(by="Ann"), "the same once more")
    for deltas in ((1, -1, 0, 0), (0, 0, 0, 0)):  # the second moves nothing, and is refused when the deal is settled
        act(table, ev.RulingGiven(deal=2, text="an improper word", kind="adjust", deltas=deltas, pool=0))
        seen = answers(table.settled_as_seen)
        assert seen[0].deals[-1].status == "open"
        assert b"improper" not in json.encode(seen)
    for event in events[second + 2 :]:
        act(table, event)
    assert answers(table.settled) == answers(fold_table(store, "t"))


def test_looking_ahead_records_nothing(table: LiveTable) -> None:
    ahead = table.preview([ev.CardsDealt(hands=(None,) * 4), call(0, "pass")])
    assert (ahead.turn(), ahead.version) == (1, 4)
    assert (table.turn(), table.version) == (None, 2)


def test_an_entry_is_read_as_something_else(table: LiveTable) -> None:
    act(table, ev.CardsDealt(hands=(None,) * 4), call(0, "pass"))
    table.replace(CorrectionTarget(4), [call(0, "kontra")], Recording(by="Ann"), "a slip")
    assert table.fold.entries[-1] == (4, call(0, "kontra"))


def test_a_closing_shows_hands_and_is_undone_as_one(store: LogStore, table: LiveTable) -> None:
    act(table, ev.CardsDealt(hands=(("SA",), None, None, None)), as_played=True)
    act(table, ev.TableClosed())
    assert [event for _, event in table.entries[-2:]] == [ev.TableClosed(), ev.HandsOpened(deal=1)]
    assert table.hidden is None
    table.undo(Recording(by="Ann"), "they play on")
    assert not table.fold.is_closed
