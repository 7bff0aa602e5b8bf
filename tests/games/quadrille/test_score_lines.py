"""What the lines of a score hold that no record under `replays/` has (QUA-7.6 to 7.32)."""

import pytest

from tests.games.quadrille.tables import Table

# Seat 1 is Ombre and seat 3 his partner, if he has one: O1 is seat 2 and O2 seat 0 (QUA-7.6). P = 7 + 4 = 11, U = 2.
WITH_PARTNER = {"ombre": 1, "partner": 3, "trump": "S", "matadors": 1}
ALONE = {"ombre": 1, "trump": "S", "matadors": 1}

WIN, REMISE = "the Ombre's side wins the pool", "Remise: the Ombre's side pays into the pool"


def lines(outcome, **options):
    """The lines of a deal known only by its outcome, without the antes."""
    record = Table(initial_pool=7, **options).start(3).result(**outcome)
    made = record.deal().lines
    assert [line.rule for line in made[:4]] == ["QUA-3.4"] * 4
    assert {type(line.amount) for line in made} == {int}  # points are whole
    return [(line.rule.removeprefix("QUA-"), line.source, line.target, line.amount, line.text) for line in made[4:]]


def alliance(tricks, **facts):
    return {**WITH_PARTNER, "contract": "alliance", "tricks": tricks, **facts}


def alone(tricks, contract="solo", **facts):
    return {**ALONE, "contract": contract, "tricks": tricks, **facts}


def matadors(*pairs):
    return [("7.20", source, target, 2, "matadors") for source, target in pairs]


class TestWon:
    @pytest.mark.parametrize("contract", ["solo", "alliance", "forced"])
    def test_an_ombre_who_is_alone_takes_all(self, contract):
        assert lines(alone([1, 6, 2, 1], contract)) == [("7.12", "pool", 1, 11, WIN), *matadors((2, 1), (3, 1), (0, 1))]

    def test_a_unit_may_be_rounded_up(self):
        assert [line[3] for line in lines(alone([1, 6, 2, 1]), unit_rounding="up")] == [11, 3, 3, 3]
        assert [line[3] for line in lines(alone([1, 6, 2, 1]), unit_rounding="up", ante=2)] == [15, 4, 4, 4]


class TestLost:
    def test_a_forced_ombre_who_is_alone_shares_with_nobody(self):
        assert lines(alone([2, 5, 2, 1], "forced"))[0] == ("7.15", 1, "pool", 11, REMISE)

    @pytest.mark.parametrize(("own", "rules"), [(2, ["7.15"]), (3, ["7.19", "7.19"]), (4, ["7.19", "7.19"])])
    def test_an_alliance_may_share_its_loss_when_the_ombre_has_won_three_tricks(self, own, rules):
        got = lines(alliance([3, own, 2, 5 - own]), alliance_loss="shared_if_three")
        assert [line[0] for line in got if line[4] == REMISE] == rules
        assert lines(alliance([3, own, 2, 5 - own]))[0] == ("7.15", 1, "pool", 11, REMISE)


class TestOptions:
    @pytest.mark.parametrize("contract", ["solo", "vole"])
    def test_consolation_and_the_solo_bonus_follow_the_result(self, contract):
        options = {"consolation_units": 2, "solo_units": 3}

        def bonuses(tricks):
            return [line for line in lines(alone(tricks, contract), **options) if line[0] in ("7.24", "7.25")]

        assert bonuses([2, 6, 1, 1]) == [
            *(("7.24", seat, 1, 4, "consolation") for seat in (2, 3, 0)),
            *(("7.25", seat, 1, 6, "the bonus for playing alone") for seat in (2, 3, 0)),
        ]
        assert bonuses([3, 5, 1, 1]) == [
            *(("7.24", 1, seat, 4, "consolation") for seat in (2, 3, 0)),
            *(("7.25", 1, seat, 6, "the bonus for playing alone") for seat in (2, 3, 0)),
        ]

    def test_an_alliance_played_alone_earns_no_solo_bonus(self):
        assert {line[0] for line in lines(alone([1, 6, 2, 1], "alliance"), solo_units=3)} == {"7.12", "7.20"}

    def test_a_deal_that_was_thrown_in_pays_nothing(self):
        assert lines({}, all_pass="throw_in") == []

    def test_all_four_ante_or_the_dealer_for_all(self):
        def antes(**options):
            made = Table(ante=2, **options).start(2).dealt().deal().lines
            return [(line.rule, line.source, line.target, line.amount, line.text) for line in made]

        assert antes() == [("QUA-3.4", seat, "pool", 2, "the ante") for seat in range(4)]
        assert antes(ante_by="dealer") == [("QUA-3.4", 2, "pool", 8, "the ante")]
