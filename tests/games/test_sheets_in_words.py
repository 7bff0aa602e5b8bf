"""The sentences of findings on score sheets, and those of errors (`refusals.toml`), in both languages."""

import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ledger.errors import MalformedError
from ledger.events import Award, Event
from ledger.games import BUILT_IN, game_named
from ledger.i18n import Phrase, catalogue
from ledger.table.answers import Finding
from ledger.table.audit import audit_answer
from tests.contracts.game_suite import english_left
from tests.games.couillon import test_cases as couillon
from tests.games.kop import test_cases as kop
from tests.games.ombre import test_cases as ombre
from tests.games.quadrille import test_cases as quadrille
from tests.games.scripted import Case, read_cases
from tests.games.test_section_11 import rows

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


REFUSALS: list[dict[str, Any]] = tomllib.loads(Path(__file__).with_name("refusals.toml").read_text("utf-8"))["refusal"]


def refused(row: dict[str, Any]) -> MalformedError:
    game, players = game_named(row["game"]), row["players"]
    with pytest.raises(MalformedError) as refusal:
        options = game.make_options(row.get("options", {}), players)
        if "outcome" in row:
            game.check_outcome(row["outcome"], options, players, 2)
        if "award" in row and game.check_award is not None:
            game.check_award(msgspec.convert(row["award"], Award), options)
        if "event" in row and game.check_event is not None:
            game.check_event(msgspec.json.decode(row["event"], type=Event))
    return refusal.value


@pytest.mark.parametrize("game", sorted({row["game"] for row in REFUSALS}))
def test_each_refusal_is_worded_in_english_and_in_japanese(game: str) -> None:
    rows = [row for row in REFUSALS if row["game"] == game]
    messages = [(str(error := refused(row)), english_left(error, game_named(game))) for row in rows]
    assert messages == [(row["message"], set()) for row in rows]


def test_every_sentence_of_a_refusal_is_tested() -> None:
    tried: set[tuple[str, str]] = set()

    def note(words: object) -> None:
        if isinstance(words, Phrase):
            tried.add((words.package, words.key))
            for value in words.values.values():
                note(value)

    for row in REFUSALS:
        error = refused(row)
        note(error.what)
        note(error.expected)
    for package in {"ledger.games", *(game.package for game in BUILT_IN)}:
        keys = {key for key in catalogue(package, "en") if re.match(r"refusal\.", key)}
        assert {key for key in keys if (package, key) not in tried} == set()


@pytest.mark.parametrize(("game", "options"), [("ombre", {}), ("couillon", {"form": "six24"})])
def test_a_wrong_number_of_players_is_at_the_field_players(game: str, options: dict[str, Any]) -> None:
    with pytest.raises(MalformedError) as refusal:
        game_named(game).make_options(options, 2)
    assert refusal.value.faulty_field == "players"
