"""Hands that were not recorded and show themselves in play are judged as if they had been recorded (KOP-11.75)."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from ledger.events import BidMade
from ledger.games.kop import GAME
from ledger.games.kop.auction import CALLS
from ledger.table.fold import TableFold
from tests.covering import examples
from tests.games.kop.strategies import lawful_tables
from tests.games.kop.tables import Table
from tests.games.masked import blamed, carelessly_played, with_masked_hands, with_masked_plays

TWELVE_22 = ("HA SJ DA DT", "CQ SQ HQ HJ", "CJ DJ SA ST", "HT DQ CA CT")
"""The hands of KOP-12.22, dealt by 2."""

PLAY_OF_12_22 = ((3, "DQ SJ HQ CJ"), (1, "HJ DJ HT HA"), (0, "DA SQ SA CT"), (1, "CQ ST CA DT"))

NOT_RECORDED = (None, None, None, None)


def table_of_12_22(hands, *calls, game="kop", **options):
    return Table(game, **options).deal_out(hands, dealer=2).calls(*calls)


def told(table):
    return [(code, version, seat) for code, version, seat, _ in table.found()]


def test_a_wesele_is_not_too_low_over_one_that_the_cards_have_shown_to_be_false():
    """3 bids wesele without the queens, so 1, who has both, does not bid too low; nobody calls after the end."""
    table = table_of_12_22(NOT_RECORDED, "3 wesele", "0 pass", "1 wesele", "2 pass", "3 pass", "0 pass")
    table.tricks(PLAY_OF_12_22)
    assert told(table) == [("11.23", 4, 3), ("11.46", 11, 0)]
    assert table.deal().outcome["contract"] == "wesele"


def test_kop_12_22_without_its_hands_has_the_same_two_irregularities():
    """The kontra counts as the fourth pass, so the auction was finished when the first card was led."""
    calls = ("3 pass", "0 pass", "1 kontra", "2 pass")
    for hands in (TWELVE_22, NOT_RECORDED):
        table = table_of_12_22(hands, *calls).tricks(PLAY_OF_12_22)
        assert told(table) == [("11.30", 6, 1), ("11.46", 9, 0)]
        assert table.deal().deltas == [-8, 24, -8, -8]


def test_a_call_that_breaks_several_rules_is_reported_once_under_the_first():
    """A baśka in Kop is unknown (KOP-11.25), but from a hand without the four queens it is false first (KOP-11.24)."""
    table = table_of_12_22(NOT_RECORDED, "3 baska", "0 pass", "1 pass", "2 pass").tricks(PLAY_OF_12_22)
    assert [code for code, *_ in told(table)] == ["11.24", "11.46"]


def test_a_failure_to_trump_is_a_revoke_once_the_hand_has_shown_the_suit_led():
    hands = ("HA ?? ?? ??", None, None, "HT DQ CA DT")
    table = table_of_12_22(hands, "3 pass", "0 pass", "1 pass", "2 pass").trick(3, "CA SA HQ CJ")
    assert [code for code, *_ in told(table)] == ["11.45"]
    table.trick(1, "HJ DJ HT HA").trick(0, "DA SQ SJ DQ").trick(1, "CQ ST DT CT")
    assert table.found()[0] == ("11.44", 9, 0, ["CT"])


def test_the_hand_that_is_left_over_is_known_from_the_deal_on():
    """Three hands tell the fourth: it has both old queens, so that it may not say kontra (KOP-4.14)."""
    table = Table().deal_out((TWELVE_22[0], None, *TWELVE_22[2:]), dealer=0)
    assert table.state().hands == Table().deal_out(TWELVE_22, dealer=0).state().hands
    assert table.legal == Table().deal_out(TWELVE_22, dealer=0).legal
    assert "kontra" not in table.legal["bid_made"]


def with_wild_calls(entries, chance):
    """The same record, some calls made by chance, whatever the hands are."""
    calls = sorted(CALLS)
    return [
        (version, BidMade(seat=event.seat, call=chance.choice(calls)))
        if isinstance(event, BidMade) and chance.random() < 0.3
        else (version, event)
        for version, event in entries
    ]


def with_cards_written_down_late(entries, chance):
    """The same record, the cards dealt written down anywhere after the start of the deal."""
    place = chance.randrange(2, len(entries))
    others = [*entries[:2], *entries[3:]]
    return [*others[:place], entries[2], *others[place:]]


def check_masked_against_full(entries, seed):
    """What a hand has shown card by card is as good as a hand written down."""
    chance = Random(seed)
    full = with_wild_calls(carelessly_played(entries, chance), chance)
    known = TableFold(full).deals[0]
    if known.outcome is None or known.machine.play is None or len(known.machine.play.cards) < 16:
        return
    for less in (with_masked_hands(full, chance), with_cards_written_down_late(full, chance)):
        assert blamed(less) == blamed(full)
        assert TableFold(less).deals[0].outcome == known.outcome


def of_one_kind(faults):
    """The faults, those of following not told apart: a card unwritten to the end may have been of the suit led."""
    return {("following" if code in GAME.revokes else code, version, seat) for code, version, seat in faults}


def check_unwritten_cards_against_full(entries, seed):
    chance = Random(seed)
    full = carelessly_played(entries, chance)
    less = with_masked_plays(with_masked_hands(full, chance), chance)
    assert of_one_kind(blamed(less)) <= of_one_kind(blamed(full))
    assert TableFold(less).deals[0].outcome in (None, TableFold(full).deals[0].outcome)


ONE_DEAL = lawful_tables(deals=1, closed=False, concessions=False)


class TestHandsMaskedAtRandom:
    @examples(25, many=1_000)
    @given(ONE_DEAL, st.integers(0, 2**32))
    def test_a_deal_played_to_its_end_is_judged_the_same_without_its_hands(self, entries, seed):
        check_masked_against_full(entries, seed)

    @examples(25, many=1_000)
    @given(ONE_DEAL, st.integers(0, 2**32))
    def test_a_card_that_nobody_wrote_down_blames_for_nothing_more(self, entries, seed):
        check_unwritten_cards_against_full(entries, seed)
