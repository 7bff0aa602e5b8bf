"""Each line of the score: rule, payer, payee, amount and words, outcome by outcome (OMB-7.18 to 7.32); the bonuses."""

import pytest

from tests.games.ombre.tables import Record

# Seat 0 is Ombre, seat 2 dealt and pays an ante of 10, so that P = 10 and L = 10 + 3 * 5.
MATADORS = {"ombre": 0, "trump": "S", "estuches": 3}
WON = "the Ombre wins the pool"


def lines(outcome, **options):
    """The lines of a deal known only by its outcome, without the ante."""
    record = Record(ante=10, **options).start(2).result(**outcome)
    ante, *made = record.deal().lines
    assert (ante.rule, ante.source, ante.target, ante.amount) == ("OMB-3.4", 2, "pool", 10)
    return [(line.rule.removeprefix("OMB-"), line.source, line.target, line.amount, line.text) for line in made]


def wins(contract=0, estuches=3, primeras=0, vole=0):
    return (
        f"the Ombre wins: {contract} for the contract, {estuches} for estuches, "
        f"{primeras} for the first five tricks, {vole} for the vole"
    )


def loses(contract=0, estuches=3):
    return f"the Ombre loses: {contract} for the contract, {estuches} for estuches"


def into_the_pool(result):
    return f"{result}: the Ombre's loss goes into the pool"


def defended(tricks, **options):
    return lines({**MATADORS, "contract": "entrada", "tricks": tricks, "defender": 1}, **options)


@pytest.mark.parametrize(("contract", "points"), [("entrada", 0), ("vuelta", 2), ("solo", 5)])
def test_a_sacada(contract, points):
    assert lines({**MATADORS, "contract": contract, "tricks": [5, 2, 2]}) == [
        ("7.18", "pool", 0, 10, WON),
        ("7.18", 1, 0, points + 3, wins(points)),
        ("7.18", 2, 0, points + 3, wins(points)),
    ]


def test_a_sacada_with_the_first_five_tricks_and_the_favourite_suit():
    stopped = {**MATADORS, "contract": "vuelta", "tricks": [5, 0, 0], "primeras": True, "ending": "stopped"}
    assert lines(stopped, favourite_suit="S") == [
        ("7.18", "pool", 0, 10, WON),
        ("7.18", 1, 0, 10, wins(4, 3, 3)),
        ("7.18", 2, 0, 10, wins(4, 3, 3)),
    ]


def test_a_vole():
    assert lines({**MATADORS, "contract": "solo", "tricks": [9, 0, 0], "primeras": True}) == [
        ("7.19", "pool", 0, 10, WON),
        ("7.19", 1, 0, 36, wins(5, 3, 3, 25)),
        ("7.19", 2, 0, 36, wins(5, 3, 3, 25)),
    ]


def test_a_vole_that_is_worth_nothing_is_still_a_vole():
    got = lines({**MATADORS, "contract": "solo", "tricks": [9, 0, 0], "primeras": True}, vole_points=0)
    assert [line[0] for line in got] == ["7.19"] * 3


FAILED_VOLE = {**MATADORS, "contract": "entrada", "tricks": [8, 1, 0], "primeras": True}
PENALTIES = [("7.22", 0, other, 25, "the vole was undertaken and failed") for other in (1, 2)]


def test_a_failed_vole():
    assert lines(FAILED_VOLE) == [
        ("7.20", "pool", 0, 10, WON),
        ("7.21", 1, 0, 6, wins(0, 3, 3)),
        ("7.21", 2, 0, 6, wins(0, 3, 3)),
        *PENALTIES,
    ]


def test_a_failed_vole_that_keeps_neither_the_pool_nor_the_first_five_tricks():
    assert lines(FAILED_VOLE, failed_vole_keeps_pool=False, failed_vole_keeps_primeras=False) == [
        ("7.21", 1, 0, 3, wins()),
        ("7.21", 2, 0, 3, wins()),
        *PENALTIES,
    ]


def test_a_codille():
    codille = {**MATADORS, "contract": "solo", "tricks": [3, 2, 4]}
    loss = [
        ("7.23", 0, 2, 25, "Codille: the Ombre's loss goes to the opponent with the most tricks"),
        ("7.24", 0, 1, 8, loses(5)),
        ("7.24", 0, 2, 8, loses(5)),
    ]
    assert lines(codille) == loss
    assert lines(codille, codille_takes_pool=True) == [
        *loss,
        ("7.25", "pool", 2, 10, "Codille: the winner takes the pool too"),
    ]


@pytest.mark.parametrize(
    ("result", "facts"),
    [("PUESTA", {"tricks": [4, 4, 1]}), ("SURRENDER", {"tricks": [0, 1, 1], "ending": "surrendered"})],
)
def test_a_puesta_or_a_surrender(result, facts):
    assert lines({**MATADORS, "contract": "vuelta", **facts}) == [
        ("7.26", 0, "pool", 25, into_the_pool(result)),
        ("7.27", 0, 1, 5, loses(2)),
        ("7.27", 0, 2, 5, loses(2)),
    ]


def test_a_defended_deal_that_is_won():
    won = [
        ("7.28", 0, 1, 25, "defended and won: the Ombre's loss goes to the Defender"),
        ("7.28", 0, 1, 3, loses()),
        ("7.28", 0, 2, 3, loses()),
    ]
    assert defended([1, 5, 3]) == won
    assert defended([1, 5, 3], defend_takes_pool=True) == [
        *won,
        ("7.28", "pool", 1, 10, "defended and won: the Defender takes the pool too"),
    ]


def test_a_codille_in_a_defended_deal():
    assert defended([2, 2, 5]) == [
        ("7.29", 0, "pool", 25, into_the_pool("DEFENDED_CODILLE")),
        ("7.29", 1, 2, 25, "defended, Codille: the Defender's loss goes to the third player"),
        ("7.29", 0, 1, 3, loses()),
        ("7.29", 0, 2, 3, loses()),
    ]


def test_an_ombre_saved_by_the_third_seat():
    assert defended([4, 3, 2]) == [("7.30", 1, "pool", 25, "the Defender's loss goes into the pool")]


def test_a_double_puesta():
    assert defended([4, 4, 1]) == [
        ("7.31", 0, "pool", 25, into_the_pool("DEFENDED_DOUBLE_PUESTA")),
        ("7.31", 1, "pool", 25, "the Defender's loss goes into the pool"),
        ("7.31", 0, 1, 3, loses()),
        ("7.31", 0, 2, 3, loses()),
    ]


def test_a_deal_that_was_passed_out_pays_nothing():
    assert lines({}) == []


def test_a_dealer_who_sits_out_pays_and_is_paid_like_the_others():
    record = Record(4, ante=10).start(3).result(**MATADORS, contract="solo", tricks=[4, 4, 1, 0])
    assert [(line.source, line.target, line.amount) for line in record.deal().lines] == [
        (3, "pool", 10),
        (0, "pool", 30),
        (0, 1, 8),
        (0, 2, 8),
        (0, 3, 8),
    ]


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
