"""The cards dealt, as a hand record has them: hands, stock and deck, and the line of what is wrong with them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import structs

from ledger.cards import UNKNOWN
from ledger.events import CardsDealt
from ledger.games.kernel.deal import Deal
from ledger.games.kernel.protocol import Game
from ledger.recording.hand.deal import cards_apart, read_card
from ledger.recording.hand.file import DealPart
from ledger.recording.hand.grammar import Names, means
from ledger.recording.hand.page import Page, Path
from ledger.recording.words import phrase

_KEYS: Final = ("hands", "stock", "deck", "cut_by")


class DealtReader:
    """Reads the cards of the deal `place` (from 0); errors are kept by the page, and what is wrong is not known."""

    def __init__(self, page: Page, game: Game, names: Names, place: int) -> None:
        self.page = page
        self.game = game
        self.names = names
        self.place = place

    def read(self, part: DealPart, machine: Deal) -> tuple[CardsDealt | None, int]:
        """Return the cards as the `machine` is to take them, and their line; None where nothing was dealt."""
        hands: list[tuple[str, ...] | None] = [None] * len(self.names.players)
        lines: dict[int, int] = {}
        for name, text in part.hands.items():
            seat = self._seat(name, "hands", name)
            line = self.page.line_of("deal", self.place, "hands", name)
            if seat in lines:
                error = self.page.refuse(line, phrase("name.same_player"), phrase("name.one_hand_each"), name)
                self.page.errors.append(error)
            elif seat is not None:
                lines[seat] = line
                hands[seat] = () if not text.strip() or means("sits_out", text) else self._cards(text, "hands", name)
        stock = None if part.stock is None else self._cards(part.stock, "stock")
        deck = None if part.deck is None else self._cards(part.deck, "deck")
        cut_by = None if part.cut_by is None else self._seat(part.cut_by, "cut_by")
        keys = [key for key in _KEYS if getattr(part, key)]
        if not keys and not any((part.calls, part.turned, part.trump, part.called, part.exchange, part.play)):
            return None, self.page.line_of("deal", self.place)
        # Cards were dealt, though none is known: without that the rules could not say whose turn it is.
        event = CardsDealt(hands=tuple(hands), stock=stock, deck=deck, cut_by=cut_by)
        return event, self._line_at_fault(event, keys, lines, machine)

    def _line_at_fault(self, event: CardsDealt, keys: list[str], hands: Mapping[int, int], machine: Deal) -> int:
        """The line of the cards, of what is wrong with them first; `hands`: those of the hands."""
        faults = machine.check(event) if keys else ()
        for key in keys if faults else ():
            if key != "hands" and len(machine.check(structs.replace(event, **{key: None}))) < len(faults):
                return self.page.line_of("deal", self.place, key)
        seats = [*(fault.seat for fault in faults), _hand_with_card_twice(event)] if faults else []
        at_hand = [hands[seat] for seat in seats if seat is not None and seat in hands]
        return at_hand[0] if at_hand else self.page.line_of("deal", self.place, *keys[:1])

    def _seat(self, name: str, *path: str) -> int | None:
        return self.page.attempt(lambda: self.page.at(self._path(path), lambda: self.names.seat(name)), None)

    def _cards(self, text: str, *path: str) -> tuple[str, ...] | None:
        """The cards; None where one of them cannot be read."""
        cards = [self._card(word, self._path(path)) for word in cards_apart(text)]
        return None if None in cards else tuple(card for card in cards if card is not None)

    def _card(self, word: str, path: Path) -> str | None:
        return self.page.attempt(lambda: self.page.at(path, lambda: read_card(word, self.game)), None)

    def _path(self, path: tuple[str, ...]) -> Path:
        return ("deal", self.place, *path)


def _hand_with_card_twice(event: CardsDealt) -> int | None:
    """The seat whose hand is the first to have a card that stands in it, or in a hand before it, already."""
    seen: set[str] = set()
    for seat, hand in enumerate(event.hands):
        for card in hand or ():
            if card in seen:
                return seat
            if card != UNKNOWN:
                seen.add(card)
    return None
