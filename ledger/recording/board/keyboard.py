"""What lies on a table now and the keys of its cards: what a device needs to go on by itself without a connection."""

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
    """The last entry of a table: who recorded it, whether that was who asks now, and what it says."""

    version: int
    by: str
    is_own: bool
    words: str = field(name="told")


class Board(Struct, frozen=True, kw_only=True):
    """A table as everybody at it knows it, to go on from.

    `turn`: who acts next; None where nobody or anybody may. `size`: the cards of a trick. `trick`: the last one, whole
    until the next card is laid; `took`: who won it. `gone`: who played each card. `tricks`: how many each seat has won.
    `order`: the seats in the order of play, from the first leader on. `strength`: of two cards of one group that of the
    higher rank wins; a card of `trump_group` beats all others, any other group than the one that was led never wins.
    None where trumps are not known yet. `reordering`: what changes that when it is said. `next_dealer`: who is due to
    deal `next_deal`, where the deal that goes on counts.
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
    """The board of a table where it stands; `deal`: its last deal, or the one that comes."""
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
    """Who played each card that is known."""
    return {
        card: seat for trick in tricks for seat, card in zip(trick.seats, trick.cards, strict=True) if card != UNKNOWN
    }


def turned_up(view: DealView | None, acts: Sequence[Event]) -> str | None:
    """Return the card that was turned up last while it lies there; None where there is none.

    One of the stock lies until it is drawn (OMB-5.6, COU-3.22), one of a hand until a card is played (COU-4.15).
    """
    card = next((event.card for event in reversed(acts) if isinstance(event, CardTurned)), None)
    is_gone = view is None or any(isinstance(event, CardsExchanged | CardPlayed) for event in acts)
    return card if view is not None and (card in view.stock or not is_gone) else None


def order_of_play(view: DealView | None, laid: Tricks | None, seats: int) -> tuple[int, ...]:
    """The seats that play, in their order, the one after the dealer first; all where no cards are dealt yet."""
    if view is None:
        return tuple(range(seats))
    first = 0 if view.dealer is None else (view.dealer + 1) % seats
    dealt_to = [seat for seat in range(seats) if view.hands[seat]] or list(range(seats))
    playing = dealt_to if laid is None else laid.course.order
    return tuple(sorted(playing, key=lambda seat: (seat - first) % seats))


def _strength(table: TrumpTable, pack: Sequence[int]) -> dict[str, tuple[int, int]] | None:
    """Group and rank of each card; None where nobody knows what beats what."""
    if not any(table.follows[card] for card in pack):
        return None
    groups = list(dict.fromkeys(table.follows[card] for card in pack))
    return {PACK_52[card]: (groups.index(table.follows[card]), _rank(table, card, pack)) for card in pack}


def _rank(table: TrumpTable, card: int, pack: Sequence[int]) -> int:
    """How many cards of its group it beats."""
    return sum(table.beaten_by[other] >> card & 1 for other in cards_in(table.follows[card]) if other in pack)


def _trump_group(table: TrumpTable, ranked: Mapping[str, tuple[int, int]]) -> int | None:
    return next((group for card, (group, _) in ranked.items() if table.trumps >> INDEX[card] & 1), None)


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
    """The cards that may be played, called or turned up; None: nobody knows which."""
    kinds: dict[Purpose, type[CardPlayed | PartnerCalled | CardTurned]]
    kinds = {"play": CardPlayed, "call": PartnerCalled, "turn": CardTurned}
    moves = of_type(now.legal, kinds[purpose])
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
