"""The contract of every log store, whatever holds its entries: subclass it and say how a store is made."""

import re
import threading
from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from ledger.errors import LedgerError, MalformedError
from ledger.events import Event, TableOpened
from ledger.log import EMPTY, Acknowledgement, AppendRequest, Batch, Clock, LogStore, NewEntry, StreamHead
from tests.contracts.log_builders import RECORDER, TYPED, TickingClock, an_id, batch, play, remark
from tests.contracts.scripts import scripts
from tests.japanese import assert_speaks_japanese

MakeStore = Callable[[], LogStore]


class LogStoreContract:
    """The base of the contract. Each test makes empty ledgers of its own."""

    def new_store(self, folder: Path, clock: Clock, *, handles: bool = False) -> LogStore:
        """Create an empty ledger, in this folder or elsewhere."""
        raise NotImplementedError

    @pytest.fixture
    def make_store(self, tmp_path: Path) -> Iterator[MakeStore]:
        made: list[LogStore] = []

        def make() -> LogStore:
            folder = tmp_path / str(len(made))
            folder.mkdir()
            made.append(self.new_store(folder, TickingClock()))
            return made[-1]

        yield make
        for store in made:
            store.close()

    @pytest.fixture
    def store(self, make_store: MakeStore) -> LogStore:
        return make_store()


SCRIPTS = scripts(Path(__file__).with_name("log_store.txt"))
_ENTRY = re.compile(r"(?:(?P<seat>\d):)?(?P<card>\w+)(?:#(?P<id>[^~]+))?(?:~(?P<at>\S+))?")
_REQUEST = re.compile(r"(?:(?P<by>\w*)(?P<on> goes on)?: )?(?P<batches>.*?) => (?P<answer>.*)")


def entry_of(text: str) -> NewEntry:
    match = _ENTRY.fullmatch(text)
    assert match is not None, text
    seat, card, id, at = match.groups()
    return NewEntry(play(card, int(seat or 0)), id and (id[1:] if id.startswith("=") else an_id(int(id))), at)


def batch_of(text: str) -> Batch:
    where, *cards = text.split()
    stream, _, version = where.partition("@")
    return Batch(stream, int(version) if version else "any", tuple(map(entry_of, cards)))


def request_of(step: str) -> tuple[AppendRequest, str]:
    """Return the request of a step, and the expected answer."""
    match = _REQUEST.fullmatch(step)
    assert match is not None, step
    by, goes_on, batches, answer = match.groups()
    recorder = RECORDER if by is None else by
    return AppendRequest(tuple(map(batch_of, batches.split(" & "))), recorder, goes_on=bool(goes_on)), answer


def span(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"


def said(answer: list[Acknowledgement] | LedgerError) -> str:
    """Return an answer as the scripts write it."""
    if isinstance(answer, LedgerError):
        return f"! {answer.code}: {answer}"
    return ", ".join(
        f"{span(made.first_position, made.last_position)} ({span(made.first_version, made.last_version)})"
        + " known" * made.already_recorded
        for made in answer
    )


class AppendContract(LogStoreContract):
    """Appends, groups of requests that are judged one by one, and retries, known by their ids."""

    @pytest.mark.parametrize("title", SCRIPTS)
    def test_append(self, store: LogStore, title: str) -> None:
        recorded: list[tuple[str, str, Event]] = []
        for is_group, lines in groupby(SCRIPTS[title], lambda step: step.startswith("|")):
            steps = [request_of(line.removeprefix("| ")) for line in lines]
            for together in [steps] if is_group else [[step] for step in steps]:
                requests = [request for request, _ in together]
                answers = store.append_group(requests) if is_group else [self.append_all(store, requests[0])]
                for (request, expected), answer in zip(together, answers, strict=True):
                    if isinstance(answer, LedgerError):
                        code, _, message = expected.partition(": ")
                        assert said(answer).startswith(f"{code}: ") and message in said(answer)
                        if isinstance(answer, MalformedError):
                            assert_speaks_japanese(answer, *TYPED)
                    else:
                        assert said(answer) == expected
                        recorded += self.new_entries(request, answer)
                assert [(row.recorded_by, row.stream, row.event()) for row in store.read()] == recorded
                assert store.head().position == len(recorded)

    def append_all(self, store: LogStore, request: AppendRequest) -> list[Acknowledgement] | LedgerError:
        try:
            return store.append_all(request.batches, recorded_by=request.recorded_by)
        except LedgerError as refused:
            return refused

    def new_entries(self, request: AppendRequest, answer: list[Acknowledgement]) -> Iterator[tuple[str, str, Event]]:
        """Yield what the request records, and check the streams and ids of its answer."""
        for wanted, made in zip(request.batches, answer, strict=True):
            assert made.stream == wanted.stream
            assert list(made.ids) == [entry.id or id for entry, id in zip(wanted.entries, made.ids, strict=True)]
            if not made.already_recorded:
                yield from ((request.recorded_by, wanted.stream, entry.event) for entry in wanted.entries)

    def test_a_new_ledger_is_empty(self, store: LogStore) -> None:
        assert store.head() == EMPTY
        assert list(store.read()) == []
        assert store.streams() == []
        assert store.read_stream("table/ombre-1") == []

    def test_an_entry_is_read_back_as_it_was_given(self, store: LogStore) -> None:
        event = TableOpened(game="ombre", players=("Zoë", "Бася", "花子"), options={"stake": 5})
        entry = NewEntry(event, an_id(7), "2014-03-01T06:12:00.000000Z")
        store.append(Batch("table/ombre-1", 0, (entry,)), recorded_by="Sir Plume")
        (row,) = store.read()
        envelope = row.envelope()
        assert (envelope.position, envelope.stream, envelope.version) == (1, "table/ombre-1", 1)
        assert (envelope.id, envelope.happened_at, envelope.event) == (an_id(7), entry.happened_at, event)
        assert (envelope.recorded_by, envelope.recorded_at) == ("Sir Plume", "2026-01-05T18:30:00.000000Z")
        assert envelope.digest == store.head().digest.hex()

    def test_an_entry_without_id_gets_a_time_ordered_one(self, store: LogStore) -> None:
        acknowledgement = store.append(batch(play(), play(), play()), recorded_by=RECORDER)
        assert list(acknowledgement.ids) == sorted(acknowledgement.ids)
        assert {id[14] for id in acknowledgement.ids} == {"7"}

    def test_an_id_in_capitals_is_the_same_id(self, store: LogStore) -> None:
        id = "0193F2A0-5C1E-7D3B-8A4F-2B6C9D0E1F23"
        acknowledgement = store.append(Batch("table/ombre-1", 0, (NewEntry(play(), id),)), recorded_by=RECORDER)
        assert acknowledgement.ids == (id.lower(),)
        assert store.known_ids([id])[id.lower()].position == 1

    def test_names_are_stored_as_nfc(self, store: LogStore) -> None:
        event = TableOpened(game="ombre", players=("Zoe\u0308", "B"), options={"cafe\u0301": ["e\u0301"]})
        store.append(batch(event, remark("\n\u0303 stays")), recorded_by="Andre\u0301")
        first, second = store.read()
        assert first.event() == TableOpened(game="ombre", players=("Zoë", "B"), options={"café": ["é"]})
        assert first.recorded_by == "André"
        assert second.event() == remark("\n\u0303 stays")

    @pytest.mark.parametrize("name", ["", "Ann\0", "x" * 201, "\ud800", "\ufb2c" * 100])  # the last is longer as NFC
    def test_a_recorder_has_a_name(self, store: LogStore, name: str) -> None:
        what = "the recorder's name is too long" if len(name) > 200 else "not a valid name of a recorder"
        with pytest.raises(MalformedError, match=what) as refused:
            store.append(batch(play()), recorded_by=name)
        assert_speaks_japanese(refused.value)

    def test_a_name_in_another_normal_form_is_the_same_content(self, store: LogStore) -> None:
        store.append(batch(remark("Zoë"), ids=[1]), recorded_by=RECORDER)
        assert store.append(batch(remark("Zoe\u0308"), ids=[1]), recorded_by=RECORDER).already_recorded

    def test_a_group_is_recorded_as_its_requests_one_by_one(self, make_store: MakeStore) -> None:
        requests = [
            AppendRequest((batch(play(card), stream=stream, ids=[number]),), f"recorder {number}")
            for number, (card, stream) in enumerate([("SA", "table/a"), ("SK", "table/b"), ("SQ", "table/a")])
        ]
        together, alone = make_store(), make_store()
        assert together.append_group(requests) == [
            alone.append_all(request.batches, recorded_by=request.recorded_by) for request in requests
        ]
        assert list(together.read()) == list(alone.read())

    @pytest.mark.parametrize("text", ["\ud800", object()], ids=["half a sign", "an object"])
    def test_text_that_no_file_can_hold_is_rejected(self, store: LogStore, text: Any) -> None:
        with pytest.raises(MalformedError, match="table/ombre-1, entry 1: not an event") as refused:
            store.append(batch(remark(text)), recorded_by=RECORDER)
        assert_speaks_japanese(refused.value, *TYPED)

    def test_no_batches_and_no_requests_are_answered_with_nothing(self, store: LogStore) -> None:
        assert store.append_all([], recorded_by=RECORDER) == []
        assert store.append_group([]) == []


class ReadContract(LogStoreContract):
    """Reads and their order."""

    @pytest.fixture
    def filled(self, store: LogStore) -> LogStore:
        for number in range(1, 13):
            stream = ("table/b", "table/a", "session/a")[number % 3]
            store.append(batch(remark(str(number)), stream=stream), recorded_by=RECORDER)
        return store

    def test_a_part_of_the_ledger(self, filled: LogStore) -> None:
        assert [row.position for row in filled.read(after=3, until=7)] == [4, 5, 6, 7]
        assert [row.position for row in filled.read(after=10)] == [11, 12]
        assert list(filled.read(after=12)) == list(filled.read(until=0)) == list(filled.read(after=7, until=3)) == []
        assert [row.position for row in filled.read(after=-1, until=99)] == list(range(1, 13))

    def test_more_entries_than_a_store_reads_at_once(self, store: LogStore) -> None:
        store.append(batch(*[play()] * 9000), recorded_by=RECORDER)
        assert [row.position for row in store.read()] == list(range(1, 9001))

    def test_entries_recorded_while_reading_are_left_out(self, filled: LogStore) -> None:
        rows = filled.read()
        positions = [next(rows).position]
        filled.append(batch(play()), recorded_by=RECORDER)
        positions += [row.position for row in rows]
        assert positions == list(range(1, 13))

    def test_a_stream(self, filled: LogStore) -> None:
        assert [(row.version, row.position) for row in filled.read_stream("table/a")] == [
            (1, 1),
            (2, 4),
            (3, 7),
            (4, 10),
        ]
        assert [row.version for row in filled.read_stream("table/a", after_version=2)] == [3, 4]
        assert [row.position for row in filled.read_stream("table/a", 1, until_position=9)] == [4, 7]
        assert filled.read_stream("table/a", 9) == filled.read_stream("table/none") == []

    def test_streams_in_order_of_first_appearance(self, filled: LogStore) -> None:
        heads = [StreamHead("table/a", 4, 10), StreamHead("session/a", 4, 11), StreamHead("table/b", 4, 12)]
        assert filled.streams() == heads
        assert filled.streams("table/") == [heads[0], heads[2]]
        assert filled.streams("table/a%") == filled.streams("a") == []

    def test_ids(self, store: LogStore) -> None:
        store.append(batch(play("SA"), play("SK"), ids=[1, 2]), recorded_by=RECORDER)
        known = store.known_ids([an_id(2), an_id(3)])
        assert {id: row.event() for id, row in known.items()} == {an_id(2): play("SK")}
        assert store.known_ids([]) == {}
        with pytest.raises(MalformedError, match="not an id: 'x'"):
            store.known_ids(["x"])

    def test_a_reader_sees_the_appends_of_another_thread(self, store: LogStore) -> None:
        writer = threading.Thread(target=lambda: [store.append(batch(play()), recorded_by=RECORDER) for _ in range(20)])
        writer.start()
        rows: list[int] = []
        while len(rows) < 20:
            rows += [row.position for row in store.read(after=len(rows))]
        writer.join()
        assert rows == list(range(1, 21))

    def test_a_closed_ledger_answers_nothing(self, store: LogStore) -> None:
        with store as opened:
            opened.append(batch(play()), recorded_by=RECORDER)
        store.close()
        with pytest.raises(LedgerError):
            store.head()
        with pytest.raises(LedgerError):
            store.append(batch(play()), recorded_by=RECORDER)
