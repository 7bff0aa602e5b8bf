"""An event in the words of a hand record: so a conflict between a file and the ledger shows it, so it is understood."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from ledger.events import (
    GAME_ACTION_TYPES,
    Announced,
    BidMade,
    CardPlayed,
    CardsDealt,
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
from ledger.recording.wording import told_events
from ledger.table.fold import TableFold
from tests.hand_records import REPLAYS, record_in, table_events

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


def words_for(event: Event, players: Sequence[str]) -> str | None:
    """How a hand record would tell an action, without a name; null for what it tells otherwise."""
    is_said_by_one = not isinstance(event, Announced) or (event.seats is None and event.seat is not None)
    if type(event) not in GAME_ACTION_TYPES - {CardsDealt} or not is_said_by_one:
        return None
    return re.sub(r'^\w+ = "|"$', "", hand_words(event, players)).rpartition(": ")[2]


@pytest.mark.parametrize(
    "path",
    [
        *("ombre/revoke.toml", "ombre/11a-surrender-in-vuelta.toml", "couillon/36-match-six32-upcard-bars.toml"),
        *("quadrille/06-partner-reveals-himself-and-stop.toml", "quadrille/match-of-four-deals.toml"),
        *("kop/09-wesele-cancels-kontra.toml", "kop/20-kontra-on-the-own-wesele.toml"),
    ],
)
def test_every_action_of_a_recorded_game_is_understood_in_its_own_words(path: str) -> None:
    events = table_events(record_in(REPLAYS / path))
    fold = TableFold(list(enumerate(events, 1)))
    told = [(index, event, words_for(event, fold.players)) for index, event in enumerate(events[:120])]
    told = [one for one in told if one[2] is not None]
    assert len(told) > 5
    for index, event, words in told:
        assert told_events(fold, index, event, words) == (event,)
