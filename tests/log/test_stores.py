"""An address determines the store of a ledger, and one of an unknown kind is rejected."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import ledger
from ledger.errors import ConflictError, MalformedError
from ledger.log import LogStore, MemoryStore, create_store, open_store
from ledger.log.backup import back_up, restore
from ledger.log.stores import bulk_reader
from ledger.log.verify import verify
from tests.contracts.log_builders import RECORDER, batch, play
from tests.japanese import assert_speaks_japanese

Use = Callable[[str], object]


@pytest.mark.parametrize("kind", [str, Path])
def test_a_path_is_an_address(tmp_path: Path, kind: Callable[[Path], str | Path]) -> None:
    where = kind(tmp_path / "club.ledger")
    with create_store(where) as store:
        store.append(batch(play()), recorded_by=RECORDER)
    with open_store(where) as store:
        assert store.head().position == 1


def test_a_store_returns_the_address_that_opens_it_again(tmp_path: Path) -> None:
    with create_store(tmp_path / "club.ledger") as store:
        assert store.address is not None
        with open_store(store.address, access="read") as again:
            assert again.ledger_id == store.ledger_id is not None
    assert (MemoryStore().address, MemoryStore().ledger_id) == (None, None)


@pytest.mark.parametrize(
    "use",
    [
        open_store,
        create_store,
        ledger.open,
        ledger.create,
        verify,
        lambda where: back_up(where, "b"),
        lambda where: restore(where, "r"),
    ],
)
def test_an_address_of_an_unknown_kind_is_refused(use: Use) -> None:
    with pytest.raises(MalformedError) as refusal:
        use("xyz://club.example/friday")
    assert str(refusal.value) == (
        "xyz://club.example/friday: ledgers cannot be stored at this kind of address: 'xyz'; "
        "expected the path of a file"
    )
    assert_speaks_japanese(refusal.value)


def test_a_refusal_shows_no_password() -> None:
    with pytest.raises(MalformedError) as refusal:
        open_store("xyz://anna:p@ss@club.example/friday")
    assert str(refusal.value).startswith("xyz://club.example/friday: ")


def test_what_only_looks_like_a_scheme_is_a_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("xyz:").mkdir()
    Path("C:").mkdir()
    for where in (Path("xyz://club.ledger"), "xyz:/other.ledger", "C://club.ledger"):
        create_store(where).close()
        with pytest.raises(ConflictError, match="already exists"):
            create_store(where)


def test_a_ledger_that_may_be_written_to_is_opened_so_where_that_is_allowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "club.ledger"
    create_store(path).close()
    with open_store(path, access="allowed") as store:
        store.append(batch(play()), recorded_by=RECORDER)
    monkeypatch.setattr("ledger.log.sqlite_file.os.access", lambda *_: False)  # root may write to any folder
    with open_store(path, access="allowed") as store, pytest.raises(ConflictError, match="is read-only"):
        store.append(batch(play()), recorded_by=RECORDER)


@pytest.mark.parametrize("make", [lambda folder: create_store(folder / "club.ledger"), lambda folder: MemoryStore()])
def test_every_store_is_read_in_bulk(tmp_path: Path, make: Callable[[Path], LogStore]) -> None:
    with make(tmp_path) as store:
        store.append(batch(play("SA"), play("SK")), recorded_by=RECORDER)
        bulk = bulk_reader(store)
        assert (bulk.streams(0, 2), bulk.events("table/ombre-1", 2)) == (["table/ombre-1"], [play("SA"), play("SK")])
        bulk.close()
        assert store.head().position == 2
