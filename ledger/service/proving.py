"""Checkpoints and receipts while tables play: they end before open deals, whose digests could be guessed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Final

from ledger.errors import ConflictError, NotFoundError
from ledger.events import DEAL_TYPES
from ledger.log.atomic_files import write_whole
from ledger.log.base import Head, LogStore
from ledger.log.checkpoint import Checkpoint, next_checkpoint
from ledger.log.paths import checkpoint_of
from ledger.log.proof_files import read_secret_key
from ledger.log.receipt import DealReceipt
from ledger.log.rollback_detection import sidecar_checkpoint
from ledger.log.signed_note import SecretKey
from ledger.recording.deal_receipts import deal_receipt, versions_of_deal
from ledger.service.catalogue import phrase
from ledger.service.visibility import RedactedStore, View, VisibleHead
from ledger.streams import TABLE
from ledger.table.repository import no_table

SELDOM_S: Final = 30.0
"""The shortest time between two checkpoints, except for a receipt: each reads the whole ledger."""


class DealOpenError(ConflictError):
    """The refusal of a proof beyond the first hidden entry. `tables`: those whose open deals hold it up."""

    def __init__(self, visible: VisibleHead) -> None:
        self.tables = tuple(map(TABLE.slug, visible.hidden))
        self.reaches = visible.reaches
        super().__init__("deal_open", phrase("deal_open", tables=self.tables, reaches=self.reaches))


class Prover:
    """The source of checkpoints and receipts for several threads; it signs new checkpoints if it has a key."""

    def __init__(self, ledger: Path, key: Path | None, clock: Callable[[], float] = monotonic) -> None:
        self._ledger = ledger
        self._key: SecretKey | None = None if key is None else read_secret_key(key)
        self._clock = clock
        self._turn = Lock()
        self._signed_at = -SELDOM_S

    def checkpoint(self, store: LogStore, visible: VisibleHead, at_least: int = 0) -> Checkpoint:
        """Return the newest checkpoint, signing one where it is due or `at_least` that many entries must be covered.

        Raise `NotFoundError` if there is none, `DealOpenError` where it would reach too far.
        """
        if at_least > visible.reaches:
            raise DealOpenError(visible)
        with self._turn:
            last = sidecar_checkpoint(self._ledger)
            size = 0 if last is None else last.tree.size
            is_due = self._clock() - self._signed_at >= SELDOM_S or size < at_least
            if self._key is not None and size < visible.reaches and is_due:
                last = self._signed(self._key, store, visible, last)
            if last is None:
                raise NotFoundError("not_found", phrase("no_checkpoint"))
            if last.tree.size > visible.reaches:
                raise DealOpenError(visible)
            return last

    def _signed(self, key: SecretKey, store: LogStore, visible: VisibleHead, last: Checkpoint | None) -> Checkpoint:
        row = next(store.read(visible.reaches - 1, visible.reaches))
        so_far = RedactedStore(store, VisibleHead(Head(row.position, row.digest), {}), View(hands=True))
        made = next_checkpoint(so_far, key, last)
        write_whole(checkpoint_of(self._ledger), str(made).encode(), 0o644, Path.replace)
        self._signed_at = self._clock()
        return made

    def receipt(self, store: LogStore, visible: VisibleHead, table: str, deal: int) -> DealReceipt:
        """Return the proof of a deal by the newest checkpoint that covers it. Raise as `checkpoint`."""
        rows = store.read_stream(TABLE.stream(TABLE.slug(table)), until_position=visible.head.position)
        if not rows:
            raise no_table(store, table)
        entries = [(row.version, row.event()) for row in rows]
        wanted = versions_of_deal(entries, deal)
        played = {version for version, event in entries if version in wanted and type(event) in DEAL_TYPES}
        last = max((row.position for row in rows if row.version in played), default=0)
        signed = self.checkpoint(store, visible, at_least=last)
        if signed.tree.size < last:
            raise NotFoundError("not_found", phrase("not_signed_yet", size=signed.tree.size))
        return deal_receipt(store, table, deal, signed)
