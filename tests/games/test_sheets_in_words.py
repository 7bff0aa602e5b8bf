"""The required content of every finding on a score sheet: the player, the sheet's values, and the computed ones.

`sheets.txt` of each game has the sentences.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from ledger.table.answers import Finding
from ledger.table.audit import audit_answer
from tests.games.couillon import test_cases as couillon
from tests.games.kop import test_cases as kop
from tests.games.ombre import test_cases as ombre
from tests.games.quadrille import test_cases as quadrille
from tests.games.scripted import Case, read_cases
from tests.games.section_11 import rows

SHEETS = {
    "ombre": read_cases("ombre/sheets.txt", ombre.Record, ombre.won),
    "quadrille": read_cases("quadrille/sheets.txt", quadrille.at_play, quadrille.stopped),
    "couillon": read_cases("couillon/sheets.txt", couillon.Table, couillon.awarded, couillon.bars, couillon.points),
    "kop": read_cases("kop/sheets.txt", kop.replaced, kop.settled),
}
ENDS = {
    "ombre": ("OMB-11.44", "OMB-11.48"),
    "quadrille": ("QUA-11.47", "QUA-11.52"),
    "couillon": ("COU-11.40", "COU-11.45"),
    "kop": ("KOP-11.60", "KOP-11.65"),
}
"""The first and the last row on score sheets in section 11."""

_BOTH = {"en": ("; sheet: ", "; computed: "), "ja": ("得点表:", "、計算:")}
_BARE_LIST = re.compile(r"\d[\s,、]+-?\d")


def sheet_rows(game: str) -> list[str]:
    """Return the codes of the rows on score sheets."""
    first, last = ENDS[game]
    ids = list(rows(game))
    return ids[ids.index(first) : ids.index(last) + 1]


@pytest.mark.parametrize("game", SHEETS)
def test_every_row_on_score_sheets_has_its_case(game: str) -> None:
    codes = {finding.code for case in SHEETS[game].values() for finding in case.check().findings()}
    assert set(sheet_rows(game)) <= codes


@pytest.mark.parametrize(
    ("game", "case"),
    [pytest.param(game, case, id=f"{game}, {name}") for game, cases in SHEETS.items() for name, case in cases.items()],
)
def test_each_finding_names_the_same_players_in_both_languages(game: str, case: Case) -> None:
    fold, codes = case.check().fold(), sheet_rows(game)
    english, japanese = (
        [
            players_named(one, lang, fold.players)
            for one in audit_answer("test", fold, lang).findings
            if one.code in codes
        ]
        for lang in _BOTH
    )
    assert english == japanese != []


def players_named(finding: Finding, lang: str, players: Sequence[str]) -> list[set[str]]:
    """Return the players named in the sheet's and in the computed values; a finding on one player has no lists."""
    if finding.seat is not None:  # in a few words: `Ann +3 instead of +1`
        assert players[finding.seat] in finding.message
        assert len(re.findall(r"[+-]?\d", finding.message)) == 2
        return []
    sheet_sign, computed_sign = _BOTH[lang]
    _, has_sheet, rest = finding.message.partition(sheet_sign)
    sheet, has_computed, computed = rest.partition(computed_sign)
    assert has_sheet and has_computed, finding.message
    assert sheet and computed and sheet != computed, finding.message
    assert not _BARE_LIST.search(finding.message), finding.message
    return [{player for player in players if player in part} for part in (sheet, computed)]
