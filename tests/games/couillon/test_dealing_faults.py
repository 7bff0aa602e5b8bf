"""Wrong dealers, cuts, packs and numbers of cards (COU-11.11 to 11.15): what is found, and what it does to the deal."""

import pytest

from ledger.errors import MalformedError
from ledger.games.couillon.dealing import packets_of
from ledger.games.couillon.options import make_options
from tests.games.couillon.tables import PLAYERS, Table
from tests.games.scripted import cases_of

DECKS = {
    "mit4": "SK HQ HT SQ CK CJ DJ CQ SA DT S9 HA D9 C9 DQ CT SJ HK CA ST DA HJ H9 DK",
    "basic4": "CQ H9 C9 D9 CJ DK S9 HT HJ HA SA HK SK CK DT DA CT DQ DJ SJ HQ SQ CA ST",
}


@pytest.mark.parametrize(
    ("form", "options", "packets"),
    [
        ("basic4", {}, "1 2 9 10 / 3 4 11 12 / 5 6 13 14 / 7 8 15 16 / 17 18 19 20 21 22 23 24"),
        ("mit4", {}, "1 2 3 17 18 / 4 5 6 19 20 / 7 8 9 21 22 / 10 11 12 23 24 / 13 14 15 16"),
        ("six24", {}, "1 2 13 14 / 3 4 15 16 / 5 6 17 18 / 7 8 19 20 / 9 10 21 22 / 11 12 23 24 / "),
        (
            "six32",
            {},
            "1 2 3 21 22 / 4 5 6 23 24 / 7 8 9 25 26 / 10 11 12 27 28 / 13 14 15 29 30 / 16 17 18 31 32 / 19 20",
        ),
        (
            "six32",
            {"six32_procedure": "upcard"},
            "1 2 13 14 / 3 4 15 16 / 5 6 17 18 / 7 8 19 20 / 9 10 21 22 / 11 12 23 24 / 25 26 27 28 29 30 31 32",
        ),
        ("eight32", {}, "".join(f"{n} {n + 1} {n + 16} {n + 17} / " for n in range(1, 16, 2))),
    ],
)
def test_packets_go_round_from_forehand_to_the_dealer(form, options, packets):
    shape = make_options({"form": form, **options}, PLAYERS[form]).form
    deck = tuple(str(place) for place in range(1, shape.pack.bit_count() + 1))
    hands, stock = packets_of(deck, shape, PLAYERS[form] - 1)
    assert " / ".join(" ".join(cards) for cards in (*hands, stock)) == packets


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
