"""A club with a table in every state that a page can show: deals that ended, and deals broken off just where it counts.

Nothing in it is invented but the names of the tables: they are the first acts of recorded deals, hands left out where
nobody at a live table would type them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from msgspec import structs

import ledger
from ledger.events import CardsDealt, Event, Noted, TableOpened
from tests.hand_records import REPLAYS, record_in, table_events
from tests.web.serving import ledger_of, record

ENDED: Final = (
    "ombre/rape-of-the-lock.toml",
    "ombre/revoke.toml",
    "kop/04-kontra-re-losers-have-25.toml",
    "couillon/18a-six-players-24-cards.toml",
    "couillon/20-eight-players.toml",
    "quadrille/01-alliance-won.toml",
    "session/opening-night-1.toml",
    "session/opening-night-2.toml",
    "session/opening-night-3.toml",
)

LONG_NAMES: Final = ("Maria Aleksandra Zawadzka-Wiśniewska", "松平アレクサンドラ花子", "Bartholomäus")


class Cut(NamedTuple):
    """The beginning of a recorded deal: until so many acts of that kind are recorded."""

    replay: str
    kind: str
    count: int
    with_hands: bool = False
    players: Sequence[str] = ()


OPEN: Final[Mapping[str, Cut]] = {
    "fresh": Cut("kop/01-exactly-53.toml", "table_opened", 1),
    "kop-auction": Cut("kop/04-kontra-re-losers-have-25.toml", "bid_made", 2),
    "kop-free": Cut("kop/19-free-auction-fifth-doubling.toml", "bid_made", 2),
    "kop-play": Cut("kop/09-wesele-cancels-kontra.toml", "card_played", 2),
    "kop-trick": Cut("kop/09-wesele-cancels-kontra.toml", "card_played", 4),
    "kop-hands": Cut("kop/09-wesele-cancels-kontra.toml", "card_played", 6, with_hands=True),
    "kop-between": Cut("kop/09-wesele-cancels-kontra.toml", "card_played", 16),
    "couillon-making": Cut("couillon/17-the-mit-window.toml", "deal_started", 1),
    "couillon-mit": Cut("couillon/17-the-mit-window.toml", "card_played", 2),
    "couillon-six": Cut("couillon/18b-six-players-on-bars.toml", "card_played", 7),
    "couillon-eight": Cut("couillon/20-eight-players.toml", "card_played", 9),
    "ombre-auction": Cut("ombre/17a-auction-over-three-rounds.toml", "bid_made", 2),
    "ombre-exchange": Cut("ombre/02-vuelta-stopped.toml", "card_turned", 1),
    "ombre-play": Cut("ombre/revoke.toml", "card_played", 7),
    "ombre-names": Cut("ombre/revoke.toml", "card_played", 8, players=LONG_NAMES),
    "quadrille-call": Cut("quadrille/01-alliance-won.toml", "trump_named", 1),
    "quadrille-play": Cut("quadrille/01-alliance-won.toml", "card_played", 6),
}


def house_of(folder: Path) -> Path:
    """A new ledger with all of them."""
    path = ledger_of(folder, *(REPLAYS / one for one in ENDED), name="house.ledger")
    with ledger.open(path) as store:
        for slug, cut in OPEN.items():
            record(store, slug, *_events(cut), by="recorder-1")
    return path


def _events(cut: Cut) -> Iterator[Event]:
    opening, *events = table_events(record_in(REPLAYS / cut.replay))
    assert isinstance(opening, TableOpened)
    opened = structs.replace(opening, session=None, players=tuple(cut.players) or opening.players)
    count = 0
    for event in (opened, *events):
        if isinstance(event, Noted) or (isinstance(event, CardsDealt) and not cut.with_hands):
            continue
        yield event
        count += _kind(event) == cut.kind
        if count == cut.count:
            return
    raise AssertionError(f"{cut.replay} has no {cut.count} {cut.kind}")


def _kind(event: Any) -> str:
    return str(event.__struct_config__.tag)
