"""What every finding on a score sheet must tell, in any game: who, what the sheet says, and what was computed.

`sheets.txt` holds the sentences, to be read; `python -m tests.games.test_sheets_in_words` writes it anew.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from ledger.table.answers import Finding
from ledger.table.audit import audit_answer
from tests.builders import Record
from tests.games.couillon import test_sheet as couillon
from tests.games.kop import test_sheet as kop
from tests.games.ombre import test_score_sheet as ombre
from tests.games.quadrille import test_claims_and_sheets as quadrille
from tests.games.section_11 import rows

FILE = Path(__file__).with_name("sheets.txt")
SHEETS = {
    "ombre": (ombre.SHEETS, "OMB-11.44", "OMB-11.48"),
    "quadrille": (quadrille.SHEETS, "QUA-11.47", "QUA-11.52"),
    "couillon": (couillon.SHEETS, "COU-11.40", "COU-11.45"),
    "kop": (kop.SHEETS, "KOP-11.60", "KOP-11.65"),
}
"""The cases of each game, and the first and the last row on score sheets in its section 11."""

_BOTH = (("en", "; sheet: ", "; computed: "), ("ja", "得点表:", "、計算:"))
_BARE_LIST = re.compile(r"\d[\s,、]+-?\d")


@pytest.mark.parametrize("game", SHEETS)
def test_every_row_on_score_sheets_has_its_case(game: str) -> None:
    cases, first, last = SHEETS[game]
    ids = list(rows(game))
    assert sorted({code for code, _, _ in cases.values()}) == ids[ids.index(first) : ids.index(last) + 1]


def messages(game: str) -> list[str]:
    """`ombre, wrong tricks: the score sheet …`, case by case."""
    return [
        f"{game}, {name}: {finding.message}"
        for name, (code, table, _) in SHEETS[game][0].items()
        for finding in table.findings()
        if finding.code == code
    ]


@pytest.mark.parametrize("game", SHEETS)
def test_each_finding_says_what_is_written_down(game: str) -> None:
    written = FILE.read_text(encoding="utf-8").splitlines()
    assert messages(game) == [line for line in written if line.startswith(f"{game}, ")]


@pytest.mark.parametrize("game", SHEETS)
def test_each_finding_tells_sheet_and_computed_with_the_names_of_the_players(game: str) -> None:
    for code, table, names in SHEETS[game][0].values():
        assert_tells_both(table, code, names=names)


def assert_tells_both(table: Record, code: str, *, names: bool) -> None:
    """The findings of that code tell both lists in both languages. `names`: both lists name all players."""
    fold = table.fold()
    for lang, sheet_sign, computed_sign in _BOTH:
        found = [one for one in audit_answer("test", fold, lang).findings if one.code == code]
        assert found, f"no finding {code}: {table.codes()}"
        for finding in found:
            if finding.seat is not None:  # of one player, in a few words: `Ann +3 instead of +1`
                assert fold.players[finding.seat] in finding.message
                assert len(re.findall(r"[+-]?\d", finding.message)) == 2
                continue
            _assert_told(finding, sheet_sign, computed_sign, fold.players if names else ())


def _assert_told(finding: Finding, sheet_sign: str, computed_sign: str, players: Sequence[str]) -> None:
    _, has_sheet, told = finding.message.partition(sheet_sign)
    sheet, has_computed, computed = told.partition(computed_sign)
    assert has_sheet and has_computed, finding.message
    assert sheet and computed and sheet != computed, finding.message
    assert not _BARE_LIST.search(finding.message), finding.message
    for player in players:
        assert player in sheet and player in computed, (player, finding.message)


if __name__ == "__main__":
    FILE.write_text("".join(f"{line}\n" for game in SHEETS for line in messages(game)), encoding="utf-8")
