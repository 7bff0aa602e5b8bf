"""What lies on a table now, and what a device needs to go on by itself where there is no connection."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from ledger.cards import INDEX, PACK_52, UNKNOWN, cards_in
from ledger.events import CardPlayed, CardsExchanged, CardTurned, Event
from ledger.games.kernel.card_order import TrumpTable
from ledger.games.kernel.tricks import Tricks
from ledger.games.kernel.views import DealView, TrickView
from ledger.recording.typed.grammar import actor
from ledger.recording.typed.situation import Situation, Stage


class LastBy(Struct, frozen=True, kw_only=True):
    """The last entry of a table: who recorded it, whether that was who asks now, and what it says."""

    version: int
    by: str
    is_own: bool
    told: str


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
        trump_group=_trump_group(laid.table, pack) if laid is not None and ranked is not None else None,
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
    groups = _groups(table, pack)
    return {PACK_52[card]: (groups[table.follows[card]], _rank(table, card, pack)) for card in pack}


def _groups(table: TrumpTable, pack: Sequence[int]) -> Mapping[int, int]:
    return {mask: number for number, mask in enumerate(dict.fromkeys(table.follows[card] for card in pack))}


def _rank(table: TrumpTable, card: int, pack: Sequence[int]) -> int:
    """How many cards of its group it beats."""
    return sum(table.beaten_by[other] >> card & 1 for other in cards_in(table.follows[card]) if other in pack)


def _trump_group(table: TrumpTable, pack: Sequence[int]) -> int | None:
    trumps = [card for card in pack if table.trumps >> card & 1]
    return _groups(table, pack)[table.follows[trumps[0]]] if trumps else None
