"""The public API: the verbs of the command line as functions. `import ledger` loads it on first use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ledger.cases.facts import CaseSheet
from ledger.cases.sheet import sheet_of
from ledger.events import Event, RulingKind
from ledger.games import rule_named
from ledger.games.kernel.rulebook import Rule
from ledger.log.backup import Copied, back_up
from ledger.log.backup import restore as restore_backup
from ledger.log.base import LogStore
from ledger.log.checkpoint import Checkpoint, next_checkpoint
from ledger.log.receipt import DealReceipt
from ledger.log.signed_note import PublicKey, SecretKey
from ledger.log.stores import create_store, open_store
from ledger.log.verify import Verification, verify
from ledger.recording import directing
from ledger.recording.adding import Addition, add_event, addition
from ledger.recording.correcting import CorrectionAction, Named, correction, deals_at
from ledger.recording.files import import_path
from ledger.recording.importing import ImportReport
from ledger.recording.receipting import deal_receipt
from ledger.table.answers import AuditAnswer, ReplayAnswer, ScoreAnswer
from ledger.table.audit import audit_answer
from ledger.table.disputes import Dispute, disputes_of
from ledger.table.lookup import AS_CORRECTED, ReadAs, fold_table, slug_of, table_slugs
from ledger.table.score import score_answer
from ledger.table.steps import replay_answer, replay_state, replay_steps
from ledger.table.two_readings import TwoReadings, two_readings

create = create_store
"""Makes a new ledger file and opens it; raises `ConflictError` where a file is there already."""

open = open_store  # noqa: A001 - used as ledger.open
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
"""The proof of a deal by a checkpoint; `DealReceipt.parse(content).fault(public_key)` is None where it proves it."""


def readings(store: LogStore, table: str, deal: int, read_as: ReadAs = AS_CORRECTED, lang: str = "en") -> TwoReadings:
    """A deal as first written and as corrected, entry by entry."""
    return two_readings(slug_of(table), fold_table(store, table, read_as), deal, lang)


def correct(
    store: LogStore,
    table: str,
    action: CorrectionAction,
    told: str | Sequence[Event] | None = None,
    *,
    version: int | None = None,
    deal: int | None = None,
    step: int | None = None,
    reason: str,
    recorded_by: str,
    id: str | None = None,
    expected_version: int | None = None,
    dry_run: bool = False,
) -> Addition:
    """Adds how an entry is to be read: named by version, or by deal and step, else the last one.

    `told`: events, or the words of a hand record. With `dry_run` it is only shown what would change.
    """
    named = Named(version=version, deal=deal, step=step)
    added = add_event(
        store,
        table,
        lambda fold: correction(fold, named.place(fold), action, told, reason),
        recorded_by=recorded_by,
        id=id,
        expected_version=expected_version,
        dry_run=dry_run,
    )
    return addition(added, deals_at(added.before, named.place(added.before)))


def disputes(store: LogStore, table: str, read_as: ReadAs = AS_CORRECTED) -> list[Dispute]:
    """The disputes of a table and what became of them."""
    return disputes_of(fold_table(store, table, read_as))


def dispute(
    store: LogStore,
    table: str,
    deal: int,
    text: str,
    *,
    player: str | int | None = None,
    version: int | None = None,
    step: int | None = None,
    recorded_by: str,
    id: str | None = None,
    expected_version: int | None = None,
    dry_run: bool = False,
) -> Addition:
    """Raises a dispute about a deal, or about one entry of it, named by version or step."""
    added = add_event(
        store,
        table,
        lambda fold: directing.dispute(fold, deal, text, player=player, version=version, step=step),
        recorded_by=recorded_by,
        id=id,
        expected_version=expected_version,
        dry_run=dry_run,
    )
    return addition(added)


def ruling(
    store: LogStore,
    table: str,
    deal: int,
    kind: RulingKind,
    text: str,
    *,
    rule: str | None = None,
    deltas: str | Sequence[int] | None = None,
    pool: int | None = None,
    award: str | Mapping[str, Any] | None = None,
    dispute: int | None = None,
    recorded_by: str,
    id: str | None = None,
    expected_version: int | None = None,
    dry_run: bool = False,
) -> Addition:
    """Rules on a deal; `deltas` by seat, or in words by name. With `dry_run` it is only shown what would change."""
    added = add_event(
        store,
        table,
        lambda fold: directing.ruling(
            fold, deal, kind, text, rule=rule, deltas=deltas, pool=pool, award=award, dispute=dispute
        ),
        recorded_by=recorded_by,
        id=id,
        expected_version=expected_version,
        dry_run=dry_run,
    )
    return addition(added, (deal,))


case_sheet = sheet_of
"""All about one dispute, named by its version: what stands on its case sheet."""


def case_page(sheet: CaseSheet, lang: str = "en") -> str:
    """The case sheet as one HTML page."""
    from ledger.text import pages

    return pages.case_page(sheet, lang)


rule = rule_named
"""A rule of any game by its id, for example OMB-6.8."""


def schema(name: str) -> dict[str, Any]:
    """The JSON Schema of what other programs send or receive, for example `score`: as in `schemas/score.json`.

    Raises `NotFoundError` naming those that there are.
    """
    from ledger.schemas import schema

    return schema(name)


__all__ = [
    "AS_CORRECTED",
    "Addition",
    "AuditAnswer",
    "CaseSheet",
    "Checkpoint",
    "Copied",
    "DealReceipt",
    "Dispute",
    "ImportReport",
    "PublicKey",
    "ReadAs",
    "ReplayAnswer",
    "Rule",
    "ScoreAnswer",
    "SecretKey",
    "TwoReadings",
    "Verification",
    "audit",
    "backup",
    "case_page",
    "case_sheet",
    "checkpoint",
    "correct",
    "create",
    "dispute",
    "disputes",
    "import_file",
    "open",
    "readings",
    "receipt",
    "replay",
    "replay_all",
    "restore",
    "rule",
    "ruling",
    "schema",
    "score",
    "tables",
    "verify",
]
