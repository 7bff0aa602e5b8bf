"""The table of section 11 in the rulebook of any game, with which every finding must agree."""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from ledger.games import rule_named
from ledger.games.kernel.rulebook import Rule, load
from ledger.table.answers import Finding

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
