"""Measure a witness of many clubs: cosignatures, the list of a day and its check.

`python -m bench.witness [CLUBS [DAYS]]`

Each club sends one checkpoint a day. Rows of all days but the last are written at once, as their cosignatures would
only take time.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from hashlib import sha256
from pathlib import Path

from msgspec.structs import replace

from bench._own_process import cpu_s
from ledger.log.checkpoint import Checkpoint, TreeHead
from ledger.log.signed_note import SecretKey, cosigned_note, encoded, sign
from ledger.witness.folder import WitnessFolder, clubs_in, secret_key_in, store_in
from ledger.witness.request import CheckpointRequest
from ledger.witness.signed_list import SignedList
from ledger.witness.store import Cosigned, WitnessStore

CLUBS = 10_000
DAYS = 30
COSIGNED = 500
_FIRST_DAY = datetime(2026, 1, 5, 20, tzinfo=UTC)


def main(folder: Path | None = None, clubs: int = CLUBS, days: int = DAYS) -> dict[str, float]:
    """Return all figures by name."""
    with tempfile.TemporaryDirectory(dir=folder) as place:
        now = _FIRST_DAY + timedelta(days=days)
        witness = _cosigned_before(Path(place, "witness"), clubs, days, now)
        keys = [_club_key(number) for number in range(min(clubs, COSIGNED))]
        requests = [CheckpointRequest(days, (), _checkpoint(key, days)) for key in keys]
        figures = {"clubs (count)": float(clubs), "days (count)": float(days)}
        figures |= _measured(
            "cosignature", lambda: [witness.cosign(one, is_repeatable=True) for one in requests], len(keys)
        )
        made: list[SignedList] = []
        for what in ("signed", "again"):
            figures |= _measured(f"list of a day, {what}", lambda: made.append(witness.list_of(_FIRST_DAY.date())), 1)
        content = made[0].content()
        figures |= _measured("list checked", partial(_check, content, witness), 1)
        figures |= _measured("clubs listed", witness.statuses, 1)
        size = store_in(witness.folder).stat().st_size
        return figures | {
            "list (MB)": len(content) / 1e6,
            "store, a cosignature (bytes)": size / clubs / days,
        }


def _cosigned_before(folder: Path, clubs: int, days: int, now: datetime) -> WitnessFolder:
    """Return a new witness that has cosigned a checkpoint of each club on each day."""
    WitnessFolder.create(folder, "league.example/witness")
    own = SecretKey.parse(secret_key_in(folder).read_text().strip())
    keys = [_club_key(number) for number in range(clubs)]
    clubs_in(folder).write_text("".join(f"{key.public()}\n" for key in keys))
    with WitnessStore(store_in(folder)) as store, store.changing():
        for day in range(days):
            at = int((_FIRST_DAY + timedelta(days=day)).timestamp())
            for key in keys:
                signed = _checkpoint(key, day + 1)
                made = replace(signed, note=cosigned_note(signed.note, own, at))
                store.add(Cosigned(key.name, day + 1, at, str(made)))
    return WitnessFolder(folder, lambda: now)


def _club_key(number: int) -> SecretKey:
    return SecretKey(f"club-{number:05}.example/ledger", sha256(b"%d" % number).digest())


def _checkpoint(key: SecretKey, size: int) -> Checkpoint:
    root = sha256(f"{key.name} {size}".encode()).digest()
    return Checkpoint(key.name, TreeHead(size, root), sign(f"{key.name}\n{size}\n{encoded(root)}\n", key))


def _check(content: bytes, witness: WitnessFolder) -> None:
    assert SignedList.parse(content).fault(witness.public_key) is None


def _measured(what: str, work: Callable[[], object], count: int) -> dict[str, float]:
    begun, used_s = time.perf_counter(), cpu_s()
    work()
    took_s, used_s = time.perf_counter() - begun, cpu_s() - used_s
    return {f"{what} (ms)": 1000 * took_s / count, f"{what}, processor time (ms)": 1000 * used_s / count}


if __name__ == "__main__":
    given = list(map(int, sys.argv[1:]))
    for label, figure in main(None, *given).items():
        print(f"{label:50} {figure:>12,.2f}")
