"""Each line of the score: rule, payer, payee, amount and words, result by result (QUA-7.6 to 7.32)."""

import pytest

from tests.games.quadrille.tables import Table

# Seat 1 is Ombre and seat 3 his partner, if he has one: O1 is seat 2 and O2 seat 0 (QUA-7.6). P = 7 + 4 = 11, U = 2.
WITH_PARTNER = {"ombre": 1, "partner": 3, "trump": "S", "matadors": 1}
ALONE = {"ombre": 1, "trump": "S", "matadors": 1}

WIN, REMISE = "the Ombre's side wins the pool", "Remise: the Ombre's side pays into the pool"
SHARE, REFILL = "Codille: an opponent's share of the pool", "Codille: the Ombre's side fills up the pool again"
PREMIERS, VOLE_POOL = "premiers: the first six tricks", "the stakes of the vole"
MADE, FAILED = "the vole was made", "the vole failed"


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


def matadors(*pairs, units=1):
    return [("7.20", source, target, 2 * units, "matadors") for source, target in pairs]


class TestWon:
    def test_an_alliance_that_is_won_divides_the_pool_and_each_opponent_pays_one_of_the_side(self):
        assert lines(alliance([2, 4, 1, 3])) == [
            ("7.13", "pool", 1, 5, WIN),
            ("7.13", "pool", 3, 5, WIN),
            *matadors((2, 1), (0, 3)),
        ]

    def test_the_odd_point_may_go_to_the_ombre(self):
        got = lines(alliance([2, 4, 1, 3]), odd_point="ombre")
        assert [line[:4] for line in got[:2]] == [("7.13", "pool", 1, 6), ("7.13", "pool", 3, 5)]

    @pytest.mark.parametrize("contract", ["solo", "alliance", "forced"])
    def test_an_ombre_who_is_alone_takes_all(self, contract):
        assert lines(alone([1, 6, 2, 1], contract)) == [("7.12", "pool", 1, 11, WIN), *matadors((2, 1), (3, 1), (0, 1))]

    def test_double_matadors_pay_two_units(self):
        assert lines(alone([1, 6, 2, 1], trump="H", matadors=2))[1:] == matadors((2, 1), (3, 1), (0, 1), units=2)

    def test_a_unit_may_be_rounded_up(self):
        assert [line[3] for line in lines(alone([1, 6, 2, 1]), unit_rounding="up")] == [11, 3, 3, 3]
        assert [line[3] for line in lines(alone([1, 6, 2, 1]), unit_rounding="up", ante=2)] == [15, 4, 4, 4]


class TestLost:
    def test_a_remise_is_the_ombres_alone(self):
        assert lines(alliance([2, 3, 3, 2])) == [("7.15", 1, "pool", 11, REMISE), *matadors((1, 2), (1, 0))]

    def test_a_codille_is_shared_by_the_opponents_and_filled_up_by_the_ombre(self):
        shares = [("7.16", "pool", 2, 5, SHARE), ("7.16", "pool", 0, 5, SHARE)]
        codille = alliance([3, 2, 3, 2])
        assert lines(codille) == [*shares, ("7.18", 1, "pool", 21, REFILL), *matadors((1, 2), (1, 0))]
        assert lines(codille, codille_refill="pay_double")[2] == ("7.18", 1, "pool", 22, REFILL)

    def test_three_opponents_share_the_codille_of_a_solo(self):
        assert lines(alone([3, 4, 2, 1])) == [
            *(("7.16", "pool", seat, 3, SHARE) for seat in (2, 3, 0)),
            ("7.18", 1, "pool", 20, REFILL),
            *matadors((1, 2), (1, 3), (1, 0)),
        ]

    def test_a_forced_ombre_and_his_partner_share_the_loss_and_the_odd_point_is_the_ombres(self):
        assert lines(alliance([2, 3, 3, 2], contract="forced")) == [
            ("7.19", 1, "pool", 6, REMISE),
            ("7.19", 3, "pool", 5, REMISE),
            *matadors((1, 2), (3, 0)),
        ]
        codille = lines(alliance([3, 2, 3, 2], contract="forced"))
        assert codille[2:4] == [("7.19", 1, "pool", 11, REFILL), ("7.19", 3, "pool", 10, REFILL)]

    def test_a_forced_ombre_who_is_alone_shares_with_nobody(self):
        assert lines(alone([2, 5, 2, 1], "forced"))[0] == ("7.15", 1, "pool", 11, REMISE)

    @pytest.mark.parametrize(("own", "rules"), [(2, ["7.15"]), (3, ["7.19", "7.19"]), (4, ["7.19", "7.19"])])
    def test_an_alliance_may_share_its_loss_when_the_ombre_has_won_three_tricks(self, own, rules):
        got = lines(alliance([3, own, 2, 5 - own]), alliance_loss="shared_if_three")
        assert [line[0] for line in got if line[4] == REMISE] == rules
        assert lines(alliance([3, own, 2, 5 - own]))[0] == ("7.15", 1, "pool", 11, REMISE)


def stakes(rule, amount=3):
    return [(rule, seat, "vole_pool", amount, "a stake for the vole") for seat in range(4)]


class TestPremiersAndVole:
    def test_a_vole_made_by_an_alliance(self):
        assert lines(alliance([0, 6, 0, 4], premiers=True, vole="made")) == [
            *stakes("6.19"),
            ("7.13", "pool", 1, 5, WIN),
            ("7.13", "pool", 3, 5, WIN),
            *matadors((2, 1), (0, 3)),
            ("7.21", 2, 1, 2, PREMIERS),
            ("7.21", 0, 3, 2, PREMIERS),
            ("7.22", 2, 1, 4, MADE),
            ("7.22", 0, 3, 4, MADE),
            ("7.28", "vole_pool", 1, 6, VOLE_POOL),
            ("7.28", "vole_pool", 3, 6, VOLE_POOL),
        ]

    def test_a_vole_declared_by_an_alliance_that_fails_is_paid_by_both(self):
        assert lines(alliance([1, 6, 0, 3], premiers=True, vole="failed"))[8:] == [
            ("7.21", 2, 1, 2, PREMIERS),
            ("7.21", 0, 3, 2, PREMIERS),
            ("7.23", 1, 2, 4, FAILED),
            ("7.23", 3, 0, 4, FAILED),
            ("7.29", "vole_pool", 2, 6, VOLE_POOL),
            ("7.29", "vole_pool", 0, 6, VOLE_POOL),
        ]

    def test_a_vole_contract_that_is_made(self):
        assert lines(alone([0, 10, 0, 0], "vole", premiers=True)) == [
            *stakes("4.14"),
            ("7.12", "pool", 1, 11, WIN),
            *matadors((2, 1), (3, 1), (0, 1)),
            *(("7.21", seat, 1, 2, PREMIERS) for seat in (2, 3, 0)),
            *(("7.22", seat, 1, 4, MADE) for seat in (2, 3, 0)),
            ("7.28", "vole_pool", 1, 12, VOLE_POOL),
        ]

    def test_a_vole_contract_that_is_lost(self):
        assert lines(alone([2, 5, 2, 1], "vole"), vole_stake=5) == [
            *stakes("4.14", 5),
            ("7.15", 1, "pool", 11, REMISE),
            *matadors((1, 2), (1, 3), (1, 0)),
            *(("7.23", 1, seat, 4, FAILED) for seat in (2, 3, 0)),
            *(("7.29", "vole_pool", seat, 6, VOLE_POOL) for seat in (2, 3, 0)),
            ("7.29", "vole_pool", "pool", 2, "stakes of the vole that cannot be divided"),
        ]


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
