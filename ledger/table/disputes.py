"""The disputes of a table and what became of them: open, ruled, or overruled by a later ruling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from msgspec import Struct

from ledger.errors import NotFoundError
from ledger.events import DisputeRaised
from ledger.table.answers import Ruling
from ledger.table.fold import TableFold
from ledger.table.score import rulings_of
from ledger.table.stale import Superseded
from ledger.table.words import phrase

DisputeState: TypeAlias = Literal["open", "ruled", "overruled"]


class Dispute(Struct, frozen=True, kw_only=True):
    """A dispute as it stands in the record.

    `seat`, `player`: who raised it; null: nobody at the table. `about`: the version of the entry in dispute, where it
    is about one. `state`: `open` until a ruling names it; `ruled` while one of those is in force; `overruled` once none
    is, because a later ruling decides the deal. `stale`: that of the last ruling in force that names it.
    """

    version: int
    deal: int
    seat: int | None
    player: str | None
    about: int | None
    text: str
    state: DisputeState
    rulings: tuple[int, ...]
    stale: tuple[int, ...]


def disputes_of(fold: TableFold) -> list[Dispute]:
    """All disputes of a table in the order in which they were raised."""
    superseded = Superseded(fold)
    rulings = [ruling for record in fold.deals for ruling in rulings_of(record, superseded)]
    players = {record.number: record.players for record in fold.deals}
    found = []
    for version, event in fold.entries:
        if isinstance(event, DisputeRaised):
            about_it = [ruling for ruling in rulings if ruling.dispute == version]
            found.append(_dispute(version, event, about_it, players.get(event.deal, fold.players)))
    return found


def dispute_at(fold: TableFold, version: int) -> Dispute:
    """The dispute of that version; raises `NotFoundError` naming those that there are."""
    disputes = disputes_of(fold)
    for dispute in disputes:
        if dispute.version == version:
            return dispute
    known = tuple(str(dispute.version) for dispute in disputes)
    key = "no_dispute" if known else "no_dispute_yet"
    raise NotFoundError("not_found", phrase(key, text=version, known=known))


def _dispute(version: int, event: DisputeRaised, given: Sequence[Ruling], players: Sequence[str]) -> Dispute:
    in_force = [ruling for ruling in given if ruling.in_force]
    return Dispute(
        version=version,
        deal=event.deal,
        seat=event.seat,
        player=None if event.seat is None else players[event.seat],
        about=event.version,
        text=event.text,
        state="ruled" if in_force else "overruled" if given else "open",
        rulings=tuple(ruling.version for ruling in given),
        stale=in_force[-1].stale if in_force else (),
    )
