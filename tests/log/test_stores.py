"""The address of a ledger determines its store; the files beside it keep the names that clubs have on their disks."""

import tomllib
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta, timezone
from inspect import isfunction, signature
from pathlib import Path
from threading import get_native_id

import pytest

import ledger
from ledger.errors import ConflictError, MalformedError
from ledger.log import LogStore, MemoryStore, create_store, open_store, paths
from ledger.log.backup import back_up, restore
from ledger.log.paths import backup_name, default_history_path, public_key_to, receipt_name
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


def test_a_store_created_for_a_copy_keeps_the_id_of_the_ledger(tmp_path: Path) -> None:
    with create_store(tmp_path / "club.ledger") as store, create_store(tmp_path / "new.ledger") as new:
        assert new.ledger_id != store.ledger_id
        with create_store(tmp_path / "copy.ledger", ledger_id=store.ledger_id) as copy:
            assert copy.ledger_id == store.ledger_id


@pytest.mark.parametrize("use", [
    open_store,
    create_store,
    ledger.open,
    ledger.create,
    verify,
    lambda where: back_up(where, "b"),
    lambda where: restore(where, "r"),
])  # fmt: skip
def test_an_address_of_an_unknown_kind_is_refused(use: Use) -> None:
    with pytest.raises(MalformedError) as refusal:
        use("xyz://club.example/friday")
    assert str(refusal.value) == (
        "xyz://club.example/friday: ledgers cannot be stored at this kind of address: 'xyz'; "
        "expected the path of a file, or postgresql://HOST/DATABASE#NAME"
    )
    assert_speaks_japanese(refusal.value, "postgresql://HOST/DATABASE#NAME")


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


def test_a_writable_ledger_is_opened_for_writing_if_allowed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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


CLUB = Path("x/club.ledger")
HISTORY = default_history_path(CLUB)

OWNERS: dict[tuple[str, ...], list[Path]] = {
    ("ledger",): [CLUB],
    ("database",): [CLUB, HISTORY],
    ("history",): [HISTORY],
}
"""The owners of sidecar files, by the parameters of the function that names them."""


def names_of(part: str) -> dict[Callable[[Path], Path | tuple[Path, ...]], str]:
    """Return the names from each function, joined by blanks; a draft belongs to one thread."""
    names = tomllib.loads(Path(__file__).with_name("paths.toml").read_text(encoding="utf-8"))[part]
    thread = str(get_native_id())
    return {getattr(paths, maker): name.replace("THREAD", thread) for maker, name in names.items()}


def test_the_sidecar_files_of_a_ledger_and_of_a_read_model() -> None:
    for file, names in ((CLUB, names_of("beside_a_ledger")), (Path("x/h.duckdb"), names_of("beside_a_read_model"))):
        made = {maker: maker(file) for maker in names}
        paths = {maker: path if isinstance(path, Iterable) else [path] for maker, path in made.items()}
        assert {maker: " ".join(one.name for one in sidecars) for maker, sidecars in paths.items()} == names
        assert {one.parent for sidecars in paths.values() for one in sidecars} == {Path("x")}


def test_a_read_model_elsewhere_is_named_by_its_ledger_and_where_that_lies(tmp_path: Path) -> None:
    names = {
        paths.cached_history_path(tmp_path, path_of(ledger), ledger, ledger_id)
        for path_of in (default_history_path, paths.serve_history_of)
        for ledger in (CLUB, Path("y/club.ledger"))
        for ledger_id in ("one", "two")
    }
    assert len(names) == 8
    assert all(name.parent == tmp_path and name.name.startswith("club-") for name in names)


def test_a_year_is_no_suffix() -> None:
    assert paths.secret_key_of(Path("club.2026")) == Path("club.2026.key")
    assert public_key_to(Path("club.2026.key")) == paths.public_key_of(Path("club.2026"))


def test_a_receipt_is_named_for_its_deal() -> None:
    assert receipt_name("ombre-revoke", 1) == "ombre-revoke-1.receipt"


def test_a_backup_without_a_name_is_named_by_its_moment() -> None:
    moment = datetime(2026, 1, 5, 19, 30, tzinfo=timezone(timedelta(hours=1)))
    assert backup_name(Path("x/club.ledger"), moment) == "club-2026-01-05-183000.ledger"
    assert backup_name(Path("club"), moment.astimezone(UTC)) == "club-2026-01-05-183000.ledger"


def test_the_list_of_sidecars_has_every_named_file() -> None:
    """A new file beside a ledger must be on the list, or output files may destroy it."""
    named = [
        path
        for maker in vars(paths).values()
        if isfunction(maker) and maker.__module__ == paths.__name__ and not maker.__name__.startswith("_")
        for owner in OWNERS.get(tuple(signature(maker).parameters), ())
        for made in [maker(owner)]
        for path in (made if isinstance(made, tuple) else [made])
    ]
    assert len(named) > 15
    serving = paths.serve_history_of(CLUB)
    copy = paths.copy_of_history(serving)
    sidecars = [maker(serving) for maker in names_of("beside_a_read_model") if maker is not paths.left_by_duckdb]
    named += [*sidecars, paths.left_by_duckdb(copy)[0], *paths.left_by_duckdb(serving)]
    assert [path for path in named if not paths.is_sidecar(path, CLUB)] == []


def test_a_rescue_file_is_named_by_its_moment_and_belongs_to_the_ledger() -> None:
    made = paths.rescue_of(CLUB, datetime(2026, 1, 5, 19, 30, tzinfo=timezone(timedelta(hours=1))))
    assert made == Path("x/club.ledger.rescue-2026-01-05-183000")
    assert paths.is_sidecar(made, CLUB)
    assert paths.is_sidecar(paths.draft_of(made), CLUB)


@pytest.mark.parametrize("name", ["club.ledger", "club.ndjson", "club.ledger.ndjson", "clubs.key", ".club.ledger.new"])
def test_other_files_are_no_sidecars(name: str) -> None:
    assert not paths.is_sidecar(Path("x", name), CLUB)
    assert not paths.is_sidecar(Path("y", "club.key"), CLUB)
