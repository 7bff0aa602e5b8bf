"""What the findings and the payments of a deal say, word for word (KOP sections 4 to 7, 11)."""

import pytest

from ledger.table.score import score_answer
from tests.games.kop.tables import Table, bidding, free, ordinary
from tests.games.scripted import cases_of


def told():
    """A deal known by its result alone."""
    return Table().start(0).result(contract="cicha", declarers=[2], card_points=[79, 25], tricks=[3, 1])


class TestPayments:
    @pytest.mark.parametrize(
        ("points", "tricks", "doublings", "text"),
        [
            ([60, 44], [2, 2], 0, "ゾロ:基本点 5"),
            ([25, 79], [1, 3], 0, "ゾロ:基本点 5 × ベズ・ビエスチア 2 × デクレアラーの負け 2"),
            ([104, 0], [4, 0], 1, "ゾロ:基本点 5 × コントラ 2 × ベズ・ビトキ 3"),
        ],
    )
    def test_in_japanese_each_factor_has_its_own_name(self, points, tricks, doublings, text):
        table = Table("baska").start(0)
        table.result(contract="zolo", declarers=[1], card_points=points, tricks=tricks, doublings=doublings)
        (deal,) = score_answer("t", table.fold(), "ja").deals
        assert {line.text for line in deal.lines} == {text}


test_each_case_of_the_file = cases_of("kop/in_words.txt", Table, bidding, free, ordinary, told)
