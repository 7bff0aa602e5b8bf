"""A store under random use behaves as a plain list: conflicts, retries, corrections, imports, crashes."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from ledger.errors import ConflictError
from ledger.events import Corrected, Event
from ledger.log import Acknowledgement, AppendRequest, Batch, LogStore, MemoryStore, NewEntry, create_store, open_store
from ledger.log import postgres as postgres_store
from ledger.log.stores import HOME
from ledger.log.verify import verify
from ledger.table.corrections import corrected_reading
from tests.contracts.log_builders import RECORDER, TickingClock, an_id, batch, play, remark
from tests.postgres import PostgresServer

MEMORY = Path("/dev/shm")
FOLDER = MEMORY if MEMORY.is_dir() else None
"""Where ledgers are: no step depends on the disk, and waiting for it would be three quarters of the time."""

streams = st.sampled_from(["table/a", "table/b", "session/a"])
some_events = st.lists(
    st.builds(play, st.sampled_from(["SA", "H7"]), st.integers(0, 3))
    | st.builds(remark, st.sampled_from(["Zoë", "\n"])),
    min_size=1,
    max_size=4,
)


class LogModel(RuleBasedStateMachine):
    """The model is a list of acknowledged entries: stream, event, id."""

    @initialize()
    def begin(self) -> None:
        self.folder = Path(tempfile.mkdtemp(dir=FOLDER))
        self.clock = TickingClock()
        self.address = self.new_address()
        self.store = create_store(self.address, clock=self.clock)
        self.log: list[tuple[str, Event, str]] = []
        self.acknowledged: list[tuple[Batch, Acknowledgement]] = []
        self.ids_given = 0
        self.corrections: dict[tuple[str, int], tuple[str, list[Event]]] = {}

    def new_address(self) -> str:
        return str(self.folder / "club.ledger")

    def opened(self) -> LogStore:
        return open_store(self.address, clock=self.clock)

    def entries(self, stream: str) -> list[tuple[int, Event]]:
        return list(enumerate((event for name, event, _ in self.log if name == stream), start=1))

    def version(self, stream: str) -> int:
        return sum(entry[0] == stream for entry in self.log)

    def new_batch(self, stream: str, events: list[Event]) -> Batch:
        numbers = [self.ids_given + n for n in range(len(events))]
        self.ids_given += len(events)
        return batch(*events, stream=stream, expected=self.version(stream), ids=numbers)

    def acknowledge(self, wanted: Batch, acknowledgement: Acknowledgement) -> None:
        first, version = len(self.log) + 1, self.version(wanted.stream) + 1
        last = len(wanted.entries) - 1
        ids = tuple(entry.id for entry in wanted.entries)
        assert acknowledgement == Acknowledgement(wanted.stream, version, version + last, first, first + last, ids)
        self.log += [(wanted.stream, entry.event, entry.id) for entry in wanted.entries]
        self.acknowledged.append((wanted, acknowledgement))

    @rule(stream=streams, events=some_events)
    def append(self, stream: str, events: list[Event]) -> None:
        wanted = self.new_batch(stream, events)
        self.acknowledge(wanted, self.store.append(wanted, recorded_by=RECORDER))

    @rule(events=some_events, more=some_events)
    def append_to_two_streams(self, events: list[Event], more: list[Event]) -> None:
        wanted = [self.new_batch("table/b", events), self.new_batch("table/a", more)]
        for one, acknowledgement in zip(wanted, self.store.append_all(wanted, recorded_by=RECORDER), strict=True):
            self.acknowledge(one, acknowledgement)

    @rule(parts=st.lists(st.tuples(st.sampled_from(["table/a", "table/b"]), some_events, st.booleans()), max_size=4))
    def append_a_group(self, parts: list[tuple[str, list[Event], bool]]) -> None:
        """Append requests of which some expect another version; the others are recorded as if they were alone."""
        wanted: list[Batch | None] = []
        versions = {stream: self.version(stream) for stream in ("table/a", "table/b")}
        requests = []
        for stream, events, is_right in parts:
            one = self.new_batch(stream, events)
            expected = versions[stream] if is_right else versions[stream] + 1
            requests.append(AppendRequest((Batch(stream, expected, one.entries),), RECORDER))
            wanted.append(requests[-1].batches[0] if is_right else None)
            versions[stream] += len(events) if is_right else 0
        for one_wanted, answer in zip(wanted, self.store.append_group(requests), strict=True):
            if one_wanted is None:
                assert isinstance(answer, ConflictError)
                assert answer.code == "wrong_version"
            else:
                assert isinstance(answer, list)
                self.acknowledge(one_wanted, answer[0])

    @rule(stream=streams, events=some_events, distance=st.sampled_from([-1, 1, 5]))
    def append_with_a_wrong_expectation(self, stream: str, events: list[Event], distance: int) -> None:
        actual = self.version(stream)
        wrong = batch(*events, stream=stream, expected=max(actual + distance, 0))
        if wrong.expected_version != actual:
            with pytest.raises(ConflictError, match=f"{stream} is at version {actual}, not at"):
                self.store.append_all([self.new_batch("table/new", events), wrong], recorded_by=RECORDER)

    @precondition(lambda self: self.acknowledged)
    @rule(data=st.data())
    def retry(self, data: st.DataObject) -> None:
        wanted, first = data.draw(st.sampled_from(self.acknowledged))
        again = self.store.append(wanted, recorded_by="somebody else")
        assert again == Acknowledgement(
            *(getattr(first, field) for field in first.__struct_fields__[:-1]), already_recorded=True
        )

    @precondition(lambda self: self.log)
    @rule(data=st.data(), stream=streams)
    def use_an_id_again(self, data: st.DataObject, stream: str) -> None:
        id = data.draw(st.sampled_from(self.log))[2]
        other = Batch(stream, "any", (NewEntry(remark("something else"), id),))
        with pytest.raises(ConflictError, match="belongs to another entry"):
            self.store.append(other, recorded_by=RECORDER)

    @precondition(lambda self: self.log)
    @rule(data=st.data())
    def append_what_is_known_in_part(self, data: st.DataObject) -> None:
        stream, event, id = data.draw(st.sampled_from(self.log))
        entries = (NewEntry(event, id), NewEntry(event, an_id(10**9)))
        with pytest.raises(ConflictError, match="only some ids"):
            self.store.append(Batch(stream, "any", entries), recorded_by=RECORDER)

    @precondition(lambda self: self.log)
    @rule(
        data=st.data(),
        action=st.sampled_from(["replace", "strike", "insert_after"]),
        events=st.lists(st.builds(play), min_size=1, max_size=2),
    )
    def correct(self, data: st.DataObject, action: str, events: list[Event]) -> None:
        """Correct an original entry; an earlier correction of it no longer affects the reading."""
        stream = data.draw(st.sampled_from(self.log))[0]
        originals = [v for v, event in self.entries(stream) if not isinstance(event, Corrected)]
        version = data.draw(st.sampled_from(originals))
        instead = None if action == "strike" else tuple(events)
        self.append(stream, [Corrected(version=version, action=action, events=instead, reason="misheard")])
        self.corrections[stream, version] = (action, list(instead or ()))

    @rule()
    def open_again(self) -> None:
        self.store.close()
        self.store = self.opened()

    @rule(stream=streams, events=some_events, share=st.floats(0, 1))
    def crash_while_appending(self, stream: str, events: list[Event], share: float) -> None:
        """Crash after a share of an append was written; the remaining files are then opened again."""
        wanted = self.new_batch(stream, events)
        before, until_now = self.disk(), list(self.log)
        acknowledgement = self.store.append(wanted, recorded_by=RECORDER)
        after = self.disk()
        self.store.close()
        shutil.rmtree(self.folder)
        self.folder = Path(tempfile.mkdtemp(dir=FOLDER))
        self.address = self.new_address()
        for name, content in cut_short(before, after, share).items():
            (self.folder / name).write_bytes(content)
        self.store = self.opened()
        if self.store.head().position > len(until_now):
            self.acknowledge(wanted, acknowledgement)

    def disk(self) -> dict[str, bytes]:
        """Return the ledger's files after a crash: SQLite rebuilds the index of the write-ahead log."""
        names = ("club.ledger", "club.ledger-wal")
        return {name: (self.folder / name).read_bytes() for name in names if (self.folder / name).exists()}

    @rule()
    def move_to_another_ledger(self) -> None:
        copy = MemoryStore()
        assert copy.append_envelopes(row.envelope() for row in self.store.read()) == self.store.head()
        assert list(copy.read()) == list(self.store.read())
        assert copy.streams() == self.store.streams()

    @invariant()
    def the_ledger_holds_what_was_acknowledged_and_nothing_else(self) -> None:
        rows = list(self.store.read())
        assert [(row.stream, row.event(), row.id) for row in rows] == self.log
        assert [row.position for row in rows] == list(range(1, len(self.log) + 1))

    @invariant()
    def each_stream_reads_as_corrected(self) -> None:
        for head in self.store.streams():
            rows = self.store.read_stream(head.stream)
            reading = corrected_reading([(row.version, row.event()) for row in rows])
            assert list(reading) == list(self.reading(head.stream))

    def reading(self, stream: str) -> Iterator[tuple[int, Event]]:
        for version, event in self.entries(stream):
            action, instead = self.corrections.get((stream, version), ("none", []))
            if not isinstance(event, Corrected):
                if action in ("none", "insert_after"):
                    yield version, event
                yield from ((version, other) for other in instead)

    def teardown(self) -> None:
        if hasattr(self, "store"):
            assert verify(self.store).damage is None
            self.store.close()
            shutil.rmtree(self.folder)


def cut_short(before: dict[str, bytes], after: dict[str, bytes], share: float) -> dict[str, bytes]:
    """Copy the files with only this share of the write-ahead log's new bytes, in the order of the file."""
    name = "club.ledger-wal"
    old, new = before.get(name, b""), after[name]
    first = next((place for place, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), len(old))
    reached = first + round(share * (len(new) - first))
    return {**before, name: new[:reached] + old[reached:]}


class PostgresModel(LogModel):
    """Two programs that take turns at random, and append in one message while they are alone."""

    server: ClassVar[PostgresServer]
    crash_while_appending = None  # type: ignore[assignment]

    @initialize()
    def begin(self) -> None:
        super().begin()
        self.other = self.opened()

    def new_address(self) -> str:
        return self.server.address()

    @rule()
    def let_the_other_program_append(self) -> None:
        self.store, self.other = self.other, self.store

    def teardown(self) -> None:
        super().teardown()
        if hasattr(self, "other"):
            self.other.close()


SOAK = [
    pytest.param(LogModel, 250, 50, marks=pytest.mark.soak),
    pytest.param(PostgresModel, 60, 50, marks=pytest.mark.soak),
]


@pytest.mark.parametrize(("model", "runs", "steps"), [(LogModel, 12, 25), (PostgresModel, 12, 25), *SOAK])
def test_a_store_behaves_as_a_list(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, model: type[LogModel], runs: int, steps: int
) -> None:
    if model is PostgresModel:
        monkeypatch.setenv(HOME, str(request.getfixturevalue("tmp_path")))
        monkeypatch.setattr(postgres_store, "ALONE", 1)
        PostgresModel.server = request.getfixturevalue("postgres")
    run_state_machine_as_test(model, settings=settings(max_examples=runs, stateful_step_count=steps))
