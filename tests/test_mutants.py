"""What `make mutants` says of the faults that it made: a line a file, and failure where too many were not found."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

TOOL = Path(__file__).parent.parent / "tools" / "mutants.py"


def said_of(*results: str) -> tuple[int, list[str]]:
    run = subprocess.run([sys.executable, TOOL], input="\n".join(results), capture_output=True, text=True, check=False)
    assert run.stderr == ""
    return run.returncode, run.stdout.splitlines()


def faults(module: str, **statuses: int) -> list[str]:
    listed = [status for status, count in statuses.items() for _ in range(count)]
    return [f"    ledger.games.{module}.f__mutmut_{n}: {status}" for n, status in enumerate(listed, 1)]


def test_nine_of_ten_faults_found_are_enough():
    status, said = said_of(*faults("ombre.deal", killed=8, timeout=1, survived=1))
    assert status == 0
    assert said == ["ledger.games.ombre.deal.f__mutmut_10: survived", "ledger.games.ombre.deal: 9 of 10 found, 90.0 %"]


def test_one_file_with_too_many_faults_not_found_is_a_failure():
    status, said = said_of(*faults("kop.deal", killed=100), *faults("kop.scoring", killed=8, survived=2))
    assert status == 1
    assert said[-2:] == [
        "ledger.games.kop.deal: 100 of 100 found, 100.0 %",
        "ledger.games.kop.scoring: 8 of 10 found, 80.0 %",
    ]


def test_what_no_test_runs_is_not_found_and_what_was_not_checked_does_not_count():
    missed = [f"    ledger.games.kop.deal.g__mutmut_{n}: no tests" for n in (1, 2)]
    unchecked = [f"    ledger.games.ombre.deal.f__mutmut_{n}: not checked" for n in range(9)]
    status, said = said_of(*faults("kop.deal", killed=8), *missed, *unchecked)
    assert (status, said[-1]) == (1, "ledger.games.kop.deal: 8 of 10 found, 80.0 %")


def test_no_faults_at_all_are_a_failure():
    assert said_of() == (1, [])
