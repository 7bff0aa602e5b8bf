"""Verification of a ledger against all promises of the log, from the bytes on disk; it names the first bad position.

These checks of entries are the same for every store; those of a SQLite file are in `sqlite_check`. Nothing is repaired.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from ledger.errors import MalformedError, UnreadableError
from ledger.events import Envelope
from ledger.i18n import LANGUAGES, Phrase, Text, TranslatedPhrase
from ledger.i18n.library_errors import localised
from ledger.log.append_rules import canonical_id, check_moments
from ledger.log.base import EMPTY, Access, Head, LogStore, Row
from ledger.log.catalogue import phrase
from ledger.log.chain import digest_after, with_digest
from ledger.log.checkpoint import EMPTY_TREE, TreeHead
from ledger.log.durable import DurableStore
from ledger.log.merkle import SubtreeHashes, leaf_hash
from ledger.log.rollback_detection import Rollback
from ledger.log.sqlite import SqliteStore
from ledger.log.sqlite_check import FileCheck
from ledger.log.sqlite_errors import DamagedFileError
from ledger.log.sqlite_file import Progress
from ledger.log.stores import file_of, is_file, open_store

_PROGRESS_EVERY: Final = 10_000


class Damage(Struct, frozen=True):
    """The first problem, not yet in a language; `position` is null for a problem of the file as a whole."""

    position: int | None
    what: Text


class Verification(Struct, frozen=True):
    """The result of a verification: the number of sound entries from the first on, the last of them, and the damage if
    any.

    `is_growth_checked`: whether the ledger was compared with an earlier state; `is_rolled_back`: the damage is that the
    ledger does not continue its known head. `rollbacks`: the recorded ones.
    """

    entries: int
    head: Head
    damage: Damage | None
    is_growth_checked: bool = False
    is_rolled_back: bool = False
    rollbacks: tuple[Rollback, ...] = ()


def verify(
    subject: LogStore | Path | str,
    *,
    witness: Head | None = None,
    signed: TreeHead | None = None,
    access: Access = "read",
    progress: Progress | None = None,
) -> Verification:
    """Verify a ledger, given as a store or by its address.

    `witness` is a head noted earlier, `signed` the tree of a checkpoint: only they show that a ledger was cut off at
    the end, or rewritten from some entry on. `access` is how its file is opened. Raise `UnreadableError` if there is no
    ledger; a partly or completely unreadable one counts as damaged.
    """
    check = _Check(witness or EMPTY, signed or EMPTY_TREE)
    if isinstance(subject, SqliteStore):
        subject = subject.path
    if not isinstance(subject, Path | str):
        return check.result(_damage_of_store(subject, check, progress))
    if not is_file(subject):
        with open_store(subject, access="read") as store:
            return check.result(_damage_of_store(store, check, progress))
    try:
        with closing(FileCheck(file_of(subject), access)) as file:
            damage = check.first_damage(file.rows(), file.size(), progress)
            if damage is None and (problem := file.first_problem()) is not None:
                damage = Damage(*problem)
    except DamagedFileError as error:
        damage = _damage_of_file(error, check, access, progress)
    return check.result(damage)


def _damage_of_store(store: LogStore, check: _Check, progress: Progress | None) -> Damage | None:
    damage = check.first_damage(store.read(verified=False), store.head().position, progress)
    if damage is None and isinstance(store, DurableStore) and (problem := store.first_problem()) is not None:
        damage = Damage(None, problem)
    return damage


def _damage_of_file(error: DamagedFileError, check: _Check, access: Access, progress: Progress | None) -> Damage:
    """Return the damage of a file that SQLite rejects as a whole: the first unreadable entry, if known."""
    damage = None
    with suppress(UnreadableError), closing(FileCheck(error.path, access, is_salvaged=True)) as file:
        damage = check.first_damage(file.rows(), file.size(), progress)
    return damage or Damage(None, _unreadable(error))


def _unreadable(error: UnreadableError) -> Phrase:
    """Return the reason alone; its advice does not suit a ledger that is being verified."""
    return phrase("damage.unreadable", why=error.why if isinstance(error, DamagedFileError) else error.said)


class _Check:
    """A pass over the entries; `head` is the last sound one."""

    def __init__(self, witness: Head, signed: TreeHead) -> None:
        self._witness = witness
        self._signed = signed
        self._tree = SubtreeHashes([range(signed.size)])
        self._versions: dict[str, int] = {}
        self._head = EMPTY

    def first_damage(self, rows: Iterator[Row], size: int, progress: Progress | None) -> Damage | None:
        try:
            for row in rows:
                if (what := self._fault(row, rows)) is not None:
                    return Damage(self._head.position + 1, what)
                self._head = Head(row.position, row.digest)
                self._versions[row.stream] = row.version
                if row.position <= self._signed.size:
                    self._tree.add(leaf_hash(row.line()))
                if progress is not None and row.position % _PROGRESS_EVERY == 0:
                    progress(row.position, size)
        except UnreadableError as error:
            return Damage(self._head.position + 1, _unreadable(error))
        position = self._head.position
        if progress is not None:
            progress(position, position)
        return self._damage_of_past(position)

    def _damage_of_past(self, size: int) -> Damage | None:
        """Return the first difference from an earlier state, if the entries are sound in themselves."""
        size_before = max(self._witness.position, self._signed.size)
        if size < size_before:
            return Damage(size + 1, phrase("damage.cut_off", entries=size_before))
        if self._tree.hashes[range(self._signed.size)] != self._signed.root:
            return Damage(None, phrase("damage.not_signed", entries=self._signed.size))
        return None

    def result(self, damage: Damage | None) -> Verification:
        is_growth_checked = self._witness.position > 0 or self._signed.size > 0
        return Verification(self._head.position, self._head, damage, is_growth_checked)

    def _fault(self, row: Row, following: Iterator[Row]) -> Text | None:
        """Return the problem of the entry after the last sound one; reads the next entry only for a wrong digest."""
        position = self._head.position + 1
        if row.position != position:
            return phrase("damage.missing", next=row.position)
        canonical = row.canonical()
        if row.digest != (digest := digest_after(self._head.digest, canonical)):
            return _fault_of_digest(row, digest, _next_of(following))
        version = self._versions.get(row.stream, 0) + 1
        if row.version != version:
            return phrase("damage.wrong_version", found=row.version, of=row.stream, due=version)
        if position == self._witness.position and row.digest != self._witness.digest:
            return phrase("damage.not_witnessed")
        return _fault_of_form(row.id, with_digest(canonical, row.digest))


def _next_of(rows: Iterator[Row]) -> Row | None:
    try:
        return next(rows, None)
    except UnreadableError:
        return None


def _fault_of_digest(row: Row, fitting: bytes, following: Row | None) -> Phrase:
    """Return whether the entry or its digest was altered, if the next entry shows it: its digest covers this one's."""
    if following is None or following.position != row.position + 1:
        return phrase("damage.entry_or_digest")
    canonical = following.canonical()
    if following.digest == digest_after(fitting, canonical):
        return phrase("damage.digest")
    if following.digest == digest_after(row.digest, canonical):
        return phrase("damage.entry")
    return phrase("damage.chain")


def _fault_of_form(id: str, line: bytes) -> Text | None:
    """Return the problem of an entry that matches its digest; it may have been recorded by another program."""
    try:
        envelope = msgspec.json.decode(line, type=Envelope)
        check_moments(envelope)
        if canonical_id(id) != id:
            return phrase("damage.id", found=id)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        return phrase("damage.not_entry", why=localised(error))
    except MalformedError as error:
        return TranslatedPhrase(__name__, error.code, {lang: error.message(lang) for lang in LANGUAGES})
    if msgspec.json.encode(envelope) != line:
        return phrase("damage.not_canonical")
    return None
