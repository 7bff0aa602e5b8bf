"""The example hand records, which come with the program."""

from __future__ import annotations

from pathlib import Path
from shutil import copyfile
from typing import Final

from msgspec import Struct

from ledger.errors import ConflictError, NotFoundError
from ledger.recording.catalogue import phrase

_POEM: Final = "ombre/rape-of-the-lock.toml"


class Examples(Struct, frozen=True, kw_only=True):
    """Answer of `examples`: the folder, and the hand records copied to it, as paths inside it."""

    folder: str
    files: tuple[str, ...]


def replays_folder() -> Path:
    """Return the folder of recorded games: next to the package in the project, inside it when installed."""
    package = Path(__file__).parent.parent
    for folder in (package.parent / "replays", package / "replays"):
        if (folder / _POEM).exists():
            return folder
    raise NotFoundError("not_installed", phrase("examples.missing", text=_POEM, package=package))


def examples(folder: str | Path = "examples") -> Examples:
    """Copy the example hand records into a new or empty folder: a folder for each game, and others for evenings.

    Raise `ConflictError` if the folder contains anything, `OSError` if it cannot be written or is a file.
    """
    source, target = replays_folder(), Path(folder)
    if target.is_dir() and any(target.iterdir()):
        raise ConflictError("exists", phrase("examples.in_use", file=target))
    files = sorted(path.relative_to(source) for path in source.glob("*/*.toml"))
    for file in files:
        (target / file).parent.mkdir(parents=True, exist_ok=True)
        copyfile(source / file, target / file)
    return Examples(folder=str(target), files=tuple(map(str, files)))
