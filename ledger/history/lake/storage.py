"""Where a lake is: a local folder, or the address of an object store, e.g. `s3://bucket/lake`, which fsspec opens.

A file appears complete or not at all: in a folder by a rename, in an object store by its PUT. Credentials come from the
environment and from the files of the store's own tools; addresses that contain some are rejected.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, Protocol, TypeAlias
from urllib.parse import unquote, urlsplit
from uuid import uuid4

from ledger.errors import MalformedError, UnreadableError, UsageError
from ledger.extras import module_of_extra
from ledger.history.catalogue import phrase
from ledger.i18n.library_errors import localised
from ledger.log.paths import cache_folder

Progress: TypeAlias = Callable[[int, int], None]
"""Receives how much is done, and the total."""

_ADDRESS: Final = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]+)://(.*)", re.DOTALL)
_SECRET: Final = re.compile(r"(?<=//)[^/@\s\"]*@")

_FETCHED_AT_ONCE: Final = 64

_NOT_MET: Final = ("PreconditionFailed", "ConditionalRequestConflict")
"""The answers of S3 to a write whose condition does not hold."""


class Storage(Protocol):
    """A folder with the files of a lake. `address`: its absolute path or its address.

    All methods raise `UnreadableError` if the store does not answer or refuses access, local ones `OSError`.
    """

    @property
    def address(self) -> str: ...

    def folder(self, name: str) -> Storage:
        """Return a folder in this one."""

    def read(self, name: str) -> tuple[bytes, str | None] | None:
        """Return the content of a file, and the tag of its version if the store has tags; None if it is missing."""

    def read_in_folders(self, prefix: str, name: str) -> Mapping[str, bytes]:
        """Return the contents of all files `name` in the folders that begin with `prefix`, by folder."""

    def draft(self, name: str) -> AbstractContextManager[Path]:
        """Yield the path of a draft; what was written there becomes the file at the end, without an exception."""

    def replace(self, name: str, content: bytes, tag: str | None) -> bool:
        """Write a file; return False if the store notices that its version is no longer `tag`."""

    def remove(self, name: str) -> None:
        """Remove a folder, if that is possible."""

    def local_copy(self, files: Mapping[str, int], needed: Iterable[str], progress: Progress) -> Path:
        """Return a local folder that has these files of these sizes; folders beside those `needed` are removed from it.

        Missing files are left out.
        """

    def keep_copies(self, folders: Collection[Path]) -> None:
        """Remove all local copies of clubs of this lake but these: the others are of clubs that left it."""


def storage_at(address: str | Path) -> Storage:
    """Return the storage at a path or an address; a `Path` is always a local folder.

    Raise `MalformedError` for an address with credentials, `MissingExtraError` without the package for S3, and
    `UsageError` without the one for another store.
    """
    if isinstance(address, Path) or (match := _ADDRESS.fullmatch(address)) is None:
        return LocalFolder(Path(address).absolute())
    scheme, rest = match.groups()
    if re.search(r"@|\?", rest.partition("/")[0]):
        raise MalformedError(phrase("lake.password"), "lake", "", phrase("lake.no_password"))
    if scheme == "file":
        return LocalFolder(Path(unquote(urlsplit(address).path)))
    if scheme in ("s3", "s3a"):
        module_of_extra("s3", "s3fs")
    fsspec = module_of_extra("s3", "fsspec")
    try:
        files, root = fsspec.url_to_fs(address)
    except (ImportError, ValueError) as error:
        raise UsageError("usage", phrase("lake.no_store", address=address, why=str(error))) from error
    return ObjectStore(files, root.rstrip("/"), f"{scheme}://")


class LocalFolder(Storage):
    """A folder of this machine, or of a shared file system."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @property
    def address(self) -> str:
        return str(self._path)

    def folder(self, name: str) -> LocalFolder:
        return LocalFolder(self._path / name)

    def read(self, name: str) -> tuple[bytes, str | None] | None:
        try:
            return (self._path / name).read_bytes(), None
        except FileNotFoundError:
            return None

    def read_in_folders(self, prefix: str, name: str) -> Mapping[str, bytes]:
        return {path.parent.name: path.read_bytes() for path in self._path.glob(f"{prefix}*/{name}")}

    @contextmanager
    def draft(self, name: str) -> Iterator[Path]:
        path = self._path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(f".{path.name}.{uuid4().hex}.new")
        try:
            yield draft
            if draft.exists():
                draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)

    def replace(self, name: str, content: bytes, tag: str | None) -> bool:
        with self.draft(name) as draft, draft.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        return True

    def remove(self, name: str) -> None:
        shutil.rmtree(self._path / name, ignore_errors=True)

    def local_copy(self, files: Mapping[str, int], needed: Iterable[str], progress: Progress) -> Path:
        return self._path

    def keep_copies(self, folders: Collection[Path]) -> None:
        pass


class ObjectStore(Storage):
    """A folder of a file system of fsspec. `root`: its path there; `scheme`: what precedes the path in its address."""

    def __init__(self, files: Any, root: str, scheme: str) -> None:
        self._files = files
        self._root = root
        self._scheme = scheme

    @property
    def address(self) -> str:
        return f"{self._scheme}{self._root.lstrip('/')}"

    def folder(self, name: str) -> ObjectStore:
        return ObjectStore(self._files, f"{self._root}/{name}", self._scheme)

    def read(self, name: str) -> tuple[bytes, str | None] | None:
        path = f"{self._root}/{name}"
        with self._answering():
            try:
                self._files.invalidate_cache()
                tag = self._files.info(path).get("ETag")  # before the content: a newer one then fails the condition
                return self._files.cat_file(path), tag
            except FileNotFoundError:
                return None

    def read_in_folders(self, prefix: str, name: str) -> Mapping[str, bytes]:
        with self._answering():
            self._files.invalidate_cache()
            try:
                folders = [path.rstrip("/").rpartition("/")[2] for path in self._files.ls(self._root, detail=False)]
            except FileNotFoundError:
                return {}
            paths = {f"{self._root}/{folder}/{name}": folder for folder in folders if folder.startswith(prefix)}
            contents = self._files.cat(list(paths), on_error="return") if paths else {}
            for content in contents.values():
                if isinstance(content, Exception) and not isinstance(content, FileNotFoundError):
                    raise content
            return {paths[path]: content for path, content in contents.items() if isinstance(content, bytes)}

    @contextmanager
    def draft(self, name: str) -> Iterator[Path]:
        with TemporaryDirectory(prefix="trickledger-") as work:
            draft = Path(work, "draft")
            yield draft
            if draft.exists():
                with self._answering():
                    self._files.put_file(str(draft), f"{self._root}/{name}")

    def replace(self, name: str, content: bytes, tag: str | None) -> bool:
        path, condition = f"{self._root}/{name}", {"IfNoneMatch": "*"} if tag is None else {"IfMatch": tag}
        with self._answering():
            try:
                self._files.pipe_file(path, content, **(condition if "s3" in self._files.protocol else {}))
            except OSError as error:
                code = getattr(error.__cause__, "response", {}).get("Error", {}).get("Code")
                if code in _NOT_MET:
                    return False
                if code != "NotImplemented":  # otherwise a store without conditional writes
                    raise
                self._files.pipe_file(path, content)
        return True

    def remove(self, name: str) -> None:
        with self._answering():
            self._files.invalidate_cache()
            if self._files.exists(f"{self._root}/{name}"):
                self._files.rm(f"{self._root}/{name}", recursive=True)

    def local_copy(self, files: Mapping[str, int], needed: Iterable[str], progress: Progress) -> Path:
        club = self._root.rpartition("/")[2]
        lake = self._root.removesuffix(club)
        own, mark = cache_folder(), sha256(f"{self._scheme}{lake}".encode()).hexdigest()[:16]
        folder = own / "lakes" / mark / club
        try:
            own, folder = own.expanduser(), folder.expanduser()
            own.mkdir(mode=0o700, parents=True, exist_ok=True)  # other users may not read it
            folder.mkdir(parents=True, exist_ok=True)
            self._fetch(folder, [name for name, size in files.items() if size_of(folder / name) != size], progress)
            for other in folder.iterdir():
                if other.name not in needed:
                    shutil.rmtree(other, ignore_errors=True)
        except (OSError, RuntimeError) as error:  # RuntimeError: the user has no home folder
            why = localised(getattr(error, "strerror", error))
            raise UnreadableError("disk", phrase("lake.no_copy", folder=folder, why=why)) from error
        return folder

    def keep_copies(self, folders: Collection[Path]) -> None:
        for other in {other for folder in folders for other in folder.parent.iterdir()}.difference(folders):
            shutil.rmtree(other, ignore_errors=True)

    def _fetch(self, folder: Path, names: list[str], progress: Progress) -> None:
        """Download files, each under a temporary name first: another process may read or download them, too."""
        for begin in range(0, len(names), _FETCHED_AT_ONCE):
            progress(begin, len(names))
            drafts = {name: folder / f"{name}.{uuid4().hex}.new" for name in names[begin : begin + _FETCHED_AT_ONCE]}
            for draft in drafts.values():
                draft.parent.mkdir(parents=True, exist_ok=True)
            try:
                with self._answering():
                    try:
                        self._files.get([f"{self._root}/{name}" for name in drafts], list(map(str, drafts.values())))
                    except FileNotFoundError as error:
                        raise UnreadableError("damaged", phrase("lake.damaged", file=self.address)) from error
                for name, draft in drafts.items():
                    draft.replace(folder / name)
            finally:
                for draft in drafts.values():
                    draft.unlink(missing_ok=True)
        if names:
            progress(len(names), len(names))

    @contextmanager
    def _answering(self) -> Iterator[None]:
        """Raise `UnreadableError` for the errors of the store, which every package has of its own."""
        try:
            yield
        except UnreadableError:
            raise
        except Exception as error:
            why = _SECRET.sub("", str(error).partition("\n")[0])
            said = phrase("lake.store_refuses", address=self.address, why=why)
            if isinstance(error, PermissionError):
                raise UnreadableError("forbidden", said) from error
            raise UnreadableError("unreachable", said) from error


def size_of(path: Path) -> int:
    """Return the size of a file, -1 if it is missing."""
    try:
        return path.stat().st_size
    except OSError:
        return -1
