"""Recomputation of a read model from the whole ledger, as a snapshot in a lake, by any engine."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from contextlib import closing
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final
from uuid import uuid4

from msgspec import Struct, json, structs

from ledger.errors import MalformedError, UsageError
from ledger.history.catalogue import phrase
from ledger.history.engines import Engine
from ledger.history.lake.manifest import LakeFile, LakeManifest, club_folder, publish
from ledger.history.lake.partitions import (
    PartitionTask,
    fold_partition,
    partition_of,
    partitioned_tables,
    write_entries,
)
from ledger.history.lake.storage import Progress, storage_at
from ledger.history.model.parquet_export import (
    FILE,
    DictionaryTable,
    data_dictionary,
    dictionary_column,
    meanings_of,
)
from ledger.history.model.projections import collect_session
from ledger.history.model.rows import Rows, SessionRow
from ledger.history.model.schema import HistoryHead, Meta, schema_version
from ledger.log.base import Head, LogStore
from ledger.log.bulk import BulkReader
from ledger.log.paths import checkpoint_of
from ledger.log.proof_files import read_checkpoint
from ledger.log.stores import bulk_reader
from ledger.streams import SESSION
from ledger.zones import UTC

PARTITIONS: Final = 8
"""The default number of partitions."""

MOST_PARTITIONS: Final = 10_000
"""The most partitions of a ledger."""

_COLUMNS: Final = {"club": "VARCHAR", "part": "BIGINT"}
"""The columns in the names of the folders."""


class LakeOptions(Struct, frozen=True, kw_only=True):
    """How to write a snapshot. `partitions`: the number of tasks. `zone`: the time zone of tables without a session.
    `club`: the name of the club, by default the id of the ledger. `send_entries`: give the workers the entries through
    the lake, because they cannot open the ledger.
    """

    partitions: int = PARTITIONS
    zone: str = UTC
    club: str | None = None
    send_entries: bool = False


def rebuild_lake(
    store: LogStore,
    sidecars: Path,
    lake: str | Path,
    engine: Engine,
    options: LakeOptions,
    progress: Progress | None = None,
) -> LakeManifest:
    """Fold the whole ledger and publish it as the newest snapshot of its club; return the manifest.

    `lake`: a folder or an address. `sidecars`: the path from which those of the files beside the ledger derive. A run
    that ends early leaves the snapshot before as it was. Raise `UsageError` for a ledger in memory, `MalformedError`
    for an invalid record, `UnreadableError` and `OSError` if files cannot be written, and `ConflictError` as `publish`.
    """
    if store.address is None:
        raise UsageError("usage", phrase("lake.in_memory"))
    head, people = store.head(), store.people()
    folder = club_folder(storage_at(lake), store.ledger_id)
    task = PartitionTask(
        ledger=store.address,
        folder=folder.address,
        path=_snapshot(head, people.persons(), options),
        until=head.position,
        persons=people.persons(),
        zone=options.zone,
        version=schema_version(),
    )
    with closing(bulk_reader(store)) as source:
        tasks = _tasks(task, source, options.partitions)
    files: list[LakeFile] = []
    sent = f"entries-{uuid4().hex}"
    try:
        if options.send_entries:
            tasks = [write_entries(store, one, sent) for one in tasks]
        for done, result in enumerate(engine(fold_partition, tasks)):
            if progress is not None:
                progress(done, len(tasks))
            if result.malformed is not None:
                raise MalformedError(*result.malformed)
            files += result.files
    finally:
        if options.send_entries:
            folder.remove(sent)
    manifest = LakeManifest(
        ledger_id=store.ledger_id,
        club=options.club or store.ledger_id or "",
        position=head.position,
        digest=head.digest.hex(),
        checkpoint=_checkpoint(sidecars),
        read_model=schema_version(),
        package=_package(),
        zone=options.zone,
        people=people,
        partitions=options.partitions,
        snapshot=task.path,
        previous=None,
        files=sorted(files, key=lambda file: (file.table, file.path)),
    )
    with folder.draft(f"{task.path}/{FILE}") as draft:
        draft.write_bytes(_dictionary(manifest))
    manifest, before = publish(folder, manifest)
    if before is not None and before.previous not in (None, manifest.snapshot, manifest.previous):
        folder.remove(str(before.previous))
    if progress is not None:
        progress(len(tasks), len(tasks))
    return manifest


def _snapshot(head: Head, persons: Mapping[str, str], options: LakeOptions) -> str:
    """Return the name of the folder for the files of a snapshot, the same whenever its files would be the same."""
    settled = (head.position, head.digest, schema_version(), sorted(persons.items()), options.partitions, options.zone)
    return f"snapshot-{sha256(json.encode(settled)).hexdigest()[:16]}"


def _tasks(task: PartitionTask, source: BulkReader, partitions: int) -> list[PartitionTask]:
    """Return the task of each partition that has streams; the dates of all sessions go with it, because tables may be
    in another one.
    """
    rows: Rows = defaultdict(list)
    streams: list[list[str]] = [[] for _ in range(partitions)]
    for stream in source.streams(0, task.until):
        streams[partition_of(stream, partitions)].append(stream)
        if SESSION.has(stream):
            collect_session(rows, SESSION.slug(stream), source, task.until)
    days = {row.session: row.played_on for row in rows[SessionRow] if isinstance(row, SessionRow)}
    width = len(str(partitions - 1))
    return [
        structs.replace(task, path=f"{task.path}/part={part:0{width}}", streams=sorted(names), session_days=days)
        for part, names in enumerate(streams)
        if names
    ]


def _checkpoint(sidecars: Path) -> str | None:
    """Return the checkpoint beside the ledger, None if there is none. Raise `MalformedError` if it is none."""
    path = checkpoint_of(sidecars)
    return str(read_checkpoint(path)) if path.exists() else None


def _package() -> str:
    try:
        return version("trickledger")
    except PackageNotFoundError:
        return "0"


def _dictionary(manifest: LakeManifest) -> bytes:
    """Return the data dictionary of a snapshot's files, in all languages."""
    head = HistoryHead(manifest.position, manifest.digest)
    meta = Meta(manifest.read_model, manifest.ledger_id, head, None, {}, manifest.zone)
    return data_dictionary(meta, [_described(table, types) for table, types in partitioned_tables().items()]).as_file()


def _described(table: str, types: Mapping[str, str]) -> DictionaryTable:
    stored = {name: "VARCHAR" if kind == "JSON" else kind for name, kind in types.items()}
    partitions = [dictionary_column("partition", name, kind) for name, kind in _COLUMNS.items()]
    columns = [dictionary_column(table, name, kind) for name, kind in stored.items()]
    return DictionaryTable(
        table=table, meaning=meanings_of(table), partitioned_by=list(_COLUMNS), columns=columns + partitions
    )
