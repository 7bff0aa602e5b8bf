"""Hands that were not written down: what cards prove later, and what cannot be known (OMB-11.34 to 11.37, 11.51)."""

from ledger.events import Announced, CardPlayed
from tests.games.masked import without_hands
from tests.games.ombre.tables import Record, with_winners
from tests.games.scripted import cases_of


def playing(hands=None, call="solo", trump="S", **options):
    """Seat 0 plays a Solo in spades; seats 1 and 2 have exchanged nothing."""
    record = Record(**options).start(2).dealt(hands or {}).won_by(0, call)
    if call == "vuelta":
        record.turned("S7").exchanged(0, 0)
    else:
        record.trump(0, trump)
    return record.exchanged(1, 0).exchanged(2, 0)


def without_cards(winners, **options):
    """The record of `with_winners`, but nobody wrote down the hands."""
    record = with_winners(winners, **options)
    record.entries = without_hands(record.entries)
    return record


class TestWhatCardsProve:
    def test_refusing_trumps_with_a_matador_is_judged_when_the_hand_is_known(self):
        record = playing().trick(0, "S5 DK S3").trick(0, "S6 SA S4")
        assert record.codes() == []  # still open: a small trump may be hidden
        rest = ["HK", "HQ", "HJ", "C3", "C4", "C5", "C6"]
        for card in rest:
            record.played(1, card).played(2, "H" + "234567A"[rest.index(card)]).played(
                0, "D" + "234567A"[rest.index(card)]
            )
        assert ("OMB-11.51", 1) in [(f.code, f.seat) for f in record.findings() if f.version < 14]


class TestWhatIsLegal:
    def test_an_unknown_hand_may_hold_anything_not_seen(self):
        assert len(playing({0: "SA S2 CA HK HQ D7 D6 D5 D4"}).trick(0, "HK").legal["card_played"]) == 40 - 9


def defended_by(defender, winners, **options):
    """An Entrada surrendered before the first trick and defended, without hands, that seat 0 throws in."""
    record = without_cards(winners, **options)
    first = next(place for place, (_, event) in enumerate(record.entries) if isinstance(event, CardPlayed))
    said = [Announced(seat=0, what="surrender")]
    said += [Announced(seat=1, what="decline_defence")] if defender == 2 else []
    said += [Announced(seat=defender, what="defend")]
    events = [event for _, event in record.entries]
    record.entries = list(enumerate([*events[:first], *said, *events[first:]], start=1))
    return record.said(0, "throw_in")


test_each_case_of_the_file = cases_of(
    "ombre/unknown_hands.txt", Record, defended_by, playing, with_winners, without_cards
)
