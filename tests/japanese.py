"""What a Japanese sentence must not hold: words of another language, and cards by their codes."""

from __future__ import annotations

import re
from collections.abc import Iterable

_FOREIGN = re.compile(r"[A-Za-z_]{2,}|[SHDC][2-9]")
_JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")


def assert_wholly_japanese(text: str, names: Iterable[str]) -> None:
    """That nothing in the sentence but players' names is in Latin letters, and that no blank stands beside a name."""
    assert _JAPANESE.search(text), text
    for name in sorted(names, key=len, reverse=True):
        assert not re.search(rf" {re.escape(name)}|{re.escape(name)} ", text), text
        text = text.replace(name, "")
    assert not _FOREIGN.search(text), text
