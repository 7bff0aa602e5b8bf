"""What one tap on Undo takes back: the last act that is read, with what was recorded along with it."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from ledger.events import BidMade, CardsDealt, Corrected, DealStarted, Event, HandsOpened, ResultRecorded
from ledger.table.corrections import Entry
from ledger.table.fold import TableFold


class Signed(Struct, frozen=True):
    """Who recorded an entry, and when. What was recorded in one request has one time."""

    by: str
    at: str


class Undo(Struct, frozen=True):
    """`versions`: what is struck, last first; `events`: what is taken back, in their order."""

    versions: tuple[int, ...]
    events: tuple[Event, ...]


def undo_of(fold: TableFold, signed: Mapping[int, Signed], writer: str, *, may_undo_all: bool) -> Undo | None:
    """What may be taken back by this writer: their own of the last deal, unless they may take back anything.

    None where there is nothing.
    """
    acts = [entry for entry in fold.entries[1:] if type(entry[1]) is not HandsOpened]
    if not acts or not _may(acts[-1], fold, signed, writer, may_undo_all=may_undo_all):
        return None
    together = [acts[-1]]
    for entry in reversed(acts[:-1]):
        if not _goes_along(entry, together[0], signed):
            break
        together.insert(0, entry)
    versions = tuple(version for version, _ in reversed(together))
    return Undo(versions, tuple(event for _, event in together))


def may_strike(version: int, fold: TableFold, signed: Mapping[int, Signed], writer: str) -> bool:
    """Whether this writer may take that entry back without a director: their own, in the last deal."""
    first = fold.deals[-1].version if fold.deals else 2
    corrected = (at for at, event in fold.recorded if isinstance(event, Corrected) and event.version == version)
    return version >= first and all(at in signed and signed[at].by == writer for at in (version, *corrected))


def _may(entry: Entry, fold: TableFold, signed: Mapping[int, Signed], writer: str, *, may_undo_all: bool) -> bool:
    return may_undo_all or may_strike(entry[0], fold, signed, writer)


def _goes_along(earlier: Entry, later: Entry, signed: Mapping[int, Signed]) -> bool:
    """Whether both were one tap: passes together, cards nobody knows before the first act, a deal with its result."""
    if earlier[0] == later[0] or signed.get(earlier[0]) != signed.get(later[0]):
        return False
    match earlier[1], later[1]:
        case BidMade() as before, BidMade() as after:
            return before.call == after.call
        case CardsDealt(), _:
            return True
        case DealStarted(), ResultRecorded():
            return True
    return False
