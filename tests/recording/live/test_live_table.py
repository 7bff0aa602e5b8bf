"""A live table: each act is judged after the recorded entries, and a rejected act changes nothing."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import json

from ledger.errors import AgainstRulesError, ConflictError, MalformedError, NotFoundError, UsageError
from ledger.events import (
    Announced,
    BidMade,
    CardPlayed,
    CardsDealt,
    DealStarted,
    Event,
    HandsOpened,
    Noted,
    ResultRecorded,
    RulingGiven,
    ScoreClaimed,
    TableClosed,
    TableOpened,
)
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
from tests.contracts.log_builders import an_id

PLAYERS = ("Ann", "Ben", "Cleo", "Dan")
GAMES = ("ombre", "quadrille", "couillon", "kop", "baska")
OPENED = TableOpened(game="kop", players=PLAYERS)


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[LogStore]:
    made: LogStore = MemoryStore() if request.param == "memory" else SqliteStore.create(tmp_path / "club.ledger")
    with made:
        yield made


@pytest.fixture
def table(store: LogStore) -> LiveTable:
    made = LiveTable.open(store, "fri-1", OPENED, by="Ann")
    act(made, DealStarted(deal=1, dealer=3))
    return made


def act(table: LiveTable, *events: Event, as_played: bool = False) -> list[str]:
    """Record the events and return the codes of their violations above `info`."""
    done = table.record([NewEntry(event) for event in events], by="Ann", as_played=as_played)
    return [violation.code for violation in done.violations if violation.severity != "info"]


def answers(fold: TableFold) -> tuple[ScoreAnswer, AuditAnswer]:
    return score_answer("t", fold), audit_answer("t", fold)


def call(seat: int, word: str) -> BidMade:
    return BidMade(seat=seat, call=word)


def simulated(
    store: LogStore, game: str, deals: int, seed: int, *, closed: bool = True
) -> tuple[LiveTable, list[Event]]:
    """Return a table that has just been opened, and the events to record at it."""
    players = PLAYERS[: 3 if game == "ombre" else 4]
    opened, *events = simulate_table(game_named(game), players, {}, deals, seed, "contract", closed=closed)
    assert isinstance(opened, TableOpened)
    return LiveTable.open(store, "t", opened, by="Ann"), events


@pytest.mark.parametrize("game", GAMES)
def test_a_lawful_table_is_recorded_act_by_act_as_it_would_be_at_once(store: LogStore, game: str) -> None:
    table, events = simulated(store, game, 2, 7)
    for event in events:
        assert act(table, event) == []
    assert answers(table.settled) == answers(fold_table(store, "t"))
    recorded = [row.event() for row in store.read(after=1)]
    assert [event for event in recorded if not isinstance(event, HandsOpened)] == events


def test_legal_acts_are_listed_before_each_act(store: LogStore) -> None:
    opened = TableOpened(game="ombre", players=PLAYERS[:3])
    table = LiveTable.open(store, "t", opened, by="Ann")
    assert (table.turn(), table.legal(), table.dealer_due()) == (None, {}, None)
    act(table, DealStarted(deal=1, dealer=2))
    assert (table.turn(), table.legal()) == (None, {})
    act(table, CardsDealt(hands=(None, None, None)))
    assert (table.turn(), table.legal()["bid_made"]) == (0, ["entrada", "pass", "solo", "vuelta"])
    for seat in range(3):
        act(table, call(seat, "pass"))
    assert (table.turn(), table.legal()) == (None, {})
    assert table.dealer_due() == 0
    act(table, TableClosed())
    assert (table.turn(), table.legal()) == (None, {})


def test_what_breaks_a_rule_is_refused_with_the_rule_and_changes_nothing(store: LogStore, table: LiveTable) -> None:
    before = table.version, answers(table.settled)
    with pytest.raises(AgainstRulesError) as refusal:
        act(table, CardPlayed(seat=2, card="SA"))
    assert refusal.value.finding.startswith("KOP-11.")
    assert refusal.value.rule.startswith("KOP-")
    assert (table.version, answers(table.settled)) == before
    assert store.head().position == 2


def test_an_act_as_played_is_recorded_with_its_violations(store: LogStore, table: LiveTable) -> None:
    violations = act(table, CardPlayed(seat=2, card="SA"), as_played=True)
    assert violations
    assert violations[0] in [finding.code for finding in audit_answer("t", fold_table(store, "fri-1")).findings]


IMPOSSIBLE = (
    *(CardPlayed(seat=4, card="SA"), CardPlayed(seat=0, card="S2"), call(0, "entrada")),
    *(DealStarted(deal=3, dealer=0), OPENED, Noted(text="x", version=99)),
)


def test_what_cannot_be_an_entry_is_refused_however_it_was_played(store: LogStore, table: LiveTable) -> None:
    for wrong in IMPOSSIBLE:
        with pytest.raises(MalformedError, match="table/fri-1"):
            act(table, wrong, as_played=True)
        assert (table.version, store.head().position) == (2, 2), wrong
    assert act(table, Noted(text="the table goes on")) == []


def test_a_refused_play_does_not_keep_a_result_out(table: LiveTable) -> None:
    """A deal with play cannot get a result alone; a rejected card is no play."""
    with pytest.raises(AgainstRulesError):
        act(table, CardPlayed(seat=2, card="SA"))
    with pytest.raises(MalformedError, match="outcome"):
        act(table, ResultRecorded(outcome={}))
    assert not table.settled.deals[-1].violations


def test_several_acts_are_recorded_together_or_not_at_all(store: LogStore, table: LiveTable) -> None:
    with pytest.raises(AgainstRulesError):
        act(table, Noted(text="a quiet evening"), CardPlayed(seat=2, card="SA"))
    assert store.head().position == table.version == 2
    assert act(table, Noted(text="a quiet evening"), Noted(text="still")) == []
    assert store.head().position == table.version == 4


def test_each_of_several_acts_is_judged_after_those_before_it(table: LiveTable) -> None:
    with pytest.raises(MalformedError, match="expected 2"):
        act(table, TableClosed(), DealStarted(deal=3, dealer=0), as_played=True)
    violations = act(table, TableClosed(), DealStarted(deal=2, dealer=0), as_played=True)
    assert "KOP-11.48" in {finding.code for finding in audit_answer("t", table.settled).findings}
    assert table.version == 4
    assert isinstance(violations, list)


def test_a_deal_left_unfinished_needs_confirmation(table: LiveTable) -> None:
    with pytest.raises(AgainstRulesError) as refusal:
        act(table, DealStarted(deal=2, dealer=0))
    assert refusal.value.finding == "KOP-11.48"
    act(table, DealStarted(deal=2, dealer=0), as_played=True)
    assert [record.status for record in table.settled.deals] == ["unscorable", "open"]


def test_a_score_sheet_is_compared_before_it_is_recorded(store: LogStore) -> None:
    table, events = simulated(store, "kop", 1, 7, closed=False)
    act(table, *events)
    deltas = score_answer("t", table.settled).deals[0].deltas
    wrong = (deltas[0] + 1, deltas[1] - 1, *deltas[2:])
    with pytest.raises(AgainstRulesError) as refusal:
        act(table, ScoreClaimed(deltas=wrong))
    assert refusal.value.finding == "KOP-11.61"
    assert act(table, ScoreClaimed(deltas=tuple(deltas))) == []


def test_a_director_is_not_held_to_the_rules(table: LiveTable) -> None:
    assert act(table, RulingGiven(deal=1, text="a misdeal", kind="void")) == []
    assert table.settled.deals[0].status == "voided"


def test_what_others_wrote_is_taken_in_before_an_act_is_judged(store: LogStore, table: LiveTable) -> None:
    other = LiveTable.resume(store, "fri-1")
    act(other, Noted(text="from the other phone"))
    act(table, call(0, "pass"))
    assert (table.version, [row.version for row in other.catch_up()]) == (4, [4])
    assert answers(table.settled) == answers(other.settled)


def test_the_same_act_sent_by_two_recorders_is_recorded_once(store: LogStore, table: LiveTable) -> None:
    other = LiveTable.resume(store, "fri-1")
    act(other, call(0, "pass"))
    with pytest.raises(ConflictError, match="not recorded: Ann has already recorded pass"):
        table.record([NewEntry(call(0, "pass"))], by="Ben", expected_version=2)
    assert table.version == 3


def test_the_same_ids_get_the_first_answer(store: LogStore, table: LiveTable) -> None:
    entry = NewEntry(call(0, "pass"), an_id(1))
    first = table.record([entry], by="Ann")
    act(table, call(1, "pass"))
    again = table.record([entry], by="Ann", expected_version=2)
    assert again.acknowledged.already_recorded
    assert again.acknowledged.first_position == first.acknowledged.first_position
    assert store.head().position == 4
    with pytest.raises(ConflictError, match="belongs to another entry"):
        table.record([NewEntry(call(0, "solo"), an_id(1))], by="Ann")


def test_an_unknown_table_is_named(store: LogStore, table: LiveTable) -> None:
    with pytest.raises(NotFoundError, match="fri-1"):
        LiveTable.resume(store, "fri-2")
    with pytest.raises(ConflictError, match="at version 2, not at the expected version 0"):
        LiveTable.open(store, "fri-1", OPENED, by="Ann")
    with pytest.raises(MalformedError, match="table/sat-1"):
        LiveTable.open(store, "sat-1", TableOpened(game="kop", players=("Ann",)), by="Ann")


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


def test_nothing_is_left_to_undo_or_redo(table: LiveTable) -> None:
    with pytest.raises(NotFoundError, match="nothing was undone since the last act"):
        table.redo(Recording(by="Ann"), "x")
    table.undo(Recording(by="Ann"), "the wrong table")
    with pytest.raises(NotFoundError, match="there is nothing to undo"):
        table.undo(Recording(by="Ann"), "x")
    act(table, DealStarted(deal=1, dealer=2))
    with pytest.raises(NotFoundError):
        table.redo(Recording(by="Ann"), "x")


def test_what_is_recorded_after_an_undo_is_judged_without_what_was_undone(table: LiveTable) -> None:
    act(table, CardPlayed(seat=2, card="SA"), as_played=True)
    table.undo(Recording(by="Ann"), "mistyped")
    assert act(table, call(0, "pass")) == []
    assert [finding.severity for finding in audit_answer("t", table.settled).findings] == []


def test_a_directors_ruling_is_not_undone_by_accident(table: LiveTable) -> None:
    act(table, RulingGiven(deal=1, text="stands", kind="stands"))
    with pytest.raises(UsageError, match="was written by a director"):
        table.undo(Recording(by="Ann"), "x")


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
        shown = {"SA"} if any(isinstance(public, Announced) for _, public in table.entries) else set()  # QUA-4.16
        assert {card for hand in view.hands for card in hand} <= {"??"} | shown
        anew = LiveTable.resume(table._store, "t").seen_by_all.deals[-1]
        assert (view, table.seen_by_all.deals[-1].violations) == (anew.machine.view(), anew.violations)
        assert [deal.status for deal in table.seen_by_all.deals[:-1]] == ["complete"] * (len(table.fold.deals) - 1)


def test_entries_after_a_version_are_listed_with_their_recorder(table: LiveTable) -> None:
    act(table, Noted(text="a remark"))
    assert [(row.version, row.recorded_by) for row in table.recorded_since(2)] == [(3, "Ann")]


def test_a_refused_adjustment_of_an_earlier_deal_is_reported_once_in_repeated_readings(store: LogStore) -> None:
    table, events = simulated(store, "quadrille", 2, 7)
    moves_nothing = RulingGiven(deal=1, text="", kind="adjust", deltas=(0, 0, 0, 0), pool=0)
    second = next(place for place, event in enumerate(events) if isinstance(event, DealStarted) and event.deal == 2)
    act(table, *events[: second + 2], moves_nothing)
    for event in events[second + 2 :]:
        violations = audit_answer("t", table.settled).findings
        assert [(finding.deal, finding.code) for finding in violations] == [(1, "QUA-11.53")]
        act(table, event)
    assert answers(table.settled) == answers(fold_table(store, "t"))


def test_an_adjustment_in_an_open_deal_is_seen_by_everybody_after_a_correction(store: LogStore) -> None:
    table, events = simulated(store, "quadrille", 2, 7)
    second = next(place for place, event in enumerate(events) if isinstance(event, DealStarted) and event.deal == 2)
    table.record([NewEntry(event) for event in events[: second + 2]], by="Ann", as_seen=True)
    table.replace(CorrectionTarget(3), [events[2]], Recording(by="Ann"), "the same once more")
    for deltas in ((1, -1, 0, 0), (0, 0, 0, 0)):  # the second moves nothing, and is refused when the deal is settled
        act(table, RulingGiven(deal=2, text="an improper word", kind="adjust", deltas=deltas, pool=0))
        seen = answers(table.settled_as_seen)
        assert seen[0].deals[-1].status == "open"
        assert b"improper" not in json.encode(seen)
    for event in events[second + 2 :]:
        act(table, event)
    assert answers(table.settled) == answers(fold_table(store, "t"))


def test_looking_ahead_records_nothing(table: LiveTable) -> None:
    ahead = table.preview([CardsDealt(hands=(None,) * 4), call(0, "pass")])
    assert (ahead.turn(), ahead.version) == (1, 4)
    assert (table.turn(), table.version) == (None, 2)


def test_an_entry_is_read_as_something_else(table: LiveTable) -> None:
    act(table, CardsDealt(hands=(None,) * 4), call(0, "pass"))
    table.replace(CorrectionTarget(4), [call(0, "kontra")], Recording(by="Ann"), "a slip")
    assert table.fold.entries[-1] == (4, call(0, "kontra"))


@pytest.mark.parametrize("way", ["undo", "redo"])
def test_an_act_that_the_recorder_has_not_seen_is_not_undone(table: LiveTable, way: str) -> None:
    act(table, Noted(text="a remark"))
    with pytest.raises(ConflictError) as refused:
        getattr(table, way)(Recording(by="Ann", expected_version=2), "a slip")
    assert refused.value.code == "wrong_version"
    assert table.version == 3


def test_a_violation_seen_only_when_a_deal_is_settled_is_answered_with_its_act(table: LiveTable) -> None:
    act(table, CardsDealt(hands=(None,) * 4), *(call(seat, "pass") for seat in range(4)))
    for trick in ("0 DT DQ HT HA", "3 SA CJ ST HQ", "2 DA CQ SQ HJ", "3 CT CA DJ SJ"):
        leader, *cards = trick.split()
        for place, card in enumerate(cards):
            act(table, CardPlayed(seat=(int(leader) + place) % 4, card=card))
    assert "KOP-11.61" in act(table, ScoreClaimed(deltas=(2, -1, -1, 0)), as_played=True)


def test_a_closing_shows_hands_and_is_undone_as_one(store: LogStore, table: LiveTable) -> None:
    act(table, CardsDealt(hands=(("SA",), None, None, None)), as_played=True)
    act(table, TableClosed())
    assert [event for _, event in table.entries[-2:]] == [TableClosed(), HandsOpened(deal=1)]
    assert table.hidden is None
    table.undo(Recording(by="Ann"), "they play on")
    assert not table.fold.is_closed
