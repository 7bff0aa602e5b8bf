"""A copy has the entries of its source, digest by digest, whatever stores hold them and wherever it was interrupted."""

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from unittest.mock import Mock

import pytest
from msgspec import structs

from ledger.errors import ConflictError, LedgerError, UnreadableError
from ledger.log import Head, LogStore, MemoryStore, Row, SqliteStore, copying, create_store, open_store
from ledger.log.copying import FollowState, OpenSource, copy, follow, opened_source
from ledger.log.people import People
from ledger.log.verify import verify
from tests.contracts.log_builders import RECORDER, batch, remark
from tests.japanese import assert_has_japanese
from tests.postgres import PostgresServer

PEOPLE = People(names={"p1": "Ada"}, links={"Ada": "p1"}, hidden=frozenset(("Ben",)))
GONE = UnreadableError("unreachable", "gone")


def record(store: LogStore | Path, number: int, text: str = "remark") -> None:
    with nullcontext(store) if isinstance(store, LogStore) else open_store(store) as opened:
        for place in range(number):
            opened.append(batch(remark(f"{text} {place}"), stream=f"table/{place % 2}"), recorded_by=RECORDER)


def rows(path: Path) -> list[Row]:
    with open_store(path, access="allowed") as opened:
        return list(opened.read())


@pytest.fixture(params=[SqliteStore.create, lambda path: MemoryStore()], ids=["sqlite", "memory"])
def source(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LogStore]:
    """Return a ledger of ten entries with people; a chunk has three entries."""
    monkeypatch.setattr(copying, "CHUNK", 3)
    make: Callable[[Path], LogStore] = request.param
    with make(tmp_path / "club.ledger") as store:
        record(store, 10)
        store.replace_people(PEOPLE)
        yield store


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "copy.ledger"


class Changed:
    """A source that reads what `alter` makes of the rows of a ledger."""

    def __init__(self, store: LogStore, alter: Callable[[Row], Row | None] = lambda row: row) -> None:
        self.store = store
        self.alter = alter
        self.address, self.ledger_id, self.has_handles = store.address, store.ledger_id, store.has_handles

    def head(self) -> Head:
        return self.store.head()

    def people(self) -> None:
        return None

    def read(self, after: int = 0, until: int | None = None) -> Iterator[Row]:
        return filter(None, map(self.alter, self.store.read(after, until)))


def opening(source: LogStore | Changed) -> OpenSource:
    return lambda: nullcontext(source)


def fail(row: Row, after: int = 0) -> Row:
    if row.position > after:
        raise GONE
    return row


def refused(source: LogStore | Changed, target: Path, code: str, message: str, reached: int) -> None:
    """Assert that a copy is refused and has so many entries after it; none: no file."""
    with pytest.raises(LedgerError, match=message) as refusal:
        copy(opening(source), target)
    assert refusal.value.code == code
    if refusal.value is not GONE and code != "malformed":
        assert_has_japanese(refusal.value.said)
    assert (len(rows(target)) if target.exists() else 0) == reached


def test_a_copy_has_all_entries_and_people_and_is_continued(source: LogStore, target: Path) -> None:
    reports: list[tuple[int, int]] = []
    made = copy(opening(source), target, progress=lambda done, total: reports.append((done, total)))
    assert (made.head, made.added, made.with_people) == (source.head(), 10, True)
    assert reports == [(6, 10), (9, 10), (10, 10)]  # the first chunk makes the file
    record(source, 4, "later")
    source.erase_display_name("p1")
    assert copy(opening(source), target).added == 4
    assert (rows(target), verify(target).damage) == (list(source.read()), None)
    with open_store(target) as store:
        assert (store.people(), store.ledger_id) == (source.people(), source.ledger_id or store.ledger_id)


def test_a_ledger_moves_into_a_database_and_back(
    postgres: PostgresServer, source: LogStore, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRICKLEDGER_HOME", str(target.parent / "home"))
    database = str(postgres.address())
    for added in (10, 4):
        assert copy(opening(source), database).added == copy(lambda: opened_source(database), target).added == added
        assert rows(target) == list(source.read())
        record(source, 4)
    with open_store(target) as store, open_store(database) as moved:
        assert (store.people(), store.ledger_id) == (moved.people(), moved.ledger_id)
        assert store.people() == PEOPLE


@pytest.mark.parametrize("last", range(2, 10))
def test_an_interrupted_copy_is_a_shorter_ledger_and_goes_on(source: LogStore, target: Path, last: int) -> None:
    whole = last - last % 3
    refused(Changed(source, partial(fail, after=last)), target, "unreachable", "gone", whole)
    if whole:
        assert (rows(target), verify(target).damage) == (list(source.read(0, whole)), None)
    assert copy(opening(source), target).added == 10 - whole
    assert rows(target) == list(source.read())


def test_another_ledger_and_the_ledger_itself_are_refused(tmp_path: Path, target: Path) -> None:
    create_store(target).close()
    with create_store(tmp_path / "other.ledger") as other:
        refused(other, target, "not_next", "copy.ledger is no copy of", 0)
        refused(other, tmp_path / "." / "other.ledger", "exists", "cannot be copied to itself", 0)
        assert copy(opening(other), tmp_path / "empty.ledger").added == 0


def test_a_fork_is_refused_and_its_place_named(source: LogStore, target: Path) -> None:
    copy(opening(source), target)
    record(target, 2, "there")
    refused(source, target, "forked", "copy.ledger has every entry of .* and 2 more; nothing was copied", 12)
    record(source, 3, "here")
    refused(source, target, "forked", "are the same up to position 10 and differ after it", 12)


@pytest.mark.parametrize(("position", "reached"), [(2, 0), (5, 3)])
def test_a_source_that_lies_cannot_spoil_the_copy(source: LogStore, target: Path, position: int, reached: int) -> None:
    def alter(row: Row) -> Row:
        return structs.replace(row, recorded_by="Mallory") if row.position == position else row

    refused(Changed(source, alter), target, "malformed", "the digest does not match", reached)


def test_a_source_that_ends_early_or_is_replaced_is_no_end(source: LogStore, target: Path) -> None:
    cut = Changed(source, lambda row: row if row.position <= 7 else None)
    refused(cut, target, "unreachable", "ended early; the copy is sound up to position 7", 7)
    cut.head = lambda: Head(7, bytes(32))  # type: ignore[method-assign]
    target.unlink()
    refused(cut, target, "changed", "was replaced while it was copied", 7)


def states(source: LogStore | Changed, target: Path, *parts: Callable[[], object]) -> list[FollowState]:
    """Return the states of a copy that follows; each wait runs the next part, and the one after them ends it."""
    changes: list[FollowState] = []
    left = iter(parts)

    def wait() -> None:
        next(left, Mock(side_effect=KeyboardInterrupt))()

    with pytest.raises(KeyboardInterrupt):
        changes += follow(opening(source), target, wait=wait)
    return changes


def test_a_copy_follows_and_says_when_it_lags(source: LogStore, target: Path) -> None:
    changes = states(source, target, lambda: record(source, 2), lambda: record(source, 7), lambda: None)
    assert [(one.kind, one.head.position, one.missing) for one in changes] == [
        ("behind", 6, 4), ("level", 10, 0), ("behind", 15, 4), ("level", 19, 0),
    ]  # fmt: skip
    assert rows(target) == list(source.read())


def test_a_lost_source_is_reported_once_and_tried_again(source: LogStore, target: Path) -> None:
    changing = Changed(source)

    def lose() -> None:
        changing.alter = fail
        record(source, 1)

    changes = states(changing, target, lose, lambda: None, lambda: setattr(changing, "alter", lambda row: row))
    assert [one.kind for one in changes] == ["behind", "level", "interrupted", "level"]
    assert (changes[2].head.position, changes[2].why) == (10, GONE)
    assert rows(target) == list(source.read())


def test_a_copy_does_not_follow_a_fork(source: LogStore, target: Path) -> None:
    with pytest.raises(ConflictError, match="has every entry of"):
        list(follow(opening(source), target, wait=lambda: record(target, 1, "there")))
