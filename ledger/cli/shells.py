"""Workarounds for completion in bash, fish and zsh, loaded only for completion."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import Any, Final

from click.shell_completion import BashComplete, CompletionItem, FishComplete, ZshComplete, add_completion_class

_SPECIAL: Final = re.compile(r"([^\w@%+:,./=-])")
_QUOTES: Final = ("'", '"')


def _or_nothing(complete: Callable[[], str]) -> str:
    """Return the completions; none after an error, which a shell would print into the command line."""
    try:
        return complete()
    except Exception:
        return ""


class _Bash(BashComplete):
    """Completion that joins words split by bash at `=` and escapes names with blanks."""

    source_template = BashComplete.source_template.replace("read", "read -r").replace("($value)", '("$value")')

    def get_completion_args(self) -> tuple[list[str], str]:
        args, typed = super().get_completion_args()
        joined: list[str] = []
        for word in [*args, typed]:
            if joined and joined[-1].startswith("--") and (word == "=" or joined[-1].endswith("=")):
                joined[-1] += word
            else:
                joined.append(word)
        return joined[:-1], joined[-1]

    def format_completion(self, item: CompletionItem[Any]) -> str:
        if item.type == "plain" and not self._is_quoted():
            item.value = _SPECIAL.sub(r"\\\1", item.value)
        return super().format_completion(item)

    def _is_quoted(self) -> bool:
        """Return whether the incomplete word begins with a quotation mark, after which blanks need no escape."""
        words = os.environ["COMP_WORDS"].split("\n")
        place = int(os.environ["COMP_CWORD"])
        return place < len(words) and words[place].startswith(_QUOTES)

    def complete(self) -> str:
        return _or_nothing(super().complete)


class _Fish(FishComplete):
    """Completion that allows commas in names."""

    source_template = FishComplete.source_template.replace("split", "split -m 1")

    def complete(self) -> str:
        return _or_nothing(super().complete)


class _Zsh(ZshComplete):
    def complete(self) -> str:
        return _or_nothing(super().complete)


def answer_shells() -> None:
    """Register these completions with click."""
    for kind in (_Bash, _Fish, _Zsh):
        add_completion_class(kind)
