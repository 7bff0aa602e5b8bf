"""Whatever comes from outside is read or refused with one of our own errors: nothing else ever comes out.

The inputs are right ones that were changed by chance, which reach further into a parser than noise. A guided fuzzer
(atheris) would add a compiler's runtime for one version of Python, and sees nothing of msgspec, which is C.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from ledger.errors import LedgerError
from tests.cli.commands import REVOKE, CommandLine
from tests.fuzz.inputs import BARE, CARDS, COMMAND_LINES, HAND_RECORDS, OPTIONS, SUITS, WHOLE, Parser
from tests.fuzz.mutations import Mutator

SAMPLE = {CARDS: 20_000, SUITS: 5_000, OPTIONS: 3_000, BARE: 400, WHOLE: 200, HAND_RECORDS: 250, COMMAND_LINES: 60}
A_MILLION = {
    CARDS: 500_000,
    SUITS: 70_000,
    OPTIONS: 250_000,
    BARE: 90_000,
    WHOLE: 45_000,
    HAND_RECORDS: 40_000,
    COMMAND_LINES: 5_000,
}


@pytest.fixture(autouse=True)
def a_club_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a command writes, it writes here."""
    CommandLine(tmp_path).ok("init")
    CommandLine(tmp_path).ok("import", REVOKE)
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


@pytest.mark.parametrize("parser", SAMPLE, ids=lambda parser: parser.name)
def test_some_inputs_are_read_or_refused(parser: Parser) -> None:
    taken = fuzz(parser, SAMPLE[parser], seed=20260105)
    assert taken > 0
    assert taken < SAMPLE[parser] or parser is COMMAND_LINES


@pytest.mark.soak
@pytest.mark.parametrize("parser", A_MILLION, ids=lambda parser: parser.name)
def test_a_million_inputs_are_read_or_refused(parser: Parser) -> None:
    assert sum(A_MILLION.values()) == 1_000_000
    seed = Random().randrange(2**32)
    taken = fuzz(parser, A_MILLION[parser], seed)
    print(f"{parser.name}: {A_MILLION[parser]:,} inputs (seed {seed}), {taken:,} taken, the others refused")
