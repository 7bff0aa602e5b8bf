"""Wrong dealers, cuts, packs and numbers of cards (COU-11.11 to 11.15): what is found, and what it does to the deal."""

from pathlib import Path

import pytest

from ledger.errors import MalformedError
from ledger.games.couillon.dealing_rules import packets_of
from ledger.games.couillon.options import make_options
from tests.games.couillon.tables import PLAYERS, Table
from tests.games.scripted import cases_of
from tests.web.lists import lines_in

DECKS = {
    "mit4": "SK HQ HT SQ CK CJ DJ CQ SA DT S9 HA D9 C9 DQ CT SJ HK CA ST DA HJ H9 DK",
    "basic4": "CQ H9 C9 D9 CJ DK S9 HT HJ HA SA HK SK CK DT DA CT DQ DJ SJ HQ SQ CA ST",
}


@pytest.mark.parametrize("line", lines_in(Path(__file__).with_name("packets.txt")))
def test_packets_go_round_from_forehand_to_the_dealer(line):
    head, packets = line.split(": ")
    form, *procedure = head.split()
    options = {"form": form, **dict(zip(["six32_procedure"], procedure, strict=False))}
    shape = make_options(options, PLAYERS[form]).form
    deck = tuple(str(place) for place in range(1, shape.pack.bit_count() + 1))
    hands, stock = packets_of(deck, shape, PLAYERS[form] - 1)
    assert " / ".join(" ".join(cards) for cards in (*hands, stock)).strip() == packets


def dealt(form="mit4", **fields):
    """A deal whose hands, stock and pack are recorded."""
    table = Table(form).start(3)
    deck = tuple(DECKS[form].split())
    hands, stock = packets_of(deck, table.options.form, 3)
    return table.dealt([" ".join(hand) for hand in hands], " ".join(stock), deck=deck, **fields)


def test_a_card_foreign_to_the_form_is_refused():
    with pytest.raises(MalformedError, match="not in the pack"):
        Table("mit4").start(3).dealt({0: "S8 HQ HT SJ HK"}).shaped()
    Table("eight32").start(3).dealt({0: "S8 HQ HT SJ"}).shaped()


test_each_case_of_the_file = cases_of("couillon/dealing_faults.txt", Table, dealt)
