"""The queue of the writers of one ledger, over all processes: a lock on a file beside the ledger.

SQLite's own waiting sleeps for growing times, which starves writers: with four writers the worst wait was 2.8 s, and is
0.2 s with the kernel's queue in front. The queue is for fairness alone; SQLite's lock keeps writers apart.
"""

from __future__ import annotations

import fcntl
import os
from contextlib import suppress
from pathlib import Path
from threading import Lock, Thread
from typing import Final

from ledger.log.open_files import Stamp

_NOTE_BYTES: Final = 120
"""The longest `Stamp` in five decimal numbers."""


class WriterQueue:
    """A place in the queue for the right to write; used by one thread at a time."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: int | None = None

    def enter(self, timeout_s: float) -> bool:
        """Wait for the turn; return False if it did not come in time.

        Raise `OSError` if the lock file cannot be opened.
        """
        if self._file is None:
            self._file = self._open()
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            return self._wait(timeout_s)

    def leave(self) -> None:
        """Let the next one write. A lock that cannot be released ends with its file."""
        if self._file is not None:
            try:
                fcntl.flock(self._file, fcntl.LOCK_UN)
            except OSError:
                self.close()

    def note(self, stamp: Stamp | None) -> None:
        """Record for other programs that a checkpoint gave the ledger this stamp; call it while holding the turn."""
        if self._file is not None:
            with suppress(OSError):  # then the others read the whole ledger
                os.pwrite(self._file, b" ".join(b"%d" % number for number in stamp or ()).ljust(_NOTE_BYTES), 0)

    def noted(self) -> Stamp | None:
        """Return the ledger's stamp after the last checkpoint of any program; None if none has recorded it."""
        try:
            if self._file is None:
                self._file = self._open()
            numbers = os.pread(self._file, _NOTE_BYTES, 0).split()
            return Stamp(*map(int, numbers)) if len(numbers) == len(Stamp._fields) else None
        except (OSError, ValueError):
            return None

    def close(self) -> None:
        """Close the lock file; a second call does nothing."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _open(self) -> int:
        return os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)

    def _wait(self, timeout_s: float) -> bool:
        """Wait in the kernel's queue, which has no timeout: a thread waits, and returns a turn that comes too late."""
        place = _Place(self._open())
        try:
            Thread(target=place.wait, name="trickledger-writer-queue", daemon=True).start()
            if not place.has_turn_within(timeout_s):
                return False
        except BaseException:  # Ctrl-C must not block the queue, not even while the thread starts
            place.give_up()
            raise
        self.close()
        self._file = place.file
        return True


class _Place:
    """One wait in the queue, on its own file description, so that giving up releases no other lock."""

    def __init__(self, file: int) -> None:
        self.file = file
        self._decision = Lock()
        self._answer = Lock()
        self._answer.acquire()
        self._has_turn = False
        self._is_given_up = False

    def wait(self) -> None:
        with suppress(OSError):
            fcntl.flock(self.file, fcntl.LOCK_EX)
            with self._decision:
                self._has_turn = not self._is_given_up
        if not self._has_turn:
            os.close(self.file)
        self._answer.release()

    def has_turn_within(self, timeout_s: float) -> bool:
        self._answer.acquire(timeout=timeout_s)
        with self._decision:
            self._is_given_up = not self._has_turn
            return self._has_turn

    def give_up(self) -> None:
        """Return the turn, whether it has come or is still to come."""
        with self._decision:
            self._is_given_up = True
            if self._has_turn:
                os.close(self.file)
