"""The irregularities in the code of each game are those of its rulebook's table."""

import re
from pathlib import Path

import pytest

from ledger.games import game_named
from ledger.games.couillon.irregularities import HALTING_CODES
from ledger.games.couillon.irregularities import IRREGULARITIES as COUILLON
from ledger.games.kernel.rulebook import load
from ledger.games.kop.irregularities import IRREGULARITIES as KOP
from ledger.games.ombre.irregularities import IRREGULARITIES as OMBRE
from ledger.games.quadrille.irregularities import IRREGULARITIES as QUADRILLE
from tests.games.section_11 import IrregularityRow, rows
from tests.web.lists import lines_in

IRREGULARITIES = {"ombre": OMBRE, "quadrille": QUADRILLE, "couillon": COUILLON, "kop": KOP}

NUMBERS = {
    "ombre": [*range(9, 53)],
    "quadrille": [*range(8, 55)],
    "couillon": [*range(10, 51)],
    "kop": [*range(10, 15), *range(20, 36), *range(40, 52), *range(60, 66), *range(70, 73)],
}
PREFIXES = {"ombre": "OMB", "quadrille": "QUA", "couillon": "COU", "kop": "KOP"}

NOT_IN_A_RECORD = {line.split()[0] for line in lines_in(Path(__file__).with_name("not_in_a_record.txt"))}
BREAKS_NOTHING = {"QUA-11.33"}  # an exemption that was used lawfully
BLOCKS_AT_THE_END = {"COU-11.37", "COU-11.46"}


def rows_in_a_record(game: str) -> dict[str, IrregularityRow]:
    return {code: row for code, row in rows(game).items() if code not in NOT_IN_A_RECORD}


@pytest.mark.parametrize("game", IRREGULARITIES)
def test_the_table_was_read_in_full(game):
    assert list(rows(game)) == [f"{PREFIXES[game]}-11.{number}" for number in NUMBERS[game]]


@pytest.mark.parametrize("game", IRREGULARITIES)
def test_every_row_that_a_record_can_hold_is_an_irregularity_with_its_severities(game):
    severities = {}
    for code, severity in IRREGULARITIES[game].values():
        severities.setdefault(code, set()).add(severity)
    assert severities == {code: row.severities for code, row in rows_in_a_record(game).items()}


@pytest.mark.parametrize("game", IRREGULARITIES)
def test_every_row_that_a_record_can_hold_names_the_rules_that_it_breaks(game):
    assert {code for code, row in rows_in_a_record(game).items() if not row.breaks} <= BREAKS_NOTHING


@pytest.mark.parametrize("game", ["ombre", "quadrille"])
def test_an_irregularity_has_the_name_that_the_book_gives_it(game):
    expected = {row.name: code for code, row in rows_in_a_record(game).items()}
    assert expected == {name: code for name, (code, _) in IRREGULARITIES[game].items()}


def test_the_rows_that_block_are_those_of_the_table():
    blocking = {code for code, row in rows_in_a_record("couillon").items() if row.blocks}
    assert blocking == HALTING_CODES | BLOCKS_AT_THE_END


ROWS_THAT_LEAVE_NOTHING = {"ombre": r"\bfatal\b", "quadrille": r"\bhalts\b"}


@pytest.mark.parametrize("name", ROWS_THAT_LEAVE_NOTHING)
def test_the_fatal_irregularities_are_those_of_the_table(name):
    book = load(game_named(name).package)
    word = re.compile(ROWS_THAT_LEAVE_NOTHING[name])
    listed = {code for code in rows_in_a_record(name) if word.search(book.rule(code).cell("Audit", "Replay") or "")}
    game = game_named(name)
    assert game.fatal | {game.unfinished} == listed


@pytest.mark.parametrize("game", IRREGULARITIES)
def test_a_deal_left_unfinished_is_a_warning_of_the_table(game):
    """The record is incomplete, but no player is at fault (contract 5)."""
    assert rows(game)[game_named(game).unfinished].severities == {"warning"}
