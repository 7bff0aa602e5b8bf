"""The manifest of a club in a lake: the files of its newest snapshot, and the entry of the ledger that they rest on.

A lake is a folder, or a place in an object store. Each ledger has a folder `club=<id>` of its own in it, so that a club
needs no right to write elsewhere. Snapshots have folders of their own and never change; the manifest names the current
one.
"""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec import Struct, json, structs

from ledger.errors import ConflictError, UnreadableError
from ledger.history.catalogue import phrase
from ledger.history.lake.storage import Storage
from ledger.history.model.schema import schema_version
from ledger.log.people import People

FILE: Final = "manifest.json"
"""File name of the manifest in the folder of a club."""

_CLUB: Final = "club="
"""The beginning of the name of a club's folder."""

_ATTEMPTS: Final = 10
"""How often another process may publish between reading the manifest and replacing it."""


class LakeFile(Struct, frozen=True, kw_only=True):
    """A Parquet file with rows of one table; `path`: relative to the folder of the club."""

    table: str
    path: str
    rows: int
    size_bytes: int


class LakeManifest(Struct, frozen=True, kw_only=True):
    """The current snapshot of a ledger in a lake.

    `club`: the name before those of its tables and players in a lake of several clubs.
    `position`, `digest`: the last entry of the ledger in it. `checkpoint`: the text of the checkpoint beside the
    ledger, if there is one. `read_model`: version of the tables. `package`: version of the program. `zone`: the time
    zone of days. `people`: display names, links and hidden players. `snapshot`: the folder of the files; `previous`:
    that of the snapshot before, which is kept for its readers.
    """

    ledger_id: str | None
    club: str
    position: int
    digest: str
    checkpoint: str | None
    read_model: str
    package: str
    zone: str
    people: People
    partitions: int
    snapshot: str
    previous: str | None
    files: list[LakeFile]

    @property
    def rows(self) -> int:
        """The number of rows of all tables."""
        return sum(file.rows for file in self.files)

    @property
    def size_bytes(self) -> int:
        """The size of all Parquet files."""
        return sum(file.size_bytes for file in self.files)


def club_folder(lake: Storage, ledger_id: str | None) -> Storage:
    """Return the folder of a ledger in a lake."""
    return lake.folder(f"{_CLUB}{ledger_id or 'unknown'}")


def publish(folder: Storage, manifest: LakeManifest) -> tuple[LakeManifest, LakeManifest | None]:
    """Replace the manifest of a club at once; return it, and the one before, whose snapshot readers may have open.

    Raise `ConflictError` if the lake has a later entry of the ledger meanwhile, or changes again and again.
    """
    for _ in range(_ATTEMPTS):
        stored, tag = _read(folder)
        if stored is not None and stored.position > manifest.position:
            raise ConflictError("changed", phrase("lake.is_newer", folder=folder.address, position=stored.position))
        manifest = structs.replace(manifest, previous=_previous(stored, manifest.snapshot))
        if folder.replace(FILE, json.format(json.encode(manifest), indent=2) + b"\n", tag):
            return manifest, stored
    raise ConflictError("busy", phrase("lake.keeps_changing", folder=folder.address))


def _previous(stored: LakeManifest | None, snapshot: str) -> str | None:
    """Return the snapshot that readers may still have open."""
    if stored is None:
        return None
    return stored.previous if stored.snapshot == snapshot else stored.snapshot


def _read(folder: Storage) -> tuple[LakeManifest | None, str | None]:
    """Return the manifest in the folder of a club with the tag of its version, None without one."""
    read = folder.read(FILE)
    return (None, None) if read is None else (_decoded(folder, read[0]), read[1])


def _decoded(folder: Storage, content: bytes) -> LakeManifest:
    """Return the manifest of a club. Raise `UnreadableError` for a damaged one."""
    try:
        return json.decode(content, type=LakeManifest)
    except msgspec.DecodeError as error:
        raise UnreadableError("damaged", phrase("lake.no_manifest", file=f"{folder.address}/{FILE}")) from error


def club_manifests(lake: Storage) -> list[tuple[Storage, LakeManifest]]:
    """Return the folder and the manifest of each club of a lake; `lake` may also be the folder of one club.

    Raise `UnreadableError` if there is none or if another version of the program wrote one, and `ConflictError` if two
    clubs have the same name.
    """
    own, _ = _read(lake)
    read = {} if own is not None else lake.read_in_folders(_CLUB, FILE)
    folders = [(lake.folder(name), content) for name, content in sorted(read.items())]
    clubs = [(folder, _decoded(folder, content)) for folder, content in folders] if own is None else [(lake, own)]
    if not clubs:
        raise UnreadableError("no_ledger", phrase("lake.missing", lake=lake.address))
    named: dict[str, str] = {}
    for folder, manifest in clubs:
        if manifest.read_model != schema_version():
            raise other_version(manifest.read_model)
        other = named.setdefault(manifest.club, folder.address)
        if other != folder.address:
            raise ConflictError(
                "exists", phrase("lake.same_club", text=manifest.club, folder=folder.address, other=other)
            )
    return clubs


def other_version(version: str) -> UnreadableError:
    """Return the error for a task or a lake of another version of the tables."""
    return UnreadableError("not_a_ledger", phrase("lake.other_version", other=version, own=schema_version()))
