"""The folder of a witness: its keys, the public keys of its clubs, what it cosigned, and evidence against clubs.

witness.key, witness.pub   the keys
clubs.txt                  the public key of each club, one a line; `#` begins a comment
witness.store              what was cosigned
evidence/                  contradicting checkpoints, one file a case
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Final, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from ledger import limits
from ledger.errors import ConflictCode, ConflictError, LedgerError, MalformedError, NotFoundError, UsageError, line_of
from ledger.log.atomic_files import sync
from ledger.log.base import utc_now
from ledger.log.checkpoint import Checkpoint, TreeHead, are_two_trees
from ledger.log.merkle import EMPTY_ROOT, is_continued
from ledger.log.proof_files import make_keys, read_checkpoint, read_secret_key, replace_file, write_new
from ledger.log.signed_note import PublicKey, Witness, checked_name, cosignatures, cosigned_note
from ledger.outside import read_file
from ledger.witness.catalogue import phrase
from ledger.witness.evidence import Evidence, Verdict
from ledger.witness.request import CheckpointRequest
from ledger.witness.signed_list import ListedClub, SignedList, signed_list
from ledger.witness.store import Cosigned, WitnessStore, damaged

Reason: TypeAlias = Literal["fork", "rolled_back", "wrong_size", "unproven"]

_CODES: Final[Mapping[Reason, ConflictCode]] = {
    "fork": "forked",
    "rolled_back": "rolled_back",
    "wrong_size": "wrong_version",
    "unproven": "other_past",
}

_AGAIN_S: Final = 3600
"""The time in which the same checkpoint gets the same cosignature again, so that repeated requests fill no disk."""

_EVER: Final = (1 << 63) - 1


class WitnessRefusedError(ConflictError):
    """The refusal to cosign. `size`: the entries that were last cosigned for the club. `evidence`: the file, if any.

    `what`: the message without the file, which is none of the club's business.
    """

    def __init__(self, reason: Reason, size: int, request: CheckpointRequest, evidence: Path | None = None) -> None:
        self.reason = reason
        self.size = size
        self.evidence = evidence
        tree = request.checkpoint.tree
        self.what = phrase(
            f"refused.{reason}",
            origin=request.checkpoint.origin,
            actual=tree.size,
            expected=size,
            old=request.old_size,
        )
        said = self.what if evidence is None else phrase("refused.stored", what=self.what, file=evidence)
        super().__init__(_CODES[reason], said)


class WrongKeyError(MalformedError):
    """The refusal of a checkpoint that is not signed with the club's key."""


class ClubStatus(Struct, frozen=True, kw_only=True):
    """A registered club. `entries`, `cosigned_at`: its largest cosigned checkpoint; None if there is none."""

    origin: str
    key: str
    entries: int | None
    cosigned_at: datetime | None


class Recovered(Struct, frozen=True):
    """The result of a recovery: the checkpoints added, and the origins of the clubs of which nothing is known."""

    added: int
    unknown: tuple[str, ...]


class WitnessFolder:
    """A witness in its folder, for several threads and programs. `now`: the clock of cosignatures."""

    def __init__(self, folder: Path, now: Callable[[], datetime] = utc_now) -> None:
        """Open the folder. Raise `UnreadableError` if its store is missing, or as `read_secret_key`."""
        self.folder = folder
        self._now = now
        if not secret_key_in(folder).exists():
            raise UsageError("file", phrase("folder.no_key", folder=folder))
        self._key = read_secret_key(secret_key_in(folder))
        self._turn = Lock()
        self._read: tuple[object, dict[str, PublicKey]] = None, {}

    @classmethod
    def create(cls, folder: Path, name: str) -> PublicKey:
        """Create the folder of a new witness and its keys; an interrupted call can be repeated.

        Raise `ConflictError` if there is a witness, whose store may be lost.
        """
        checked_name(name)
        if public_key_in(folder).exists():
            raise ConflictError("exists", phrase("store.exists", file=public_key_in(folder)))
        folder.mkdir(parents=True, exist_ok=True)
        sync(folder.resolve().parent)
        if not store_in(folder).exists():
            WitnessStore.create(store_in(folder))
        if not clubs_in(folder).exists():
            write_new(clubs_in(folder), b"")
        return make_keys(name, secret_key_in(folder), public_key_in(folder))  # last: they mark what is complete

    @property
    def witness(self) -> Witness:
        """The public key that verifies the cosignatures."""
        return Witness.of(self._key.public())

    @property
    def public_key(self) -> PublicKey:
        """The public key that verifies the lists."""
        return self._key.public()

    def clubs(self) -> dict[str, PublicKey]:
        """Return the public keys of the clubs by origin; the file is read again when it has changed."""
        path = clubs_in(self.folder)
        status = path.stat()
        version = status.st_ino, status.st_size, status.st_mtime_ns
        if self._read[0] != version:
            self._read = version, _clubs_of(path)
        return self._read[1]

    def add_club(self, key: PublicKey) -> None:
        """Register a club. Raise `ConflictError` if its origin has another key."""
        with self._turn:
            known = self.clubs().get(key.name)
            if known is not None and known != key:
                raise ConflictError("exists", phrase("folder.other_key", origin=key.name, file=clubs_in(self.folder)))
            if known is None:
                content = read_file(clubs_in(self.folder), "clubs", limits.CLUBS_BYTES)
                gap = b"" if content.endswith(b"\n") or not content else b"\n"
                replace_file(clubs_in(self.folder), content + gap + f"{key}\n".encode())

    def cosign(self, request: CheckpointRequest, *, is_repeatable: bool = False) -> Checkpoint:
        """Return the checkpoint with the cosignature of this witness, once that is on disk.

        `is_repeatable`: whether a request for the newest checkpoint may be sent again, whatever its old size; over HTTP
        the specification forbids that.

        Raise `NotFoundError` for an unknown club, `WrongKeyError`, and `WitnessRefusedError` with the evidence.
        """
        signed = request.checkpoint
        key = self._key_of(signed.origin)
        why = signed.fault(key)
        if why is not None:
            raise WrongKeyError(phrase("refused.wrong_key", why=why))
        at = int(self._now().timestamp())
        with self._turn, WitnessStore(store_in(self.folder)) as store, store.changing():
            newest = store.newest(signed.origin)
            last = None if newest is None else self._checkpoint(newest)
            if is_repeatable and last is not None and last.tree == signed.tree:
                request = CheckpointRequest(last.tree.size, (), signed)
            twin = store.of_size(signed.origin, signed.tree.size)
            self._check(request, last, None if twin is None else self._checkpoint(twin))
            if last is not None and newest is not None and last.tree == signed.tree and 0 <= at - newest.at < _AGAIN_S:
                return last
            made = replace(signed, note=cosigned_note(signed.note, self._key, at))
            store.add(Cosigned(signed.origin, signed.tree.size, at, str(made)))
        return made

    def _check(self, request: CheckpointRequest, last: Checkpoint | None, twin: Checkpoint | None) -> None:
        """Raise `WitnessRefusedError` if the checkpoint must not be cosigned. `twin`: the cosigned one of its size."""
        signed, size = request.checkpoint, 0 if last is None else last.tree.size
        old = TreeHead(0, EMPTY_ROOT) if last is None else last.tree
        if signed.tree.size == 0 and signed.tree.root != EMPTY_ROOT:
            raise WitnessRefusedError("unproven", size, request)
        if twin is not None and are_two_trees(twin, signed):
            raise WitnessRefusedError(
                "fork", size, request, self._store_evidence(Evidence(twin, signed), "equivocation")
            )
        if signed.tree.size < size:
            raise WitnessRefusedError("rolled_back", size, request)
        if request.old_size != size:
            raise WitnessRefusedError("wrong_size", size, request)
        if not is_continued(old.size, old.root, signed.tree.size, signed.tree.root, request.proof):
            evidence = Evidence(last or signed, signed, request.proof)
            verdict = evidence.verdict(self._key_of(signed.origin))
            path = None if verdict == "nothing" else self._store_evidence(evidence, verdict)
            raise WitnessRefusedError("fork" if verdict == "equivocation" else "unproven", size, request, path)

    def _store_evidence(self, evidence: Evidence, verdict: Verdict) -> Path:
        """Write evidence to a file: one for each pair of trees and verdict, as anyone can send false proofs."""
        old, new = evidence.cosigned, evidence.other
        trees = sha256(f"{old.origin}\n{old.tree}\n{new.tree}\n{verdict}".encode()).hexdigest()[:16]
        place = self.folder / "evidence"
        place.mkdir(exist_ok=True)
        sync(self.folder)
        path = place / f"{old.tree.size}-{new.tree.size}-{trees}.evidence"
        if not path.exists():
            replace_file(path, evidence.content())
        return path

    def newest(self, origin: str) -> Checkpoint:
        """Return the largest cosigned checkpoint of a club. Raise `NotFoundError` if there is none."""
        self._key_of(origin)
        with WitnessStore(store_in(self.folder)) as store:
            row = store.newest(origin)
        if row is None:
            raise NotFoundError("not_found", phrase("folder.never_cosigned", origin=origin))
        return self._checkpoint(row)

    def statuses(self) -> list[ClubStatus]:
        """Return the registered clubs, ordered by origin."""
        with WitnessStore(store_in(self.folder)) as store:
            rows = {row.origin: row for row in store.newest_of_all(_EVER)}
        return [_status(key, rows.get(origin)) for origin, key in sorted(self.clubs().items())]

    def list_of(self, day: date) -> SignedList:
        """Return the signed list of a finished day (UTC). Raise `UsageError` if the day is not over."""
        if day >= self._now().astimezone(UTC).date():
            raise UsageError("usage", phrase("list.not_over", day=day.isoformat()))
        end = int(datetime.combine(day + timedelta(days=1), time(), UTC).timestamp())
        with self._turn, WitnessStore(store_in(self.folder)) as store, store.changing():
            rows = store.newest_of_all(end)
            clubs = [ListedClub(row.origin, self._parsed(row).tree) for row in rows]
            note = store.list_of(day.isoformat())
            made = signed_list(clubs, day, self._key, None if note is None else Checkpoint.parse(note.encode()))
            if note is None:
                store.add_list(day.isoformat(), str(made.checkpoint))
        return made

    def recover(self, paths: Sequence[Path]) -> Recovered:
        """Add the checkpoints of clubs that bear this witness's cosignature; a missing store is created.

        Raise `MalformedError` for a checkpoint without it or not signed by the club, and `ConflictError` if two of them
        contradict each other. What no file shows stays unknown.
        """
        shown = [self._shown(path) for path in paths]
        if not store_in(self.folder).exists():
            WitnessStore.create(store_in(self.folder))
        added = 0
        with self._turn, WitnessStore(store_in(self.folder)) as store, store.changing():
            for row in shown:
                twin = store.of_size(row.origin, row.size)
                if twin is not None and are_two_trees(self._parsed(twin), self._parsed(row)):
                    raise ConflictError("forked", phrase("folder.cosigned_twice", origin=row.origin, size=row.size))
                if twin is None or twin.at < row.at:
                    store.add(row)
                    added += 1
            unknown = tuple(origin for origin in sorted(self.clubs()) if store.newest(origin) is None)
        return Recovered(added, unknown)

    def _shown(self, path: Path) -> Cosigned:
        """Return the row of a club's checkpoint."""
        signed = read_checkpoint(path, witnesses=[self.witness], threshold=1)
        signed = read_checkpoint(path, self._key_of(signed.origin))
        (own,) = cosignatures(signed.note, [self.witness])
        return Cosigned(signed.origin, signed.tree.size, own.at, str(signed))

    def _key_of(self, origin: str) -> PublicKey:
        key = self.clubs().get(origin)
        if key is None:
            raise NotFoundError("not_found", phrase("refused.unknown_club", origin=origin))
        return key

    def _checkpoint(self, row: Cosigned) -> Checkpoint:
        """Return the checkpoint of a row, whose cosignature must be valid; the club may have a new key since."""
        signed = self._parsed(row)
        if not cosignatures(signed.note, [self.witness]):
            raise damaged(store_in(self.folder), phrase("store.altered", origin=row.origin, size=row.size))
        return signed

    def _parsed(self, row: Cosigned) -> Checkpoint:
        """Return the checkpoint of a row; it must have the origin and size of its columns."""
        try:
            signed = Checkpoint.parse(row.note.encode())
        except LedgerError:
            signed = None
        if signed is None or (signed.origin, signed.tree.size) != (row.origin, row.size):
            raise damaged(store_in(self.folder), phrase("store.altered", origin=row.origin, size=row.size))
        return signed


def _status(key: PublicKey, row: Cosigned | None) -> ClubStatus:
    if row is None:
        return ClubStatus(origin=key.name, key=str(key), entries=None, cosigned_at=None)
    return ClubStatus(origin=key.name, key=str(key), entries=row.size, cosigned_at=datetime.fromtimestamp(row.at, UTC))


def _clubs_of(path: Path) -> dict[str, PublicKey]:
    content = read_file(path, "clubs", limits.CLUBS_BYTES).decode("utf-8", "replace")
    clubs: dict[str, PublicKey] = {}
    for number, line in enumerate(content.splitlines(), 1):
        text = line.partition("#")[0].strip()
        if not text:
            continue
        try:
            key = PublicKey.parse(text)
        except MalformedError as error:
            raise error.at(line_of(str(path), number)) from None
        if key.name in clubs:
            raise MalformedError(phrase("folder.twice", origin=key.name), where=line_of(str(path), number))
        clubs[key.name] = key
    return clubs


def secret_key_in(folder: Path) -> Path:
    """Return the path of the private key of a witness."""
    return folder / "witness.key"


def public_key_in(folder: Path) -> Path:
    """Return the path of the public key of a witness."""
    return folder / "witness.pub"


def clubs_in(folder: Path) -> Path:
    """Return the path of the list of clubs."""
    return folder / "clubs.txt"


def store_in(folder: Path) -> Path:
    """Return the path of the store of cosigned checkpoints."""
    return folder / "witness.store"
