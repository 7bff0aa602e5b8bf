"""The irregularities in the code of each game are those of its rulebook's table."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from ledger.games import game_named, rule_named
from ledger.games.couillon.irregularities import HALTING_CODES
from ledger.games.couillon.irregularities import IRREGULARITIES as COUILLON
from ledger.games.kernel.rulebook import Rule, load
from ledger.games.kop.irregularities import IRREGULARITIES as KOP
from ledger.games.ombre.irregularities import IRREGULARITIES as OMBRE
from ledger.games.quadrille.irregularities import IRREGULARITIES as QUADRILLE
from ledger.table.answers import Finding
from tests.web.lists import lines_in

_SEVERITIES = {"E": "error", "W": "warning", "I": "info", "error": "error", "warning": "warning", "info": "info"}
_RULES = re.compile(r"(?:[A-Z]{3}-)?(?P<section>\d+)\.(?P<first>\d+)(?:[–-](?P=section)\.(?P<last>\d+))?")


class IrregularityRow(NamedTuple):
    name: str
    """The name in the code, or the title if the book gives no name."""
    severities: frozenset[str]
    """More than one if an option decides (KOP-11.31)."""
    breaks: frozenset[str]
    """The ids of all rules that are named or lie within a range; none if nothing is broken (QUA-11.33)."""
    blocks: bool


def rows(package: str) -> dict[str, IrregularityRow]:
    """Return the rows of this game's or package's book by id, in the book's order."""
    book = load(package)
    section = f"{book.prefix}-11."
    return {rule.id: _row(rule) for rule in book.rules if rule.kind == "row" and rule.id.startswith(section)}


def assert_as_in_the_table(finding: Finding) -> None:
    """Assert that the finding has a severity of its row and names a rule that the row breaks, if it breaks any."""
    row = _row(rule_named(finding.code))
    assert finding.severity in row.severities, finding
    assert not row.breaks or finding.rule in row.breaks, finding


@cache
def _row(rule: Rule) -> IrregularityRow:
    return IrregularityRow(
        name=_cell(rule, "Name", "Code", "irregularity").strip("`"),
        severities=frozenset(_SEVERITIES[word] for word in _cell(rule, "Severity", "Sev.").split(" / ")),
        breaks=frozenset(_broken(rule)),
        blocks=rule.cell("blocks") == "yes",
    )


def _broken(rule: Rule) -> Iterator[str]:
    """Yield every rule that is named or within a range: `QUA-6.3–6.8, 2.4` or `6.3-6.8, 2.4`; `–` names none."""
    prefix = rule.id.partition("-")[0]
    text = _cell(rule, "Breaks", "rule broken")
    for part in [] if text == "–" else text.split(", "):
        match = _RULES.fullmatch(part)
        assert match, f"{rule.id} breaks no rules that can be read: {part!r}"
        for number in range(int(match["first"]), int(match["last"] or match["first"]) + 1):
            yield f"{prefix}-{match['section']}.{number}"


def _cell(rule: Rule, *headings: str) -> str:
    cell = rule.cell(*headings)
    assert cell, f"{rule.id} has no column {' or '.join(headings)}"
    return cell


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
