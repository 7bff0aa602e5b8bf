"""Runs of operations in which strace lets one system call fail. This is no test itself.

A first run without a fault lists the calls that touch a folder. An operation makes the same calls each time, so a
call's number among those of its name that touch the same file identifies it in later runs.
"""

import json
import os
import re
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Final, NamedTuple, Self

ROOT: Final = Path(__file__).parents[2]

_NEEDING_ROOM: Final = (
    *("open", "openat", "creat", "write", "writev", "pwrite64", "pwritev", "ftruncate", "fallocate", "fsync"),
    *("fdatasync", "mkdir", "mkdirat", "link", "linkat", "rename", "renameat", "renameat2"),
)
_TRACED: Final = ",".join((*_NEEDING_ROOM, "unlink", "unlinkat", "rmdir", "flock", "mmap"))
_LINE: Final = re.compile(r"(?P<thread>\d+) +(?P<name>\w+)\((?P<rest>.*)")
_END_OF_WRITE: Final = re.compile(r", (?P<length>\d+)(?:, (?P<offset>\d+))?\) += ")


class SystemCall(NamedTuple):
    """A system call: its name, a file that it touches (`PID` stands for the process id in its name), its number among
    such calls of its thread, and its arguments as strace shows them.
    """

    name: str
    file: str
    number: int
    arguments: str

    @property
    def middle_of_write(self) -> int | None:
        """The file offset of the middle of a write; `write` is used only for files written at once."""
        match = _END_OF_WRITE.search(self.arguments) if self.name in ("pwrite64", "write") else None
        return None if match is None else int(match["offset"] or 0) + int(match["length"]) // 2


class InjectedFault(NamedTuple):
    """A fault, its action in strace's syntax, and whether it lasts."""

    name: str
    action: str
    lasts: bool = False


EIO: Final = InjectedFault("EIO", "error=EIO")
EIO_FROM_THEN_ON: Final = InjectedFault("EIO from then on", "error=EIO", lasts=True)
ENOSPC: Final = InjectedFault("ENOSPC", "error=ENOSPC")
KILL: Final = InjectedFault("kill", "signal=KILL")


def faults_of(call: SystemCall) -> list[InjectedFault]:
    """Return the faults that can happen to this call."""
    return [EIO, EIO_FROM_THEN_ON, *([ENOSPC] if call.name in _NEEDING_ROOM else []), KILL]


class RunResult(NamedTuple):
    """The result of a run. `is_hit`: the fault met its call."""

    status: int
    out: bytes
    err: str
    process: int = 0
    is_hit: bool = False

    @property
    def was_killed(self) -> bool:
        return self.status == -signal.SIGKILL


def can_trace(strace: str) -> bool:
    command = [strace, "-e", "inject=getppid:retval=4242", sys.executable, "-c", "import os; print(os.getppid())"]
    return subprocess.run(command, capture_output=True, check=False).stdout == b"4242\n"


class Runner:
    """A runner of operations, each in a separate process, whose system calls can fail."""

    def __init__(self, strace: str) -> None:
        self._strace = strace
        path = ":".join([str(ROOT), *(entry for entry in sys.path if entry)])
        self._fork_server = subprocess.Popen(
            [sys.executable, "-m", "tests.faults.operations"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env={"PATH": os.environ["PATH"], "PYTHONPATH": path, "PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8"},
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._fork_server.communicate()

    def calls(self, operation: str, folder: Path) -> list[SystemCall]:
        """Return the calls of an operation that touch the folder, in order. Raise `AssertionError` if the operation
        fails.
        """
        result, lines = self._run_traced(operation, folder)
        assert result.status == 0, result
        return _calls_in(lines, folder, result.process)

    def acknowledged_after_sync(self, operation: str, folder: Path, log: str) -> list[bool]:
        """Return, for each line that an operation prints, whether it wrote to the log since the last line and synced
        it.
        """
        _, lines = self._run_traced(operation, folder)
        synced = []
        is_written = is_synced = False
        for line in lines:
            match = _LINE.match(line)
            if match is None:
                continue
            if match["name"] == "write" and match["rest"].startswith("1<"):
                synced.append(is_written and is_synced)
                is_written = is_synced = False
            elif f"{folder}/{log}>" in match["rest"] and match["name"] in ("pwrite64", "fdatasync", "fsync"):
                is_synced = match["name"] != "pwrite64"
                is_written = is_written or not is_synced
        return synced

    def run(self, operation: str, folder: Path, file_bytes_max: int | None = None) -> RunResult:
        """Run an operation without strace.

        With `file_bytes_max` the kernel shortens the write that would make a file larger, or refuses it if there is no
        room at all, and refuses all later ones.
        """
        self._start(operation, folder, file_bytes_max)
        return self._resume(folder)

    def run_with_fault(self, operation: str, folder: Path, call: SystemCall, fault: InjectedFault) -> RunResult:
        """Let this call fail, once or from then on."""
        when = f"{call.number}+" if fault.lasts else str(call.number)
        result, lines = self._run_traced(operation, folder, f"inject={call.name}:{fault.action}:when={when}", call.file)
        is_hit = result.was_killed if fault is KILL else any("(INJECTED)" in line for line in lines)
        return result._replace(is_hit=is_hit)

    def _run_traced(
        self, operation: str, folder: Path, what: str = "signal=none", file: str | None = None
    ) -> tuple[RunResult, list[str]]:
        """Run an operation under strace, tracing the calls that touch the file, or all calls."""
        log = folder.with_name(f"{folder.name}.trace")
        child = self._start(operation, folder, None)
        command = [self._strace, "-f", "-y", "-o", str(log), "-e", f"trace={_TRACED}", "-e", what, "-p", str(child)]
        if file is not None:
            command += ["-P", f"{folder}{file.replace('.PID.', f'.{child}.')}"]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as strace:
            assert strace.stderr is not None
            assert any("attached" in line for line in strace.stderr), "strace ended before it began"
            result = self._resume(folder)._replace(process=child)
            strace.communicate()
        lines = log.read_text(errors="replace").splitlines()
        log.unlink()
        return result, lines

    def _start(self, operation: str, folder: Path, file_bytes_max: int | None) -> int:
        out, err = _outputs(folder)
        request = {"operation": operation, "folder": str(folder), "out": str(out), "err": str(err)}
        return self._send(json.dumps({**request, "file_bytes_max": file_bytes_max}))

    def _resume(self, folder: Path) -> RunResult:
        status = self._send("go")
        out, err = _outputs(folder)
        result = RunResult(status, out.read_bytes(), err.read_text(encoding="utf-8"))
        out.unlink()
        err.unlink()
        return result

    def _send(self, line: str) -> int:
        assert self._fork_server.stdin is not None and self._fork_server.stdout is not None
        self._fork_server.stdin.write(f"{line}\n")
        self._fork_server.stdin.flush()
        return int(self._fork_server.stdout.readline())


def _calls_in(lines: Sequence[str], folder: Path, process: int) -> list[SystemCall]:
    calls = []
    numbers: Counter[tuple[str, str, str]] = Counter()
    for line in lines:
        match = _LINE.match(line)
        file = match and re.search(rf'[<"]{re.escape(str(folder))}(?P<name>[^">(]*)', match["rest"])
        if match is None or file is None:
            continue
        name = file["name"].replace(f".{process}.", ".PID.")
        key = match["thread"], match["name"], name
        numbers[key] += 1
        # Only mappings that are written back to a file can lose data.
        if match["name"] != "mmap" or "MAP_SHARED" in match["rest"]:
            calls.append(SystemCall(match["name"], name, numbers[key], match["rest"]))
    return calls


def _outputs(folder: Path) -> tuple[Path, Path]:
    """Return the output files, outside the folder so that output does not count as written into it."""
    return folder.with_name(f"out-{folder.name}"), folder.with_name(f"err-{folder.name}")
