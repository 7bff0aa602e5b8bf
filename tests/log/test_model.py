"""A store under random use does what a plain list would, through conflicts, retries, imports and opening again."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from ledger.errors import ConflictError
from ledger.events import Event
from ledger.log import Batch, MemoryStore, NewEntry, Receipt, SqliteStore
from ledger.log.verify import verify
from tests.contracts.log_builders import RECORDER, TickingClock, an_id, batch, play, remark

streams = st.sampled_from(["table/a", "table/b", "session/a"])
some_events = st.lists(
    st.builds(play, st.sampled_from(["SA", "H7"]), st.integers(0, 3))
    | st.builds(remark, st.sampled_from(["Zoë", "\n"])),
    min_size=1,
    max_size=4,
)


class LogModel(RuleBasedStateMachine):
    """The model is a list of what was acknowledged: stream, event, id."""

    @initialize()
    def begin(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.clock = TickingClock()
        self.store = SqliteStore.create(self.folder / "club.ledger", clock=self.clock)
        self.log: list[tuple[str, Event, str]] = []
        self.acknowledged: list[tuple[Batch, Receipt]] = []
        self.ids_given = 0

    def version(self, stream: str) -> int:
        return sum(entry[0] == stream for entry in self.log)

    def new_batch(self, stream: str, events: list[Event]) -> Batch:
        numbers = [self.ids_given + n for n in range(len(events))]
        self.ids_given += len(events)
        return batch(*events, stream=stream, expected=self.version(stream), ids=numbers)

    def acknowledge(self, wanted: Batch, receipt: Receipt) -> None:
        first, version = len(self.log) + 1, self.version(wanted.stream) + 1
        last = len(wanted.entries) - 1
        ids = tuple(entry.id for entry in wanted.entries)
        assert receipt == Receipt(wanted.stream, version, version + last, first, first + last, ids)
        self.log += [(wanted.stream, entry.event, entry.id) for entry in wanted.entries]
        self.acknowledged.append((wanted, receipt))

    @rule(stream=streams, events=some_events)
    def append(self, stream: str, events: list[Event]) -> None:
        wanted = self.new_batch(stream, events)
        self.acknowledge(wanted, self.store.append(wanted, recorded_by=RECORDER))

    @rule(events=some_events, more=some_events)
    def append_to_two_streams(self, events: list[Event], more: list[Event]) -> None:
        wanted = [self.new_batch("table/b", events), self.new_batch("table/a", more)]
        for one, receipt in zip(wanted, self.store.append_all(wanted, recorded_by=RECORDER), strict=True):
            self.acknowledge(one, receipt)

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
        assert again == Receipt(
            *(getattr(first, field) for field in first.__struct_fields__[:-1]), already_recorded=True
        )

    @precondition(lambda self: self.log)
    @rule(data=st.data(), stream=streams)
    def use_an_id_again(self, data: st.DataObject, stream: str) -> None:
        id = data.draw(st.sampled_from(self.log))[2]
        other = Batch(stream, "any", (NewEntry(remark("something else"), id),))
        with pytest.raises(ConflictError, match="is used for something else"):
            self.store.append(other, recorded_by=RECORDER)

    @precondition(lambda self: self.log)
    @rule(data=st.data())
    def append_what_is_known_in_part(self, data: st.DataObject) -> None:
        stream, event, id = data.draw(st.sampled_from(self.log))
        entries = (NewEntry(event, id), NewEntry(event, an_id(10**9)))
        with pytest.raises(ConflictError, match="only some ids"):
            self.store.append(Batch(stream, "any", entries), recorded_by=RECORDER)

    @rule()
    def open_again(self) -> None:
        self.store.close()
        self.store = SqliteStore.open(self.folder / "club.ledger", clock=self.clock)

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

    def teardown(self) -> None:
        if hasattr(self, "store"):
            assert verify(self.store).damage is None
            self.store.close()
            shutil.rmtree(self.folder)


LogModel.TestCase.settings = settings(max_examples=40, stateful_step_count=25)
TestLogModel = LogModel.TestCase
