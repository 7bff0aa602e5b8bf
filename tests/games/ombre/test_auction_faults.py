"""Wrong calls (OMB-11.13 to 11.17): what is found, and that a void call changes nothing."""

from tests.games.ombre.tables import Record
from tests.games.scripted import cases_of


def bidding(players=3, dealer=2, **options):
    return Record(players, **options).start(dealer).dealt()


class TestIllegalCall:  # 11.16 illegal_call
    def test_an_illegal_call_is_void_and_the_seat_may_call_again(self):
        record = bidding().calls("0 vuelta", "1 entrada", "1 solo")
        assert record.codes() == ["11.16"]
        assert [call.call for call in record.state().auction] == ["vuelta", "solo"]

    def test_an_illegal_call_as_the_last_entry_of_a_deal_counts_as_a_pass(self):
        record = bidding().calls("0 pass", "1 pass", "2 solo_favour").start()
        assert record.codes() == ["11.16"]
        assert record.deal(1).outcome["result"] == "ALL_PASS"


test_each_case_of_the_file = cases_of("ombre/auction_faults.txt", Record, bidding)
