"""What every finding on a score sheet must tell, in any game: who, what the sheet says, and what was computed."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ledger.table.answers import Finding
from ledger.table.audit import audit_answer
from tests.builders import Record
from tests.games.section_11 import rows

_BOTH = (("en", "; sheet: ", "; computed: "), ("ja", "得点表:", "、計算:"))
_BARE_LIST = re.compile(r"\d[\s,、]+-?\d")


def rows_between(package: str, first: str, last: str) -> list[str]:
    """The rows of this game's section 11 on score sheets, by id, in the book's order."""
    ids = list(rows(package))
    return ids[ids.index(first) : ids.index(last) + 1]


def assert_tells_both(table: Record, code: str, *, names: bool) -> None:
    """The findings of that code tell both lists in both languages. `names`: both lists name all players."""
    fold = table.fold()
    for lang, sheet_sign, computed_sign in _BOTH:
        found = [one for one in audit_answer("test", fold, lang).findings if one.code == code]
        assert found, f"no finding {code}: {table.codes()}"
        for finding in found:
            _assert_told(finding, sheet_sign, computed_sign, fold.players if names else ())


def _assert_told(finding: Finding, sheet_sign: str, computed_sign: str, players: Sequence[str]) -> None:
    _, has_sheet, told = finding.message.partition(sheet_sign)
    sheet, has_computed, computed = told.partition(computed_sign)
    assert has_sheet and has_computed, finding.message
    assert sheet and computed and sheet != computed, finding.message
    assert not _BARE_LIST.search(finding.message), finding.message
    for player in players:
        assert player in sheet and player in computed, (player, finding.message)
