"""Texts of the demonstration between the answers of its commands."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from ledger.text.catalogue import label
from ledger.text.layout import padded

_WORDS_SHOWN: Final = 7
_COMMAND_COLUMNS: Final = 55
_NEXT: Final = (
    ("trickledger tables", "demo.look_tables"),
    ("trickledger replay rape-of-the-lock --step 12", "demo.look_replay"),
    ("trickledger dispute ombre-revoke --case-sheet 39", "demo.look_dispute"),
    ("trickledger score kop-night-1", "demo.look_score"),
    ("trickledger stats standings --session kop-night", "demo.look_evening"),
    ("trickledger rules KOP-7.13", "demo.look_rule"),
)
"""What to look at, in this order, with the key of the reason."""


def typed_command(words: Sequence[str]) -> str:
    """Return the command as typed in the folder of its files; a long one is shortened."""
    shown = [Path(word).name if word.startswith("/") else word for word in words]
    if len(shown) > _WORDS_SHOWN:
        shown = [*shown[:3], "…"]
    typed = " ".join(f'"{word}"' if " " in word else word for word in shown)
    return f"$ trickledger {typed}"


def next_steps(ledger: Path, lang: str, serve: str) -> str:
    """Return what to look at in the demonstration's ledger, in which order, one numbered command a line.

    `serve`: the command that serves it.
    """
    lines = [f"export TRICKLEDGER_LEDGER={shlex.quote(str(ledger))}"]
    for number, (command, key) in enumerate((*_NEXT, (serve, "demo.look_pages")), start=1):
        lines.append(f"{number}. " + padded(command, _COMMAND_COLUMNS) + label(lang, key))
    return "\n".join(f"  {line}" for line in lines)
