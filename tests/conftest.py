"""The settings of all tests: Hypothesis profiles, external programs, slow tests."""

from __future__ import annotations

import atexit
import fcntl
import gc
import os
import shutil
import signal
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests.faults.strace import can_trace
from tests.postgres import PostgresServer, postgres_server
from tests.web.lists import lines_in

# Failures of the shared suites show the compared values.
pytest.register_assert_rewrite("tests.contracts")

# Background jobs of a shell ignore Ctrl-C, and so would the processes to which tests send it.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Tests compare English answers in any environment; tests of other languages set theirs.
os.environ["TRICKLEDGER_LANG"] = "en"
# Tests also compare times in UTC.
os.environ["TZ"] = "UTC"
os.environ.pop("TRICKLEDGER_TZ", None)
time.tzset()

# Hypothesis measures garbage collections by a callback that keeps modules alive beyond the end of the interpreter,
# including the types of DuckDB, which reports them as leaked.
atexit.register(gc.callbacks.clear)
atexit.register(gc.unfreeze)  # what `pytest_collection` froze

IN_CI = os.environ.get("CI", "").lower() in {"1", "true", "yes"}

# The time of an example depends on the machine's load: no deadline, no health check of speed. Each run tries the same
# examples, so that a failure repeats; `make soak` searches at random and prints how to repeat a failure.
FOR_ALL: dict[str, Any] = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("default", derandomize=True, max_examples=25, **FOR_ALL)
settings.register_profile("quick", derandomize=True, max_examples=15, **FOR_ALL)
settings.register_profile("soak", max_examples=1_000, print_blob=True, **FOR_ALL)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or "default")


@pytest.fixture(scope="session")
def ci_requires() -> Callable[..., str]:
    """Return the path of a program: `node = ci_requires("node")`. Without it the test is skipped, and fails in CI.

    Of several programs the first one found is used.
    """

    def path_of(*programs: str) -> str:
        path = next(filter(None, map(shutil.which, programs)), None)
        if path is not None:
            return path
        named = " or ".join(f"`{program}`" for program in programs)
        if IN_CI:
            pytest.fail(f"CI must have {named}: without it this test proves nothing", pytrace=False)
        pytest.skip(f"LEFT OUT: {named} is not installed")

    return path_of


@pytest.fixture(scope="session")
def tracing(ci_requires: Callable[[str], str]) -> str:
    """Return the path of `strace` if it may trace a process; otherwise act as `ci_requires`."""
    strace = ci_requires("strace")
    if not can_trace(strace):  # a container may forbid it
        forbidden = "LEFT OUT: `strace` may not trace a process here"
        pytest.fail(forbidden, pytrace=False) if IN_CI else pytest.skip(forbidden)
    return strace


@pytest.fixture(scope="session")
def postgres(ci_requires: Callable[..., str]) -> Iterator[PostgresServer]:
    """Return a PostgreSQL server. Nothing kills it, so it need not wait for the disk."""
    with postgres_server(ci_requires, fsync="off") as server:
        yield server


SLOW = lines_in(Path(__file__).with_name("slow.txt"))


@contextmanager
def _first_alone() -> Generator[None]:
    """Let the process that comes first compile tests and assertions before the others read them."""
    path = Path(__file__).parents[1] / "build" / "collecting.lock"
    path.parent.mkdir(exist_ok=True)
    with path.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            fcntl.flock(file, fcntl.LOCK_SH)
        yield


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Switch garbage collection off while tests are collected, freeze the tests, and collect less often afterwards.

    Saves 3 s a process, and a fortieth of each test.
    """
    gc.disable()
    try:
        with _first_alone():
            return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(10_000, 10, 10)
        gc.enable()


_BEGAN_AT = pytest.StashKey[float]()


def _processor_s() -> float:
    """Return the seconds of processor that this process and the children it waited for have used."""
    return sum(os.times()[:4])


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None]:
    item.stash[_BEGAN_AT] = _processor_s()
    return (yield)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None]:
    """Note the test's name and processor seconds in the JUnit report, which `tools.run_tests` reads."""
    try:
        return (yield)
    finally:
        used_s = _processor_s() - item.stash[_BEGAN_AT]
        item.user_properties += [("test", item.nodeid), ("processor_s", f"{used_s:.3f}")]


@cache
def _is_slow(path: Path) -> bool:
    name = path.relative_to(Path(__file__).parent).with_suffix("").as_posix()
    return any(name == slow or name.startswith(f"{slow}/") for slow in SLOW)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Skip reading slow files when they are left out anyway: reading takes as long as many a quick test."""
    leaves_out_slow = "not slow" in config.option.markexpr
    return True if leaves_out_slow and collection_path.suffix == ".py" and _is_slow(collection_path) else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark slow tests in one place, because a file does not know its time compared with the others."""
    for item in items:
        if _is_slow(item.path):
            item.add_marker(pytest.mark.slow)
