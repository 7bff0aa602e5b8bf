"""The table of the rulebook's section 11, read from the rulebook: what every finding must agree with."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from ledger.table.answers import Finding

_ROW = re.compile(r"^\| (QUA-11\.\d+) \| `(\w+)` \| .* \| (error|warning|info) \| ([^|]+) \| [^|]+ \| [^|]+ \|$")


class Row(NamedTuple):
    name: str
    severity: str
    breaks: frozenset[str]


@cache
def rows() -> dict[str, Row]:
    """The rows by id."""
    text = files("ledger.games.quadrille").joinpath("rules.md").read_text(encoding="utf-8")
    found = [match.groups() for match in map(_ROW.match, text.splitlines()) if match]
    return {code: Row(name, severity, _rules(breaks)) for code, name, severity, breaks in found}


def _rules(text: str) -> frozenset[str]:
    """`QUA-3.3, 3.13` or `QUA-6.3–6.8`: every rule named or within a range."""
    rules: set[str] = set()
    for part in text.replace("QUA-", "").split(","):
        first, _, last = part.strip().partition("–")
        if "." not in first:
            continue
        section, number = first.split(".")
        end = int(last.partition(".")[2] or number)
        rules.update(f"QUA-{section}.{rule}" for rule in range(int(number), end + 1))
    return frozenset(rules)


def assert_as_in_the_table(finding: Finding) -> None:
    """The finding's severity is that of its row, and the rule that it names is one that the row breaks."""
    row = rows()[finding.code]
    assert finding.severity == row.severity, finding
    assert not row.breaks or finding.rule in row.breaks, finding
