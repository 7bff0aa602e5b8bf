"""What every log store must do, whatever it keeps its entries in: subclass it and say how a store is made."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import pytest

from ledger import limits
from ledger.errors import ConflictError, LedgerError, MalformedError, NotFoundError
from ledger.events import CardPlayed, Noted, TableOpened
from ledger.log import EMPTY, Acknowledgement, Batch, Clock, LogStore, NewEntry, Request, StreamHead
from tests.contracts.log_builders import RECORDER, TickingClock, an_id, batch, play, remark

MakeStore = Callable[[], LogStore]


class LogStoreContract:
    """The contract. Each test makes empty ledgers of its own."""

    def new_store(self, folder: Path, clock: Clock) -> LogStore:
        """An empty ledger in this folder, or anywhere else."""
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


class AppendContract(LogStoreContract):
    """What becomes of an append."""

    def test_a_new_ledger_is_empty(self, store: LogStore) -> None:
        assert store.head() == EMPTY
        assert list(store.read()) == []
        assert store.streams() == []
        assert store.read_stream("table/ombre-1") == []

    def test_the_acknowledgement_says_where_the_entries_stand(self, store: LogStore) -> None:
        store.append(batch(remark("before"), stream="session/friday"), recorded_by=RECORDER)
        acknowledgement = store.append(batch(play("SA"), play("SK"), ids=[1, 2]), recorded_by=RECORDER)
        assert acknowledgement == Acknowledgement(
            "table/ombre-1", 1, 2, 2, 3, (an_id(1), an_id(2)), already_recorded=False
        )

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

    def test_the_expected_version_is_checked(self, store: LogStore) -> None:
        store.append(batch(play(), expected=0), recorded_by=RECORDER)
        store.append(batch(play(), expected=1), recorded_by=RECORDER)
        with pytest.raises(ConflictError, match="table/ombre-1 is at version 2, not at 1 as expected"):
            store.append(batch(play(), expected=1), recorded_by=RECORDER)
        assert store.head().position == 2

    def test_a_version_is_counted_for_each_stream(self, store: LogStore) -> None:
        for stream in ("table/a", "table/b", "table/a", "session/a"):
            store.append(batch(play(), stream=stream), recorded_by=RECORDER)
        found = [(row.position, row.stream, row.version) for row in store.read()]
        assert found == [(1, "table/a", 1), (2, "table/b", 1), (3, "table/a", 2), (4, "session/a", 1)]

    def test_names_are_kept_as_nfc(self, store: LogStore) -> None:
        event = TableOpened(game="ombre", players=("Zoe\u0308", "B"), options={"cafe\u0301": ["e\u0301"]})
        store.append(batch(event, remark("\n\u0303 stays")), recorded_by="Andre\u0301")
        first, second = store.read()
        assert first.event() == TableOpened(game="ombre", players=("Zoë", "B"), options={"café": ["é"]})
        assert first.recorded_by == "André"
        assert second.event() == remark("\n\u0303 stays")

    @pytest.mark.parametrize(
        ("wrong", "message"),
        [
            (Batch("ombre-1", "any", (NewEntry(play()),)), "not a stream: 'ombre-1'; expected table/ or session/"),
            (Batch("table/Ombre", "any", (NewEntry(play()),)), "not a stream: 'table/Ombre'"),
            (Batch("table/a", -1, (NewEntry(play()),)), "table/a: not a version to expect: '-1'"),
            (Batch("table/a", "any", ()), "table/a: a batch without entries"),
            (Batch("table/a", "any", (NewEntry(play(), "17"),)), "table/a, entry 1: not an id: '17'; expected a UUID"),
            (batch(play(), happened_at="2014-03-01"), "table/ombre-1, entry 1: not a time: '2014-03-01'"),
            (batch(play(), happened_at="2014-02-30T00:00:00.000000Z"), "not a time"),
            (batch(play(), CardPlayed(seat=9, card="SA")), "table/ombre-1, entry 2: not an event"),
            (batch(Noted(text="\ud800")), "table/ombre-1, entry 1: not an event"),
        ],
    )
    def test_what_cannot_be_an_entry_is_refused(self, store: LogStore, wrong: Batch, message: str) -> None:
        with pytest.raises(MalformedError) as refusal:
            store.append(wrong, recorded_by=RECORDER)
        assert message in str(refusal.value)
        assert store.head() == EMPTY

    @pytest.mark.parametrize("name", ["", "x" * 201, "\ud800", "\ufb2c" * 100])  # the last one is longer as NFC
    def test_a_recorder_has_a_name(self, store: LogStore, name: str) -> None:
        with pytest.raises(MalformedError, match="not a recorder's name"):
            store.append(batch(play()), recorded_by=name)

    def test_batches_of_several_streams_are_recorded_together(self, store: LogStore) -> None:
        first = batch(play("SA"), play("SK"), stream="table/a", expected=0)
        second = batch(play("HA"), stream="table/b", expected=0)
        acknowledgements = store.append_all([first, second], recorded_by=RECORDER)
        assert [(r.stream, r.first_position, r.last_position) for r in acknowledgements] == [
            ("table/a", 1, 2),
            ("table/b", 3, 3),
        ]
        assert store.append_all([], recorded_by=RECORDER) == []

    def test_one_refused_batch_keeps_the_others_out(self, store: LogStore) -> None:
        with pytest.raises(ConflictError, match="table/b is at version 0, not at 4"):
            store.append_all(
                [batch(play(), stream="table/a"), batch(play(), stream="table/b", expected=4)], recorded_by="r"
            )
        assert store.head() == EMPTY
        assert store.append(batch(play(), stream="table/a", expected=0), recorded_by="r").first_position == 1

    def test_a_stream_goes_on_where_an_earlier_batch_of_the_append_left_it(self, store: LogStore) -> None:
        expected = [("table/a", 0), ("table/b", 0), ("table/a", 1)]
        batches = [batch(play(), stream=stream, expected=version) for stream, version in expected]
        acknowledgements = store.append_all(batches, recorded_by=RECORDER)
        assert [acknowledgement.first_version for acknowledgement in acknowledgements] == [1, 1, 2]
        assert [row.stream for row in store.read()] == ["table/a", "table/b", "table/a"]

    def test_an_append_is_refused_whole_where_its_own_batches_contradict(self, store: LogStore) -> None:
        with pytest.raises(ConflictError, match="table/a is at version 1, not at 0"):
            store.append_all(
                [batch(play(), stream="table/a", expected=0), batch(play(), stream="table/a", expected=0)],
                recorded_by=RECORDER,
            )
        assert store.head() == EMPTY


class GroupContract(LogStoreContract):
    """Requests of several recorders, recorded with one commit, each judged alone."""

    def test_each_request_is_answered_at_its_place(self, store: LogStore) -> None:
        asked = [
            Request((batch(play("SA"), play("SK"), ids=[1, 2]),), "Ann"),
            Request((batch(play("HA"), stream="table/b"), batch(play("HK"), stream="table/c")), "Bo"),
        ]
        first, second = store.append_group(asked)
        assert first == [Acknowledgement("table/ombre-1", 1, 2, 1, 2, (an_id(1), an_id(2)))]
        assert isinstance(second, list)
        assert [(made.stream, made.first_position) for made in second] == [("table/b", 3), ("table/c", 4)]
        assert [row.recorded_by for row in store.read()] == ["Ann", "Ann", "Bo", "Bo"]
        assert store.append_group([]) == []

    def test_who_is_refused_keeps_nobody_else_out(self, store: LogStore) -> None:
        asked = [
            Request((batch(play("SA"), expected=0),), "Ann"),
            Request((batch(play("SK"), expected=0),), "Bo"),
            Request((batch(play("SQ"), expected=1), batch(play(), stream="table/b", expected=4)), "Cy"),
            Request((Batch("table/Ombre", "any", (NewEntry(play()),)),), "Di"),
            Request((batch(play("SJ"), expected=1),), "Ed"),
        ]
        told = [str(answer) if isinstance(answer, LedgerError) else "recorded" for answer in store.append_group(asked)]
        assert [line.partition(";")[0] for line in told] == [
            "recorded",
            "table/ombre-1 is at version 1, not at 0 as expected",
            "table/b is at version 0, not at 4 as expected",
            "not a stream: 'table/Ombre'",
            "recorded",
        ]
        assert [row.recorded_by for row in store.read()] == ["Ann", "Ed"]

    def test_who_goes_on_with_what_is_refused_is_refused_too(self, store: LogStore) -> None:
        asked = [
            Request((batch(play("SA"), expected=4),), "Ann", goes_on=True),
            Request((batch(play("SK"), expected=0),), "Bo", goes_on=True),
            Request((batch(play("SQ"), stream="table/b", expected=0),), "Cy", goes_on=True),
            Request((batch(play("SJ"), expected=0),), "Di"),
        ]
        first, second, third, fourth = store.append_group(asked)
        assert isinstance(first, ConflictError)
        assert isinstance(second, ConflictError)
        assert (first.code, second.code) == ("wrong_version", "wrong_version")
        assert isinstance(third, list)
        assert isinstance(fourth, list)

    def test_an_id_of_the_same_group_is_known_to_those_after_it(self, store: LogStore) -> None:
        known = batch(play("SA"), ids=[1])
        asked = [Request((known,), "Ann"), Request((known,), "Bo"), Request((batch(play("SK"), ids=[1]),), "Cy")]
        first, again, other = store.append_group(asked)
        assert isinstance(first, list)
        assert isinstance(again, list)
        assert (first[0].already_recorded, again[0].already_recorded) == (False, True)
        assert isinstance(other, ConflictError)
        assert other.code == "id_used"
        assert store.head().position == 1

    def test_a_group_of_which_all_are_refused_changes_nothing(self, store: LogStore) -> None:
        answers = store.append_group([Request((batch(play()),), ""), Request((Batch("x", "any", ()),), "Ann")])
        assert [type(answer) for answer in answers] == [MalformedError, MalformedError]
        assert store.head() == EMPTY

    def test_a_group_is_recorded_as_its_requests_one_by_one(self, make_store: MakeStore) -> None:
        asked = [
            Request((batch(play(card), stream=stream, ids=[number]),), f"recorder {number}")
            for number, (card, stream) in enumerate([("SA", "table/a"), ("SK", "table/b"), ("SQ", "table/a")])
        ]
        together, alone = make_store(), make_store()
        assert together.append_group(asked) == [
            alone.append_all(request.batches, recorded_by=request.recorded_by) for request in asked
        ]
        assert list(together.read()) == list(alone.read())


class RetryContract(LogStoreContract):
    """The id of an entry is the key by which a retry is known."""

    def test_a_retry_answers_the_first_acknowledgement(self, store: LogStore) -> None:
        wanted = batch(play("SA"), play("SK"), ids=[1, 2], expected=0)
        first = store.append(wanted, recorded_by=RECORDER)
        store.append(batch(play("SQ")), recorded_by=RECORDER)
        again = store.append(wanted, recorded_by="another recorder")
        assert again == Acknowledgement("table/ombre-1", 1, 2, 1, 2, first.ids, already_recorded=True)
        assert store.head().position == 3

    @pytest.mark.parametrize(
        "other",
        [
            batch(play("SK"), ids=[1]),
            batch(play("SA"), ids=[1], stream="table/ombre-2"),
            batch(play("SA"), ids=[1], happened_at="2014-03-01T06:12:00.000000Z"),
        ],
        ids=["another event", "another stream", "another time"],
    )
    def test_an_id_cannot_be_used_for_something_else(self, store: LogStore, other: Batch) -> None:
        store.append(batch(play("SA"), ids=[1]), recorded_by=RECORDER)
        used = r"is used for something else: version 1 of table/ombre-1 \(position 1\)"
        with pytest.raises(ConflictError, match=f"the id {an_id(1)} {used}"):
            store.append(other, recorded_by=RECORDER)
        assert store.head().position == 1

    def test_a_batch_that_is_known_in_part_is_refused(self, store: LogStore) -> None:
        store.append(batch(play("SA"), ids=[1]), recorded_by=RECORDER)
        with pytest.raises(
            ConflictError, match=rf"only some ids of the batch are recorded already: {an_id(1)} \(version 1\)"
        ):
            store.append(batch(play("SA"), play("SK"), ids=[1, 2]), recorded_by=RECORDER)
        assert store.head().position == 1

    def test_a_retry_of_entries_that_others_came_between_is_refused(self, store: LogStore) -> None:
        for number, card in ((1, "SA"), (2, "SK"), (3, "SQ")):
            store.append(batch(play(card), ids=[number]), recorded_by=RECORDER)
        with pytest.raises(ConflictError, match="not next to each other"):
            store.append(batch(play("SA"), play("SQ"), ids=[1, 3]), recorded_by=RECORDER)

    def test_an_id_occurs_once_in_an_append(self, store: LogStore) -> None:
        with pytest.raises(ConflictError, match=f"table/ombre-1: the id {an_id(1)} occurs twice"):
            store.append(batch(play("SA"), play("SK"), ids=[1, 1]), recorded_by=RECORDER)
        both = [batch(play(), ids=[1], stream="table/a"), batch(play(), ids=[1], stream="table/b")]
        with pytest.raises(ConflictError, match=f"table/b: the id {an_id(1)} occurs twice"):
            store.append_all(both, recorded_by=RECORDER)
        assert store.head() == EMPTY

    def test_a_known_batch_and_a_new_one_are_each_answered(self, store: LogStore) -> None:
        known = batch(play(), ids=[1], stream="table/a")
        store.append(known, recorded_by=RECORDER)
        acknowledgements = store.append_all([known, batch(play(), ids=[2], stream="table/b")], recorded_by=RECORDER)
        assert [(r.first_position, r.already_recorded) for r in acknowledgements] == [(1, True), (2, False)]

    def test_a_name_in_another_normal_form_is_the_same_content(self, store: LogStore) -> None:
        store.append(batch(remark("Zoë"), ids=[1]), recorded_by=RECORDER)
        assert store.append(batch(remark("Zoe\u0308"), ids=[1]), recorded_by=RECORDER).already_recorded


class ReadContract(LogStoreContract):
    """What is read, and in which order."""

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

    def test_following_sees_what_was_and_what_comes(self, filled: LogStore) -> None:
        rows = filled.follow(after=11, poll_seconds=0.001)
        assert next(rows).position == 12
        filled.append(batch(play(), play()), recorded_by=RECORDER)
        assert [next(rows).position, next(rows).position] == [13, 14]

    def test_following_ends_when_nothing_comes(self, filled: LogStore) -> None:
        assert [row.position for row in filled.follow(10, poll_seconds=0.001, idle_seconds=0.01)] == [11, 12]

    def test_following_ends_when_told_to(self, filled: LogStore) -> None:
        stop = threading.Event()
        rows = filled.follow(0, poll_seconds=60, stop=stop)
        assert len(list(islice(rows, 12))) == 12
        threading.Timer(0.05, stop.set).start()
        assert list(rows) == []

    def test_following_sees_the_appends_of_another_thread(self, store: LogStore) -> None:
        writer = threading.Thread(target=lambda: [store.append(batch(play()), recorded_by=RECORDER) for _ in range(20)])
        writer.start()
        rows = [row.position for row in islice(store.follow(poll_seconds=0.001, idle_seconds=60), 20)]
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


class DisplayNamesContract(LogStoreContract):
    """Names to show for players stand outside of the log, and can be changed and erased."""

    def test_a_ledger_has_no_names_until_one_is_set(self, store: LogStore) -> None:
        assert store.display_names() == {}
        store.set_display_name("p17", "Wisława")
        store.set_display_name("p18", "Ann")
        assert store.display_names() == {"p17": "Wisława", "p18": "Ann"}

    def test_the_log_knows_nothing_of_names(self, store: LogStore) -> None:
        store.append(batch(play()), recorded_by=RECORDER)
        before = store.head(), list(store.read())
        store.set_display_name("p17", "Ann")
        assert (store.head(), list(store.read())) == before
        store.append(batch(play("SK")), recorded_by=RECORDER)
        assert store.display_names() == {"p17": "Ann"}

    def test_a_name_is_replaced(self, store: LogStore) -> None:
        store.set_display_name("p17", "Wisława")
        store.set_display_name("p17", "W. S.")
        store.set_display_name("p17", "W. S.")
        assert store.display_names() == {"p17": "W. S."}

    def test_a_name_is_erased(self, store: LogStore) -> None:
        store.set_display_name("p17", "Wisława")
        store.set_display_name("p18", "Ann")
        store.erase_display_name("p17")
        assert store.display_names() == {"p18": "Ann"}
        store.erase_display_name("p18")
        assert store.display_names() == {}

    def test_each_change_of_names_is_counted_and_nothing_else(self, store: LogStore) -> None:
        seen = [store.names_version()]
        for change in (
            lambda: store.set_display_name("p17", "Wisława"),
            lambda: store.set_display_name("p17", "W. S."),
            lambda: store.erase_display_name("p17"),
        ):
            change()
            seen.append(store.names_version())
        assert len(set(seen)) == 4
        store.append(batch(play()), recorded_by=RECORDER)
        with pytest.raises(NotFoundError):
            store.erase_display_name("p17")
        assert store.names_version() == seen[-1]

    def test_a_name_that_is_not_there_cannot_be_erased(self, store: LogStore) -> None:
        with pytest.raises(NotFoundError, match="no name is shown for p17; the record itself is never changed"):
            store.erase_display_name("p17")

    def test_two_players_are_not_shown_under_one_name(self, store: LogStore) -> None:
        store.set_display_name("p17", "Ann")
        with pytest.raises(ConflictError) as refusal:
            store.set_display_name("p18", "Ann")
        assert str(refusal.value) == "Ann is shown for p17 already; nothing was changed: choose another name"
        assert store.display_names() == {"p17": "Ann"}

    @pytest.mark.parametrize("name", ["", " ", "\u200b", "a\nb", "\x00", "\ud800", "x" * (limits.NAME_CHARS + 1)])
    def test_what_is_no_name_is_refused(self, store: LogStore, name: str) -> None:
        with pytest.raises(MalformedError):
            store.set_display_name("p17", name)
        assert store.display_names() == {}

    def test_a_name_of_the_greatest_length_is_kept_as_nfc(self, store: LogStore) -> None:
        store.set_display_name("p17", "Zoe\u0308" + "x" * (limits.NAME_CHARS - 4))
        assert store.display_names()["p17"].startswith("Zoëx")

    def test_what_is_answered_is_not_what_is_kept(self, store: LogStore) -> None:
        store.display_names()["p17"] = "Ann"
        assert store.display_names() == {}

    def test_a_closed_ledger_has_no_names_and_takes_none(self, store: LogStore) -> None:
        store.set_display_name("p17", "Ann")
        store.close()
        for use in (
            store.display_names,
            lambda: store.set_display_name("p18", "Ben"),
            lambda: store.erase_display_name("p17"),
        ):
            with pytest.raises(LedgerError):
                use()
