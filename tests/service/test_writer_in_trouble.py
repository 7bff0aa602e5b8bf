"""Requests when something fails around the writer: each is answered, and the writer goes on."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import structs

import ledger
from ledger.errors import ConflictError
from ledger.events import BidMade, Event
from ledger.log.base import Head, NewEntry
from ledger.log.sqlite import SqliteStore
from ledger.recording.live import LiveTable
from ledger.service.commands import Entries, RecordedBatches, RecordEntries
from ledger.service.running import Service
from ledger.service.visibility import REDACTIONS
from ledger.table.hiding import hidden_in
from tests.patience import PATIENCE_S
from tests.web.serving import OMBRE, SEER, Served, ledger_with, record, serving, stored_events

TEA = {"type": "noted", "text": "tea"}


@pytest.fixture
def served(tmp_path: Path) -> Any:
    with serving(ledger_with(tmp_path, {"one": OMBRE})) as service:
        yield service


def act(*batches: tuple[str, Sequence[Mapping[str, Any]]], **how: Any) -> RecordEntries:
    entries = tuple(
        Entries(
            opens=events[0] is OMBRE[0],
            stream=stream,
            entries=tuple(NewEntry(msgspec.convert(one, Event)) for one in events),
        )
        for stream, events in batches
    )
    return RecordEntries(batches=entries, by="recorder-1", **how)


def passed(seat: int) -> dict[str, Any]:
    return {"type": "bid_made", "seat": seat, "call": "pass"}


async def all_answered(service: Service, *acts: RecordEntries) -> list[Any]:
    """Return the answers to acts that arrive together."""
    async with asyncio.timeout(PATIENCE_S):
        return await asyncio.gather(*map(service.record, acts), return_exceptions=True)


def test_an_act_is_recorded_only_where_it_was_judged(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = SqliteStore.append_group
    waited: list[bool] = []

    def beaten(store: SqliteStore, requests: Any) -> Any:
        """Another process records one entry just before the first group with two requests."""
        if len(requests) > 1 and not waited:
            waited.append(True)
            with ledger.open(served.ledger) as other:
                record(other, "one", TEA)
        return plain(store, requests)

    monkeypatch.setattr(SqliteStore, "append_group", beaten)
    first = act(("table/one", [passed(1)]))
    second = act(("table/one", [passed(2)]))
    answers = served.run(all_answered(served.service, first, second))
    assert waited, "they did not come in one group"
    seats = [one.seat for one in stored_events(served.ledger, "table/one") if isinstance(one, BidMade)]
    assert seats == [0, 1, 2]
    assert all(isinstance(one, RecordedBatches) for one in answers)


def test_an_act_without_a_version_outlasts_faster_programs(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = SqliteStore.append_group
    tried: list[int] = []

    def beaten(store: SqliteStore, requests: Any) -> Any:
        """Another service records before each group, if it is its turn to write."""
        tried.append(len(requests))
        with suppress(ConflictError), SqliteStore(served.ledger, lock_timeout_s=0.05) as other:
            record(other, "one", TEA)
        return plain(store, requests)

    monkeypatch.setattr(SqliteStore, "append_group", beaten)
    (answer,) = served.run(all_answered(served.service, act(("table/one", [passed(1)]))))
    assert isinstance(answer, RecordedBatches)
    assert tried == [1, 1]


def test_a_batch_over_more_tables_than_are_cached_is_answered(served: Served) -> None:
    opened = OMBRE[0]
    many = act(*((f"table/t{number}", [opened]) for number in range(300)))
    assert isinstance(served.run(all_answered(served.service, many))[0], RecordedBatches)
    more = act(*((f"table/t{number}", [TEA]) for number in range(300)))
    other = act(("table/one", [passed(1)]))
    answers = served.run(all_answered(served.service, more, other))
    assert [type(one) for one in answers] == [RecordedBatches, RecordedBatches]


def test_a_fault_of_any_kind_is_reported_to_the_caller(served: Served) -> None:
    def stops(store: Any) -> None:
        next(iter(()))

    async def both() -> list[Any]:
        async with asyncio.timeout(PATIENCE_S):
            one, two = served.service.do(stops), served.service.do(lambda store: store.head().position)
            return list(await asyncio.gather(one, two, return_exceptions=True))

    first, second = served.run(both())
    assert isinstance(first, Exception) and second == 4


@pytest.mark.parametrize("broken", ["known_ids", "append_group", "read", "head"])
def test_the_writer_goes_on_after_any_fault(served: Served, monkeypatch: pytest.MonkeyPatch, broken: str) -> None:
    def fails(*_: Any, **__: Any) -> Any:
        raise MemoryError

    async def recorded(one: RecordEntries) -> Any:
        return await all_answered(served.service, one)

    with monkeypatch.context() as patched:
        patched.setattr(SqliteStore, broken, fails)
        served.run(recorded(act(("table/one", [passed(1)]))))
    (answer,) = served.run(recorded(act(("table/one", [TEA]))))
    assert isinstance(answer, RecordedBatches)


def test_a_ledger_that_cannot_be_opened_yet_is_served_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = Service._open_watched
    failed: list[bool] = []

    def fails_once(service: Service, known: Head) -> Any:
        if not failed:
            failed.append(True)
            raise ConflictError("locked", "locked")
        return plain(service, known)

    monkeypatch.setattr(Service, "_open_watched", fails_once)
    with serving(ledger_with(tmp_path, {"one": OMBRE})) as served:
        answers = served.run(all_answered(served.service, act(("table/one", [passed(1)]))))
        answers += served.run(all_answered(served.service, act(("table/one", [TEA]))))
    assert failed and isinstance(answers[-1], RecordedBatches)


@pytest.mark.parametrize("fault", [ConflictError("locked", "damaged"), ZeroDivisionError()], ids=["damaged", "game"])
def test_a_table_that_cannot_be_read_stops_no_writer_and_shows_no_hands(
    served: Served, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    """Its hidden parts are unknown, so all new entries are hidden. Third-party games may raise anything."""
    plain = LiveTable.resume.__func__  # type: ignore[attr-defined]

    def fails(cls: Any, store: Any, slug: str) -> Any:
        if slug == "two":
            raise fault
        return plain(cls, store, slug)

    monkeypatch.setattr(LiveTable, "resume", classmethod(fails))
    served.record("two", *msgspec.convert(OMBRE, list[Event]))
    (answer,) = served.run(all_answered(served.service, act(("table/one", [passed(1)]))))
    assert isinstance(answer, RecordedBatches)
    shown = served.get("/streams/table/two/entries").text
    assert "SA" not in shown and "HK" not in shown


def test_a_table_with_a_failing_game_shows_no_hands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(entries: object) -> object:
        if len(entries) > 1:  # type: ignore[arg-type]
            raise ZeroDivisionError
        return hidden_in(entries)  # type: ignore[arg-type]

    monkeypatch.setitem(REDACTIONS, "table", structs.replace(REDACTIONS["table"], hidden_in=fails))
    with serving(ledger_with(tmp_path, {"one": OMBRE[:1], "two": OMBRE})) as served:
        assert served.ok("/tables/one/score")["table"] == "one"
        shown = served.get("/streams/table/two/entries")
        assert shown.status_code == 200
        assert '"SA"' not in shown.text
        assert '"SA"' in served.get("/streams/table/two/entries", who=SEER).text
        assert [one["digest"] is None for one in shown.json()] == [True] * 4
