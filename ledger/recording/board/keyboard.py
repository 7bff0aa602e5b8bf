"""The card keyboard: every card of the table's pack in its place for the whole deal, and what a tap on it means now."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from ledger.cards import BIT, PACK_52, SUITS, UNKNOWN
from ledger.events import BidMade, CardPlayed, CardTurned, Event, PartnerCalled
from ledger.games.kernel.deal import Deal
from ledger.games.kernel.findings import Violation
from ledger.games.kernel.moves import of_type
from ledger.games.kernel.protocol import Game
from ledger.games.kernel.tricks import Tricks
from ledger.recording.board.standing import cards_gone
from ledger.recording.typed.grammar import actor
from ledger.recording.typed.situation import Situation

Fit: TypeAlias = Literal["serves", "off", "odd", "gone"]
"""How a card fits: it serves the lead, or not; it contradicts what everybody knows; it has been played."""

Purpose: TypeAlias = Literal["play", "turn", "call"]
"""What a tap on a card records: that it was played, turned up, or called for a partner."""

_LONGEST_ROW: Final = 6


class Key(Struct, frozen=True):
    """A card in its place. `by`: who played it, where it is gone; `is_held`: it is known to be in the hand that acts.

    `why`: what speaks against it, where it contradicts what is known.
    """

    card: str
    fit: Fit
    by: int | None = None
    is_held: bool = False
    why: Violation | None = None


class Keyboard(Struct, frozen=True, kw_only=True):
    """`suits`: the cards of each suit, high to low. `seat`: who acts; None: the first to be named does.

    `is_of_hand`: all cards of the hand that acts are known, so that the others need not be shown.
    """

    purpose: Purpose
    seat: int | None
    suits: tuple[tuple[Key, ...], ...]
    is_of_hand: bool = False

    @property
    def keys_in_row(self) -> int:
        return keys_in_row(max(map(len, self.suits), default=1))


def keys_in_row(cards: int) -> int:
    """Two rows a suit where one of so many cards would be too narrow for a thumb."""
    return cards if cards <= _LONGEST_ROW else (cards + 1) // 2


def pack_at(game: Game, options: object) -> tuple[tuple[str, ...], ...]:
    """The cards of a table by suits, in the order in which people look for them."""
    pack = game.pack if game.pack_of is None else game.pack_of(options)
    by_suit = ([card for card in pack if card[0] == suit] for suit in SUITS)
    return tuple(tuple(sorted(cards, key=lambda card: game.ranks.index(card[1]))) for cards in by_suit if cards)


def keyboard_of(now: Situation, options: object) -> Keyboard | None:
    """The keys as they are now; None where no card can come next."""
    machine = now.machine
    purpose = None if machine is None else _purpose(now, machine)
    if machine is None or purpose is None:
        return None
    view = machine.view()
    gone = cards_gone(view.tricks)
    seat = _player(now, machine) if purpose == "play" else actor(now)
    hand = frozenset(view.hands[seat]) if seat is not None and view.hands else frozenset()
    fits = _Fits(now, machine, purpose, seat)
    suits = tuple(
        tuple(Key(card, "gone", gone[card]) if card in gone else fits.key(card, is_held=card in hand) for card in suit)
        for suit in pack_at(now.game, options)
    )
    is_of_hand = purpose == "play" and bool(hand) and UNKNOWN not in hand
    return Keyboard(purpose=purpose, seat=seat, suits=suits, is_of_hand=is_of_hand)


def _purpose(now: Situation, machine: Deal) -> Purpose | None:
    if now.may(PartnerCalled):
        return "call"
    if now.may(CardPlayed):
        return "play"
    if now.may(CardTurned) or (not now.legal and _awaits_turned_card(now, machine)):
        return "turn"
    if now.may(BidMade) and _leader_if_calls_are_over(now, machine) is not None:
        return "play"
    return None


def _awaits_turned_card(now: Situation, machine: Deal) -> bool:
    """A card of a stock that nobody knows is to be turned: what may come is not listed then."""
    if CardTurned not in now.game.event_types or machine.turn() is None:
        return False
    return any(not machine.check(CardTurned(card=card)) for card in sorted(now.game.pack))


def _player(now: Situation, machine: Deal) -> int | None:
    return actor(now) if now.may(CardPlayed) else _leader_if_calls_are_over(now, machine)


def _leader_if_calls_are_over(now: Situation, machine: Deal) -> int | None:
    """Who may lead though calls may come: where hidden cards alone tell that these are over."""
    if now.turn is None:
        return None
    seats = range(len(now.players))
    return next((seat for seat in seats if not machine.check(CardPlayed(seat=seat, card=UNKNOWN))), None)


class _Fits:
    """How the cards that are left fit, as far as everybody knows; which of them follow, the game's own table says."""

    def __init__(self, now: Situation, machine: Deal, purpose: Purpose, seat: int | None) -> None:
        self._machine = machine
        self._purpose = purpose
        self._may = _listed(now, purpose)
        self._serving = _serving(machine.laid()) if purpose == "play" else None
        self._seat = seat

    def key(self, card: str, *, is_held: bool) -> Key:
        against = self._against(card)
        if against or (self._may is not None and card not in self._may):
            return Key(card, "odd", None, is_held, against[0] if against else None)
        return Key(card, "serves" if self._serving is None or self._serving & BIT[card] else "off", None, is_held)

    def _against(self, card: str) -> Sequence[Violation]:
        """What a tap on the card would break, or show to have been broken before, as far as everybody knows."""
        event = self._event(card)
        if event is None:
            return ()
        is_listed = self._may is not None and card in self._may
        broken = [] if is_listed else [found for found in self._machine.check(event) if found.severity != "info"]
        return broken or (self._machine.proven_by(event) if self._purpose == "play" else ())

    def _event(self, card: str) -> Event | None:
        if self._purpose == "turn":
            return CardTurned(card=card)
        if self._seat is None:
            return None
        if self._purpose == "call":
            return PartnerCalled(seat=self._seat, card=card)
        return CardPlayed(seat=self._seat, card=card)


def _listed(now: Situation, purpose: Purpose) -> frozenset[str] | None:
    """The cards that may be played, called or turned up; None: nobody knows which."""
    moves: Sequence[CardPlayed | PartnerCalled | CardTurned]
    match purpose:
        case "play":
            moves = of_type(now.legal, CardPlayed)
        case "call":
            moves = of_type(now.legal, PartnerCalled)
        case "turn":
            moves = of_type(now.legal, CardTurned)
    return frozenset(move.card for move in moves if move.card is not None) if moves else None


def _serving(laid: Tricks | None) -> int | None:
    """The cards that serve the lead; None: any does, or nobody knows what was led."""
    if laid is None or not laid.on_table or laid.led < 0:
        return None
    return laid.table.serves[laid.led]


def suit_led(laid: Tricks | None) -> str | None:
    """What the open trick was led with: the letter of its suit, `trumps` where that is the trumps; None: nothing."""
    if laid is None or not laid.on_table or laid.led < 0:
        return None
    if laid.table.trumps >> laid.led & 1:
        return "trumps"
    return PACK_52[laid.led][0]
