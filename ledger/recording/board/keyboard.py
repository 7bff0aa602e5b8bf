"""The board of a table and the keys of its cards: all that a device needs to continue without a connection."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypeAlias

from msgspec import Struct, field

from ledger.cards import BIT, INDEX, PACK_52, SUITS, UNKNOWN, cards_in
from ledger.events import BidMade, CardPlayed, CardsExchanged, CardTurned, Event, PartnerCalled
from ledger.games.kernel.card_order import TrumpTable
from ledger.games.kernel.deal import Deal
from ledger.games.kernel.findings import Violation
from ledger.games.kernel.moves import of_type
from ledger.games.kernel.protocol import Game
from ledger.games.kernel.tricks import Tricks
from ledger.games.kernel.views import DealView, TrickView
from ledger.recording.typed.choices import actor
from ledger.recording.typed.situation import Situation, Stage


class LastBy(Struct, frozen=True, kw_only=True):
    """The last entry of a table: its recorder, whether that is the current one, and the event in words."""

    version: int
    by: str
    is_own: bool
    words: str = field(name="told")


class Board(Struct, frozen=True, kw_only=True):
    """The public state of a table, from which a device can continue.

    `turn`: the seat in turn; None if nobody or anybody may act. `size`: how many cards a trick has. `trick`: the last
    trick, until the next card; `took`: its winner. `gone`: the seat that played each card. `tricks`: how many each seat
    has won. `order`: the seats in playing order. `strength`: group and rank of each card; the higher rank wins within a
    group, `trump_group` beats all others, and other groups than the led one never win. None while trumps are unknown.
    `reordering`: the announcements that change it. `next_dealer`: the dealer of `next_deal` if the current deal counts.
    """

    table: str
    version: int
    stage: Stage
    deal: int
    next_deal: int
    next_dealer: int
    phase: str
    players: tuple[str, ...]
    turn: int | None
    size: int
    trick: tuple[tuple[int, str], ...]
    took: int | None
    gone: dict[str, int]
    tricks: tuple[int, ...]
    order: tuple[int, ...]
    strength: dict[str, tuple[int, int]] | None
    trump_group: int | None
    reordering: tuple[str, ...]
    last_by: LastBy | None


def board_of(now: Situation, table: str, version: int, deal: int, last_by: LastBy | None) -> Board:
    """Return the board of a table; `deal`: the last deal, or the next one."""
    view = None if now.machine is None else now.machine.view()
    laid = None if now.machine is None else now.machine.laid()
    order = order_of_play(view, laid, len(now.players))
    trick = None if view is None or not view.tricks else view.tricks[-1]
    pack = sorted(INDEX[card] for card in now.game.pack)
    ranked = None if laid is None else _strength(laid.table, pack)
    return Board(
        table=table,
        version=version,
        stage=now.stage,
        deal=deal,
        next_deal=now.next_deal,
        next_dealer=now.dealer,
        phase="" if view is None else view.phase,
        players=tuple(now.players),
        turn=actor(now),
        size=len(order) if laid is None else laid.size,
        trick=() if trick is None else tuple(zip(trick.seats, trick.cards, strict=True)),
        took=None if trick is None else trick.winner,
        gone={} if view is None else cards_gone(view.tricks),
        tricks=(0,) * len(now.players) if view is None else tuple(view.trick_counts),
        order=order,
        strength=ranked,
        trump_group=None if laid is None or ranked is None else _trump_group(laid.table, ranked),
        reordering=tuple(sorted(now.game.reordering)),
        last_by=last_by,
    )


def cards_gone(tricks: Sequence[TrickView]) -> dict[str, int]:
    """Return the seat that played each known card."""
    return {
        card: seat for trick in tricks for seat, card in zip(trick.seats, trick.cards, strict=True) if card != UNKNOWN
    }


def turned_up(view: DealView | None, acts: Sequence[Event]) -> str | None:
    """Return the card that is turned up now; None if there is none.

    A card of the stock lies until it is drawn (OMB-5.6, COU-3.22), a card of a hand until the first card is played
    (COU-4.15).
    """
    card = next((event.card for event in reversed(acts) if isinstance(event, CardTurned)), None)
    is_gone = view is None or any(isinstance(event, CardsExchanged | CardPlayed) for event in acts)
    return card if view is not None and (card in view.stock or not is_gone) else None


def order_of_play(view: DealView | None, laid: Tricks | None, seats: int) -> tuple[int, ...]:
    """Return the playing seats in order from the one after the dealer; all seats before the cards are dealt."""
    if view is None:
        return tuple(range(seats))
    first = 0 if view.dealer is None else (view.dealer + 1) % seats
    dealt_to = [seat for seat in range(seats) if view.hands[seat]] or list(range(seats))
    playing = dealt_to if laid is None else laid.course.order
    return tuple(sorted(playing, key=lambda seat: (seat - first) % seats))


def _strength(table: TrumpTable, pack: Sequence[int]) -> dict[str, tuple[int, int]] | None:
    """Return group and rank of each card; None while trumps are unknown."""
    if not any(table.follows[card] for card in pack):
        return None
    groups = list(dict.fromkeys(table.follows[card] for card in pack))
    return {PACK_52[card]: (groups.index(table.follows[card]), _rank(table, card, pack)) for card in pack}


def _rank(table: TrumpTable, card: int, pack: Sequence[int]) -> int:
    """Return how many cards of its group the card beats."""
    return sum(table.beaten_by[other] >> card & 1 for other in cards_in(table.follows[card]) if other in pack)


def _trump_group(table: TrumpTable, ranked: Mapping[str, tuple[int, int]]) -> int | None:
    return next((group for card, (group, _) in ranked.items() if table.trumps >> INDEX[card] & 1), None)


Fit: TypeAlias = Literal["serves", "off", "odd", "gone"]
"""How a card fits: it serves the lead or does not, it contradicts public facts, or it has been played."""

Purpose: TypeAlias = Literal["play", "turn", "call"]
"""What a tap on a card records: a card played, turned up, or called for a partner."""

_LONGEST_ROW: Final = 6


class Key(Struct, frozen=True):
    """The key of a card. `by`: the seat that played it; `is_held`: it is known to be in the acting hand.

    `why`: the violation, if the card contradicts public facts.
    """

    card: str
    fit: Fit
    by: int | None = None
    is_held: bool = False
    why: Violation | None = None


class Keyboard(Struct, frozen=True, kw_only=True):
    """The keys of all cards. `suits`: from high to low. `seat`: the acting seat; None if a name must be given.

    `is_of_hand`: the whole acting hand is known, so that other cards need not be shown.
    """

    purpose: Purpose
    seat: int | None
    suits: tuple[tuple[Key, ...], ...]
    is_of_hand: bool = False

    @property
    def keys_in_row(self) -> int:
        """How many keys the longest row of a suit has."""
        return keys_in_row(max(map(len, self.suits), default=1))


def keys_in_row(cards: int) -> int:
    """Return how many keys a row has; a suit with too many cards for one row gets two."""
    return cards if cards <= _LONGEST_ROW else (cards + 1) // 2


def pack_at(game: Game, options: object) -> tuple[tuple[str, ...], ...]:
    """Return the cards of a table by suits, from high to low."""
    pack = game.pack if game.pack_of is None else game.pack_of(options)
    by_suit = ([card for card in pack if card[0] == suit] for suit in SUITS)
    return tuple(tuple(sorted(cards, key=lambda card: game.ranks.index(card[1]))) for cards in by_suit if cards)


def keyboard_of(now: Situation, options: object) -> Keyboard | None:
    """Return the current keys; None if no card can come next."""
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
    """Return whether a card of an unknown stock must be turned, which `legal` does not list."""
    if CardTurned not in now.game.event_types or machine.turn() is None:
        return False
    return any(not machine.check(CardTurned(card=card)) for card in sorted(now.game.pack))


def _player(now: Situation, machine: Deal) -> int | None:
    return actor(now) if now.may(CardPlayed) else _leader_if_calls_are_over(now, machine)


def _leader_if_calls_are_over(now: Situation, machine: Deal) -> int | None:
    """Return the seat that may lead if only hidden cards decide whether calls may still come."""
    if now.turn is None:
        return None
    seats = range(len(now.players))
    return next((seat for seat in seats if not machine.check(CardPlayed(seat=seat, card=UNKNOWN))), None)


class _Fits:
    """How each remaining card fits, by public facts and the game's own table of strengths."""

    def __init__(self, now: Situation, machine: Deal, purpose: Purpose, seat: int | None) -> None:
        self._machine = machine
        self._purpose = purpose
        self._may = _listed(now, purpose)
        self._serving = _serving(machine.laid()) if purpose == "play" else None
        self._seat = seat

    def key(self, card: str, *, is_held: bool) -> Key:
        """Return the key of a card that is not gone."""
        against = self._against(card)
        if against or (self._may is not None and card not in self._may):
            return Key(card, "odd", None, is_held, against[0] if against else None)
        return Key(card, "serves" if self._serving is None or self._serving & BIT[card] else "off", None, is_held)

    def _against(self, card: str) -> Sequence[Violation]:
        """Return the violations that a tap on the card would add or prove, by public facts."""
        event = self._event(card)
        if event is None:
            return ()
        is_listed = self._may is not None and card in self._may
        broken = (
            [] if is_listed else [violation for violation in self._machine.check(event) if violation.severity != "info"]
        )
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
    """Return the cards that may be played, called or turned up; None if they are unknown."""
    kinds: dict[Purpose, type[CardPlayed | PartnerCalled | CardTurned]]
    kinds = {"play": CardPlayed, "call": PartnerCalled, "turn": CardTurned}
    moves = of_type(now.legal, kinds[purpose])
    return frozenset(move.card for move in moves if move.card is not None) if moves else None


def _serving(laid: Tricks | None) -> int | None:
    """Return the mask of the cards that serve the lead; None if any card does or the led card is unknown."""
    if laid is None or not laid.on_table or laid.led < 0:
        return None
    return laid.table.serves[laid.led]


def suit_led(laid: Tricks | None) -> str | None:
    """Return the letter of the led suit, or `trumps`; None if no card is led or the led card is unknown."""
    if laid is None or not laid.on_table or laid.led < 0:
        return None
    if laid.table.trumps >> laid.led & 1:
        return "trumps"
    return PACK_52[laid.led][0]
