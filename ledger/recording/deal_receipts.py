"""Receipts of deals: the entries needed to read a deal, and the proof that the ledger contains them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from ledger import limits
from ledger.errors import ConflictError, NotFoundError
from ledger.events import (
    SEATING_TYPES,
    Corrected,
    DealStarted,
    DirectorEvent,
    Event,
    Noted,
)
from ledger.limits import exceeded
from ledger.log.base import LogStore, Row
from ledger.log.checkpoint import Checkpoint, TreeHead, check_size, not_continued, tree_hashes
from ledger.log.merkle import consistency_ranges, inclusion_ranges, is_continued
from ledger.log.receipt import DealReceipt, Growth, ProvenEntry
from ledger.recording.catalogue import phrase
from ledger.streams import TABLE
from ledger.table.corrections import Entry, as_recorded, corrected_reading
from ledger.table.repository import no_table, table_slugs


def deal_receipt(
    store: LogStore, table: str, deal: int, checkpoint: Checkpoint, since: TreeHead | None = None
) -> DealReceipt:
    """Return the receipt of a deal at a checkpoint; with `since`, it also proves that the ledger grew from there.

    Raise `NotFoundError` for a table or deal that the checkpoint does not cover, `ConflictError` if the ledger is not
    the signed one or did not grow from `since`, and `MalformedError` for a receipt beyond the size limit.
    """
    signed = checkpoint.tree
    check_size(store.head().position, signed)
    rows = store.read_stream(TABLE.stream(TABLE.slug(table)), until_position=signed.size)
    if not rows:
        if TABLE.slug(table) not in table_slugs(store):
            raise no_table(store, table)
        raise NotFoundError("not_found", phrase("not_in_checkpoint", text=TABLE.slug(table), size=signed.size))
    chosen = _rows_of_deal(rows, deal)
    if not chosen:
        no_deal = phrase("no_deal_in_checkpoint", table=TABLE.slug(table), text=deal, size=signed.size)
        raise NotFoundError("not_found", no_deal)
    inclusion = inclusion_ranges([row.position - 1 for row in chosen], signed.size)
    consistency = [] if since is None else consistency_ranges(since.size, signed.size)
    (root,), proof, growth = tree_hashes(store, signed.size, [range(signed.size)], inclusion, consistency)
    if root != signed.root:
        raise not_continued(signed)
    if since is not None and not is_continued(since.size, since.root, signed.size, signed.root, growth):
        raise ConflictError("other_past", phrase("checkpoints_differ", size=signed.size, since=since.size))
    made = DealReceipt(
        entries=tuple(ProvenEntry(row.line(), row.envelope()) for row in chosen),
        proof=tuple(proof),
        growth=None if since is None else Growth(since.size, tuple(growth)),
        checkpoint=checkpoint,
    )
    size = len(made.content())
    if size > limits.RECEIPT_BYTES:
        raise exceeded("receipt_made", size, limits.RECEIPT_BYTES, "bytes")
    return made


def later_entries(store: LogStore, table: str, deal: int, size: int) -> int:
    """Return how many entries about a deal come after the first `size` entries of the ledger."""
    rows = store.read_stream(TABLE.stream(TABLE.slug(table)))
    return sum(row.position > size for row in _rows_of_deal(rows, deal))


def _rows_of_deal(rows: Sequence[Row], deal: int) -> list[Row]:
    wanted = versions_of_deal([(row.version, row.event()) for row in rows], deal)
    return [row for row in rows if row.version in wanted]


def versions_of_deal(entries: Sequence[Entry], deal: int) -> set[int]:
    """Return the versions of the entries needed to read a deal; empty if the table has no such deal.

    These are the opening of the table, the changes of players before the deal, all entries from its start to the next
    start, and the corrections, disputes, rulings and notes that refer to any of them.
    """
    return versions_by_deal(entries, [deal])[deal]


def versions_by_deal(entries: Sequence[Entry], deals: Iterable[int]) -> dict[int, set[int]]:
    """Return for each of these deals what `versions_of_deal` returns; the entries are read once."""
    starts_as_read = [
        [(version, event.deal) for version, event in reading if isinstance(event, DealStarted)]
        for reading in (corrected_reading(entries), as_recorded(entries))
    ]
    referring = [
        (version, event)
        for version, event in entries
        if type(event) in SEATING_TYPES or isinstance(event, DirectorEvent | Corrected | Noted)
    ]
    return {deal: _versions(starts_as_read, referring, len(entries), deal) for deal in deals}


def _versions(
    starts_as_read: Sequence[Sequence[tuple[int, int]]], referring: Sequence[Entry], last: int, deal: int
) -> set[int]:
    for starts in starts_as_read:
        spans = [
            range(version, max(following, version + 1))  # a correction may put in several deals at one version
            for (version, number), (following, _) in pairwise([*starts, (last + 1, 0)])
            if number == deal
        ]
        if spans:
            break
    else:
        return set()
    wanted = {version for span in spans for version in span}
    for version, event in referring:
        if _seats_players(version, event, spans[0].start) or _refers(event, deal, wanted):
            wanted.add(version)
    return wanted


def _seats_players(version: int, event: Event, before: int) -> bool:
    """Return whether an entry changes who sat at the table at version `before`; corrections count, too."""
    if isinstance(event, Corrected):
        return event.version < before and any(type(instead) in SEATING_TYPES for instead in event.events or ())
    return version < before and type(event) in SEATING_TYPES


def _refers(event: Event, deal: int, versions: set[int]) -> bool:
    """Return whether an entry refers to the deal or to one of these versions."""
    if isinstance(event, DirectorEvent):
        return event.deal == deal
    return isinstance(event, Corrected | Noted) and event.version in versions
