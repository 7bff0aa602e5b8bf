"""A lake as a read model: the same tables, views and functions over its Parquet files, for statistics and SQL."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import duckdb

from ledger.errors import UnreadableError
from ledger.history.catalogue import phrase
from ledger.history.lake.manifest import LakeManifest, club_manifest
from ledger.history.lake.partitions import partitioned_tables
from ledger.history.model.database import NO_EXTENSIONS, translating_errors
from ledger.history.model.schema import HistoryHead, Meta, create_tables, write_meta
from ledger.history.questions.history import History
from ledger.history.sandbox.worker import allow_only
from ledger.log.people import People

_CATALOGUE: Final = "lake.duckdb"


@contextmanager
def open_lake(lake: Path) -> Iterator[History]:
    """Open the newest snapshot of a lake; yield it for queries, which can read its files and no others.

    Raise `UnreadableError` if there is no lake, if another version of the program wrote it, or if a file is missing or
    has another size than the manifest names.
    """
    folder, manifest = club_manifest(lake.absolute())
    files = _checked_files(folder, manifest)
    with TemporaryDirectory(prefix="trickledger-") as temporary, translating_errors(lake):
        path = Path(temporary, _CATALOGUE)
        with closing(duckdb.connect(path, config=dict(NO_EXTENSIONS))) as connection:
            create_tables(connection, views=_views(folder, manifest))
            head = HistoryHead(manifest.position, manifest.digest)
            persons = manifest.people.persons()
            write_meta(connection, Meta(manifest.read_model, manifest.ledger_id, head, None, persons, manifest.zone))
        with closing(duckdb.connect(path, read_only=True, config=dict(NO_EXTENSIONS))) as connection:
            allow_only(connection, files)
            yield History(connection, path, head, files=files)


def people_of_lake(lake: Path) -> People:
    """Return the display names, links and hidden players in a lake. Raise as `open_lake`."""
    return club_manifest(lake.absolute())[1].people


def _checked_files(folder: Path, manifest: LakeManifest) -> list[str]:
    """Return the paths of all files; raise `UnreadableError` unless each has the size that the manifest names."""
    for file in manifest.files:
        path = folder / file.path
        try:
            size = path.stat().st_size
        except OSError:
            size = -1
        if size != file.size_bytes:
            raise UnreadableError("damaged", phrase("lake.damaged", file=path))
    return [str(folder / file.path) for file in manifest.files]


def _views(folder: Path, manifest: LakeManifest) -> dict[str, str]:
    """Return the query of each table over its files."""
    files: dict[str, list[str]] = defaultdict(list)
    for file in manifest.files:
        files[file.table].append(str(folder / file.path))
    return {table: _view(types, files[table]) for table, types in partitioned_tables().items()}


def _view(types: Mapping[str, str], files: Sequence[str]) -> str:
    """Return the query of one table, with its types; without rows there is no file."""
    if not files:
        return f"SELECT {', '.join(f'NULL::{kind} AS {name}' for name, kind in types.items())} WHERE false"
    columns = ", ".join(f"{name}::JSON AS {name}" if kind == "JSON" else name for name, kind in types.items())
    paths = ", ".join("'" + path.replace("'", "''") + "'" for path in files)
    return f"SELECT {columns} FROM read_parquet([{paths}], hive_partitioning = false)"
