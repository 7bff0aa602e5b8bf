"""The sentences that errors of this room are made of; `messages/` has them by key."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from ledger.i18n import Text, phrases

phrase: Final = phrases("ledger.recording")


def either(choices: Collection[Text]) -> Text:
    """Choices as a message lists them: `a, b or c`."""
    *most, last = choices
    return phrase("list.either", most=tuple(most), last=last) if most else last
