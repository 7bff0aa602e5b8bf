"""Run a suite, `test` or `soak`, as several runs of pytest side by side and sum them up in one closing line.

`make test` and `make soak` call it. Each run writes its output, its JUnit report and a table of the costs of its files
to build/tests. The last lines are the processor time, the ten slowest tests, the failures, and a closing line in
pytest's form over all runs.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple
from xml.etree import ElementTree

REPORTS: Final = Path("build/tests")
COMPILED: Final = Path("build/compiled")
SLOWEST: Final = 10
OUTCOMES: Final = {"failure": "failed", "error": "errors", "skipped": "skipped"}


class Run(NamedTuple):
    """A target of `make`, then one call of pytest; either may be left out.

    `words`: the arguments of pytest. `environment`: variables for both. `made`: the target. `needs`: a folder that the
    target creates; if it is missing afterwards, this machine cannot create it, and the run is left out.
    """

    name: str
    words: Sequence[str] = ()
    environment: tuple[tuple[str, str], ...] = ()
    made: str | None = None
    needs: Path | None = None


class Case(NamedTuple):
    """The result of one test: `seconds` by the clock, `processor_s` of this process and its children."""

    test: str
    file: str
    outcome: str
    seconds: float
    processor_s: float


class Ended(NamedTuple):
    """The result of a run: pytest's exit status, its processor seconds, those of the target, and the tests."""

    run: Run
    status: int
    user_s: float
    system_s: float
    made_s: float
    cases: list[Case]


_ON_COMPILED: Final = ["-o", f"pythonpath={COMPILED} .", "tests/test_compiled.py", "tests/test_replays.py"]
_COMPILED_QUICKLY: Final = (("TRICKLEDGER_BUILD", "compiled"), ("HYPOTHESIS_PROFILE", "quick"))

_ELSEWHERE: Final = ["--ignore", "tests/site", "--ignore", "tests/history", "--ignore", "tests/plots"]

# A browser and its services mostly wait, and plain tests wait for a quarter of their time: two workers for each fill
# two cores. After the browser's, tests of the history and its plots fill the second row. A third worker for plain tests
# costs some 10 s of processor: it collects all tests, imports all that they need, and makes the fixtures of a worker
# anew. With the browser started at the same time as the compilation, which then took twice as long, all runs took 20 s
# more.
SUITES: Final[dict[str, Sequence[Sequence[Run]]]] = {
    "test": (
        [Run("plain", ["-n", "2", "--dist", "worksteal", *_ELSEWHERE])],
        [
            Run(
                "compiled",
                [
                    *_ON_COMPILED,
                    "-m",
                    "compiled and not soak",
                    "tests/games",
                    "tests/thirdparty/test_whist_contract.py",
                ],
                _COMPILED_QUICKLY,
                "compiled",
                COMPILED / "ledger",
            ),
            Run("browser", ["-n", "2", "--dist", "worksteal", "tests/site"]),
            Run("history", ["tests/history", "tests/plots"]),
        ],
        [Run("types", made="lint-types")],
    ),
    "soak": (
        [
            Run(
                "soak",
                ["-n", "2", "--dist", "worksteal", "-p", "randomly", "-m", "soak", "-rP"],
                (("HYPOTHESIS_PROFILE", "soak"),),
            )
        ],
        [Run("compiled", [*_ON_COMPILED, "tests/games"], _COMPILED_QUICKLY, "compiled", COMPILED / "ledger")],
    ),
}
"""Rows run side by side; the runs of a row run one after another. The first row is shown while it runs."""


def main(suite: str) -> int:
    """Run a suite, print its summary, and return the first exit status that is not 0."""
    began = time.monotonic()
    REPORTS.mkdir(parents=True, exist_ok=True)
    shown, *other_rows = SUITES[suite]
    with ThreadPoolExecutor(len(other_rows)) as pool:
        others = [pool.submit(lambda row: [_ended(run) for run in row], row) for row in other_rows]
        rows = [[_ended(run, is_shown=True) for run in shown], *(other.result() for other in others)]
    ended = [one for row in rows for one in row if one is not None]
    for run in chain.from_iterable(other_rows):
        print(f"\n{f' {run.name} ':-^100}\n{_log(run).read_text(encoding='utf-8')}", end="")
    _write_costs(ended)
    _print_summary(ended, time.monotonic() - began)
    return next((one.status for one in ended if one.status), 0)


def _log(run: Run) -> Path:
    return REPORTS / f"{run.name}.log"


def _ended(run: Run, *, is_shown: bool = False) -> Ended | None:
    """Run it and return the result, or `None` if what it needs cannot be made here; `make` has printed why."""
    report = REPORTS / f"{run.name}.xml"
    report.unlink(missing_ok=True)
    user_s = system_s = made_s = 0.0
    with _log(run).open("wb") as log:
        tests = [sys.executable, "-m", "pytest", f"--junitxml={report}", *run.words]
        made = [os.environ.get("GNU_MAKE", "make"), "--no-print-directory", str(run.made)]
        for command in ([made] if run.made else []) + ([tests] if run.words else []):
            process = subprocess.Popen(
                command,
                env={**os.environ, **dict(run.environment)},
                stdout=None if is_shown else log,
                stderr=None if is_shown else subprocess.STDOUT,
            )
            _, waited, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(waited)
            if command is made:
                made_s = used.ru_utime + used.ru_stime
            else:
                user_s, system_s = used.ru_utime, used.ru_stime
            if process.returncode:
                break
            if run.needs is not None and not run.needs.is_dir():
                return None
    cases = _cases(report) if report.is_file() else []
    return Ended(run, process.returncode or (1 if run.words and not cases else 0), user_s, system_s, made_s, cases)


def _cases(report: Path) -> list[Case]:
    return [_case(element) for element in ElementTree.parse(report).iter("testcase")]


def _case(element: ElementTree.Element) -> Case:
    properties = {one.get("name"): one.get("value") for one in element.iter("property")}
    outcome = next((OUTCOMES[part.tag] for part in element if part.tag in OUTCOMES), "passed")
    return Case(
        test=str(properties.get("test", f"{element.get('classname')}::{element.get('name')}")),
        file=str(properties.get("test", element.get("classname"))).partition("::")[0],
        outcome=outcome,
        seconds=float(element.get("time", 0)),
        processor_s=float(properties.get("processor_s") or 0),
    )


def _write_costs(ended: Sequence[Ended]) -> None:
    """Write what each file of tests cost, most expensive first: processor seconds, and seconds by the clock."""
    costs: dict[tuple[str, str], list[float]] = defaultdict(lambda: [0, 0.0, 0.0])
    for one in ended:
        for case in one.cases:
            for index, cost in enumerate((1, case.processor_s, case.seconds)):
                costs[one.run.name, case.file][index] += cost
    rows = sorted(costs.items(), key=lambda item: -item[1][1])
    lines = [f"{run}\t{file}\t{count}\t{used:.2f}\t{took:.2f}\n" for (run, file), (count, used, took) in rows]
    head = "run\tfile\ttests\tprocessor_s\tseconds\n"
    (REPORTS / "costs.tsv").write_text(head + "".join(lines), encoding="utf-8")


def _print_summary(ended: Sequence[Ended], took_s: float) -> None:
    cases = [case for one in ended for case in one.cases]
    parts = ", ".join(f"{one.run.name} {one.user_s + one.system_s:.0f} s" for one in ended if one.run.words)
    user_s, system_s = sum(one.user_s for one in ended), sum(one.system_s for one in ended)
    made = "".join(f"; {one.run.made} {one.made_s:.0f} s" for one in ended if one.run.made)
    print(f"\nprocessor of the tests: user {user_s:.0f} s, system {system_s:.0f} s ({parts}){made}")
    print(f"the {SLOWEST} slowest tests (all files: {REPORTS / 'costs.tsv'}):")
    for case in sorted(cases, key=lambda case: -case.seconds)[:SLOWEST]:
        print(f"{case.seconds:8.2f} s  {case.test}")
    for one in ended:
        failed = [case for case in one.cases if case.outcome in ("failed", "errors")]
        for case in failed:
            print(f"FAILED in the run '{one.run.name}': {case.test}")
        if one.status and not failed:
            print(f"FAILED: the run '{one.run.name}' ended with status {one.status}; see {_log(one.run)}")
    counts = Counter(case.outcome for case in cases)
    counts["errors"] += sum(1 for one in ended if one.status and not one.cases)
    kinds = ("failed", "passed", "skipped", "errors")
    outcome = (
        ", ".join(
            f"{counts[kind]} {kind if counts[kind] > 1 else kind.removesuffix('s')}" for kind in kinds if counts[kind]
        )
        or "no tests ran"
    )
    print(f"{f' {outcome} in {took_s:.2f}s ':=^100}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
