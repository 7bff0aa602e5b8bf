"""Describe what a seat had seen by a step of a deal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from ledger.cards import SYMBOLS, in_order
from ledger.table.seat_knowledge import SeatKnowledge, SuitSeen
from ledger.text.cards import cards_text
from ledger.text.catalogue import Wording, label
from ledger.text.site.catalogue import say


class SuitKnowledge(Struct, frozen=True, kw_only=True):
    """The trumps or another suit: the cards that had fallen, and those that the seat had not seen."""

    name: str
    fallen: str
    unseen: str


class Knowledge(Struct, frozen=True, kw_only=True):
    """The cards that a seat had seen.

    `answer`: whether the seat could know that trumps were out. `own`: the seat's cards, by where they went. `is_whole`:
    the unseen cards can be derived. `places`: where they may be.
    """

    title: str
    answer: str
    own: Sequence[tuple[str, str]]
    suits: Sequence[SuitKnowledge]
    is_whole: bool
    places: str


def knowledge_of(seen: SeatKnowledge, seat: int, players: Sequence[str], wording: Wording) -> Knowledge | None:
    """Return what the seat had seen, None while it had seen nothing."""
    lang, name = wording.lang, players[seat]
    if not seen.held and not seen.suits:
        return None
    return Knowledge(
        title=say(lang, "replay.had_seen", name=name),
        answer=_answer(seen, name, lang) if seen.is_whole else say(lang, "replay.not_all_told", name=name),
        own=list(_own(seen, lang)),
        suits=[_suit(one, lang) for one in seen.suits],
        is_whole=seen.is_whole,
        places=_places(seen, players, wording) if any(one.unseen for one in seen.suits) else "",
    )


def _answer(seen: SeatKnowledge, name: str, lang: str) -> str:
    """Return a sentence on whether the seat could know that trumps were out; empty while there are no trumps."""
    trumps = next((one for one in seen.suits if one.suit is None), None)
    if trumps is None:
        return ""
    if not trumps.unseen:
        return say(lang, "replay.no_trump_out", name=name)
    return say(lang, "replay.trumps_out", name=name, count=len(trumps.unseen), cards=cards_text(trumps.unseen))


def _own(seen: SeatKnowledge, lang: str) -> Iterator[tuple[str, str]]:
    for key, cards in (("in_hand", seen.held), ("own_aside", seen.put_aside), ("shown_otherwise", seen.shown)):
        if cards:
            yield say(lang, f"replay.{key}"), cards_text(in_order(cards))


def _suit(one: SuitSeen, lang: str) -> SuitKnowledge:
    return SuitKnowledge(
        name=label(lang, "trumps") if one.suit is None else SYMBOLS[one.suit],
        fallen=cards_text(one.fallen),
        unseen=cards_text(one.unseen),
    )


def _places(seen: SeatKnowledge, players: Sequence[str], wording: Wording) -> str:
    """Return the places where the unseen cards may be."""
    lang = wording.lang
    places = []
    if seen.others:
        names = wording.listed(players[other] for other in seen.others)
        places.append(say(lang, "replay.in_hand_of", names=names))
    if seen.is_aside_hidden:
        places.append(say(lang, "replay.aside_of_others"))
    if seen.is_stock_hidden:
        places.append(say(lang, "replay.in_stock"))
    return say(lang, "replay.unseen_lies", places=wording.clauses(places)) if places else ""
