"""What the demonstration says beside the answers of the commands that it runs."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Final

_WORDS_SHOWN: Final = 6


def typed_command(words: Sequence[str]) -> str:
    """The command as somebody would type it in the folder of the files it names; a long one is cut."""
    shown = [Path(word).name if word.startswith("/") else word for word in words]
    if len(shown) > _WORDS_SHOWN:
        shown = [*shown[:3], "…"]
    typed = " ".join(f'"{word}"' if " " in word else word for word in shown)
    return f"$ trickledger {typed}"


def next_steps(ledger: Path) -> str:
    """What may be tried after it, with the ledger that it made."""
    return f"""  export TRICKLEDGER_LEDGER={shlex.quote(str(ledger))}
  trickledger replay rape-of-the-lock --all-steps      every step, with what was legal
  trickledger rules OMB-6.8                            the rule itself
  trickledger rules --search surrender
  trickledger stats --list
  trickledger query --list
  trickledger simulate ombre --deals 100 | trickledger import -
  trickledger report opening-night -o evening.html     the evening on one page (pip install 'trickledger[plots]')
  trickledger plot standings -o standings.svg
  Type your own evening: docs/hand-records.md"""
