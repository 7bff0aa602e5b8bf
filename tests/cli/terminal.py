"""A pseudo-terminal for tests that type commands as a person would."""

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from tests.cli.commands import ROOT, CommandLine, environment
from tests.patience import PATIENCE_S

PROMPT: Final = b"\x1b[?2004h"
"""The beginning of a prompt, after which keys are accepted."""

_WHERE: Final = b"\x1b[6n"
"""The request for the position of the cursor."""

_CONTROL: Final = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|[\r\x0f]")
_ENTRY: Final = re.compile(r"^ {2,}(\d+)  \S", re.MULTILINE)


class Terminal:
    """A process at a terminal of its own. `shown`: everything shown so far.

    `reports_cursor`: the terminal reports the position of the cursor; without it no line is shown below the prompt.
    """

    def __init__(
        self,
        *words: object,
        folder: Path,
        module: str = "ledger",
        before: tuple[str, ...] = (),
        reports_cursor: bool = False,
    ) -> None:
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))
        self.shown = b""
        self._prompts = 0
        settings = {"TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "" if reports_cursor else "1", "HOME": str(folder)}
        self.process = subprocess.Popen(
            [*before, sys.executable, "-m", module, *map(str, words)],
            cwd=folder, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True,
            env=environment(**settings, PYTHONPATH=str(ROOT)),
        )  # fmt: skip
        os.close(theirs)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self._ours)

    def type(self, keys: str) -> None:
        os.write(self._ours, keys.encode())

    def wait_for_prompt(self) -> bool:
        """Wait for a new prompt. Return False if the process ended instead."""
        deadline = time.monotonic() + PATIENCE_S
        while self.shown.count(PROMPT) <= self._prompts:
            if not self._read(deadline - time.monotonic()):
                return False
        self._prompts = self.shown.count(PROMPT)
        return True

    def wait_for(self, words: str) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while words not in self.text():
            assert self._read(deadline - time.monotonic()), self.text()

    def enter(self, keys: str) -> bool:
        """Type a line, then wait as `wait_for_prompt` does."""
        self.type(f"{keys}\r")
        return self.wait_for_prompt()

    def _read(self, seconds: float) -> bool:
        """Read what is shown next. Return False when nothing more will come."""
        assert seconds > 0, self.text()
        if not select.select([self._ours], [], [], min(seconds, 1))[0]:
            return self.process.poll() is None
        more = _shown_next(self._ours)
        self.shown += more
        if _WHERE in more:
            os.write(self._ours, b"\x1b[1;1R")
        return bool(more)

    def text(self) -> str:
        """Return the text as a person reads it."""
        return _CONTROL.sub("", self.shown.decode(errors="replace"))

    def acknowledged(self) -> list[int]:
        """Return the versions of the acts that were shown as recorded."""
        return [int(version) for version in _ENTRY.findall(self.text())]

    def leave(self) -> int:
        """Press Ctrl-D and return the exit status."""
        self.type("\x04")
        return self.process.wait(PATIENCE_S)


def at_a_terminal(cli: CommandLine, typed: str, *words: object) -> tuple[int, str]:
    """Run a command at a terminal, type this text, and return the exit status and everything shown."""
    ours, theirs = pty.openpty()
    with cli.started(*words, stdin=theirs, stdout=theirs, stderr=theirs) as ran:
        os.close(theirs)
        os.write(ours, typed.encode())
        shown = b""
        while part := _shown_next(ours):
            shown += part
    os.close(ours)
    return ran.returncode, shown.decode().replace("\r\n", "\n")


def _shown_next(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # on Linux: the other side is closed
        return b""
