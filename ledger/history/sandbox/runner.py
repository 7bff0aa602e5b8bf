"""Execution of users' SQL in a separate process, which can read the read model and nothing else.

DuckDB's own limits are not enough: lists of `range`, padding and edit distances of giant strings exceed its memory
limit and ignore its interrupt. So the system limits the process (`worker`), and this one kills it when time is up.
"""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from os import environ
from pathlib import Path
from threading import Event, current_thread, main_thread
from time import monotonic
from typing import Any, BinaryIO, Final, TypeAlias

from msgspec import Struct

from ledger import limits
from ledger.errors import QueryError
from ledger.history.catalogue import phrase
from ledger.history.model.database import unusable
from ledger.history.model.parallel import usable_cores
from ledger.history.sandbox import worker

_THREADS_AT_MOST: Final = 4
_OUT_OF_TIME: Final = (signal.SIGXCPU, signal.SIGALRM)
_POLL_S: Final = 0.1

RawAnswer: TypeAlias = tuple[list[str], list[str], list[tuple[Any, ...]]]
"""Names of columns, their types, and the rows with values as JSON has them."""


class Bounds(Struct, frozen=True, kw_only=True):
    """The limits of a query: seconds from start to end, and rows of its answer."""

    seconds: float = limits.QUERY_SECONDS
    rows: int = limits.QUERY_ROWS


DEFAULT_BOUNDS: Final = Bounds()


class Source(Struct, frozen=True):
    """The read model that a query reads, and the files that its views read."""

    path: Path
    files: Sequence[str] = ()


def run_query(source: Source, sql: str, bounds: Bounds, stop: Event | None = None) -> RawAnswer:
    """Return the answer to a query. Raise `QueryError` without one within the bounds, or before `stop` is set."""
    with (
        _run_query(source, sql, bounds, stop, is_parquet=False) as folder,
        (folder / worker.ANSWER).open("rb") as answer,
    ):
        columns, types = json.loads(answer.readline())
        return columns, types, [tuple(json.loads(line)) for line in answer]


def run_query_to_parquet(source: Source, sql: str, bounds: Bounds, file: BinaryIO, stop: Event | None = None) -> None:
    """Write the answer to a query as a Parquet file. Raise the errors of `run_query`."""
    with (
        _run_query(source, sql, bounds, stop, is_parquet=True) as folder,
        (folder / worker.PARQUET).open("rb") as answer,
    ):
        shutil.copyfileobj(answer, file)


@contextmanager
def _run_query(source: Source, sql: str, bounds: Bounds, stop: Event | None, *, is_parquet: bool) -> Iterator[Path]:
    """Yield the folder with the answer; remove it afterwards."""
    if len(sql) > limits.QUERY_CHARS:
        raise QueryError(phrase("query.too_long", size=len(sql), limit=limits.QUERY_CHARS))
    if any("\ud800" <= sign <= "\udfff" for sign in sql):
        raise QueryError(phrase("query.not_utf8", sql=_excerpt(sql)))
    request = {
        "import_path": [str(Path(entry).absolute()) for entry in sys.path],
        "read_model": str(source.path.absolute()),
        "files": list(source.files),
        "sql": sql,
        "seconds": bounds.seconds,
        "max_rows": bounds.rows,
        "memory_bytes": limits.QUERY_MEMORY_BYTES,
        "answer_bytes": limits.QUERY_FILE_BYTES if is_parquet else limits.QUERY_ANSWER_BYTES,
        "is_parquet": is_parquet,
        "threads": min(usable_cores(), _THREADS_AT_MOST),
    }
    with _folder(sql, bounds) as folder:
        try:
            (folder / worker.REQUEST).write_text(json.dumps(request))
        except OSError as error:
            raise _error("disk", "", sql, bounds) from error
        status = _run(folder, bounds, stop)
        if status == worker.NO_ROOM:
            raise _error("disk", "", sql, bounds)
        if (folder / worker.REFUSAL).exists():
            kind, words = json.loads((folder / worker.REFUSAL).read_bytes())
            if kind == "damaged":
                raise unusable(source.path, words)
            raise _error(kind, words, sql, bounds)
        if status > 0:
            raise _error("broken", str(status), sql, bounds)
        if status:
            raise _error("time" if -status in _OUT_OF_TIME else "memory", "", sql, bounds)
        yield folder


@contextmanager
def _folder(sql: str, bounds: Bounds) -> Iterator[Path]:
    """Yield a new folder for temporary files; remove it at the end. Raise `QueryError` if none can be made."""
    try:
        made = tempfile.TemporaryDirectory(prefix="trickledger-", ignore_cleanup_errors=True)
    except OSError as error:
        raise _error("disk", "", sql, bounds) from error
    with made as name:
        yield Path(name)


def _run(folder: Path, bounds: Bounds, stop: Event | None) -> int:
    """Run the sandbox; return its exit status, negative for the signal that ended it."""
    process: subprocess.Popen[bytes] | None = None
    try:
        with _deferred_interrupt():  # until it has started, there is no process to kill below
            process = subprocess.Popen(
                [sys.executable, "-I", "-S", "-X", "utf8", worker.__file__],
                cwd=folder,
                env={
                    name: environ[name] for name in ("LD_LIBRARY_PATH",) if name in environ
                },  # no secrets from this environment
                stdin=subprocess.PIPE,  # never written to: it closes when this process ends
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C reaches only this process, which kills it below
            )
        return process.wait(bounds.seconds) if stop is None else _wait_until_stopped(process, bounds.seconds, stop)
    except subprocess.TimeoutExpired:
        return -signal.SIGALRM
    finally:
        if process is not None:
            process.kill()
            process.wait()
            assert process.stdin is not None
            process.stdin.close()


def _wait_until_stopped(process: subprocess.Popen[bytes], seconds: float, stop: Event) -> int:
    """Wait for the process like `Popen.wait`, but only until `stop` is set."""
    end = monotonic() + seconds
    while not stop.is_set() and (left_s := end - monotonic()) > 0:
        with suppress(subprocess.TimeoutExpired):
            return process.wait(min(left_s, _POLL_S))
    return -signal.SIGALRM


@contextmanager
def _deferred_interrupt() -> Iterator[None]:
    """Defer Ctrl-C to the end of the block. Only the main thread is ever interrupted."""
    if current_thread() is not main_thread():
        yield
        return
    interrupted = []
    handler = signal.signal(signal.SIGINT, lambda *caught: interrupted.append(caught))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
    if interrupted:
        raise KeyboardInterrupt


def _error(kind: str, words: str, sql: str, bounds: Bounds) -> QueryError:
    """Return the error for a query without an answer, with advice."""
    values: Mapping[str, Mapping[str, object]] = {
        "memory": {"limit": limits.QUERY_MEMORY_BYTES, "gigabytes": limits.QUERY_MEMORY_BYTES / 1e9},
        "size": {"limit": limits.QUERY_ANSWER_BYTES, "megabytes": limits.QUERY_ANSWER_BYTES / 1e6},
        "rows": {"limit": bounds.rows},
        "time": {"seconds": bounds.seconds},
        "disk": {"folder": _temporary()},
    }
    key = f"query.{kind.replace(' ', '_')}"
    return QueryError(phrase(key, words=words, sql=_excerpt(sql), **values.get(kind, {})))


def _temporary() -> str:
    """Return the folder of temporary files, even if it does not exist."""
    try:
        return tempfile.gettempdir()
    except OSError:
        return environ.get("TMPDIR", "/tmp")


def _excerpt(sql: str) -> str:
    """Return the beginning of the query."""
    line = " ".join(sql.split())
    return repr(line if len(line) <= 80 else f"{line[:79]}…")
