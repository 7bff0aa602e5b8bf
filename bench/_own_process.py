"""Work that is measured in a process of its own, to have its memory and processor time apart."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

from msgspec import Struct


class Used(Struct, frozen=True):
    """What some work needed. `cpu_s`: that of its processes; `memory_bytes`: the peak, each process at its largest."""

    seconds: float
    cpu_s: float
    memory_bytes: int


def measured(work: Callable[[], object], workers: int = 1) -> Used:
    """Run work that can be pickled, in a new process, which may start `workers` others."""
    context = get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_run, args=(work, workers, sender))
    process.start()
    sender.close()  # so that a process that dies ends the wait
    used: Used = receiver.recv()
    process.join()
    return used


def _run(work: Callable[[], object], workers: int, sender: Connection) -> None:
    # DuckDB mistakes a process started this way for a prompt and draws its progress.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    begun, before = time.perf_counter(), cpu_s()
    work()
    others_kb = workers * getrusage(RUSAGE_CHILDREN).ru_maxrss if workers > 1 else 0
    # Not `ru_maxrss` of this process, which begins with that of the process that started it.
    own_kb = int(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0])
    memory_bytes = 1024 * (own_kb + others_kb)
    sender.send(Used(time.perf_counter() - begun, cpu_s() - before, memory_bytes))


def cpu_s() -> float:
    """Return the processor time of this process and of its ended children."""
    others = getrusage(RUSAGE_CHILDREN)
    return time.process_time() + others.ru_utime + others.ru_stime
