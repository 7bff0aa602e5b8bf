"""A lake as a read model: the same tables, views and functions over its Parquet files, for statistics and SQL."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from hashlib import sha256
from itertools import accumulate
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import duckdb
from duckdb import DuckDBPyConnection
from msgspec import Struct, structs

from ledger.errors import NotFoundError, UnreadableError, listed
from ledger.history.catalogue import phrase
from ledger.history.lake.links import read_links, unknown_spelling
from ledger.history.lake.manifest import LakeManifest, club_manifests
from ledger.history.lake.partitions import partitioned_tables
from ledger.history.lake.storage import Progress, Storage, size_of, storage_at
from ledger.history.model.database import NO_EXTENSIONS, translating_errors
from ledger.history.model.projector import no_progress
from ledger.history.model.schema import HistoryHead, Meta, create_tables, write_meta
from ledger.history.questions.history import History
from ledger.history.sandbox.worker import allow_only
from ledger.log.people import People
from ledger.names import hint

_CATALOGUE: Final = "lake.duckdb"


@contextmanager
def open_lake(lake: str | Path, progress: Progress | None = None) -> Iterator[History]:
    """Open the newest snapshots of all clubs in a lake; yield them for queries, which can read its files and no others.

    `lake`: a folder or an address. The files of an object store are downloaded first, unless they were before: queries
    run in a process without network and credentials.

    With several clubs, each name of a table, session or player begins with that of its club, e.g. `kent/Ann`, and
    positions count on from one club to the next. Raise `UnreadableError` if there is no lake, if another version of the
    program wrote it, or if a file is missing or has another size than the manifest names, and `ConflictError` if two
    clubs have the same name.
    """
    storage = storage_at(lake)
    clubs = [club.copied(progress or no_progress) for club in _clubs(lake)]
    if clubs[0].folder.address != storage.address:  # which is not that of one club
        storage.keep_copies({club.copy for club in clubs})
    files = [file for club in clubs for file in club.checked_files()]
    with TemporaryDirectory(prefix="trickledger-") as temporary, translating_errors(Path(lake)):
        path = Path(temporary, _CATALOGUE)
        meta = _meta(clubs)
        with closing(duckdb.connect(path, config=dict(NO_EXTENSIONS))) as connection:
            _write_files(connection, clubs)
            _check_links(connection, storage, clubs)
            tables = partitioned_tables().items()
            create_tables(connection, views={table: _view(clubs, table, types) for table, types in tables})
            write_meta(connection, meta)
        with closing(duckdb.connect(path, read_only=True, config=dict(NO_EXTENSIONS))) as connection:
            allow_only(connection, files)
            yield History(connection, path, meta.head, files=files)


def people_of_lake(lake: str | Path) -> People:
    """Return the display names, links and hidden players in a lake. Raise as `open_lake`."""
    return _people(_clubs(lake))


def club_of_lake(lake: str | Path, club: str) -> str:
    """Return the address of the folder of one club. Raise `NotFoundError` if none has this name, and as `open_lake`."""
    clubs = {one.manifest.club: one.folder.address for one in _clubs(lake)}
    if club not in clubs:
        known = phrase("there_is", names=listed(list(clubs)))
        raise NotFoundError("not_found", phrase("lake.no_club", text=club, hint=hint(club, clubs, known)))
    return clubs[club]


class _Club(Struct, frozen=True):
    """A club of a lake. `prefix`: of its names, empty if it is alone. `before`: positions of the clubs before it.
    `persons`: by player, without the prefix, the person whom the lake links. `copy`: the local folder with its files.
    """

    folder: Storage
    manifest: LakeManifest
    prefix: str
    before: int
    persons: Mapping[str, str] = {}
    copy: Path = Path()

    def copied(self, progress: Progress) -> _Club:
        """Return the club with a local folder that has its files."""
        sizes = {file.path: file.size_bytes for file in self.manifest.files}
        needed = {self.manifest.snapshot, self.manifest.previous or ""}
        return structs.replace(self, copy=self.folder.local_copy(sizes, needed, progress))

    def checked_files(self) -> Iterator[str]:
        """Yield the paths of all files; raise `UnreadableError` unless each has the size that the manifest names."""
        for file in self.manifest.files:
            path = self.copy / file.path
            if size_of(path) != file.size_bytes:
                raise UnreadableError("damaged", phrase("lake.damaged", file=f"{self.folder.address}/{file.path}"))
            yield str(path)

    def paths(self, table: str | None = None) -> Iterator[str]:
        """Yield the paths of the files of one table, or of all; a table without rows has no file."""
        return (str(self.copy / file.path) for file in self.manifest.files if table in (None, file.table))


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _clubs(lake: str | Path) -> list[_Club]:
    """Return the clubs of a lake by name."""
    storage = storage_at(lake)
    manifests = sorted(club_manifests(storage), key=lambda one: one[1].club)
    links = read_links(storage) if len(manifests) > 1 else {}
    if strangers := {
        spelling for spelling in links if spelling.partition("/")[0] not in {m.club for _, m in manifests}
    }:
        raise unknown_spelling(storage, min(strangers))
    ends = [0, *accumulate(manifest.position for _, manifest in manifests)]
    return [
        _Club(
            folder,
            manifest,
            f"{manifest.club}/" if len(manifests) > 1 else "",
            before,
            {
                manifest.people.person(spelling.removeprefix(f"{manifest.club}/")): person
                for spelling, person in links.items()
                if spelling.startswith(f"{manifest.club}/")
            },
        )
        for (folder, manifest), before in zip(manifests, ends, strict=False)
    ]


def _people(clubs: Sequence[_Club]) -> People:
    """Return the people of all clubs, under the names that the lake has for them."""
    names: dict[str, str] = {}
    links: dict[str, str] = {}
    hidden: list[str] = []
    for club in clubs:
        prefix, people = club.prefix, club.manifest.people
        names |= {prefix + player: prefix + shown for player, shown in people.names.items()}
        links |= {prefix + spelling: prefix + player for spelling, player in people.links.items()}
        hidden += [prefix + player for player in people.hidden]
        names |= {person: person for person in club.persons.values()}
        links |= {prefix + player: person for player, person in club.persons.items()}
    return People(names, links, frozenset(hidden))


def _meta(clubs: Sequence[_Club]) -> Meta:
    """Return the metadata of the lake: those of its club, or the last position and a digest of the digests of all."""
    first, persons = clubs[0].manifest, _people(clubs).persons()
    if len(clubs) == 1:
        head = HistoryHead(first.position, first.digest)
        return Meta(first.read_model, first.ledger_id, head, None, persons, first.zone)
    position = sum(club.manifest.position for club in clubs)
    digest = sha256("".join(club.manifest.digest for club in clubs).encode()).hexdigest()
    zones = ", ".join(sorted({club.manifest.zone for club in clubs}))
    return Meta(first.read_model, None, HistoryHead(position, digest), None, persons, zones)


def _write_files(connection: DuckDBPyConnection, clubs: Sequence[_Club]) -> None:
    """Write, by file, the prefix and the first position of its club, for the views of a lake of several clubs."""
    connection.execute("CREATE SCHEMA clubs")
    connection.execute(
        "CREATE TABLE clubs.files (filename VARCHAR, prefix VARCHAR, before BIGINT, persons MAP(VARCHAR, VARCHAR))"
    )
    rows = [
        (path, club.prefix, club.before, list(club.persons), list(club.persons.values()))
        for club in clubs
        for path in club.paths()
    ]
    columns = [list(values) for values in zip(*rows, strict=True)] or [[], [], [], [], []]
    connection.execute(
        "INSERT INTO clubs.files SELECT filename, prefix, before, map(linked, persons) FROM (SELECT"
        " unnest($1) AS filename, unnest($2) AS prefix, unnest($3) AS before,"
        " unnest($4::VARCHAR[][]) AS linked, unnest($5::VARCHAR[][]) AS persons)",
        columns,
    )


def _check_links(connection: DuckDBPyConnection, lake: Storage, clubs: Sequence[_Club]) -> None:
    """Raise `MalformedError` for a linked player who sat at no table of the club."""
    linked = {club.prefix + player for club in clubs for player in club.persons}
    if not linked:
        return
    files = _files_of(clubs, "seats")
    players = connection.execute(f"SELECT DISTINCT prefix || player FROM {files} JOIN clubs.files USING (filename)")
    if strangers := linked.difference(player for (player,) in players.fetchall()):
        raise unknown_spelling(lake, min(strangers))


def _files_of(clubs: Sequence[_Club], table: str) -> str:
    """Return the SQL of the rows of a table, which has some; with several clubs, each with the name of its file."""
    paths = ", ".join(_quoted(path) for club in clubs for path in club.paths(table))
    return f"read_parquet([{paths}], hive_partitioning = false, filename = {len(clubs) > 1})"


def _view(clubs: Sequence[_Club], table: str, types: Mapping[str, str]) -> str:
    """Return the query of a table over all clubs.

    One scan reads all its files: a scan for each of a hundred clubs would take seconds to plan, in every query.
    """
    if not any(
        file.table == table for club in clubs for file in club.manifest.files
    ):  # a table without rows has no file
        return f"SELECT {', '.join(f'NULL::{kind} AS {name}' for name, kind in types.items())} WHERE false"
    several, linked = len(clubs) > 1, any(club.persons for club in clubs)
    columns = ", ".join(
        f"{_column(name, kind, several=several, linked=linked)} AS {name}" for name, kind in types.items()
    )
    return f"SELECT {columns} FROM {_files_of(clubs, table)}" + (
        " JOIN clubs.files USING (filename)" if several else ""
    )


def _column(name: str, kind: str, *, several: bool, linked: bool) -> str:
    """Return the SQL of a column with its type; of several clubs, its names and positions are those of the lake."""
    if kind == "JSON":
        return f"{name}::JSON"
    if several and name.endswith("_position"):
        return f"{name} + files.before"
    if several and name == "stream":
        return "left(stream, strpos(stream, '/')) || files.prefix || substr(stream, strpos(stream, '/') + 1)"
    if several and (name in ("table_name", "session") or "player" in name):
        own = "files.prefix || {0}"
        if linked and "player" in name:
            own = "coalesce(map_extract_value(files.persons, {0}), files.prefix || {0})"
        if kind == "VARCHAR":
            return own.format(name)
        return f"list_transform({name}, lambda one: {own.format('one')})"
    return name
