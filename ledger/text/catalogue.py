"""Look up the words of this room in its catalogue, and those of a game in the game's own."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from msgspec import Struct

from ledger.cards import Pack
from ledger.games import registered_games
from ledger.games.kernel.protocol import Game
from ledger.i18n import as_written, catalogue, labels, phrases, word, written
from ledger.text.letters import lettered, letters_of

_ROOM: Final = "ledger.text"

LOOPBACK: Final = "loopback"
"""The `recorded_by` of somebody at the machine that runs the service, who need not sign in."""

label: Final = labels(_ROOM)
phrase: Final = phrases("ledger.text")


class Wording(Struct, frozen=True):
    """In which language is told, and of which game's package: calls, contracts and results are words of the game.

    `is_written`: for people alone; these and the names of options stand as in running text, also where the language
    tells them as they are recorded. `pack`: that of the table's cards.
    """

    lang: str
    game: str | None = None
    is_written: bool = False
    pack: Pack = "french"

    def cards(self, text: str) -> str:
        """Return a text with the cards of the table's pack: `♠K` as `Espadas Rey` where that is Spanish."""
        return lettered(text, letters_of(self.pack), self.lang)

    def say(self, key: str, /, **values: Any) -> str:
        """The sentence or label of a key."""
        return label(self.lang, key, **values)

    def word(self, one: str) -> str:
        """A word that the game records: a call, a contract, a result, a phase, a status, a kind of ruling."""
        if not self.is_written:
            return one if self.game is None else word(self.game, one, self.lang)
        return as_written(one) if self.game is None else written(self.game, "words", one, self.lang, one)

    def spoken(self, one: str) -> str:
        """A word of the game as it is said aloud: `yield_exchange` as `yield exchange`."""
        return self.word(one).replace("_", " ")

    def known(self, table: str, one: str) -> str:
        """A word that a table of the catalogue knows, or that only the game has."""
        texts = catalogue(_ROOM, self.lang)
        if not self.is_written:
            return texts.get(f"{table}.{one}") or self.word(one)
        if f"{table}.{one}" in texts or f"written.{one}" in texts:
            return written(_ROOM, table, one, self.lang, one)
        return self.word(one)

    def option(self, name: str) -> str:
        """What a table may choose, by its name in the record."""
        return self._of_game(name, name)

    def choice(self, option: str, chosen: object) -> object:
        """What a table has chosen for an option: truth and words in the language, anything else as it is."""
        match chosen:
            case bool() | None:
                return self.known("value", str(chosen).lower())
            case str():
                return self._of_game(f"{option}_{chosen}", chosen)
        return chosen

    def _of_game(self, name: str, recorded: str) -> str:
        if self.game is None:
            return recorded
        if self.is_written:
            return written(self.game, "options", name, self.lang, recorded)
        return catalogue(self.game, self.lang).get(f"options.{name}", recorded)

    def listed(self, parts: Iterable[str]) -> str:
        """Equal parts one after the other: `Ann, Ben`."""
        return self.say("list").join(parts)

    def clauses(self, parts: Iterable[str]) -> str:
        """Parts that may have commas in them."""
        return self.say("clauses").join(parts)


def wording_for(game: Game, lang: str, pack: Pack = "french") -> Wording:
    """The wording for what happens in a game."""
    return Wording(lang, game.package, pack=pack)


def written_wording_for(game: Game, lang: str, pack: Pack = "french") -> Wording:
    """Return the wording of pages, which shows no word of the game in the form that programs record."""
    return Wording(lang, game.package, is_written=True, pack=pack)


def writer_name(recorded_by: str, lang: str) -> str:
    """Return the name of somebody who recorded: the one that they signed in with."""
    name = recorded_by.rpartition("/")[2]
    return label(lang, "written.loopback") if name == LOOPBACK else name


def wording_for_title(title: str, lang: str, pack: Pack = "french") -> Wording:
    """The same where only the title of the game is told."""
    game = _titled(title)
    return Wording(lang) if game is None else wording_for(game, lang, pack)


def title_of(game: Game, lang: str) -> str:
    """What people call a game: its title, or what its catalogue says for its name."""
    return game.called.in_words(lang)


def title_text(title: str, lang: str) -> str:
    """The title of a game in the language."""
    game = _titled(title)
    return title if game is None else title_of(game, lang)


def _titled(title: str) -> Game | None:
    return next((game for game in registered_games().values() if game.title == title), None)


def counted(lang: str, number: int, noun: str) -> str:
    """`1 table`, `2,000 tables`: how many there are of a noun of the catalogue."""
    return label(lang, f"count.{noun}", count=f"{number:,}")
