"""Trick Ledger: the record of a card club as an append-only log, replayed, scored and audited by numbered rules.

The Python API says what the command line says, with the same verbs:

    >>> import ledger
    >>> with ledger.create("club.ledger") as store:                     # doctest: +SKIP
    ...     ledger.import_file(store, "evening.toml", recorded_by="me")
    ...     print(ledger.score(store, "table-1").totals)
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ledger.answers import AuditAnswer, ReplayAnswer, ScoreAnswer
from ledger.audit import audit_answer
from ledger.games import rule_named
from ledger.games.rulebook import Rule
from ledger.log.backup import Copied, back_up
from ledger.log.backup import restore as restore_backup
from ledger.log.base import LogStore
from ledger.log.checkpoint import Checkpoint, next_checkpoint
from ledger.log.receipt import DealReceipt
from ledger.log.signed_note import PublicKey, SecretKey
from ledger.log.sqlite import SqliteStore
from ledger.log.verify import Verification, verify
from ledger.lookup import AS_CORRECTED, ReadAs, fold_table, slug_of, table_slugs
from ledger.recording.files import import_path
from ledger.recording.importing import ImportReport
from ledger.recording.receipting import deal_receipt
from ledger.replay import replay_answer, replay_state, replay_steps
from ledger.score import score_answer

__version__ = "0.1.0"

create = SqliteStore.create
"""Makes a new ledger file and opens it; raises `ConflictError` where a file is there already."""

open = SqliteStore.open  # noqa: A001 - used as ledger.open
"""Opens a ledger file; raises `UnreadableError` where there is none that can be read."""

backup = back_up
"""Copies a ledger in use into a file and reads the copy back before it gets its name."""

restore = restore_backup
"""Makes a ledger of a backup and reads it back."""

tables = table_slugs
"""The slugs of all tables, in the order in which they were opened."""


def import_file(store: LogStore, path: str | Path, *, recorded_by: str, strict: bool = False) -> ImportReport:
    """Records the events of a file, all or nothing: a hand record, bare events, an export, or another ledger."""
    return import_path(store, Path(path), recorded_by=recorded_by, strict=strict)


def score(store: LogStore, table: str, read_as: ReadAs = AS_CORRECTED, lang: str = "en") -> ScoreAnswer:
    """The score sheet of a table, every payment with its rule."""
    return score_answer(slug_of(table), fold_table(store, table, read_as), lang)


def audit(store: LogStore, table: str, read_as: ReadAs = AS_CORRECTED, lang: str = "en") -> AuditAnswer:
    """What in a table was against the rules."""
    return audit_answer(slug_of(table), fold_table(store, table, read_as), lang)


def replay(
    store: LogStore,
    table: str,
    deal: int,
    step: int | None = None,
    seat: int | None = None,
    read_as: ReadAs = AS_CORRECTED,
) -> ReplayAnswer:
    """The state of a deal after `step` of its actions, by default the last; with `seat`, what that seat could know."""
    fold = fold_table(store, table, read_as)
    return replay_answer(slug_of(table), deal, replay_state(fold, deal, step, seat))


def replay_all(
    store: LogStore, table: str, deal: int, seat: int | None = None, read_as: ReadAs = AS_CORRECTED
) -> Iterator[ReplayAnswer]:
    """Every state of a deal, from before it started."""
    fold = fold_table(store, table, read_as)
    return (replay_answer(slug_of(table), deal, step) for step in replay_steps(fold, deal, seat))


checkpoint = next_checkpoint
"""The ledger as it stands, signed: `checkpoint(store, SecretKey.generate("club.example/ledger"))`."""

receipt = deal_receipt
"""The proof of a deal by a checkpoint; `DealReceipt.parse(content).fault(public_key)` is null where it proves it."""

rule = rule_named
"""A rule of any game by its id, for example OMB-6.8."""

__all__ = [
    "AS_CORRECTED",
    "AuditAnswer",
    "Checkpoint",
    "Copied",
    "DealReceipt",
    "ImportReport",
    "PublicKey",
    "ReadAs",
    "ReplayAnswer",
    "Rule",
    "ScoreAnswer",
    "SecretKey",
    "Verification",
    "audit",
    "backup",
    "checkpoint",
    "create",
    "import_file",
    "open",
    "receipt",
    "replay",
    "replay_all",
    "restore",
    "rule",
    "score",
    "tables",
    "verify",
]
