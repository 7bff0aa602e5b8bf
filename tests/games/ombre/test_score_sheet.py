"""The score sheet against the computed result (OMB-11.44 to 11.48): compared, never believed (contract 5)."""

import pytest

from ledger.events import CardPlayed
from tests.games.cases import assert_cases, case
from tests.games.ombre.tables import Record, with_winners

# A Vuelta, won 5-2-2: the pool of 5 and 2 from each; seat 2 dealt.
RIGHT = {"deltas": [9, -2, -7], "pool": 0, "totals": [9, -2, -7]}


def won(**options):
    return with_winners("000101220", call="vuelta", **options)


def stopped(**options):
    return with_winners("00000", **options).said(0, "stop")


def known(favourite_suit=None, **facts):
    """A deal known by its result: an Entrada in hearts, won 5-2-2, or as `facts` say."""
    outcome = {"ombre": 0, "contract": "entrada", "trump": "H", "tricks": [5, 2, 2], **facts}
    return Record(favourite_suit=favourite_suit).start(2).result(**outcome)


def test_a_right_sheet_has_no_finding():
    sheet = {"outcome": "SACADA", "tricks": [5, 2, 2], "estuches": 0, "bonuses": ["VUELTA"]}
    assert won().claimed(**RIGHT, **sheet).codes() == []


@pytest.mark.parametrize("sheet", [{"outcome": "PUESTA"}, {"tricks": [4, 3, 2]}, {"outcome": "won"}])
def test_a_wrong_result_is_found(sheet):
    record = won().claimed(**sheet)
    assert record.finding() == ("11.44", record.version, None, None)


@pytest.mark.parametrize(
    "sheet", [{"estuches": 3}, {"bonuses": ["VUELTA", "PRIMERAS"]}, {"bonuses": ["VUELTA", "VOLE"]}]
)
def test_a_claim_of_what_does_not_apply_is_found(sheet):
    record = won().claimed(**sheet)
    assert record.finding() == ("11.45", record.version, None, None)


@pytest.mark.parametrize(
    ("bonus", "rule"),
    [("SOLO", "7.5"), ("FAVOUR", "7.6"), ("ESTUCHES", "7.8"), ("VOLE", "7.19"), ("VOLE_FAILED", "7.22")],
)
def test_a_false_bonus_cites_the_rule_that_pays_it(bonus, rule):
    (found,) = won().claimed(bonuses=["VUELTA", bonus]).findings()
    assert (found.code, found.rule) == ("OMB-11.45", f"OMB-{rule}")


@pytest.mark.parametrize(
    ("facts", "rule"),
    [
        ({"contract": "solo"}, "7.5"),
        ({"trump": "S"}, "7.6"),
        ({"estuches": 3}, "7.8"),
        ({"primeras": True, "ending": "stopped", "tricks": [5, 0, 0]}, "7.9"),
    ],
)
def test_a_missed_bonus_cites_the_rule_that_pays_it(facts, rule):
    (found,) = known(favourite_suit="S", **facts).claimed(bonuses=[]).findings()
    assert (found.code, found.rule) == ("OMB-11.46", f"OMB-{rule}")


def test_a_failed_vole_without_its_primeras_lists_only_the_vole():
    keeps = with_winners("000001000").claimed(bonuses=["VOLE_FAILED", "PRIMERAS"])
    loses = with_winners("000001000", failed_vole_keeps_primeras=False).claimed(bonuses=["VOLE_FAILED"])
    assert (keeps.codes(), loses.codes()) == ([], [])


def test_no_bonus_enters_a_deal_that_was_passed_out():
    passed = Record(favourite_suit="S").start(2).dealt().calls("0 pass", "1 pass", "2 pass")
    assert passed.claimed(bonuses=[], outcome="ALL_PASS").codes() == []


@pytest.mark.parametrize(
    "wrong", [{"deltas": [10, -5, -5]}, {"pool": 5}, {"totals": [9, -2, -8]}, {"deltas": [9, -2, -7], "pool": 5}]
)
def test_wrong_amounts_are_one_finding_without_a_seat(wrong):
    record = won().claimed(**wrong)
    found = [finding for finding in record.findings() if finding.code == "OMB-11.47"]
    assert [(f.version, f.seat) for f in found] == [(record.version, None)]


@pytest.mark.parametrize(
    ("facts", "rule"),
    [
        ({}, "7.18"),
        ({"tricks": [9, 0, 0], "primeras": True}, "7.19"),
        ({"tricks": [8, 1, 0], "primeras": True}, "7.20"),
        ({"tricks": [3, 5, 1]}, "7.23"),
        ({"tricks": [4, 4, 1]}, "7.26"),
        ({"tricks": [1, 1, 0], "ending": "surrendered"}, "7.26"),
        ({"tricks": [2, 6, 1], "defender": 1}, "7.28"),
        ({"tricks": [2, 2, 5], "defender": 1}, "7.29"),
        ({"tricks": [5, 3, 1], "defender": 1}, "7.30"),
        ({"tricks": [3, 3, 3], "defender": 1}, "7.31"),
    ],
)
def test_wrong_amounts_cite_the_rule_of_the_result(facts, rule):
    (found,) = known(**facts).claimed(pool=99).findings()
    assert (found.code, found.rule) == ("OMB-11.47", f"OMB-{rule}")


def test_wrong_amounts_of_a_deal_passed_out_cite_that_nobody_pays():
    (found,) = Record().start(2).result().claimed(pool=99).findings()
    assert (found.code, found.rule) == ("OMB-11.47", "OMB-7.32")


def test_all_rows_that_fit_are_reported():
    record = won().claimed(deltas=[0, 0, 0], pool=1, outcome="PUESTA", estuches=4, bonuses=["SOLO"])
    assert record.codes() == ["11.44", "11.45", "11.46", "11.47", "11.48"]


def test_the_computed_amounts_are_carried_on():
    record = won().claimed(deltas=[100, -50, -50], pool=0)
    assert record.score().totals == [9, -2, -7]
    assert record.deal().claimed.deltas == (100, -50, -50)


def test_of_a_deal_without_a_computed_result_only_the_sum_is_checked():
    record = Record().start(2).dealt({0: "SA"}).claimed(deltas=[100, 0, 0], pool=7, outcome="PUESTA")
    assert record.codes() == ["11.10", "11.48"]


def without_last_trick():
    """A record with its sheet that lacks the last three cards, the play before them, and these cards."""
    record = won()
    played = [entry for entry in record.entries if isinstance(entry[1], CardPlayed)]
    record.entries = [entry for entry in record.entries if entry not in played[-3:]]
    return record.claimed(**RIGHT), played[-4], [card for _, card in played[-3:]]


def test_a_correction_that_puts_the_last_cards_before_the_sheet_leaves_no_warning():
    record, (version, card), lacking = without_last_trick()
    assert record.finding() == ("11.43", record.version, None, None)
    corrected = record.corrected(version, "replace", card, *lacking)
    assert (corrected.codes(), corrected.deal().deltas) == ([], [9, -2, -7])


def test_a_correction_that_takes_a_card_away_before_the_sheet_brings_the_warning():
    record = won().claimed(**RIGHT)
    sheet = record.version
    last = max(version for version, event in record.entries if isinstance(event, CardPlayed))
    assert record.corrected(last, "strike").finding() == ("11.43", sheet, None, None)


def test_a_sheet_in_mid_play_after_a_ruling_that_replaces_the_score_is_warned_of_and_nothing_more():
    """The play has not ended, whatever was ruled: as in Quadrille when the next deal starts."""
    record = with_winners("0001").ruled("replace", deltas=[0, 0, 0], pool=0)
    record.claimed(deltas=[0, 0, 0], pool=0)
    assert record.finding() == ("11.43", record.version, None, None)
    assert (record.findings()[0].severity, record.deal().status) == ("warning", "complete")


def test_a_sheet_of_a_result_is_compared_too():
    record = Record().start(2).result(ombre=0, contract="vuelta", trump="S", tricks=[5, 2, 2]).claimed(**RIGHT)
    assert record.codes() == []


SHEETS = {
    "another result and other tricks": ("OMB-11.44", won().claimed(outcome="puesta", tricks=[4, 4, 1]), True),
    "a result that there is not": ("OMB-11.44", won().claimed(outcome="won"), False),
    "a wrong run and a false bonus": ("OMB-11.45", won().claimed(estuches=3, bonuses=["VUELTA", "ESTUCHES"]), False),
    "wrong deltas beside right totals": ("OMB-11.47", won().claimed(**{**RIGHT, "deltas": [8, -2, -6]}), True),
    "a wrong result": ("OMB-11.44", won().claimed(outcome="PUESTA"), False),
    "wrong tricks": ("OMB-11.44", won().claimed(tricks=[4, 3, 2]), True),
    "a wrong run": ("OMB-11.45", won().claimed(estuches=3), False),
    "a false bonus": ("OMB-11.45", won().claimed(bonuses=["VUELTA", "SOLO"]), False),
    "a missed bonus": ("OMB-11.46", won().claimed(bonuses=[]), False),
    "wrong deltas": ("OMB-11.47", won().claimed(deltas=[10, -5, -5]), True),
    "a wrong pool": ("OMB-11.47", won().claimed(pool=5), False),
    "wrong totals": ("OMB-11.47", won().claimed(totals=[9, -2, -8]), True),
    "a sum that is not zero": ("OMB-11.48", won().claimed(deltas=[9, -2, -7], pool=5), True),
    "such a sum after a ruling": (
        "OMB-11.48",
        won().ruled("replace", deltas=[0, 0, 0], pool=0).claimed(deltas=[9, -2, -7], pool=9),
        True,
    ),
    "such a sum of a deal that has no score": (
        "OMB-11.48",
        Record().start(2).dealt({0: "SA"}).claimed(deltas=[100, 0, 0], pool=7),
        False,
    ),
}
"""For `tests/games/test_sheets_in_words.py`."""


CASES = [
    case("a missing sheet is no irregularity", won().start()),
    case("only what is written is compared", won().claimed(pool=0).claimed(deltas=[9, -2, -7]).claimed()),
    case("the outcome may be written in small letters", won().claimed(outcome="sacada")),
    case("a missed bonus, a warning", won().claimed(bonuses=[]), ("11.46", None, None), severity="warning"),
    case("primeras of a stopped deal", stopped().claimed(bonuses=["PRIMERAS"])),
    case("not listed", stopped().claimed(bonuses=[]), "11.46"),
    case("a suit without value", won(favourite_suit="S", favour_points=0).claimed(bonuses=["VUELTA"]), "11.46"),
    case("beside wrong amounts", won().claimed(deltas=[9, -2, -7], pool=5), "11.47", "11.48"),
    case("wrong amounts that add up are only wrong", won().claimed(deltas=[4, -2, -7], pool=5), "11.47"),
    case("the claimed deltas hold the ante", won().claimed(deltas=[9, -2, -2]), "11.47"),
    case("totals run on from the deals before", won().start(0).result().claimed(totals=[4, -2, -7])),
    case("of a voided deal nothing", won().claimed(deltas=[100, 0, 0], pool=7).voided(), "11.52"),
    case("of one voided by ruling", won().claimed(deltas=[100, 0, 0], pool=7).ruled("void")),
    case("in mid-play", with_winners("0001").claimed(**RIGHT), ("11.43", None, None), status="unscorable"),
    case("nothing but a sheet", Record().start(2).claimed(deltas=[5, -5, -5], pool=5), ("11.43", None, None)),
    case("after the closing", won().closed().claimed(**RIGHT)),
    case("a wrong one, too", won().closed().claimed(pool=3), "11.47"),
]


def test_each_case_is_as_its_row_says():
    assert_cases(CASES)
