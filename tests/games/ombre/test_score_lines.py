"""What the lines of a score hold that no record under `replays/` has (OMB-7.18 to 7.32); the bonuses of a sheet."""

import pytest

from tests.games.ombre.tables import Record


def rules(outcome, **options):
    """The rules of the lines of a deal known only by its outcome, the ante left out."""
    ante, *made = Record(**options).start(2).result(**outcome).deal().lines
    assert ante.rule == "OMB-3.4"
    return [line.rule for line in made]


def test_a_vole_that_is_worth_nothing_is_still_a_vole():
    vole = {"ombre": 0, "contract": "solo", "trump": "S", "tricks": [9, 0, 0], "estuches": 3, "primeras": True}
    assert rules(vole, vole_points=0) == ["OMB-7.19"] * 3


def test_a_deal_that_was_passed_out_pays_nothing():
    assert rules({}) == []


PLAIN = {"ombre": 0, "contract": "entrada", "trump": "H", "tricks": [5, 2, 2]}


FIRST_FIVE = {"primeras": True, "ending": "stopped", "tricks": [5, 0, 0]}


class TestBonusesOfASheet:  # the bonuses of a score sheet (OMB-10.24, 10.25)
    @pytest.mark.parametrize(
        ("facts", "options", "bonuses"),
        [
            ({}, {}, ""),
            ({"contract": "vuelta"}, {}, "VUELTA"),
            ({"contract": "solo"}, {}, "SOLO"),
            ({"contract": "solo", "tricks": [4, 4, 1]}, {}, "SOLO"),
            ({}, {"favourite_suit": "H"}, "FAVOUR"),
            ({}, {"favourite_suit": "S"}, ""),
            ({"estuches": 2}, {}, ""),
            ({"estuches": 3}, {}, "ESTUCHES"),
            ({"estuches": 3}, {"estuche_min": 4}, ""),
            (FIRST_FIVE, {}, "PRIMERAS"),
            ({"primeras": True, "tricks": [9, 0, 0]}, {}, "PRIMERAS VOLE"),
            ({"primeras": True, "tricks": [8, 1, 0]}, {}, "PRIMERAS VOLE_FAILED"),
            ({"primeras": True, "tricks": [8, 1, 0]}, {"failed_vole_keeps_primeras": False}, "VOLE_FAILED"),
            ({"estuches": 3, "tricks": [4, 5, 0], "defender": 1}, {}, "ESTUCHES"),
            ({"estuches": 3, "tricks": [5, 4, 0], "defender": 1}, {"favourite_suit": "H"}, ""),
        ],
    )
    def test_a_sheet_lists_each_bonus_that_enters_the_payments_and_no_other(self, facts, options, bonuses):
        record = Record(**options).start(2).result(**{**PLAIN, **facts})
        both = f"sheet: no bonus; computed: bonuses {bonuses}"
        said = [f"the score sheet misses a bonus: {bonuses}; {both}"] if bonuses else []
        assert [finding.message for finding in record.claimed(bonuses=[]).findings()] == said
        record.entries.pop()
        assert record.claimed(bonuses=bonuses.split()).findings() == []

    def test_a_deal_that_was_passed_out_has_no_bonus(self):
        record = Record(favourite_suit="H").start(2).result().claimed(bonuses=["FAVOUR"])
        assert [finding.code for finding in record.findings()] == ["OMB-11.45"]
