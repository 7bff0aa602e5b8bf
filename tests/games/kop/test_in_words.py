"""What the findings and the payments of a deal say, word for word (KOP sections 4 to 7, 11)."""

import pytest

from ledger.table.score import score_answer
from tests.games.kop.tables import CICHA, FOUR_QUEENS, ORDINARY, Table, free, ordinary
from tests.signs import with_signs


def bidding(hands=ORDINARY, game="kop", **options):
    return Table(game, **options).deal_out(hands)


def told():
    """A deal known by its result alone."""
    return Table().start(0).result(contract="cicha", declarers=[2], card_points=[79, 25], tricks=[3, 1])


@pytest.mark.parametrize(
    ("table", "rule", "seat", "legal", "message"),
    [
        (bidding().add(bidding().entries[-1][1]), "2.3", None, None, "cards were dealt a second time in the same deal"),
        (bidding().calls("1 zolo"), "4.20", 1, [], "Baron called zolo, but Belinda was in turn; the call is ignored"),
        (
            ordinary().calls("0 zolo"),
            "4.25",
            0,
            [],
            "Belinda called zolo when the auction was over; the call is ignored",
        ),
        (told().calls("1 zolo"), "6.14", 1, [], "Baron called zolo when the auction was over; the call is ignored"),
        (
            bidding().calls("0 zolo_du", "1 zolo"),
            "4.6",
            1,
            ["kontra", "pass"],
            "Baron bid zolo, which is not stronger than zolo_du",
        ),
        (
            bidding().calls("0 grand"),
            "4.3",
            0,
            ["kontra", "pass", "zolo", "zolo_du"],
            "Belinda said grand, which Belinda cannot say here",
        ),
        (
            bidding(CICHA, announce_wesele_jack=True).named(0, "wesele", "SJ"),
            "5.7",
            0,
            ["CJ"],
            "Belinda did not name the highest jack missing from the own hand, but SJ",
        ),
        (
            bidding(CICHA, announce_wesele_jack=True).calls("0 wesele"),
            "5.7",
            0,
            ["CJ"],
            "Belinda did not name the highest jack missing from the own hand, but –",
        ),
        (bidding().said(0, "ask"), "4.36", 0, [], "Belinda said ask, which Belinda cannot say here"),
        (free().said(1, "close_auction"), "4.37", 1, [], "Baron said close_auction, which Baron cannot say here"),
        (
            free().said(0, "close_auction").said(0, "ask"),
            "6.14",
            0,
            [],
            "Belinda called ask when the auction was over; the call is ignored",
        ),
        (
            bidding().played(0, "DT"),
            "4.25",
            0,
            None,
            "Belinda led when the auction was not over; the missing calls are passes",
        ),
        (
            bidding().calls("0 kontra").played(0, "DT"),
            "4.27",
            0,
            None,
            "Belinda led when the auction was not over; the missing calls are passes",
        ),
        (
            bidding(FOUR_QUEENS, "baska").calls("0 baska").played(1, "CT"),
            "6.16",
            1,
            [],
            "Baron played CT when the play had ended",
        ),
        (told().played(1, "CT"), "6.13", 1, [], "Baron played CT when the play had ended"),
        (Table().start(3).gathered(1), "6.11", 1, None, "Baron gathered the trick, which nobody won"),
        (ordinary().conceded(0, 3), "6.19", 0, None, "Belinda could not concede so here; the concession is ignored"),
        (
            bidding(concessions=True).conceded(1, 2),
            "6.17",
            1,
            None,
            "Baron could not concede so here; the concession is ignored",
        ),
        (
            ordinary().said(2, "stop"),
            "6.15",
            2,
            None,
            "the play could not be stopped here: no defender had won a trick of a du contract",
        ),
    ],
)
def test_a_finding_says_who_did_what_against_which_rule(table, rule, seat, legal, message):
    (found,) = table.findings()
    assert (found.rule, found.seat, found.legal, found.message) == (f"KOP-{rule}", seat, legal, with_signs(message))
    assert found.version == table.version


def test_an_own_doubling_is_told_at_its_call():
    table = bidding().calls("0 kontra", "1 pass", "2 pass", "3 re")
    version = table.version
    (found,) = table.calls("0 pass", "1 pass", "2 pass").findings()
    assert (found.rule, found.version, found.seat) == ("KOP-4.29", version, 3)
    assert found.message == "Clarissa doubled a doubling of the own side; it is void"


def test_a_deal_left_is_told_at_its_last_event_and_its_seat():
    table = ordinary().played(0, "DT")
    version = table.version
    (found,) = table.start(0).findings()
    assert (found.rule, found.version, found.seat) == ("KOP-6.13", version, 0)
    assert found.message == "the play had not ended"


class TestPayments:
    @pytest.mark.parametrize(
        ("points", "tricks", "doublings", "text"),
        [
            ([60, 44], [2, 2], 0, "ゾロ:基本点 5"),
            ([25, 79], [1, 3], 0, "ゾロ:基本点 5 × ベズ・ビエスチア 2 × デクレアラーの負け 2"),
            ([104, 0], [4, 0], 1, "ゾロ:基本点 5 × 倍がけ 2 × ベズ・ビトキ 3"),
        ],
    )
    def test_in_japanese_each_factor_has_its_own_name(self, points, tricks, doublings, text):
        table = Table("baska").start(0)
        table.result(contract="zolo", declarers=[1], card_points=points, tricks=tricks, doublings=doublings)
        (deal,) = score_answer("t", table.fold(), "ja").deals
        assert {line.text for line in deal.lines} == {text}
