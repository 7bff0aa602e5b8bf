"""The service in a process of its own, as `trickledger serve` starts it, and its load test by `wrk`."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from ledger.log.stores import HOME

SCRIPT: Final = Path(__file__).with_name("acts.lua")
_TICKS: Final = os.sysconf("SC_CLK_TCK")
_PAGE: Final = os.sysconf("SC_PAGE_SIZE")


def cpu_s_of(pid: int, *, with_ended: bool = False) -> float:
    """Return the processor time of a process, all threads together, if wanted with that of its children that ended."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11 : 15 if with_ended else 13])) / _TICKS


class Server:
    """A running service: its port, and the processor time and memory of its process."""

    def __init__(self, process: subprocess.Popen[bytes], port: int) -> None:
        self._process = process
        self.pid = process.pid
        self.port = port

    def cpu_s(self) -> float:
        """Return the processor time of the process, all threads together."""
        return cpu_s_of(self._process.pid)

    def memory_mb(self) -> float:
        """Return the resident memory of the process."""
        return int(Path(f"/proc/{self._process.pid}/statm").read_text().split()[1]) * _PAGE / 1e6


@contextmanager
def server(ledger: Path | str, home: Path | None = None) -> Iterator[Server]:
    """Serve the ledger until the end of the block; the service's log is discarded.

    `home`: the folder for what the service of a ledger in a database has on its host.
    """
    process = subprocess.Popen(
        [sys.executable, "-m", "ledger", "--lang", "en", "--ledger", str(ledger), "serve", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=os.environ if home is None else {**os.environ, HOME: str(home)},
    )
    assert process.stdout is not None
    try:
        port = None
        for line in process.stdout:
            if port is None and (match := re.search(rb"http://127\.0\.0\.1:(\d+)/", line)):
                port = int(match[1])
            if b"Ctrl-C" in line:
                break
        assert port is not None, "the service did not begin"
        yield Server(process, port)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=30)
        process.stdout.close()


class Load(Struct, frozen=True):
    """The results of `wrk`: `micros`, `p50` and `p99` in microseconds; `cpu_s` is the processor time of the service."""

    requests: int
    micros: int
    failed: int
    lost: int
    p50: int
    p99: int
    cpu_s: float = 0.0

    @property
    def per_second(self) -> float:
        return self.requests / self.micros * 1e6

    @property
    def cpu_us(self) -> float:
        """The processor time of one request, in microseconds."""
        return self.cpu_s / self.requests * 1e6


def has_wrk() -> bool:
    return shutil.which("wrk") is not None


def ask(server: Server, folder: Path, requests: Sequence[Sequence[str]], seconds: float, *, once: bool = True) -> Load:
    """Send each list of requests over a connection of its own, one request after another, for that many seconds.

    `once`: send each request at most once, and raise `AssertionError` if they run out; otherwise repeat the lists.
    """
    folder.mkdir()
    for number, lines in enumerate(requests):
        (folder / str(number)).write_text("".join(f"{line}\n" for line in lines))
    count = str(len(requests))
    command = [
        *("wrk", "-t", count, "-c", count, "-d", f"{max(1, round(seconds))}s", "--timeout", "30s", "-s", str(SCRIPT)),
        *(f"http://127.0.0.1:{server.port}", "--", str(folder)),
    ]
    before = server.cpu_s()
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    took = server.cpu_s() - before
    load = msgspec.json.decode(said.splitlines()[-1], type=Load)
    assert not load.failed and not load.lost, said
    assert not once or load.requests < sum(map(len, requests)), "there were not enough requests"
    return msgspec.structs.replace(load, cpu_s=took)
