"""Unrecorded hands that become known in play are judged as recorded ones (KOP-11.75)."""

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


def test_the_last_hand_follows_from_the_three_others():
    """Three hands determine the fourth: it has both old queens, so that it may not say kontra (KOP-4.14)."""
    table = Table().deal_out((TWELVE_22[0], None, *TWELVE_22[2:]), dealer=0)
    assert table.state().hands == Table().deal_out(TWELVE_22, dealer=0).state().hands
    assert table.legal == Table().deal_out(TWELVE_22, dealer=0).legal
    assert "kontra" not in table.legal["bid_made"]


def with_wild_calls(entries, chance):
    """Return the record with some random calls, whatever the hands are."""
    calls = sorted(CALLS)
    return [
        (version, BidMade(seat=event.seat, call=chance.choice(calls)))
        if isinstance(event, BidMade) and chance.random() < 0.3
        else (version, event)
        for version, event in entries
    ]


def with_cards_written_down_late(entries, chance):
    """Return the record with the deal of the cards recorded anywhere after the start of the deal."""
    place = chance.randrange(2, len(entries))
    others = [*entries[:2], *entries[3:]]
    return [*others[:place], entries[2], *others[place:]]


def of_one_kind(faults):
    """Return the faults with those of following merged: a card never recorded may have been of the suit led."""
    return {("following" if code in GAME.revokes else code, version, seat) for code, version, seat in faults}


ONE_DEAL = lawful_tables(deals=1, closed=False, concessions=False)


class TestHandsMaskedAtRandom:
    @examples(25, many=1_000)
    @given(ONE_DEAL, st.integers(0, 2**32))
    def test_a_deal_played_to_its_end_is_judged_the_same_without_its_hands(self, entries, seed):
        """A hand that was shown card by card is as good as a recorded one."""
        chance = Random(seed)
        full = with_wild_calls(carelessly_played(entries, chance), chance)
        known = TableFold(full).deals[0]
        if known.outcome is None or known.machine.play is None or len(known.machine.play.cards) < 16:
            return
        for less in (with_masked_hands(full, chance), with_cards_written_down_late(full, chance)):
            assert blamed(less) == blamed(full)
            assert TableFold(less).deals[0].outcome == known.outcome

    @examples(25, many=1_000)
    @given(ONE_DEAL, st.integers(0, 2**32))
    def test_an_unrecorded_card_blames_for_nothing_more(self, entries, seed):
        chance = Random(seed)
        full = carelessly_played(entries, chance)
        less = with_masked_plays(with_masked_hands(full, chance), chance)
        assert of_one_kind(blamed(less)) <= of_one_kind(blamed(full))
        assert TableFold(less).deals[0].outcome in (None, TableFold(full).deals[0].outcome)
