"""Cards and amounts as people read them: suit signs, hands sorted by suit, signed changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter

from ledger.cards import SYMBOLS, UNKNOWN, in_order
from ledger.events import Event
from ledger.games.kernel.moves import other_speaker, value_of
from ledger.i18n import with_signs
from ledger.table.answers import PlayerPoints
from ledger.text.catalogue import Wording, label


def card_text(card: str) -> str:
    """Return `ST` as ♠10; an unknown card stays ??."""
    return with_signs(card)


def signed_amount(amount: int) -> str:
    """Return a change with a minus sign that is as wide as a plus."""
    return amount_text(amount).replace("-", "\N{MINUS SIGN}")


def ranks_by_suit(cards: Iterable[str]) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield each suit of a hand with its ranks, high ones first, without unknown cards."""
    known = in_order(card for card in cards if card != UNKNOWN)
    return ((suit, [card[1] for card in same]) for suit, same in groupby(known, itemgetter(0)))


def hand_text(cards: Iterable[str]) -> str:
    """Return a hand by suits, high cards first: `♠ A 2 K   ♥ K Q   ??×2`."""
    held = list(cards)
    groups = [
        f"{SYMBOLS[suit]} " + " ".join("10" if rank == "T" else rank for rank in ranks)
        for suit, ranks in ranks_by_suit(held)
    ]
    return "   ".join(filter(None, [*groups, _unknown_text(held.count(UNKNOWN))])) or "–"


def held_text(cards: Iterable[str]) -> str:
    """Return a hand by suits, high cards first, with the suit on each card: `♠A ♠2 ♠K ♥K ♥Q ??×2`."""
    held = list(cards)
    known = in_order(card for card in held if card != UNKNOWN)
    return " ".join(filter(None, [cards_text(known), _unknown_text(held.count(UNKNOWN))])) or "–"


def _unknown_text(number: int) -> str:
    return f"{UNKNOWN}×{number}" if number > 1 else UNKNOWN * number


def cards_text(cards: Iterable[str]) -> str:
    """Return cards in the given order."""
    return " ".join(map(card_text, cards))


def value_text(value: object) -> str:
    """Return a value as people read it: cards with signs, words and numbers unchanged."""
    return with_signs(str(value))


def move_text(move: Event, turn: int | None, wording: Wording) -> str:
    """Return a legal move: a card, a number or a word of the game, with its seat unless that is in turn."""
    seat, value = other_speaker(move, turn), legal_value(value_of(move), wording)
    return value if seat is None else f"{seat}:{value}"


def legal_value(value: object, wording: Wording) -> str:
    """Return a value that an answer lists as legal; `2:word` is one that seat 2 may say."""
    if value is None:
        return wording.known("value", "none")
    seat, is_for_seat, said = str(value).rpartition(":")
    return f"{seat}{is_for_seat}{value_text(wording.word(said))}"


def amounts_text(amounts: Sequence[int], players: Sequence[str], lang: str, *, on_page: bool = False) -> str:
    """Return amounts by player: `Belinda +10, Baron -10`; on a page with a true minus sign."""
    signed = signed_amount if on_page else amount_text
    shown = (f"{name} {signed(amount)}" for name, amount in zip(players, amounts, strict=True))
    return label(lang, "list").join(shown)


def player_totals_text(totals: Sequence[int], players: Sequence[str], points: Sequence[PlayerPoints], lang: str) -> str:
    """Return the totals by player, and also by seat if `points` differ from them."""
    if not points:
        return amounts_text(totals, players, lang)
    by_player = points_text(points, lang)
    by_seat = label(lang, "list").join(map(amount_text, totals))
    return label(lang, "by_player_and_seat", points=by_player, totals=by_seat)


def points_text(points: Sequence[PlayerPoints], lang: str) -> str:
    """Return points by player: `Belinda +10, Baron -15, Zoë +10`."""
    return amounts_text([one.points for one in points], [one.player for one in points], lang)


def amount_text(amount: int) -> str:
    """Return a change with its sign; no change is 0."""
    return f"{amount:+d}" if amount else "0"
