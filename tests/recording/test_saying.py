"""An event in the words of a hand record, as a conflict between a file and the ledger shows it."""

from __future__ import annotations

import pytest

from ledger.events import (
    Announced,
    BidMade,
    CardPlayed,
    CardsExchanged,
    CardTurned,
    DealStarted,
    DealVoided,
    Event,
    Noted,
    PartnerCalled,
    TableClosed,
    TrickGathered,
    TrumpNamed,
)
from ledger.recording.saying import hand_words

PLAYERS = ("Ann", "Ben", "Cleo", "Dan")


@pytest.mark.parametrize(("event", "words"), [
    (CardPlayed(seat=1, card="HK"), "Ben: HK"),
    (BidMade(seat=0, call="solo"), "Ann: solo"),
    (BidMade(seat=0, call="wesele", card="CJ"), "Ann: wesele CJ"),
    (CardTurned(card="S7"), 'turned = "S7"'),
    (TrumpNamed(seat=2, suit="D"), 'trump = "Cleo: D"'),
    (PartnerCalled(seat=3, card="CK"), 'called = "Dan: CK"'),
    (PartnerCalled(seat=3, card=None), 'called = "Dan: none"'),
    (Announced(seat=1, what="stop"), "Ben: stop"),
    (Announced(seat=None, what="stop"), "table: stop"),
    (Announced(seat=1, what="concede", seats=(1, 3)), "Ben+Dan: concede"),
    (CardsExchanged(seat=0, count=2), "Ann: 2"),
    (CardsExchanged(seat=0, count=2, discarded=("H2", "H3"), drawn=("SA", "SK")), "Ann: H2 H3 > SA SK"),
    (CardsExchanged(seat=0, count=0, discarded=()), "Ann: none"),
    (TrickGathered(seat=2), "> Cleo"),
    (DealStarted(deal=2, dealer=3), 'dealer = "Dan"'),
    (Noted(text="late"), 'notes = "late"'),
    (DealVoided(reason="misdeal"), 'voided = "misdeal"'),
    (TableClosed(), '{"type":"table_closed"}'),
    (CardPlayed(seat=5, card="HK"), "5: HK"),
])  # fmt: skip
def test_an_event_is_said_as_it_would_be_typed(event: Event, words: str) -> None:
    assert hand_words(event, PLAYERS) == words
