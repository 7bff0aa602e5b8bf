"""Every system call that an operation makes in the ledger's folder fails once: nothing is lost, and it is said well."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from itertools import product
from pathlib import Path
from typing import TypeAlias

import pytest

from ledger.log import SqliteStore
from tests.faults.operations import BATCH_SIZES, LEDGER, OPERATIONS, WITH_LONG_WRITES, Append, Operation, make_template
from tests.faults.strace import Call, Ended, Fault, Runner, faults_of

Point: TypeAlias = tuple[Call, Fault]

TRIES = 3
"""A call of a thread of DuckDB's may be another thread's the next time, and is then tried again."""


@pytest.fixture(scope="module")
def runner(tracing: str) -> Iterator[Runner]:
    with Runner(tracing) as runner:
        yield runner


@pytest.fixture(scope="module", params=OPERATIONS, ids=lambda kind: kind.name)
def operation(request: pytest.FixtureRequest, runner: Runner, tmp_path_factory: pytest.TempPathFactory) -> Operation:
    return request.param(runner, make_template(runner, tmp_path_factory.mktemp("faults") / "template"))


@pytest.fixture(scope="module", params=WITH_LONG_WRITES, ids=lambda kind: kind.name)
def writing(request: pytest.FixtureRequest, runner: Runner, tmp_path_factory: pytest.TempPathFactory) -> Operation:
    return request.param(runner, make_template(runner, tmp_path_factory.mktemp("faults") / "template"))


def points_of(operation: Operation, folder: Path) -> list[Point]:
    """Each call with each fault that it can have."""
    operation.prepare(folder)
    return [(call, fault) for call in operation.runner.calls(operation.name, folder) for fault in faults_of(call)]


def try_points(operation: Operation, points: Sequence[Point], folder: Path) -> int:
    """How many of these faults happened; after each, what the operation promises is checked."""
    return sum(try_point(operation, call, fault, folder / str(number)) for number, (call, fault) in enumerate(points))


def try_point(operation: Operation, call: Call, fault: Fault, folder: Path) -> bool:
    for attempt in range(TRIES):
        place = folder.with_name(f"{folder.name}-{attempt}")
        operation.prepare(place)
        ended = operation.runner.run_with_fault(operation.name, place, call, fault)
        check(operation, place, ended, f"{fault.name} at {call.name} number {call.number} of {call.file}, {call.told}")
        if ended.is_hit:
            return True
    return False


def check(operation: Operation, folder: Path, ended: Ended, what: str) -> None:
    try:
        operation.check_all(folder, ended)
    except Exception as error:
        error.add_note(f"{operation.name}: {what}; it ended so: {ended}")
        raise


def limits_of(operation: Operation, folder: Path) -> list[int]:
    """Sizes of files that cut a write of the operation in its middle, and leave room for what it says to a file."""
    operation.prepare(folder)
    middles = {call.middle_of_write for call in operation.runner.calls(operation.name, folder)}
    limits = sorted(middle for middle in middles if middle is not None and middle > 1_000)
    assert limits, "the operation writes nothing that could be cut short"
    return limits


def try_limits(operation: Operation, limits: Sequence[int], folder: Path) -> None:
    """With and without somebody who reads the ledger meanwhile: without, the index of the write-ahead log is new and
    already too large, and the log itself is never reached.
    """
    for limit, is_read in product(limits, (False, True)):
        place = folder / f"{limit}-{is_read}"
        operation.prepare(place)
        with reader(place / LEDGER) if is_read else nullcontext():
            ended = operation.runner.run(operation.name, place, file_bytes_max=limit)
        check(operation, place, ended, f"no file may be larger than {limit} bytes")


@contextmanager
def reader(ledger: Path) -> Iterator[None]:
    if not ledger.exists():
        yield
        return
    with SqliteStore.open(ledger) as store:
        store.head()
        yield


def test_a_sample_of_failing_calls(operation: Operation, tmp_path: Path) -> None:
    points = points_of(operation, tmp_path / "clean")
    assert try_points(operation, random.Random(operation.name).sample(points, 4), tmp_path) >= 3


def test_an_acknowledgement_follows_the_sync_of_what_was_written(runner: Runner, tmp_path: Path) -> None:
    operation = Append(runner, make_template(runner, tmp_path / "template"))
    operation.prepare(tmp_path / "club")
    assert runner.said_after_sync(operation.name, tmp_path / "club", f"{LEDGER}-wal") == [True] * len(BATCH_SIZES)


def test_a_sample_of_writes_cut_short(writing: Operation, tmp_path: Path) -> None:
    limits = limits_of(writing, tmp_path / "clean")
    try_limits(writing, random.Random(writing.name).sample(limits, min(2, len(limits))), tmp_path)


@pytest.mark.soak
def test_every_failing_call(operation: Operation, tmp_path: Path) -> None:
    points = points_of(operation, tmp_path / "clean")
    hits = try_points(operation, points, tmp_path)
    print(f"{operation.name}: {hits} of {len(points)} faults happened, none did harm")
    assert hits >= 0.95 * len(points)


@pytest.mark.soak
def test_every_write_cut_short(writing: Operation, tmp_path: Path) -> None:
    limits = limits_of(writing, tmp_path / "clean")
    try_limits(writing, limits, tmp_path)
    print(f"{writing.name}: {2 * len(limits)} times a write was cut short, none did harm")
