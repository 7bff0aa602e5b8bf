"""The base class of stores whose entries outlive the program: they notice when a ledger was rolled back.

How far a ledger has grown is remembered in a file of this machine (`rollback_detection`), next to the ledger's file or
in the folder for the files of ledgers in a database.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import Final, Protocol, TypeVar

from ledger.errors import LedgerError
from ledger.i18n import Text
from ledger.log.append_rules import timestamp
from ledger.log.base import Access, Clock, LogStore
from ledger.log.rollback_detection import (
    KnownHead,
    RollbackKind,
    answer_for,
    furthest_known_head,
    is_rolled_back,
    remember,
    rolled_back,
)

LOCK_TIMEOUT_S: Final = 10.0

REMEMBER_WAIT_S: Final = 0.1
"""The longest wait, when a store closes, for the turn to remember its head; a later writer does it otherwise."""

Answer = TypeVar("Answer")


class DurableStore(LogStore):
    """A ledger that other programs can open, too."""

    _access: Access
    _clock: Clock
    _lock_timeout_s: float
    _has_written = False
    _is_past_seen = False

    @property
    @abstractmethod
    def address(self) -> str: ...

    @property
    @abstractmethod
    def sidecar_base(self) -> Path:
        """The path from which `paths` derives those of the files beside the ledger; that of its file if it has one."""

    @abstractmethod
    def digests_at(self, positions: Sequence[int]) -> dict[int, bytes]:
        """Return the stored digests of these entries, by position; a missing one is left out."""

    @abstractmethod
    def _in_turn(self, timeout_s: float, work: Callable[[], Answer]) -> Answer:
        """Run `work` while no other process of this machine writes the files beside the ledger."""

    def first_problem(self) -> Text | None:
        """Return the first problem of what holds the entries, besides the entries; None if there is none."""
        return None

    def digest_at(self, position: int) -> bytes | None:
        """Return the digest of an entry; None if it does not exist."""
        return self.digests_at([position]).get(position)

    def check_growth(self) -> None:
        """Raise `ConflictError` if the ledger lacks an entry that it had before: it is an older copy."""
        seen = furthest_known_head(self.sidecar_base)
        if seen is not None and is_rolled_back(seen, self.digest_at):
            raise rolled_back(self.address, seen, self.head().position)

    def remember_head(self) -> None:
        """Save the current head if that is possible at once; errors are ignored, so that readers are never blocked."""
        if self._access in ("write", "allowed"):
            with suppress(OSError, LedgerError):
                self._in_turn(REMEMBER_WAIT_S, lambda: remember(self.sidecar_base, self.head(), self.digest_at))

    def answer_for_rollback(self, how: RollbackKind, reason: str) -> KnownHead | None:
        """Accept an older state and record the reason; return None if no known entry is missing.

        Raise `ConflictError` for a locked ledger, `OSError` if the file cannot be written.
        """
        base = self.sidecar_base
        if furthest_known_head(base) is None:
            return None
        moment = timestamp(self._clock())
        return self._in_turn(
            self._lock_timeout_s, lambda: answer_for(base, how, reason, self.head(), self.digest_at, moment)
        )

    def _note_written(self) -> None:
        """Remember the head after the first append, and otherwise when the store closes: each time costs two more
        syncs.
        """
        if self._has_written:
            self._is_past_seen = True
            return
        self._has_written = True
        with suppress(OSError, LedgerError):  # the append itself is on disk
            remember(self.sidecar_base, self.head(), self.digest_at)

    def _remember_at_last(self) -> None:
        """Remember the head if entries were recorded since it was last remembered; called before the store closes."""
        if self._is_past_seen:
            self._is_past_seen = False
            self.remember_head()


class ServedStore(DurableStore):
    """The ledger of a running service: what its one writer asks of a store besides the log itself."""

    @abstractmethod
    def current(self, *, is_quick: bool = False) -> ServedStore:
        """Return this store, or a new one if the ledger must be opened again.

        `is_quick`: an append follows, which verifies the ledger. Raise `ReplacedError` if it lacks entries it had.
        """

    @abstractmethod
    def check_cause(self, error: LedgerError) -> None:
        """Raise `ReplacedError` if the error comes from a ledger that was replaced or changed by others."""

    @abstractmethod
    def alone(self) -> AbstractContextManager[None]:
        """Keep other programs from recording until the end of the block, or the first append in it."""

    @abstractmethod
    def settle(self, *, at_once: bool = False) -> None:
        """Finish work that was postponed until nobody waits. Raise `ReplacedError` as `current`."""


class Bell(Protocol):
    """A bell between the services of one ledger."""

    def ring(self) -> None:
        """Let the others look at the ledger soon."""

    def close(self) -> None:
        """Stop listening."""
