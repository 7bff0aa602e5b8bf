"""Commands give the same entries and answers through every adapter.

Each adapter of `ADAPTERS` adds a note to a table. Their fields say which ones take an expected version, and which ones
try again after a lost race.
"""

import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, NamedTuple

import msgspec
import pytest

from ledger.errors import ConflictError, LedgerError, MalformedError, UnreadableError
from ledger.events import Event, Noted, TableOpened
from ledger.log.base import Acknowledgement, AppendRequest, Batch, LogStore, NewEntry, Row
from ledger.log.memory import MemoryStore
from ledger.recording.adding import AddEvents, Recording, add_events
from ledger.recording.commands import AppendBatches, Command, Decision, LostRaceError, States, execute, execute_all
from ledger.recording.importing import ImportAs
from ledger.recording.live import LiveTable
from ledger.recording.streaming_import import LineReceipt, LineRefused, import_lines
from ledger.service.commands import AddAsSeen, Entries, RecordEntries
from ledger.service.states import ServedStates
from ledger.service.visibility import View, visible_head
from tests.contracts.log_builders import an_id

OPENED = TableOpened(game="ombre", players=["Ann", "Ben", "Cleo"])
STREAM = "table/t"


class Raced(MemoryStore):
    """A ledger in which another program records just before the next `left` appends; it counts the commits."""

    def __init__(self) -> None:
        super().__init__()
        self.left = 0
        self.commits = 0
        super().append_all([Batch(STREAM, 0, (NewEntry(OPENED),))], recorded_by="x")

    def _overtake(self) -> None:
        self.commits += 1
        if self.left:
            self.left -= 1
            super().append_all([Batch(STREAM, "any", (NewEntry(Noted(text="faster")),))], recorded_by="other")

    def append_all(self, batches: Sequence[Batch], *, recorded_by: str) -> list[Acknowledgement]:
        self._overtake()
        return super().append_all(batches, recorded_by=recorded_by)

    def append_group(self, requests: Sequence[AppendRequest]) -> list[list[Acknowledgement] | LedgerError]:
        self._overtake()
        return super().append_group(requests)


class ServedInMemory(ServedStates):
    """The states of the service over a ledger that no other process can open."""

    def __init__(self, store: Any) -> None:
        super().__init__(store, visible_head(store), self._renew)

    def _renew(self) -> None:
        self.visible = visible_head(self.store)

    def alone(self) -> AbstractContextManager[None]:
        return nullcontext()


class Answered(NamedTuple):
    version: int
    position: int
    id: str
    already_recorded: bool


def _answered(at: Acknowledgement) -> Answered:
    return Answered(at.first_version, at.first_position, at.ids[0], at.already_recorded)


def by_live_table(store: LogStore, note: Noted, id: str, expected: int | None) -> Answered:
    table = LiveTable.resume(store, "t")
    return _answered(table.record([NewEntry(note, id)], by="Ann", expected_version=expected).acknowledged)


def by_adding(store: LogStore, note: Noted, id: str, expected: int | None) -> Answered:
    added = add_events(store, "t", lambda _: [note], Recording(by="Ann", id=id, expected_version=expected))
    assert added.position is not None and added.id is not None
    return Answered(added.version, added.position, added.id, added.already_recorded)


def by_line(store: LogStore, note: Noted, id: str, expected: int | None) -> Answered:
    line = msgspec.json.encode({"stream": STREAM, "id": id, "event": note})
    answers: list[tuple[LineReceipt | LineRefused, LedgerError | None]] = []
    import_lines(
        store, io.BytesIO(line), "lines", ImportAs(by="Ann"), lambda answer, error: answers.append((answer, error))
    )
    ((answer, error),) = answers
    if error is not None:
        raise error
    assert isinstance(answer, LineReceipt)
    return Answered(answer.version, answer.position, answer.id, answer.already_recorded)


def by_writer(store: LogStore, note: Noted, id: str, expected: int | None) -> Answered:
    entries = Entries(stream=STREAM, entries=(NewEntry(note, id),), expected_version=expected)
    (written,) = execute_all(store, ServedInMemory(store), [RecordEntries(batches=(entries,), by="Ann")])
    if isinstance(written, Exception):
        raise written
    return _answered(written.acknowledged[0])


def as_seen(note: Noted, id: str, expected: int | None, table: str = "t") -> AddAsSeen:
    return AddAsSeen(
        by="Ann",
        attempts=5,
        table=table,
        view=View(writer="Ann"),
        id=id,
        dry_run=False,
        add=lambda store: AddEvents(
            by="Ann", store=store, table=table, make=lambda _: [note], id=id, expected_version=expected
        ),
    )


def by_writer_as_seen(store: LogStore, note: Noted, id: str, expected: int | None) -> Answered:
    (added,) = execute_all(store, ServedInMemory(store), [as_seen(note, id, expected)])
    if isinstance(added, Exception):
        raise added
    return Answered(added.version, added.position, added.id, added.already_recorded)


class Adapter(NamedTuple):
    """A way to execute a command. `names_a_version`: takes an expected version. `tries_again`: after a lost race."""

    record: Callable[[LogStore, Noted, str, int | None], Answered]
    names_a_version: bool = True
    tries_again: bool = True


ADAPTERS = {
    "live": Adapter(by_live_table),
    "adding": Adapter(by_adding, tries_again=False),
    "line": Adapter(by_line, names_a_version=False),
    "writer": Adapter(by_writer),
    "as_seen": Adapter(by_writer_as_seen),
}


@pytest.fixture
def raced() -> Raced:
    return Raced()


@pytest.fixture(params=ADAPTERS)
def adapter(request: pytest.FixtureRequest) -> Adapter:
    return ADAPTERS[request.param]


def stored(store: LogStore) -> list[tuple[str, int, str, Event]]:
    return [(row.stream, row.version, row.recorded_by, row.event()) for row in store.read(after=1)]


def test_an_accepted_command_is_recorded_and_acknowledged(raced: Raced, adapter: Adapter) -> None:
    assert adapter.record(raced, Noted(text="tea"), an_id(1), None) == Answered(2, 2, an_id(1), False)
    assert stored(raced) == [(STREAM, 2, "Ann", Noted(text="tea"))]


def test_a_rejected_command_records_nothing(raced: Raced, adapter: Adapter) -> None:
    with pytest.raises(MalformedError) as refused:
        adapter.record(raced, Noted(text="tea", seat=7), an_id(1), None)
    assert "expected a seat from 0 to 2" in str(refused.value)
    assert stored(raced) == [] and raced.commits == 0


def test_the_same_id_gets_the_first_answer(raced: Raced, adapter: Adapter) -> None:
    first = adapter.record(raced, Noted(text="tea"), an_id(1), None)
    execute(raced, AppendBatches(by="x", batches=(Batch(STREAM, "any", (NewEntry(Noted(text="rain")),)),)))
    again = adapter.record(raced, Noted(text="tea"), an_id(1), None)
    assert again == first._replace(already_recorded=True)
    assert len(stored(raced)) == 2


def test_an_id_that_is_used_for_something_else_is_rejected(raced: Raced, adapter: Adapter) -> None:
    adapter.record(raced, Noted(text="tea"), an_id(1), None)
    with pytest.raises(ConflictError) as refused:
        adapter.record(raced, Noted(text="coffee"), an_id(1), None)
    assert refused.value.code == "id_used"
    assert len(stored(raced)) == 1


@pytest.mark.parametrize("name", [name for name, one in ADAPTERS.items() if one.names_a_version])
def test_another_version_than_expected_is_rejected(raced: Raced, name: str) -> None:
    with pytest.raises(ConflictError) as refused:
        ADAPTERS[name].record(raced, Noted(text="tea"), an_id(1), 7)
    assert refused.value.code == "wrong_version"
    assert stored(raced) == [] and raced.commits == 0


def test_after_a_lost_race_a_command_is_decided_again(raced: Raced, adapter: Adapter) -> None:
    raced.left = 2
    if adapter.tries_again:
        assert adapter.record(raced, Noted(text="tea"), an_id(1), None) == Answered(4, 4, an_id(1), False)
        assert raced.commits == 3
        return
    with pytest.raises(ConflictError) as refused:
        adapter.record(raced, Noted(text="tea"), an_id(1), None)
    assert refused.value.code == "wrong_version"
    assert [text for *_, text in stored(raced)] == [Noted(text="faster")]


@pytest.mark.parametrize("name", [name for name, one in ADAPTERS.items() if one.names_a_version])
def test_an_expected_version_survives_a_lost_race(raced: Raced, name: str) -> None:
    raced.left = 1
    with pytest.raises(ConflictError) as refused:
        ADAPTERS[name].record(raced, Noted(text="tea"), an_id(1), 1)
    assert refused.value.code == "wrong_version"
    assert [recorder for _, _, recorder, _ in stored(raced)] == ["other"]


class CountingStates(States):
    """States that count the entries of each stream, including those about to be appended."""

    def __init__(self) -> None:
        self.counts: dict[str, int] = {}
        self.dropped: list[str] = []
        self.begun: list[bool] = []

    def begin(self, *, is_again: bool) -> None:
        self.begun.append(is_again)

    def move(self, batch: Batch, by: str) -> None:
        self.counts[batch.stream] = self.counts.get(batch.stream, 0) + len(batch.entries)

    def drop(self, streams: Iterable[str]) -> None:
        for stream in streams:
            self.dropped.append(stream)
            self.counts.pop(stream, None)


class Note(Command[int], frozen=True, kw_only=True):
    """The command that adds a note to a stream and answers with its version."""

    stream: str = STREAM
    text: str = "tea"
    id: str | None = None
    by: str = "Ann"
    raises: Exception | None = None

    @property
    def ids(self) -> Sequence[str]:
        return [] if self.id is None else [self.id]

    @property
    def streams(self) -> Sequence[str]:
        return [self.stream]

    def decide(self, states: Any, known: Mapping[str, Row]) -> Decision[int]:
        if self.raises is not None:
            raise self.raises
        version: Any = "any" if known else states.counts.get(self.stream, 0)
        yield Batch(self.stream, version, (NewEntry(Noted(text=self.text), self.id),))
        return lambda acknowledged: acknowledged[0].first_version


@pytest.fixture
def states() -> Iterator[CountingStates]:
    counting = CountingStates()
    counting.counts[STREAM] = 1
    yield counting


def test_commands_are_decided_in_turn_and_appended_with_one_commit(raced: Raced, states: CountingStates) -> None:
    assert execute_all(raced, states, [Note(text=str(number)) for number in range(5)]) == [2, 3, 4, 5, 6]
    assert raced.commits == 1


def test_a_rejected_command_leaves_the_others_of_its_group(raced: Raced, states: CountingStates) -> None:
    wrong = ConflictError("id_used", "wrong")
    fault = ZeroDivisionError()
    answers = execute_all(raced, states, [Note(), Note(raises=wrong), Note(raises=fault, stream="table/u"), Note()])
    assert answers == [2, wrong, fault, 3]
    assert raced.commits == 1 and states.dropped == ["table/u"]


def test_an_id_that_is_none_is_the_fault_of_its_command_alone(raced: Raced, states: CountingStates) -> None:
    first, second = execute_all(raced, states, [Note(id="no id"), Note(id=an_id(1))])
    assert isinstance(first, MalformedError)
    assert second == 2


def test_the_same_command_twice_in_a_group_is_recorded_once(raced: Raced, states: CountingStates) -> None:
    same = Note(id=an_id(1))
    assert execute_all(raced, states, [same, same, Note(text="next")]) == [2, 2, 3]
    assert len(stored(raced)) == 2


def test_after_a_lost_race_all_that_rests_on_it_is_decided_again(raced: Raced, states: CountingStates) -> None:
    raced.left = 1
    notes = [Note(text="one", attempts=2), Note(text="two", attempts=2), Note(text="else", stream="table/u")]

    class FromStore(CountingStates):
        def begin(self, *, is_again: bool) -> None:
            super().begin(is_again=is_again)
            self.counts = {stream: len(raced.read_stream(stream)) for stream in (STREAM, "table/u")}

    counting = FromStore()
    assert execute_all(raced, counting, notes) == [3, 4, 1]
    assert counting.begun == [False, True]
    assert [event for _, _, _, event in stored(raced)] == [
        Noted(text="faster"), Noted(text="else"), Noted(text="one"), Noted(text="two"),
    ]  # fmt: skip


def test_a_race_that_is_always_lost_ends_in_its_error(raced: Raced, states: CountingStates) -> None:
    raced.left = 9
    (error,) = execute_all(raced, states, [Note(attempts=3)])
    assert isinstance(error, ConflictError) and error.code == "wrong_version"
    assert raced.commits == 3


def test_a_decision_may_say_itself_that_a_race_was_lost(raced: Raced, states: CountingStates) -> None:
    lost = LostRaceError(ConflictError("locked", "locked"))
    assert execute_all(raced, states, [Note(raises=lost, attempts=3)]) == [lost.error]
    with pytest.raises(ConflictError) as raised:
        execute(raced, Note(raises=lost, attempts=3), states)
    assert raised.value is lost.error


def test_a_command_that_reads_the_ledger_waits_until_earlier_ones_of_its_stream_are_appended(raced: Raced) -> None:
    """A command at another table does not wait."""
    states = ServedInMemory(raced)
    raced.append_all([Batch("table/u", 0, (NewEntry(OPENED),))], recorded_by="x")
    raced.commits = 0
    states._renew()

    def act(text: str) -> RecordEntries:
        entries = Entries(stream=STREAM, entries=(NewEntry(Noted(text=text), None),))
        return RecordEntries(batches=(entries,), by="Ann")

    commands = [act("one"), as_seen(Noted(text="two"), an_id(2), None), act("three"), as_seen(
        Noted(text="four"), an_id(4), None, table="u")]  # fmt: skip
    answers = execute_all(raced, states, commands)
    assert not [answer for answer in answers if isinstance(answer, Exception)]
    assert [event.text for _, _, _, event in stored(raced)[1:] if isinstance(event, Noted)] == [
        "one", "four", "two", "three",
    ]  # fmt: skip
    assert raced.commits == 3


def test_what_cannot_be_appended_is_the_answer_of_all_and_drops_their_states(states: CountingStates) -> None:
    class Full(Raced):
        def append_group(self, requests: Sequence[AppendRequest]) -> list[list[Acknowledgement] | LedgerError]:
            raise UnreadableError("no_space", "the disk is full")

    first, second = execute_all(Full(), states, [Note(), Note()])
    assert first is second and isinstance(first, UnreadableError)
    assert STREAM not in states.counts
