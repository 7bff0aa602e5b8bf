"""The manifest of a club in a lake: the files of its newest snapshot, and the entry of the ledger that they rest on.

A lake is a folder. Each ledger has a folder `club=<id>` of its own in it, so that a club needs no right to write
elsewhere. Snapshots have folders of their own and never change; the manifest names the current one.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final
from uuid import uuid4

import msgspec
from msgspec import Struct, json

from ledger.errors import ConflictError, UnreadableError
from ledger.history.catalogue import phrase
from ledger.history.model.schema import schema_version
from ledger.log.people import People

FILE: Final = "manifest.json"
"""File name of the manifest in the folder of a club."""


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


def club_folder(lake: Path, ledger_id: str | None) -> Path:
    """Return the folder of a ledger in a lake."""
    return lake / f"club={ledger_id or 'unknown'}"


def read_manifest(folder: Path) -> LakeManifest | None:
    """Return the manifest in the folder of a club, None without one. Raise `UnreadableError` for a damaged one."""
    try:
        return json.decode((folder / FILE).read_bytes(), type=LakeManifest)
    except FileNotFoundError:
        return None
    except msgspec.DecodeError as error:
        raise UnreadableError("damaged", phrase("lake.no_manifest", file=folder / FILE)) from error


def publish(folder: Path, manifest: LakeManifest) -> None:
    """Replace the manifest of a club at once, by a rename.

    Raise `ConflictError` if the lake has a later entry of the ledger meanwhile.
    """
    stored = read_manifest(folder)
    if stored is not None and stored.position > manifest.position:
        raise ConflictError("changed", phrase("lake.is_newer", folder=folder, position=stored.position))
    write_whole(folder / FILE, json.format(json.encode(manifest), indent=2) + b"\n")


def write_whole(path: Path, content: bytes) -> None:
    """Write a file that appears complete or not at all."""
    draft = path.with_name(f".{path.name}.{uuid4().hex}.new")
    try:
        with draft.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def club_manifests(lake: Path) -> list[tuple[Path, LakeManifest]]:
    """Return the folder and the manifest of each club of a lake; `lake` may also be the folder of one club.

    Raise `UnreadableError` if there is none or if another version of the program wrote one, and `ConflictError` if two
    clubs have the same name.
    """
    folders = [lake] if (lake / FILE).exists() else sorted(path.parent for path in lake.glob(f"club=*/{FILE}"))
    clubs = [(folder, manifest) for folder in folders if (manifest := read_manifest(folder)) is not None]
    if not clubs:
        raise UnreadableError("no_ledger", phrase("lake.missing", lake=lake))
    named: dict[str, Path] = {}
    for folder, manifest in clubs:
        if manifest.read_model != schema_version():
            raise other_version(manifest.read_model)
        other = named.setdefault(manifest.club, folder)
        if other != folder:
            raise ConflictError("exists", phrase("lake.same_club", text=manifest.club, folder=folder, other=other))
    return clubs


def other_version(version: str) -> UnreadableError:
    """Return the error for a task or a lake of another version of the tables."""
    return UnreadableError("not_a_ledger", phrase("lake.other_version", other=version, own=schema_version()))
