"""The sandbox in a tenth of the time: each query runs in a process forked from one that has opened DuckDB.

The forked process runs the same program and drops the same privileges; only Python is not started anew. How a query's
process is limited, started and killed is tested without this.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from select import select
from threading import Event, Lock
from typing import TypeAlias

import pytest

from ledger.history.sandbox import runner, worker

_LOADED = """if True:
    import json, os, sys
    from importlib.util import module_from_spec, spec_from_file_location
    program, sys.path[:] = json.loads(sys.stdin.readline())
    import duckdb
    spec = spec_from_file_location("worker", program)
    worker = module_from_spec(spec)
    spec.loader.exec_module(worker)
    opened = worker._database(threads=1, memory_bytes=10**9)  # without threads, which no fork would have
    def database(threads, memory_bytes):
        opened.execute(f"SET memory_limit = '{worker._duckdb_limit(memory_bytes)}'")
        opened.execute(f"SET threads = {threads}")
        return opened
    worker._database = database
    while folder := sys.stdin.readline().rstrip("\\n"):
        child = os.fork()
        if not child:
            never_written, devnull = os.pipe()[0], os.open(os.devnull, os.O_WRONLY)
            for number, stream in enumerate((never_written, devnull, devnull)):
                os.dup2(stream, number)
            os.chdir(folder)
            worker.main()
        print(child, flush=True)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""

Run: TypeAlias = Callable[[Path, runner.Bounds, Event | None], int]
"""Runs the process of a query in a folder, and returns its exit status."""


@contextmanager
def forking() -> Iterator[Run]:
    """Yield a function that runs one query at a time; it ignores `stop`."""
    words, turn = [sys.executable, "-I", "-S", "-X", "utf8", "-c", _LOADED], Lock()
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, env={}) as loaded:
        assert loaded.stdin and loaded.stdout
        import_path = [str(Path(entry).absolute()) for entry in sys.path]
        loaded.stdin.write(json.dumps([worker.__file__, import_path]).encode() + b"\n")

        def run(folder: Path, bounds: runner.Bounds, stop: Event | None) -> int:
            with turn:
                loaded.stdin.write(f"{folder}\n".encode())
                child = int(loaded.stdout.readline())
                if select([loaded.stdout], [], [], bounds.seconds)[0]:
                    return int(loaded.stdout.readline())
                os.kill(child, signal.SIGKILL)
                loaded.stdout.readline()
                return -signal.SIGALRM

        yield run
        loaded.stdin.close()


@pytest.fixture(scope="session")
def forked_answers() -> Iterator[Run]:
    """Return the function; its process starts with the first query."""
    with ExitStack() as opened:
        started: list[Run] = []
        starting = Lock()

        def run(folder: Path, bounds: runner.Bounds, stop: Event | None) -> int:
            with starting:
                if not started:
                    started.append(opened.enter_context(forking()))
            return started[0](folder, bounds, stop)

        yield run


@pytest.fixture(autouse=True, scope="module")
def quick_queries(forked_answers: Run) -> Iterator[None]:
    """Answer all queries so, in folders that import this."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runner, "_run", forked_answers)
        yield


@pytest.fixture
def quick_sandbox(forked_answers: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "_run", forked_answers)
