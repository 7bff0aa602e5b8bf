"""The facts of a revoke for the director: when it was established, the withheld cards, and the affected tricks.

No rulebook here computes a penalty, so none is applied: these are facts on which a ruling may be based.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Literal, NamedTuple

from msgspec import Struct

from ledger.cards import UNKNOWN
from ledger.events import MACHINE_TYPES, CardPlayed, TrickGathered
from ledger.games.kernel.findings import Violation
from ledger.games.kernel.views import TrickView
from ledger.table.fold import DealRecord, TableFold
from ledger.table.steps import machine_before


class Withheld(Struct, frozen=True, kw_only=True):
    """A card that should have been played.

    `would_win`: the winner of the trick with it and the others' cards unchanged; `trick`, `version`: where it was
    played later, null if it was not.
    """

    card: str
    would_win: int | None
    trick: int | None
    version: int | None


class Revoke(Struct, frozen=True, kw_only=True):
    """A revoke as recorded.

    `trick`: the number of its trick, from 1; `winner`: the winner of that, null if unknown. `established`: the entry
    that turned the trick: gathered, followed by another lead, or the end of the play; null if it can still be
    corrected. `shown`: the entry by which later cards proved it, null if the hand was known. `touched`: the later
    tricks in which a withheld card was played. `won_after`: tricks won from that one on, by seat.
    """

    deal: int
    version: int
    code: str
    rule: str
    seat: int
    card: str
    trick: int
    winner: int | None
    established: int | None
    established_by: Literal["gathered", "next_lead", "end_of_play"] | None
    shown: int | None
    withheld: list[Withheld]
    touched: list[int]
    won_after: list[int]


class _Laid(NamedTuple):
    """A card that counts in a trick: its index in the reading, its version, the play, and the trick."""

    at: int
    version: int
    play: CardPlayed
    trick: int


def revokes_of(fold: TableFold, record: DealRecord) -> list[Revoke]:
    """Return the revokes of a deal, in the order in which they were made."""
    violations = [violation for violation in record.violations if violation.code in fold.game.revokes]
    if not violations:
        return []
    tricks = record.machine.view().tricks
    laid = list(_laid(fold, record, tricks))
    revokes = [_revoke(fold, record, violation, tricks, laid) for violation in violations]
    return sorted((revoke for revoke in revokes if revoke is not None), key=lambda revoke: revoke.version)


def _laid(fold: TableFold, record: DealRecord, tricks: Sequence[TrickView]) -> Iterator[_Laid]:
    """Yield the cards that count, in the order in which they were played; an ignored play is in no trick."""
    awaited = (
        (number, seat, card)
        for number, trick in enumerate(tricks, 1)
        for seat, card in zip(trick.seats, trick.cards, strict=True)
    )
    due = next(awaited, None)
    for index in range(record.start, record.end):
        version, event = fold.entries[index]
        if due is not None and isinstance(event, CardPlayed) and (event.seat, event.card) == due[1:]:
            yield _Laid(index, version, event, due[0])
            due = next(awaited, None)


def _revoke(
    fold: TableFold, record: DealRecord, violation: Violation, tricks: Sequence[TrickView], laid: Sequence[_Laid]
) -> Revoke | None:
    """Return the facts of one revoke; None if its card counts in no trick."""
    made = next((one for one in laid if (one.version, one.play.seat) == (violation.version, violation.seat)), None)
    if made is None:
        return None
    shown = _shown_at(fold, record, violation, made.at)
    held_back = violation.legal or [one.play.card for one in laid if one.version == shown]
    withheld = [_withheld(fold, record, made, card, laid) for card in held_back if card != UNKNOWN]
    established = _established(fold, record, made, tricks, laid)
    return Revoke(
        deal=record.number,
        version=violation.version,
        code=violation.code,
        rule=violation.rule,
        seat=made.play.seat,
        card=made.play.card,
        trick=made.trick,
        winner=tricks[made.trick - 1].winner,
        established=None if established is None else established[0],
        established_by=None if established is None else established[1],
        shown=shown,
        withheld=withheld,
        touched=sorted({one.trick for one in withheld if one.trick is not None}),
        won_after=[
            sum(trick.winner == seat for trick in tricks[made.trick - 1 :]) for seat in range(len(record.players))
        ],
    )


def _established(
    fold: TableFold, record: DealRecord, made: _Laid, tricks: Sequence[TrickView], laid: Sequence[_Laid]
) -> tuple[int, Literal["gathered", "next_lead", "end_of_play"]] | None:
    """Return the entry that turned the trick, and how; None if it is still open."""
    last = max(one.at for one in laid if one.trick == made.trick)
    lead = next((one for one in laid if one.trick == made.trick + 1), None)
    end = record.end if lead is None else lead.at
    for version, event in fold.entries[last + 1 : end]:
        if isinstance(event, TrickGathered):
            return version, "gathered"
    if lead is not None:
        return lead.version, "next_lead"
    is_over = record.machine.status != "open" and tricks[made.trick - 1].winner is not None
    return (fold.entries[last][0], "end_of_play") if is_over else None


def _withheld(fold: TableFold, record: DealRecord, made: _Laid, card: str, laid: Sequence[_Laid]) -> Withheld:
    play = CardPlayed(seat=made.play.seat, card=card)
    fell = next((one for one in laid if one.at > made.at and one.play == play), None)
    machine = machine_before(fold, record, made.at)
    machine.apply(play, made.version)
    for one in laid:
        if one.at > made.at and one.trick == made.trick:
            machine.apply(one.play, one.version)
    return Withheld(
        card=card,
        would_win=machine.view().tricks[made.trick - 1].winner,
        trick=None if fell is None else fell.trick,
        version=None if fell is None else fell.version,
    )


def _shown_at(fold: TableFold, record: DealRecord, violation: Violation, made_at: int) -> int | None:
    """Return the first entry after which later cards prove the revoke; None if it was seen at once."""
    machine = machine_before(fold, record, made_at)
    shown: int | None = None
    for version, event in islice(fold.entries, made_at, record.end):
        if type(event) not in MACHINE_TYPES:
            continue
        if _is_among(violation, machine.apply(event, version)):
            return None
        is_proven = _is_among(violation, machine.late_violations())
        shown = (version if shown is None else shown) if is_proven else None
    return shown


def _is_among(violation: Violation, violations: Sequence[Violation]) -> bool:
    """Return whether the same fault is among the others, whatever their words."""
    fault = (violation.code, violation.version, violation.seat)
    return any((other.code, other.version, other.seat) == fault for other in violations)
