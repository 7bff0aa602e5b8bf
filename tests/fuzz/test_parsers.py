"""Outside input is read or rejected with one of our own errors; nothing else ever happens.

The inputs are right ones changed at random, which reach further into a parser than noise. A guided fuzzer (atheris)
would need a compiler's runtime for one version of Python, and cannot see into msgspec, which is C.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from ledger.errors import LedgerError
from tests.cli.commands import REVOKE, CommandLine, revoke_alone
from tests.fuzz.inputs import BARE, CARDS, COMMAND_LINES, HAND_RECORDS, OPTIONS, SUITS, WHOLE, Parser
from tests.fuzz.mutations import Mutator

SAMPLE = {CARDS: 8_000, SUITS: 2_000, OPTIONS: 1_500, BARE: 200, WHOLE: 100, HAND_RECORDS: 100, COMMAND_LINES: 40}


@pytest.fixture(autouse=True)
def a_club_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run each test in a folder of its own, where commands may write."""
    CommandLine(tmp_path).made_by(revoke_alone)
    (tmp_path / "file").write_bytes(REVOKE.read_bytes())
    monkeypatch.chdir(tmp_path)


def fuzz(parser: Parser, count: int, seed: int) -> int:
    """Read so many inputs; how many were taken."""
    mutator = Mutator(Random(seed))
    taken = 0
    for number in range(count):
        wanted = parser.make(mutator)
        try:
            parser.read(wanted)
            taken += 1
        except LedgerError as error:
            assert str(error)
        except BaseException as error:
            error.add_note(f"{parser.name}, seed {seed}, input {number}: {wanted!r}")
            raise
    return taken


@pytest.mark.parametrize("times", [1, pytest.param(50, marks=pytest.mark.soak)])
@pytest.mark.parametrize("parser", SAMPLE, ids=lambda parser: parser.name)
def test_inputs_are_read_or_refused(parser: Parser, times: int) -> None:
    count, seed = SAMPLE[parser] * times, 20260105 if times == 1 else Random().randrange(2**32)
    taken = fuzz(parser, count, seed)
    print(f"{parser.name}: {count:,} inputs (seed {seed}), {taken:,} taken, the others refused")
    assert taken > 0
    assert taken < count or parser is COMMAND_LINES
