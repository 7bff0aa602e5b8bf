"""Hands and score sheets as a recorder types them, in a line or as they are asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from ledger.cards import UNKNOWN
from ledger.errors import LedgerError, MalformedError
from ledger.events import Amounts, CardsDealt, ScoreClaimed
from ledger.i18n import with_signs
from ledger.recording.hand.grammar import Names, means
from ledger.recording.typed.forms import Form, Question
from ledger.recording.typed.signs import cards_in_text
from ledger.recording.typed.situation import Situation
from ledger.recording.words import phrase


class Hands:
    """The hands of a deal as they are typed. `check`: raises `LedgerError` for what cannot have been dealt."""

    def __init__(
        self, now: Situation, form: Form, known: CardsDealt | None, check: Callable[[CardsDealt], None]
    ) -> None:
        self._now, self._form, self._check = now, form, check
        self._hands: list[tuple[str, ...] | None] = [None] * len(now.players) if known is None else list(known.hands)
        self._stock = None if known is None else known.stock

    @property
    def dealt(self) -> CardsDealt:
        """Return the hands so far."""
        return CardsDealt(hands=tuple(self._hands), stock=self._stock)

    def ask(self) -> None:
        """Ask each player's hand, and the stock."""
        self._form.fill([partial(self._ask_hand, seat) for seat in (*range(len(self._hands)), None)])

    def read(self, words: str) -> None:
        """Read `ada: … / ben: … / stock: …`. Raise `MalformedError` for an unknown player; ask a wrong hand again."""
        names = Names(self._now.players)
        parts: list[tuple[int | None, str]] = []
        for part in words.replace("：", ":").split("/"):
            name, colon, held = part.partition(":")
            if not colon:
                raise MalformedError(phrase("words.whose_cards"), phrase("words.name_before"), part.strip())
            parts.append((None if means("stock", name) else names.seat(name), held))
        for seat, held in parts:
            if not self._ask_hand(seat, held):
                raise KeyboardInterrupt  # there is no question before a line

    def _ask_hand(self, seat: int | None, typed: str | None = None) -> bool:
        """Ask the hand of a seat, or the stock."""
        said = phrase("recorder.stock") if seat is None else phrase("recorder.hand_of", name=self._now.players[seat])
        return self._form.answer(Question(said), partial(self._take, seat), typed)

    def _take(self, seat: int | None, text: str) -> None:
        before = list(self._hands), self._stock
        if text.strip() and seat is None:
            self._stock = cards_in_text(text, self._now.game)
        elif text.strip() and seat is not None:
            self._hands[seat] = () if means("sits_out", text) else cards_in_text(text, self._now.game)
        try:
            if not self._form.insists:
                self._check_cards(seat, text)
                if not self._form.as_played:
                    self._check(self.dealt)
        except LedgerError:
            self._hands, self._stock = before
            raise

    def _check_cards(self, seat: int | None, text: str) -> None:
        """Raise `MalformedError` for a card that is twice in this hand, or also in another one."""
        places: dict[int | None, Sequence[str] | None] = dict(enumerate(self._hands))
        places[None] = self._stock
        own = places.pop(seat) or ()
        others = {card for cards in places.values() for card in cards or ()}
        known = [card for card in own if card != UNKNOWN]
        twice = next((card for place, card in enumerate(known) if card in others or card in known[:place]), None)
        if twice is not None:
            what = phrase("recorder.card_twice", card=with_signs(twice))
            raise MalformedError(what, phrase("recorder.card_once"), text.strip())


def read_sheet(words: str, now: Situation, has_pool: bool, form: Form) -> ScoreClaimed:
    """Return the amounts of a score sheet: the changes behind its letter, or else ask changes, pool and totals."""
    if words:
        return ScoreClaimed(deltas=_amounts(words, now))
    names = tuple(now.players)
    amounts: dict[str, Any] = {}
    readers: dict[str, Callable[[str, Situation], Any]] = {"deltas": _amounts, "pool": _pool, "totals": _amounts}
    if not has_pool:
        del readers["pool"]

    def ask(field: str) -> bool:
        def read(text: str) -> None:
            amounts[field] = readers[field](text, now)
            if field == "totals" and not any(value is not None for value in amounts.values()):
                raise MalformedError(phrase("recorder.empty_sheet"), phrase("recorder.some_amounts"))

        return form.answer(Question(phrase(f"recorder.{field}", names=names)), read)

    form.fill([partial(ask, field) for field in readers])
    return ScoreClaimed(**amounts)


def _amounts(text: str, now: Situation) -> Amounts | None:
    """`10 -5 -5` by seat, or `Ada +10, Ben -5 …` by name."""
    parts = text.replace(",", " ").replace("−", "-").split()
    if not parts:
        return None
    numbers = [int(part) for part in parts if part.lstrip("+-").isdecimal()]
    names = [part for part in parts if not part.lstrip("+-").isdecimal()]
    if len(numbers) != len(now.players):
        raise MalformedError(
            phrase("ruling.not_each_seat"), phrase("ruling.amounts_or_names", seats=len(now.players)), text
        )
    if not names:
        return tuple(numbers)
    by_name: Mapping[int, int] = dict(zip(map(Names(now.players).seat, names), numbers, strict=False))
    if len(by_name) != len(numbers):
        raise MalformedError(phrase("name.same_player"), phrase("name.each_once"), text)
    return tuple(by_name[seat] for seat in range(len(now.players)))


def _pool(text: str, _: Situation) -> int | None:
    if not text.strip():
        return None
    if not text.strip().lstrip("+-").isdecimal():
        raise MalformedError(phrase("ruling.no_amount"), phrase("kind.int"), text.strip())
    return int(text)
