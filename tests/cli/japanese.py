"""Detection of English words in answers that must be wholly Japanese."""

import re
from collections.abc import Iterable
from typing import Final

STAYS: Final = re.compile(
    r"""
      [\w.-]+[.](?:html|svg|ledger|key|pub|checkpoint|receipt|parquet|toml)\b
    | \+[0-9a-f]{8}\b                                    # ids of keys
    | \b(?:table/|session/)?[a-z0-9]+(?:-[a-z0-9]+)+\b   # slugs of tables, sessions and statistics; files made of them
    | (?<![A-Za-z0-9])[A-Z]{3}-[0-9]+[.][0-9]+           # ids of rules
    | --[a-z-]+                                          # options
    | \$\s.*                                             # a command as it is typed
    | trickledger(?:\ [a-z-]+)?                          # the program with its command
    | \b[0-9a-f]{12,64}\b                                # digests
    | \b[0-9-]{10}T[0-9:.]+Z\b                           # moments
    | \S*/\S*                                            # paths
    | \b(?:Tab|SHOW\ TABLES|Ctrl-D|SQL|UTC|IANA|pip\ install)\b
    """,
    re.VERBOSE | re.ASCII,
)
"""Text that is the same in every language: names, ids, codes and typed input."""

LETTERS: Final = re.compile(r"[A-Za-z]{2,}")
CARDS: Final = re.compile(r"[♠♥♦♣] ?(?:[AKQJ0-9]+ ?)+")


def english_in(answer: str, written: re.Pattern[str] | None = None) -> list[str]:
    """Return the lines that have an English word; `written`: texts that people wrote."""
    lines = {line: written.sub("", line) if written else line for line in answer.splitlines() if LETTERS.search(line)}
    return [line for line, left in lines.items() if LETTERS.search(STAYS.sub("", CARDS.sub("", left)))]


CODES: Final = frozenset(
    """
    null Wilson Plackett Luce openskill kop baska couillon ombre quadrille alliance forced declarer partner
    defender defenders
    deal adjust closing replace void accept award stands strike insert_after error warning info
    complete open voided unscorable none mit kontra re bok slup d5 d8 pass solo surrender SA HK CQ CODILLE points
    """.split()  # noqa: SIM905 - a list would be longer and no clearer
)
"""Codes in columns, which sentences translate, and the names of statistical methods."""


def without(answer: str, names: Iterable[str]) -> str:
    """Remove these names from the answer, where they are whole words."""
    longest_first = sorted((name for name in names if name and name in answer), key=len, reverse=True)
    pattern = "|".join(map(re.escape, longest_first))
    return re.sub(rf"(?<![A-Za-z0-9_])(?:{pattern})(?![A-Za-z0-9_])", "", answer) if pattern else answer
