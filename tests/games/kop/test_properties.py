"""Properties of every lawful table of Kop and Baśka; hidden hands that become known are judged as recorded ones."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from ledger.cards import PACK_52, UNKNOWN
from ledger.events import Announced, BidMade, CardPlayed, CardsDealt
from ledger.games.kernel.moves import of_type
from ledger.games.kop import GAME
from ledger.games.kop.auction import CALLS
from ledger.games.kop.hands import partner_jack
from ledger.table.audit import audit_answer
from ledger.table.fold import TableFold
from tests.contracts.any_record import AnyRecord
from tests.contracts.lawful_tables import LawfulTables, machine_before
from tests.covering import examples
from tests.games.kop import strategies
from tests.games.kop.strategies import lawful_tables
from tests.games.kop.tables import Table
from tests.games.masked import blamed, carelessly_played, with_masked_hands, with_masked_plays


class TestLawfulTables(LawfulTables):
    tables = strategies
    may_be_unlisted = frozenset(("show_baska",))
    said_by_the_recorder = frozenset(("stop",))

    def names_more_than_the_outcome(self, fold):
        """Return whether a void doubling leaves a gap: an outcome only counts doublings, lines name them (KOP-4.29)."""
        return any(finding.rule == "KOP-4.29" for finding in audit_answer("t", fold).findings)

    def player(self, deal):
        """Return the leader in a free auction, where no seat is in turn but the leader may lead (KOP-4.37)."""
        return deal.leader if deal.phase == "auction" and deal.options.is_free else deal.turn()

    def completed(self, fold, deal, event):
        """Return a wesele with its jack, announced or not, and a concession by the whole side once it is known."""
        if type(event) is BidMade and event.call == "wesele":
            jack = partner_jack(deal.hands, event.seat)
            return structs.replace(event, card=None if jack is None else PACK_52[jack])
        if type(event) is Announced and event.what == "concede" and deal.phase != "play":
            return structs.replace(event, seats=(event.seat,))
        return super().completed(fold, deal, event)


class TestAnyRecord(AnyRecord):
    """No record, however wrong, stops its reading."""

    tables = strategies

    def check_score(self, score, findings):
        """Check that there is no pool (KOP-8.2)."""
        assert all(deal.pool_before == deal.pool_after == 0 for deal in score.deals)


def faults(violations):
    return [violation for violation in violations if violation.severity != "info"]


def without_hands(entries):
    """Return the table as a club records it that writes down only the calls and the play."""
    return [entry for entry in entries if not isinstance(entry[1], CardsDealt)]


@examples(25)
@given(lawful_tables())
def test_exactly_one_side_wins_a_deal(entries):
    fold = TableFold(entries)
    for record in fold.deals:
        assert record.outcome.winning_side in ("declarer", "defenders")  # KOP-7.20
        amounts = {abs(delta) for delta in record.settlement.deltas}
        assert len(record.outcome.declarers) == 1 or len(amounts) == 1  # KOP-7.16
        assert (record.settlement.pool_before, record.settlement.pool_after) == (0, 0)  # KOP-7.18, 8.2


@examples(25)
@given(lawful_tables())
def test_all_points_and_tricks_are_shared_out(entries):
    for record in TableFold(entries).deals:
        outcome = record.outcome
        if outcome.stopped or outcome.contract == "baska":
            continue
        assert sum(outcome.card_points) == 104  # KOP-7.19
        assert sum(outcome.tricks) == 4
        for points, tricks in zip(outcome.card_points, outcome.tricks, strict=True):
            assert points >= 8 * tricks
            assert (points == 0) == (tricks == 0)


@examples(15)
@given(lawful_tables(deals=1, concessions=True), st.integers(0, 200))
def test_exactly_the_seats_of_one_side_may_concede_and_every_seat_is_listed(entries, moment):
    fold = TableFold(entries)
    record = fold.deals[0]
    deal = machine_before(fold, record, record.start + 2 + moment % (record.end - record.start - 1))
    conceding = [said for said in of_type(deal.legal(), Announced) if said.what == "concede"]
    assert sorted(said.seat for said in conceding) == ([0, 1, 2, 3] if deal.phase == "play" else [])
    assert not any(deal.check(said) for said in conceding)
    if deal.phase != "play":
        return
    final = record.outcome
    for mask in range(16):
        seats = tuple(seat for seat in range(4) if mask >> seat & 1)
        others = tuple(seat for seat in range(4) if seat not in seats)
        is_side = final.declarers in (seats, others)
        event = Announced(seat=seats[0] if seats else 0, what="concede", seats=seats)
        assert bool(deal.check(event)) != is_side


class TestUnrecordedHands:
    @examples(25)
    @given(lawful_tables(deals=1), st.integers(0, 3))
    def test_one_unrecorded_card_does_not_matter_if_the_hands_are_known(self, entries, place):
        plays = [index for index, entry in enumerate(entries) if isinstance(entry[1], CardPlayed)]
        if len(plays) < 16:
            return
        index = plays[12 + place]  # of the last trick, so that no lead depends on it
        version, event = entries[index]
        blurred = [*entries[:index], (version, structs.replace(event, card=UNKNOWN)), *entries[index + 1 :]]
        first, second = TableFold(entries).deals[0], TableFold(blurred).deals[0]
        assert second.outcome == first.outcome
        assert faults(second.violations) == []


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
