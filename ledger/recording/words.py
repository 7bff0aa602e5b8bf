"""The sentences that errors of this room are made of; `messages/` has them by key."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from ledger.games.kernel.protocol import Game
from ledger.i18n import LANGUAGES, Finished, Text, phrases, word

phrase: Final = phrases("ledger.recording")


def either(choices: Collection[Text]) -> Text:
    """Choices as a message lists them: `a, b or c`."""
    *most, last = choices
    return phrase("list.either", most=tuple(most), last=last) if most else last


def title_of(game: Game) -> Finished:
    """What people call a game: what its catalogue says for its name, else its title."""
    named = {lang: word(game.package, game.name, lang) for lang in LANGUAGES}
    titles = {lang: game.title if told == game.name else told for lang, told in named.items()}
    return Finished(game.package, game.name, titles)
