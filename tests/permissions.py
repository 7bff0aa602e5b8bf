"""Commands bound by file permissions, even if the tests run as root."""

import ctypes
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

_DROP_FROM_BOUNDS = 24
"""`PR_CAPBSET_DROP` of prctl(2): programs started afterwards lack the capability."""

_PAST_PERMISSIONS = (1, 2)
"""`CAP_DAC_OVERRIDE` and `CAP_DAC_READ_SEARCH` of capabilities(7)."""


def _be_bound() -> None:
    if os.geteuid() == 0:
        for capability in _PAST_PERMISSIONS:
            ctypes.CDLL(None).prctl(_DROP_FROM_BOUNDS, capability, 0, 0, 0)


def bound_command(*words: str) -> None:
    """Replace this process by `trickledger` with these words, bound by permissions."""
    _be_bound()
    os.execv(sys.executable, [sys.executable, "-m", "ledger", *words])


def bound(
    ledger: Path, *words: object, stdin: bytes = b"", environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run `trickledger` in a separate process that is bound by permissions."""
    return subprocess.run(
        [sys.executable, "-m", "ledger", "--ledger", str(ledger), "--lang", "en", *map(str, words)],
        input=stdin.decode(),
        check=False,
        capture_output=True,
        text=True,
        env=os.environ | (environment or {}),
        preexec_fn=_be_bound,
    )


@contextmanager
def permitting(path: Path, mode: int) -> Iterator[None]:
    """Give a file or folder these permissions until the end of the block."""
    before = path.stat().st_mode
    path.chmod(mode)
    try:
        yield
    finally:
        path.chmod(before)
