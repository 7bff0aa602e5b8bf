"""What is told of a deal in several places."""

from __future__ import annotations

from ledger.games import game_named
from ledger.text.deal import contract_facts, plays_text
from ledger.text.words import wording_for
from tests.games.kop.tables import Table


def test_of_a_result_both_declarers_are_named_and_none_as_the_bidder() -> None:
    table = Table().start(0)
    table.result(contract="wesele", declarers=[2, 0], card_points=[60, 44], tricks=[2, 2])
    view, wording = table.machine().view(), wording_for(game_named("kop"), "en")

    told = contract_facts(view, view.partner, ["Ada", "Ben", "Cleo", "Dan"], wording)

    assert told == {"contract": "wesele", "declarers": "Ada and Cleo"}
    assert list(plays_text(told, wording)) == ["Ada and Cleo play wesele"]
