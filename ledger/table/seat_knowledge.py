"""The cards of the pack known to one seat at some step, suit by suit, without any reasoning. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from ledger.cards import INDEX, SUITS, UNKNOWN, texts_in
from ledger.events import STEP_TYPES, CardPlayed, CardsExchanged, CardTurned
from ledger.games.kernel.card_order import TrumpTable
from ledger.table.fold import DealRecord, TableFold
from ledger.table.steps import ReplayStep, events_of, machine_before


class SuitSeen(Struct, frozen=True, kw_only=True):
    """The played cards of a suit, and those that the seat had not seen, high cards first.

    `suit` is null for the trumps, which are one suit as soon as the play has begun.
    """

    suit: str | None
    fallen: Sequence[str]
    unseen: Sequence[str]


class SeatKnowledge(Struct, frozen=True, kw_only=True):
    """The cards known to one seat.

    `held`: in the own hand. `put_aside`: by the seat itself. `shown`: seen elsewhere, e.g. a turned card. `is_whole`:
    the record has all cards that the seat has had; otherwise the unseen ones are unknown, and `unseen` is empty for
    every suit. `others`: the seats that still hold cards. `is_stock_hidden`, `is_aside_hidden`: whether unseen cards
    may be there besides the hands.
    """

    held: Sequence[str]
    put_aside: Sequence[str]
    shown: Sequence[str]
    suits: Sequence[SuitSeen]
    is_whole: bool
    others: Sequence[int]
    is_stock_hidden: bool
    is_aside_hidden: bool


def seen_by(fold: TableFold, record: DealRecord, steps: Sequence[ReplayStep], seat: int) -> SeatKnowledge:
    """Return the cards known to the seat. `steps`: from the first to the current one, as this seat could know them."""
    view, exchanges = steps[-1].view, events_of(steps, CardsExchanged)
    hand = view.hands[seat]
    own = [one for one in exchanges if one.seat == seat]
    put_aside = [card for one in own for card in one.discarded or ()]
    laid = [one.card for one in events_of(steps, CardPlayed)]
    turned = [one.card for one in events_of(steps, CardTurned)]
    elsewhere = [*view.stock, *(card for other, cards in enumerate(view.hands) if other != seat for card in cards)]
    pack = fold.game.pack if fold.game.pack_of is None else fold.game.pack_of(fold.options)
    had = {*hand, *put_aside, *laid}
    is_whole = bool(had) and UNKNOWN not in had and len(put_aside) == sum(one.count for one in own)
    shown = [card for card in _known(dict.fromkeys((*turned, *elsewhere))) if card not in had]
    unseen = set(pack) - had - set(shown) if is_whole else set()
    return SeatKnowledge(
        held=_known(hand),
        put_aside=_known(put_aside),
        shown=shown,
        suits=list(_by_suit(_trump_table(fold, record, steps[-1].step), fold.game.ranks, set(_known(laid)), unseen)),
        is_whole=is_whole,
        others=[other for other, cards in enumerate(view.hands) if cards and other != seat],
        is_stock_hidden=UNKNOWN in view.stock,
        is_aside_hidden=any(one.count for one in exchanges if one.seat != seat),
    )


def _known(cards: Iterable[str]) -> list[str]:
    return [card for card in cards if card != UNKNOWN]


def _trump_table(fold: TableFold, record: DealRecord, step: int) -> TrumpTable | None:
    """Return the ranking of the cards; None before the play, and without trumps."""
    steps = [at for at in range(record.start, record.end) if type(fold.entries[at][1]) in STEP_TYPES]
    laid = machine_before(fold, record, steps[step - 1] + 1 if step else record.start).laid()
    return None if laid is None or not laid.table.trumps else laid.table


def _by_suit(table: TrumpTable | None, ranks: str, fallen: set[str], unseen: set[str]) -> Iterator[SuitSeen]:
    """Yield the trumps first; a suit without played or unseen cards is left out."""
    trumps = set() if table is None else set(texts_in(table.trumps))

    def height(card: str) -> int:
        return ranks.index(card[1]) if table is None else table.beaten_by[INDEX[card]].bit_count()

    for suit in (None, *SUITS):
        of_suit = {card for card in fallen | unseen if (suit is None) == (card in trumps) and suit in (None, card[0])}
        if of_suit:
            yield SuitSeen(
                suit=suit,
                fallen=sorted(of_suit & fallen, key=height),
                unseen=sorted(of_suit & unseen, key=height),
            )
