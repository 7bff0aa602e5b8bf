"""What the demonstration says beside the answers of the commands that it runs."""

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
"""Commands, and where it does not show, what they answer."""


def typed_command(words: Sequence[str]) -> str:
    """The command as somebody would type it in the folder of the files it names; a long one is cut."""
    shown = [Path(word).name if word.startswith("/") else word for word in words]
    if len(shown) > _WORDS_SHOWN:
        shown = [*shown[:3], "…"]
    typed = " ".join(f'"{word}"' if " " in word else word for word in shown)
    return f"$ trickledger {typed}"


def next_steps(ledger: Path, lang: str) -> str:
    """What may be tried after it, with the ledger that it made."""
    lines = [f"export TRICKLEDGER_LEDGER={shlex.quote(str(ledger))}"]
    for command, key in _NEXT:
        lines.append(padded(command, _COMMAND_COLUMNS) + label(lang, key) if key else command)
    lines.append(label(lang, "demo.own_evening"))
    return "\n".join(f"  {line}" for line in lines)
