"""The sentences of this room, by key; `messages/` has them in each language."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from ledger.i18n import LANGUAGES, Text, TranslatedPhrase, Words, phrases, sentence

phrase: Final = phrases("ledger.recording")


def either(choices: Collection[Text]) -> Text:
    """Return the choices as a message lists them: `a, b or c`."""
    *most, last = choices
    return phrase("list.either", most=tuple(most), last=last) if most else last


def finished(package: str, words: Words, players: Sequence[str]) -> TranslatedPhrase:
    """Return a sentence of a game in all languages, with the players' names in place of seats."""
    return TranslatedPhrase(package, words.key, {lang: sentence(package, words, players, lang) for lang in LANGUAGES})
