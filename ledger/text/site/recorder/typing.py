"""What the page brings along for moments without the server: hands to be typed, and words that nobody can check."""

from __future__ import annotations

import msgspec
from msgspec import Struct, structs

from ledger.events import CardsDealt, CardsExchanged, CardTurned, Event, PartnerCalled, TrickGathered
from ledger.recording.board.keyboard import keys_in_row, pack_at
from ledger.recording.board.offers import ByWhom, Offer, vocabulary
from ledger.recording.typed.situation import Situation, machine_now
from ledger.table.fold import TableFold
from ledger.text.site.recorder.buttons import Button, of_anybody, unseen_card
from ledger.text.site.recorder.keys import card_told
from ledger.text.site.recorder.told import Telling
from ledger.text.site.words import say


class Meaning(Struct, frozen=True):
    """What a tapped card may be, besides played. `template`: the event without its card, as JSON; `told`: the act."""

    said: str
    template: str
    told: str


class Unchecked(Struct, frozen=True):
    """All that may be said, each for whoever is named; how many cards may be exchanged; the cards of the table.

    `unseen`: a card that nobody saw. `means`: what a tapped card may be; `hand`: the cards that each of those `playing`
    gets.
    """

    words: tuple[Button, ...]
    counts: tuple[Button, ...]
    unseen: Button
    means: tuple[Meaning, ...]
    suits: tuple[tuple[str, ...], ...]
    hand: int
    playing: int

    @property
    def per(self) -> int:
        return keys_in_row(max(map(len, self.suits)))

    @property
    def is_high(self) -> bool:
        return max(map(len, self.suits)) > self.per


def unchecked_of(fold: TableFold, now: Situation, telling: Telling) -> Unchecked:
    told = [one for one in vocabulary(now) if not isinstance(one.act, TrickGathered)]
    words = tuple(of_anybody(one, telling) for one in (*told, ByWhom((Offer((TrickGathered(seat=0),)),))))
    kinds = fold.game.event_types
    hands = [hand for hand in _hands_of_a_deal(fold) if hand]
    longest = max(hands, default=0)
    return Unchecked(
        words,
        tuple(_count(count, telling) for count in range(longest + 1) if CardsExchanged in kinds),
        unseen_card(telling),
        tuple(_meaning(kind, telling) for kind in (CardTurned, PartnerCalled) if kind in kinds),
        pack_at(fold.game, fold.options),
        longest,
        len(hands),
    )


def hands_awaited(fold: TableFold) -> str | None:
    """How many cards each seat is dealt, as JSON, where no hands were told yet; else None."""
    sizes = _sizes(fold)
    return _json(sizes) if sizes is not None else None


def _sizes(fold: TableFold) -> list[int] | None:
    machine = machine_now(fold)
    if machine is None:
        return None
    return [len(hand) for hand in machine.view().hands]


def _hands_of_a_deal(fold: TableFold) -> list[int]:
    """How many cards each seat gets in a deal; whoever deals, there are as many hands of as many cards."""
    machine = fold.game.make_match(fold.options, len(fold.players)).start_deal(0)
    machine.apply(CardsDealt(hands=(None,) * len(fold.players)), 0)
    return [len(hand) for hand in machine.view().hands]


def _meaning(kind: type[Event], telling: Telling) -> Meaning:
    event: dict[str, object] = {"type": str(kind.__struct_config__.tag)}
    if kind is CardTurned:
        return Meaning(say(telling.lang, "rec.is_turned"), _json(event), card_told(kind, telling.lang))
    return Meaning(say(telling.lang, "rec.is_called"), _json(event | {"seat": None}), card_told(kind, telling.lang))


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _count(count: int, telling: Telling) -> Button:
    exchanged = of_anybody(ByWhom((Offer((CardsExchanged(seat=0, count=count),)),)), telling)
    return structs.replace(exchanged, label=str(count))
