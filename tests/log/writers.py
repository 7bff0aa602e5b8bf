"""Processes that write to a ledger, for the tests that kill them or let them compete; no test itself.

Run as `python -m tests.log.writers`. An append is printed after it has returned.
"""

import os
import random
import signal
import sys
import time
from datetime import datetime
from uuid import NAMESPACE_OID, uuid5

from ledger.errors import LedgerError
from ledger.log import Batch, LogStore, NewEntry, open_store, postgres_statements
from ledger.log.base import utc_now
from tests.contracts.log_builders import remark


def numbered(writer: int, first: int, size: int, stream: str = "", *, has_ids: bool = False) -> Batch:
    """Return a batch of `size` remarks that name their writer, the batch and their place in it.

    `has_ids`: the same batch has the same ids whenever it is sent.
    """
    texts = [f"{writer} {first} {part} {size}" for part in range(size)]
    ids = [str(uuid5(NAMESPACE_OID, text)) if has_ids else None for text in texts]
    return Batch(stream or f"table/{writer}", "any", tuple(map(NewEntry, map(remark, texts), ids)))


def write_until_killed(path: str, writer: int, stream: str = "") -> None:
    """Append batches of 1 to 40 entries for ever, and print number and size of each acknowledged one."""
    chance = random.Random(writer)
    with open_store(path) as store:
        for number in range(1_000_000):
            size = chance.choice((1, 1, 1, 2, 7, 40))
            acknowledged = store.append(numbered(writer, number, size, stream), recorded_by=f"writer {writer}")
            os.write(1, b"%d %d %d\n" % (number, size, acknowledged.first_position))


def write_many(path: str, writer: int, entries: int) -> None:
    """Append so many entries, mostly one by one."""
    chance = random.Random(writer)
    with open_store(path) as store:
        written = 0
        while written < entries:
            size = min(chance.choice((1,) * 99 + (50,)), entries - written)
            store.append(numbered(writer, written, size), recorded_by=f"writer {writer}")
            written += size


def write_despite_faults(address: str, writer: int, batches: int) -> None:
    """Append so many batches, and print each acknowledged one; a failed one is sent again with the same ids."""
    chance = random.Random(writer)
    store: LogStore | None = None
    for number in range(batches):
        size = chance.choice((1, 1, 7))
        while True:
            try:
                store = store or open_store(address)
                acknowledged = store.append(numbered(writer, number, size, has_ids=True), recorded_by="writer")
                break
            except LedgerError as error:
                if error.code not in ("busy", "disk", "locked", "unreachable"):
                    raise
                time.sleep(0.05)
        os.write(1, b"%d %d %d\n" % (number, size, acknowledged.first_position))


def stop_within(address: str, writer: int, stalled_s: float) -> None:
    """Append a batch, stop once in the middle of the transaction, and append another."""
    is_first = True

    def clock() -> datetime:
        nonlocal is_first
        if is_first:
            is_first = False
            os.kill(os.getpid(), signal.SIGSTOP)
        return utc_now()

    postgres_statements.STALLED_S = stalled_s  # type: ignore[misc, assignment]
    with open_store(address, clock=clock) as store:
        for number in range(2):
            acknowledged = store.append(numbered(writer, number, 1), recorded_by="writer")
            os.write(1, b"%d 1 %d\n" % (number, acknowledged.first_position))


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["until-killed", path, writer, *stream]:
            write_until_killed(path, int(writer), *stream)
        case ["many", path, writer, entries]:
            write_many(path, int(writer), int(entries))
        case ["despite-faults", address, writer, batches]:
            write_despite_faults(address, int(writer), int(batches))
        case ["stop-within", address, writer, stalled_s]:
            stop_within(address, int(writer), float(stalled_s))
