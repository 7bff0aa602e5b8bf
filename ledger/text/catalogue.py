"""The texts of this package's catalogue, and the words of a game from the game's own."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from msgspec import Struct

from ledger.cards import Pack
from ledger.games import registered_games
from ledger.games.kernel.protocol import Game
from ledger.games.kernel.rulebook import Rule, load
from ledger.i18n import as_written, catalogue, labels, phrases, word, written
from ledger.text.letters import lettered, letters_of

_ROOM: Final = "ledger.text"

LOOPBACK: Final = "loopback"
"""The `recorded_by` of the machine that runs the service, where nobody has to sign in."""

label: Final = labels(_ROOM)
phrase: Final = phrases("ledger.text")


class Wording(Struct, frozen=True):
    """A language and a game, whose package has the words for calls, contracts and results.

    `is_written`: show words and names of options as in running text, not as recorded. `pack`: of the table's cards.
    """

    lang: str
    game: str | None = None
    is_written: bool = False
    pack: Pack = "french"

    def cards(self, text: str) -> str:
        """Return a text with the cards of the table's pack: `♠K` as `Espadas Rey` if it is Spanish."""
        return lettered(text, letters_of(self.pack), self.lang)

    def say(self, key: str, /, **values: Any) -> str:
        """Return the sentence or label of a key."""
        return label(self.lang, key, **values)

    def word(self, one: str) -> str:
        """Return the word for one that the game records: a call, contract, result, phase, status or kind of ruling."""
        if not self.is_written:
            return one if self.game is None else word(self.game, one, self.lang)
        return as_written(one) if self.game is None else written(self.game, "words", one, self.lang, one)

    def spoken(self, one: str) -> str:
        """Return a word of the game as it is spoken: `yield_exchange` as `yield exchange`."""
        return self.word(one).replace("_", " ")

    def known(self, table: str, one: str) -> str:
        """Return a word from a table of this catalogue, else from the game."""
        texts = catalogue(_ROOM, self.lang)
        if not self.is_written:
            return texts.get(f"{table}.{one}") or self.word(one)
        if f"{table}.{one}" in texts or f"written.{one}" in texts:
            return written(_ROOM, table, one, self.lang, one)
        return self.word(one)

    def option(self, name: str) -> str:
        """Return the name of a table's option."""
        return self._of_game(name, name)

    def choice(self, option: str, chosen: object) -> object:
        """Return the chosen value of an option: truth values and words in the language, others unchanged."""
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
        """Join parts of a list: `Ann, Ben`."""
        return self.say("list").join(parts)

    def clauses(self, parts: Iterable[str]) -> str:
        """Join parts that may contain commas."""
        return self.say("clauses").join(parts)


def wording_for(game: Game, lang: str, pack: Pack = "french") -> Wording:
    """Return the wording for events of a game."""
    return Wording(lang, game.package, pack=pack)


def written_wording_for(game: Game, lang: str, pack: Pack = "french") -> Wording:
    """Return the wording of pages, which show no word of the game in its recorded form."""
    return Wording(lang, game.package, is_written=True, pack=pack)


def writer_name(recorded_by: str, lang: str) -> str:
    """Return the name with which the person signed in who recorded an entry."""
    name = recorded_by.rpartition("/")[2]
    return label(lang, "written.loopback") if name == LOOPBACK else name


def wording_for_title(title: str, lang: str, pack: Pack = "french") -> Wording:
    """Return the wording for a game by its title."""
    game = _titled(title)
    return Wording(lang) if game is None else wording_for(game, lang, pack)


def title_of(game: Game, lang: str) -> str:
    """Return the title of a game in the language."""
    return game.called.in_words(lang)


def rules_note(rules: Iterable[Rule], lang: str) -> str:
    """Return a sentence that names the games whose rules are here in English for lack of the language; else empty."""
    prefixes = {rule.id.partition("-")[0] for rule in rules if rule.lang != lang}
    games = [title_of(game, lang) for game in registered_games().values() if game.rule_prefix in prefixes]
    return label(lang, "rules.in_english", games=label(lang, "list").join(games)) if games else ""


def book_note(title: str, lang: str) -> str:
    """Return the sentence of `rules_note` for the rulebook of a game by its title; empty if the game is unknown."""
    game = _titled(title)
    return "" if game is None else rules_note(load(game.package, lang).rules, lang)


def title_text(title: str, lang: str) -> str:
    """Return the title of a game, by its recorded title, in the language."""
    game = _titled(title)
    return title if game is None else title_of(game, lang)


def _titled(title: str) -> Game | None:
    return next((game for game in registered_games().values() if game.title == title), None)


def counted(lang: str, number: int, noun: str) -> str:
    """Return a number with a noun of the catalogue: `1 table`, `2,000 tables`."""
    return label(lang, f"count.{noun}", count=f"{number:,}")
