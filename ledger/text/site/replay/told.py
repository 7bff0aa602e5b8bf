"""One step of a deal in a sentence or two: what was done, what might lawfully have been done instead, who is next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ledger.cards import in_order
from ledger.events import Announced, BidMade, CardPlayed, CardsExchanged, Event, PartnerCalled, Step, TrumpNamed
from ledger.games.kernel.moves import of_type, other_speaker, shown, value_of
from ledger.games.kernel.views import DealView
from ledger.text.cards import cards_text, legal_value
from ledger.text.deal import laid
from ledger.text.events import event_text
from ledger.text.pictures.moment import Moment
from ledger.text.site.words import begun, say
from ledger.text.words import label

_MOST: Final = 12
"""Of more things that might be done, none is named."""


def told_text(moment: Moment, before: DealView | None) -> str:
    """The sentences of a step, one after the other. `before`: the state in which it was taken, for the alternatives."""
    return say(moment.wording.lang, "replay.between").join(_sentences(moment, before))


def _sentences(moment: Moment, before: DealView | None) -> Iterator[str]:
    wording, event = moment.wording, moment.event
    lang = wording.lang
    if event is None:
        yield say(lang, "replay.before")
    elif isinstance(event, CardPlayed):
        yield from _played(moment, event)
    else:
        told = event_text(event, moment.players, wording, moment.viewer)
        yield say(lang, "replay.stop", text=told if told.startswith(tuple(moment.players)) else begun(told))
        exchanges = [] if before is None else of_type(before.legal, CardsExchanged)
        if isinstance(event, CardsExchanged) and exchanges:
            yield say(lang, "replay.up_to", most=max(one.count for one in exchanges))
        if before is not None and (others := _otherwise(event, before, moment)):
            yield say(lang, "replay.otherwise", what=wording.listed(others))
    if moment.due is not None:
        yield _due(moment, moment.due)


def _played(moment: Moment, event: CardPlayed) -> Iterator[str]:
    """The trick stands with the number that it has on the table, wherever the card counts in none."""
    lang, trick = moment.wording.lang, moment.trick
    values = {"name": moment.players[event.seat], "card": cards_text((event.card,))}
    yield say(lang, "replay.plays", trick=len(moment.view.tricks), **values)
    if moment.lit is not None and not moment.lit.is_next:
        yield say(lang, "replay.instead", cards=cards_text(moment.lit.cards))
    if trick is not None and trick.winner is not None and list(laid(trick))[-1] == (event.seat, event.card):
        winner = moment.players[trick.winner]
        if trick.won_by is None:
            yield say(lang, "replay.takes_it", name=winner)
        else:
            yield say(lang, "replay.takes", name=winner, why=label(lang, f"by_{trick.won_by}"))


def _due(moment: Moment, due: int) -> str:
    lang, name = moment.wording.lang, moment.players[due]
    if moment.lit is not None and moment.lit.is_next and moment.lit.seat == due:
        return say(lang, "replay.may", name=name, cards=cards_text(moment.lit.cards))
    return say(lang, "replay.due", name=name)


def _otherwise(event: Step, before: DealView, moment: Moment) -> Sequence[str]:
    """What the same seat might have said, called or named in place of this; where that is too much to say, nothing."""
    if not isinstance(event, BidMade | TrumpNamed | PartnerCalled | Announced):
        return ()
    moves = shown(before.legal, before.turn).get(type(event), {})
    others = [value_of(moves[one]) for one in in_order(moves) if _is_for(moves[one], before.turn, event.seat)]
    meant = [one for one in others if one != value_of(event)]
    texts = list(dict.fromkeys(legal_value(one, moment.wording).replace("_", " ") for one in meant))
    return texts if len(texts) <= _MOST else ()


def _is_for(move: Event, turn: int | None, seat: int | None) -> bool:
    return seat is None or other_speaker(move, turn) in (None, seat)
