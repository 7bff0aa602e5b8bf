"""Each system call that an operation makes in the ledger's folder fails once: nothing is lost, and errors are clear."""

import random
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import pytest

from ledger.log import SqliteStore
from tests.covering import sample
from tests.faults.operations import BATCH_SIZES, LEDGER, OPERATIONS, Append, MakeKeys, Operation, Sign, make_template
from tests.faults.strace import InjectedFault, Runner, RunResult, SystemCall, faults_of

TRIES = 3
"""Attempts per fault: a call of one of DuckDB's threads may belong to another thread in the next run."""


@pytest.fixture(scope="module")
def runner(tracing: str) -> Iterator[Runner]:
    with Runner(tracing) as runner:
        yield runner


@pytest.fixture(scope="module")
def template(runner: Runner, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_template(runner, tmp_path_factory.mktemp("faults") / "template")


@pytest.fixture(scope="module", params=sample(OPERATIONS, 6), ids=lambda kind: kind.name)
def operation(request: pytest.FixtureRequest, runner: Runner, template: Path) -> Operation:
    return request.param(runner, template)


def try_point(operation: Operation, call: SystemCall, fault: InjectedFault, folder: Path) -> bool:
    """Inject the fault, check what the operation promises, and return whether the fault happened."""
    for attempt in range(TRIES):
        place = folder.with_name(f"{folder.name}-{attempt}")
        operation.prepare(place)
        result = operation.runner.run_with_fault(operation.name, place, call, fault)
        check(
            operation,
            place,
            result,
            f"{fault.name} at {call.name} number {call.number} of {call.file}, {call.arguments}",
        )
        if result.is_hit:
            return True
    return False


def check(operation: Operation, folder: Path, result: RunResult, what: str) -> None:
    try:
        operation.check_all(folder, result)
    except Exception as error:
        error.add_note(f"{operation.name}: {what}; it ended so: {result}")
        raise


def limits_of(operation: Operation) -> list[int]:
    """Return file sizes that cut a write of the operation in its middle but leave room for its output."""
    middles = {call.middle_of_write for call in operation.calls}
    limits = sorted(middle for middle in middles if middle is not None and middle > 1_000)
    # Keys and checkpoints are shorter than an error message.
    assert limits or isinstance(operation, MakeKeys | Sign), "the operation writes nothing that could be cut short"
    return limits


@contextmanager
def reader(ledger: Path) -> Iterator[None]:
    if not ledger.exists():
        yield
        return
    with SqliteStore(ledger) as store:
        store.head()
        yield


@pytest.mark.parametrize("most", [2, pytest.param(30, marks=pytest.mark.soak)])
def test_calls_that_fail_do_no_harm(operation: Operation, tmp_path: Path, most: int) -> None:
    points = [(call, fault) for call in operation.calls for fault in faults_of(call)]
    chosen = random.Random(operation.name).sample(points, min(most, len(points)))
    hits = sum(try_point(operation, *point, tmp_path / str(number)) for number, point in enumerate(chosen))
    print(f"{operation.name}: {hits} of {len(chosen)} faults happened, none did harm")
    assert hits >= len(chosen) // 2


@pytest.mark.parametrize("most", [1, pytest.param(6, marks=pytest.mark.soak)])
def test_writes_cut_short_do_no_harm(operation: Operation, tmp_path: Path, most: int) -> None:
    """Try with and without a reader of the ledger.

    Without one, the index of the write-ahead log is new and already too large, and the log itself is never reached.
    """
    limits = limits_of(operation)
    for limit in random.Random(operation.name).sample(limits, min(most, len(limits))):
        for reading in (nullcontext, reader):
            place = tmp_path / f"{limit}-{reading.__name__}"
            operation.prepare(place)
            with reading(place / LEDGER):
                result = operation.runner.run(operation.name, place, file_bytes_max=limit)
            check(operation, place, result, f"no file may be larger than {limit} bytes")


def test_an_acknowledgement_follows_the_sync_of_its_entries(runner: Runner, template: Path, tmp_path: Path) -> None:
    operation = Append(runner, template)
    operation.prepare(tmp_path / "club")
    assert runner.acknowledged_after_sync(operation.name, tmp_path / "club", f"{LEDGER}-wal") == [True] * len(
        BATCH_SIZES
    )
