"""Wrong calls: what is found, and what the call counts for (KOP-11.20 to 11.35)."""

from tests.games.kop.tables import CICHA, ORDINARY, Table, free, ordinary
from tests.games.scripted import cases_of


def bidding(hands=ORDINARY, game="kop", **options):
    return Table(game, **options).deal_out(hands)


def test_the_announced_jack_is_the_highest_that_the_bidder_lacks():
    def table():
        return bidding(CICHA, announce_wesele_jack=True)

    assert table().named(0, "wesele", "CJ").codes() == []
    for wrong in (table().named(0, "wesele", "SJ"), table().calls("0 wesele"), table().named(0, "wesele", "SA")):
        assert wrong.finding() == ("11.33", 4, 0, ["CJ"])
        assert wrong.calls("1 pass", "2 pass", "3 pass").state().partner == 1
    assert bidding(CICHA).named(0, "wesele", "DJ").codes() == []  # the table announces no jack


test_each_case_of_the_file = cases_of("kop/auction_faults.txt", Table, bidding, free, ordinary)
