"""What nobody may see of an open deal is taken out of its entries; all else stays as it stands."""

from __future__ import annotations

import pytest

from ledger.events import BidMade, CardPlayed, CardsDealt, CardsExchanged, Corrected, DealStarted, Event, PartnerCalled
from ledger.table.hiding import Hidden
from ledger.table.redaction import redacted, redacted_entries

HIDDEN = ("??", "??")


@pytest.mark.parametrize(
    ("event", "seen"),
    [
        (
            CardsDealt(hands=(("SA", "S7"), None, ()), stock=("H5", "??"), deck=("SA", "S7"), cut_by=1),
            CardsDealt(hands=(HIDDEN, None, ()), stock=HIDDEN, deck=HIDDEN, cut_by=1),
        ),
        (
            CardsExchanged(seat=1, count=2, discarded=("H5", "H4"), drawn=None),
            CardsExchanged(seat=1, count=2, discarded=HIDDEN, drawn=None),
        ),
        (
            Corrected(
                version=4, action="replace", events=(CardsExchanged(seat=0, count=2, drawn=("SA", "S7")),), reason="x"
            ),
            Corrected(
                version=4, action="replace", events=(CardsExchanged(seat=0, count=2, drawn=HIDDEN),), reason="??"
            ),
        ),
    ],
)
def test_hidden_cards_are_counted_but_not_named(event: Event, seen: Event) -> None:
    assert redacted((4, event), Hidden(3, 3, 1)) == seen


@pytest.mark.parametrize(
    "event",
    [
        CardPlayed(seat=0, card="SA"),
        PartnerCalled(seat=0, card="HK"),
        BidMade(seat=0, call="wesele", card="SJ"),
        Corrected(version=4, action="strike", reason="??"),
    ],
)
def test_what_everybody_saw_stays(event: Event) -> None:
    assert redacted((4, event), Hidden(3, 3, 1)) == event


def test_only_the_open_deal_is_redacted_and_what_corrects_it() -> None:
    dealt = CardsDealt(hands=(("SA", "S7"), None, None))
    of_first = Corrected(version=3, action="replace", events=(dealt,), reason="x")
    of_open = Corrected(version=5, action="replace", events=(dealt,), reason="x")
    entries = [
        (2, DealStarted(deal=1, dealer=0)),
        (3, dealt),
        (4, DealStarted(deal=2, dealer=1)),
        (5, dealt),
        (6, of_first),
        (7, of_open),
    ]
    seen = dict(redacted_entries(entries, Hidden(4, 4, 2)))
    assert (seen[3], seen[6]) == (dealt, of_first)
    assert seen[5] == CardsDealt(hands=(HIDDEN, None, None))
    assert seen[7] == Corrected(version=5, action="replace", events=(seen[5],), reason="??")
