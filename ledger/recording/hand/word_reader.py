"""The words of a deal whose course cannot be followed, read for the errors that each of them has by itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from msgspec import structs

from ledger.errors import MalformedError
from ledger.recording.hand.deal import DealLines, TypedLines, cards_apart, read_card, run_of_words
from ledger.recording.hand.file import DealPart
from ledger.recording.hand.grammar import Arrow, Speaker, Token, tokens
from ledger.recording.hand.page import Page
from ledger.recording.hand.turns import SilentTurns, Turns

_CARD_CHARS: Final = 3
"""A longer word that is no card begins something said, perhaps in several words."""


class WordReader(DealLines):
    """Reads the words of a deal whose course cannot be followed; `errors`: of each word that nobody could have meant.

    Nothing is acted out, so it is not asked whose turn it is.
    """

    def __init__(self, page: Page, turns: Turns, place: int, typed: TypedLines) -> None:
        silent = SilentTurns(turns.game, turns.names, turns.machine, lambda event, line: ())
        super().__init__(page, silent, place, typed)
        self.errors: list[MalformedError] = []

    def read(self, part: DealPart) -> None:
        if part.turned is not None:
            line = self.page.line_of("deal", self.place, "turned")
            for word in cards_apart(part.turned):
                self._keep(lambda word=word: read_card(word, self.game, may_be_unknown=False), line)  # type: ignore[misc]
        super().read(structs.replace(part, turned=None))

    def _lines(self, key: str, value: str | Sequence[str], read: Callable[[list[Token]], None]) -> None:
        assert self.typed is not None
        for line, text in self.typed[key]:
            self.turns.line, self.turns.speaker = line, None
            self._keep(lambda text=text: read(tokens(text, self.turns.names)), line)  # type: ignore[misc]

    def _keep(self, read: Callable[[], object], line: int) -> None:
        try:
            read()
        except MalformedError as error:
            self.errors.append(self.page.placed(error, line))

    def _each(self, found: list[Token], read: Callable[[list[Token], int], int]) -> None:
        place = 0
        while place < len(found):
            if isinstance(found[place], Speaker):
                place += 1
                continue
            try:
                place = read(found, place)
            except MalformedError as error:
                self.errors.append(self.page.placed(error, self.turns.line))
                place = self._after_error(found, place, read)

    def _after_error(self, found: list[Token], place: int, read: Callable[[list[Token], int], int]) -> int:
        """Return the place of the next word that is independent of the unreadable one."""
        words = run_of_words(found, place)
        if isinstance(found[place], Arrow):
            return place + 1 + len(run_of_words(found, place + 1))
        if read == self._exchange:
            return next((at for at in range(place, len(found)) if isinstance(found[at], Speaker)), len(found))
        if read == self._play and words and len(words[0]) > _CARD_CHARS:
            return place + len(words)
        return place + 1

    def _make_call(self, call: str, card: str | None = None) -> None:
        """Whose call it is does not matter."""

    def _turn(self, count: int) -> None:
        """Nor which card lies there."""

    def _trick_is_complete(self) -> bool:
        return False
