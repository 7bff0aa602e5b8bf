"""Texts of the demonstration between the answers of its commands."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from ledger.text.catalogue import label
from ledger.text.layout import padded

_WORDS_SHOWN: Final = 6
_COMMAND_COLUMNS: Final = 53
_NEXT: Final = (
    ("trickledger replay rape-of-the-lock --all-steps", "demo.every_step"),
    ("trickledger rules OMB-6.8", "demo.the_rule"),
    ("trickledger rules --search surrender", ""),
    ("trickledger stats --list", ""),
    ("trickledger query --list", ""),
    ("trickledger simulate ombre --deals 100 | trickledger import -", ""),
    ("trickledger report opening-night -o evening.html", "demo.one_page"),
    ("trickledger plot standings -o standings.svg", ""),
)
"""Commands, with the key of a remark unless the command explains itself."""


def typed_command(words: Sequence[str]) -> str:
    """Return the command as typed in the folder of its files; a long one is shortened."""
    shown = [Path(word).name if word.startswith("/") else word for word in words]
    if len(shown) > _WORDS_SHOWN:
        shown = [*shown[:3], "…"]
    typed = " ".join(f'"{word}"' if " " in word else word for word in shown)
    return f"$ trickledger {typed}"


def next_steps(ledger: Path, lang: str) -> str:
    """Return commands to try next with the demonstration's ledger."""
    lines = [f"export TRICKLEDGER_LEDGER={shlex.quote(str(ledger))}"]
    for command, key in _NEXT:
        lines.append(padded(command, _COMMAND_COLUMNS) + label(lang, key) if key else command)
    lines.append(label(lang, "demo.own_evening"))
    return "\n".join(f"  {line}" for line in lines)
