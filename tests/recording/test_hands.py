"""Ended deals that are still hidden, also in ledgers with unreadable tables."""

import pytest

from ledger.errors import MalformedError, NotFoundError
from ledger.events import CardsDealt, DealStarted, DealVoided, Event, SessionClosed, TableOpened
from ledger.log import Batch, MemoryStore, NewEntry
from ledger.recording.adding import Recording
from ledger.recording.hands import HiddenDeals, hidden_deals, open_hands, opening_after

PLAYERS = ("Ann", "Ben", "Cleo", "Dan")
VOIDED = (
    DealStarted(deal=1, dealer=3),
    CardsDealt(hands=(("SQ", "CJ", "DT", "CA"), None, None, None)),
    DealVoided(reason="misdealt"),
)


def ledger() -> MemoryStore:
    store = MemoryStore()
    for slug, game in (("a", "kop"), ("b", "nonesuch"), ("c", "kop")):
        events: tuple[Event, ...] = (
            TableOpened(game=game, players=PLAYERS, session="s" if slug == "a" else None),
            *VOIDED,
        )
        store.append(Batch(f"table/{slug}", 0, tuple(NewEntry(event) for event in events)), recorded_by="Ann")
    return store


def of_table(slug: str, session: str | None = None) -> HiddenDeals:
    return HiddenDeals(table=slug, session=session, deals=(1,), version=4)


def test_a_table_that_cannot_be_read_hides_no_other() -> None:
    assert list(hidden_deals(ledger())) == [of_table("a", "s"), of_table("c")]
    assert open_hands(ledger(), (), recording=Recording(by="Ann")) == [of_table("a", "s"), of_table("c")]


def test_a_named_table_that_cannot_be_read_is_reported() -> None:
    with pytest.raises(MalformedError, match="nonesuch"):
        open_hands(ledger(), ["a", "b"], recording=Recording(by="Ann"))
    with pytest.raises(NotFoundError, match="d"):
        open_hands(ledger(), ["d"], recording=Recording(by="Ann"))


def test_closing_a_session_opens_the_hands_of_its_tables_alone() -> None:
    batches = opening_after(ledger(), ["session/s"], {"session/s": 1}, lambda stream: [SessionClosed()])
    assert [(one.stream, one.expected_version) for one in batches] == [("table/a", 4)]
