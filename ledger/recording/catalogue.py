"""The sentences that errors of this room are made of; `messages/` has them by key."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from ledger.i18n import LANGUAGES, Finished, Text, Words, phrases, sentence

phrase: Final = phrases("ledger.recording")


def either(choices: Collection[Text]) -> Text:
    """Choices as a message lists them: `a, b or c`."""
    *most, last = choices
    return phrase("list.either", most=tuple(most), last=last) if most else last


def finished(package: str, words: Words, players: Sequence[str]) -> Finished:
    """Return the sentence of a game, of which seats are these players, in all languages."""
    return Finished(package, words.key, {lang: sentence(package, words, players, lang) for lang in LANGUAGES})
