"""The disputes of a table and their state: open, ruled, or overruled by a later ruling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from msgspec import Struct, structs

from ledger.errors import NotFoundError
from ledger.events import DisputeRaised, RulingGiven
from ledger.table.amendments import DirectorCorrections
from ledger.table.answers import CorrectedBy, Ruling, Struck
from ledger.table.catalogue import phrase
from ledger.table.fold import TableFold
from ledger.table.outdated_rulings import OutdatedRulings
from ledger.table.repository import TableAsRead
from ledger.table.score import rulings_of

DisputeState: TypeAlias = Literal["open", "ruled", "overruled"]


class Overruled(Struct, frozen=True, kw_only=True):
    """An overruled ruling, by its version, and the later one that replaced it."""

    version: int
    by: int


class Dispute(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A dispute as recorded.

    `seat`, `player`: who raised it; null if not a player of the table. `about`: the version of the disputed entry, if
    it concerns one; `appeals`: the same if that is a ruling. `state`: `open` until a ruling names it; `ruled` while one
    of those is in force; `overruled` once none is, because a later ruling decides the deal. `overruled`: its overruled
    rulings, with those that replaced them. `stale`: as in the last ruling in force that names it. `corrected_by`: the
    corrections of the dispute itself; `struck`: the struck rulings that named it.
    """

    version: int
    deal: int
    seat: int | None
    player: str | None
    about: int | None
    text: str
    state: DisputeState
    rulings: tuple[int, ...]
    struck: tuple[Struck, ...] = ()
    overruled: tuple[Overruled, ...] = ()
    stale: tuple[int, ...]
    corrected_by: tuple[CorrectedBy, ...] = ()
    appeals: int | None = None


class DisputeAtTable(Dispute, frozen=True, kw_only=True, omit_defaults=True):
    """A dispute with its table, in a list over several tables."""

    table: str


def disputes_at(read: TableAsRead) -> list[DisputeAtTable]:
    """Return all disputes of a table with its name."""
    return [DisputeAtTable(table=read.slug, **structs.asdict(one)) for one in disputes_of(read.fold)]


def ruling_of(fold: TableFold, version: int) -> RulingGiven:
    """Return the ruling of that version. Raise `NotFoundError` naming the existing ones."""
    recorded = _rulings_recorded(fold)
    rulings = {at: event for at, event in fold.entries if at in recorded and isinstance(event, RulingGiven)}
    if version not in rulings:
        known = tuple(map(str, rulings))
        raise NotFoundError("not_found", phrase("no_ruling" if known else "no_ruling_yet", text=version, known=known))
    return rulings[version]


def _rulings_recorded(fold: TableFold) -> set[int]:
    return {version for version, event in fold.recorded if isinstance(event, RulingGiven)}


def disputes_of(fold: TableFold) -> list[Dispute]:
    """Return all disputes of a table in the order in which they were raised."""
    outdated, amendments = OutdatedRulings(fold), DirectorCorrections(fold)
    rulings = [ruling for record in fold.deals for ruling in rulings_of(record, outdated, amendments)]
    players = {record.number: record.players for record in fold.deals}
    recorded = _rulings_recorded(fold)
    disputes = []
    for version, event in fold.entries:
        if isinstance(event, DisputeRaised):
            about_it = [ruling for ruling in rulings if ruling.dispute == version]
            seated = players.get(event.deal, fold.players)
            disputes.append(_dispute(version, event, about_it, seated, event.version in recorded, amendments))
    return disputes


def dispute_at(fold: TableFold, version: int) -> Dispute:
    """Return the dispute of that version. Raise `NotFoundError` with the correction that struck it, or the existing
    ones.
    """
    disputes = disputes_of(fold)
    for dispute in disputes:
        if dispute.version == version:
            return dispute
    for struck in DirectorCorrections(fold).struck():
        if struck.version == version and isinstance(struck.event, DisputeRaised):
            by = struck.corrected_by[-1]
            key = "dispute_struck" if by.recorded_by is None else "dispute_struck_by"
            message = phrase(key, text=version, by=by.version, recorded_by=by.recorded_by, reason=by.reason)
            raise NotFoundError("not_found", message)
    known = tuple(str(dispute.version) for dispute in disputes)
    key = "no_dispute" if known else "no_dispute_yet"
    raise NotFoundError("not_found", phrase(key, text=version, known=known))


def _dispute(
    version: int,
    event: DisputeRaised,
    given: Sequence[Ruling],
    players: Sequence[str],
    is_appeal: bool,
    amendments: DirectorCorrections,
) -> Dispute:
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
        struck=tuple(
            one for one in amendments.struck() if isinstance(one.event, RulingGiven) and one.event.dispute == version
        ),
        overruled=tuple(
            Overruled(version=ruling.version, by=ruling.overruled_by)
            for ruling in given
            if ruling.overruled_by is not None
        ),
        stale=in_force[-1].stale if in_force else (),
        corrected_by=amendments.corrected_by(version, event),
        appeals=event.version if is_appeal else None,
    )
