"""A new read model, empty: its tables are made, or copied from those that this process has made before.

To make them takes longer than the entries of an evening, and most of that is what the database says they mean. A
command makes one read model; whoever makes a second one (a service that mends its own, tests) will make more.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from duckdb import DuckDBPyConnection

from ledger.history.model.database import NO_EXTENSIONS, connect
from ledger.history.model.schema import create_tables, cut_version, schema_version

_made: Final[set[str]] = set()
"""The makes of which this process has made a read model."""

_empty: Final[dict[str, bytes]] = {}
"""By their make, empty read models as files."""


@contextmanager
def new_read_model(path: Path, *, is_cut: bool) -> Iterator[DuckDBPyConnection]:
    """A connection to it until the end of the block; errors as of `connect`."""
    make = cut_version() if is_cut else schema_version()
    if make in _made and make not in _empty:
        with closing(connect(path, NO_EXTENSIONS)) as connection:
            create_tables(connection, is_cut=is_cut)
            connection.execute("CHECKPOINT")
        _empty[make] = path.read_bytes()
    is_copied = make in _empty and _is_written(path, _empty[make])
    with closing(connect(path, NO_EXTENSIONS)) as connection:
        if not is_copied:
            create_tables(connection, is_cut=is_cut)
        _made.add(make)
        yield connection


def _is_written(path: Path, empty: bytes) -> bool:
    """Whether there was room for it: where there is none, DuckDB is to say so as always."""
    try:
        path.write_bytes(empty)
    except OSError:
        path.unlink(missing_ok=True)
        return False
    return True
