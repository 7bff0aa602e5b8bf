"""A lake in an object store gives the answers of the ledger, and two rebuilds at once do not undo each other."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import fsspec
import pytest
from fsspec.implementations.memory import MemoryFileSystem
from msgspec import structs

from ledger import api
from ledger.errors import ConflictError, MalformedError, UnreadableError, UsageError
from ledger.history.lake.manifest import FILE, club_manifests, publish
from ledger.history.lake.storage import ObjectStore, storage_at
from ledger.log import SqliteStore
from ledger.log.paths import cache_folder
from tests.cli.commands import CommandLine
from tests.history.helpers import ledger_at, record, table_events


@pytest.fixture
def s3(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Yield the address of a new lake in a real server of S3's interface."""
    from moto.server import ThreadedMotoServer  # half a second in each worker

    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    for name, value in (("ENDPOINT_URL", f"http://{host}:{port}"), ("DEFAULT_REGION", "us-east-1")):
        monkeypatch.setenv(f"AWS_{name}", value)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "public-part")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret-part")
    fsspec.get_filesystem_class("s3").clear_instance_cache()
    bucket = f"lakes-{uuid4().hex}"
    fsspec.filesystem("s3").mkdir(bucket)
    yield f"s3://{bucket}/lake"
    fsspec.get_filesystem_class("s3").clear_instance_cache()
    server.stop()


@pytest.fixture
def memory() -> Iterator[str]:
    yield f"memory://{uuid4().hex}"
    MemoryFileSystem.store.clear()


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return cache_folder()


@pytest.mark.slow
def test_commands_answer_from_s3_as_from_the_ledger(s3: str, tmp_path: Path, quick_sandbox: Any) -> None:
    cli = CommandLine(tmp_path)
    ledger_at(cli.ledger, "one", "two")
    cli.ok("players", "Ann", "--name", "Anna K.")
    assert f"{s3}: 3 partitions" in cli.ok("rebuild", "--to", s3, "--partitions", 3)
    commands = [("stats", "standings"), ("query", "SELECT count(*) FROM plays JOIN deals USING (table_name, deal)")]
    expected = [cli.ok(*command) for command in commands]
    cli.ledger.unlink()
    assert [cli.ok(*command, "--lake", s3) for command in commands] == expected
    assert "Anna K." in expected[0]
    own, other = storage_at(s3).folder("own"), storage_at(s3).folder("own")
    assert own.replace(FILE, b"1", None) and not other.replace(FILE, b"2", None), "made meanwhile"
    _, tag = other.read(FILE) or (b"", None)
    assert own.replace(FILE, b"3", tag) and not other.replace(FILE, b"4", tag), "changed meanwhile"
    assert (own.read(FILE) or ())[0] == b"3"


@pytest.mark.soak
def test_s3_that_refuses_or_does_not_answer_is_named_without_secrets(
    s3: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = ledger_at(tmp_path / "club.ledger", "one")
    with pytest.raises(UnreadableError, match="no lake"), api.open_lake(s3):
        pass
    with pytest.raises(UnreadableError, match=r"s3://no-such-lake/x/.* does not exist") as missing:
        api.rebuild(ledger, "s3://no-such-lake/x")
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
    fsspec.get_filesystem_class("s3").clear_instance_cache()
    with pytest.raises(UnreadableError, match="Could not connect") as silent:
        api.people_of_lake(s3)
    assert "secret-part" not in f"{missing.value}{silent.value}"


def test_only_missing_files_are_downloaded_and_only_needed_ones_remain(
    memory: str, tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger, fetched = ledger_at(tmp_path / "club.ledger", "one"), []
    get = MemoryFileSystem.get
    monkeypatch.setattr(MemoryFileSystem, "get", lambda self, names, to: fetched.extend(names) or get(self, names, to))
    snapshots = []
    for number in range(3):
        if number:
            with SqliteStore(ledger) as store:
                record(store, f"table/t{number}", *table_events(f"t{number}", 1))
        manifest = api.rebuild(ledger, memory, partitions=1)
        snapshots.append(manifest.snapshot)
        for _ in range(1 if number else 2):
            with api.open_lake(memory) as lake:
                assert lake.head.position == manifest.position
            assert len(fetched) == len(manifest.files), "once"
        fetched.clear()
    (club,) = cache.glob("lakes/*/club=*")
    club.with_name("club=left").mkdir()
    with api.open_lake(f"{memory}/{club.name}"):
        assert len([*club.parent.iterdir()]) == 2, "the other club is not asked for"
    with api.open_lake(memory):
        assert [*club.parent.iterdir()] == [club], "the other club left the lake"
    assert cache.stat().st_mode & 0o777 == 0o700, "for this user alone"
    assert {path.name for path in club.iterdir()} == set(snapshots[1:])
    assert {Path(path).parts[3] for path in MemoryFileSystem.store} == {FILE, *snapshots[1:]}
    [[folder, _]] = club_manifests(storage_at(memory))
    folder.folder(snapshots[2]).remove("part=0")
    folder.local_copy({}, [], lambda done, total: None)
    with pytest.raises(UnreadableError, match="is missing, or not as it was written"), api.open_lake(memory):
        pass


def test_a_snapshot_published_meanwhile_is_not_undone(
    memory: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = ledger_at(tmp_path / "club.ledger", "one")
    older = api.rebuild(ledger, memory, partitions=1)
    newer = structs.replace(older, position=older.position + 1, snapshot="snapshot-2")
    [[folder, _]] = club_manifests(storage_at(memory))
    assert isinstance(folder, ObjectStore)
    replace, calls = ObjectStore.replace, []

    def replace_once_too_late(self: ObjectStore, name: str, content: bytes, tag: str | None) -> bool:
        calls.append(name)
        if len(calls) == 1:
            publish(folder, newer)
            return False
        return replace(self, name, content, tag)

    monkeypatch.setattr(ObjectStore, "replace", replace_once_too_late)
    with pytest.raises(ConflictError, match="has entries up to"):
        publish(folder, older)
    assert publish(folder, newer)[0].previous == older.snapshot
    monkeypatch.setattr(ObjectStore, "replace", lambda *given: False)
    with pytest.raises(ConflictError, match="keep publishing"):
        publish(folder, newer)


@pytest.mark.parametrize(("address", "error", "said"), [
    ("s3://key:secret@bucket/lake", MalformedError, "key or a password"),
    ("nosuch://bucket/lake", UsageError, "nosuch://bucket/lake cannot be opened"),
])  # fmt: skip
def test_an_address_that_cannot_be_used_is_refused(address: str, error: Callable[..., Any], said: str) -> None:
    with pytest.raises(error, match=said) as refused:  # type: ignore[call-overload]
        storage_at(address)
    assert "secret" not in str(refused.value)


def test_the_address_of_a_file_is_a_folder(tmp_path: Path) -> None:
    assert storage_at(f"file://{tmp_path}/a%20b").address == f"{tmp_path}/a b"
