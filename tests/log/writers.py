"""Processes that write to a ledger, for the tests that kill them or let them compete; no test itself.

Run as `python -m tests.log.writers`. An append is printed after it has returned.
"""

import os
import random
import sys

from ledger.log import Batch, NewEntry, SqliteStore
from tests.contracts.log_builders import remark


def numbered(writer: int, first: int, size: int, stream: str = "") -> Batch:
    """Return a batch of `size` remarks that name their writer, the batch and their place in it."""
    texts = (f"{writer} {first} {part} {size}" for part in range(size))
    return Batch(stream or f"table/{writer}", "any", tuple(NewEntry(remark(text)) for text in texts))


def write_until_killed(path: str, writer: int, stream: str = "") -> None:
    """Append batches of 1 to 40 entries for ever, and print number and size of each acknowledged one."""
    chance = random.Random(writer)
    with SqliteStore(path) as store:
        for number in range(1_000_000):
            size = chance.choice((1, 1, 1, 2, 7, 40))
            acknowledged = store.append(numbered(writer, number, size, stream), recorded_by=f"writer {writer}")
            os.write(1, b"%d %d %d\n" % (number, size, acknowledged.first_position))


def write_many(path: str, writer: int, entries: int) -> None:
    """Append so many entries, mostly one by one."""
    chance = random.Random(writer)
    with SqliteStore(path) as store:
        written = 0
        while written < entries:
            size = min(chance.choice((1,) * 99 + (50,)), entries - written)
            store.append(numbered(writer, written, size), recorded_by=f"writer {writer}")
            written += size


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["until-killed", path, writer, *stream]:
            write_until_killed(path, int(writer), *stream)
        case ["many", path, writer, entries]:
            write_many(path, int(writer), int(entries))
