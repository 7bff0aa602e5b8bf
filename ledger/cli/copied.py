"""How `backup` and `restore` answer: the copy, and what it holds."""

from __future__ import annotations

from ledger.cli.output import print_json, say
from ledger.log.backup import Copied


def print_copied(copied: Copied, kind: str, told: str, form: str) -> None:
    if form == "json":
        print_json({kind: str(copied.path), "entries": copied.entries, "digest": copied.digest})
    else:
        say(f"{told}: {copied.entries:,} entries, head {copied.digest}")
