"""What the page brings along for moments without the server: hands to be typed, and words that nobody can check."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from ledger.events import CardsDealt, CardsExchanged, CardTurned, Event, PartnerCalled
from ledger.recording.board import vocabulary
from ledger.recording.board.keyboard import keys_in_row, pack_at
from ledger.recording.typed.situation import Situation, machine_now
from ledger.table.fold import TableFold
from ledger.text.site.recorder.buttons import Button, of_anybody
from ledger.text.site.recorder.told import Telling
from ledger.text.site.words import say


class Meaning(Struct, frozen=True):
    """What a tapped card may be, besides played. `template`: the event without its card, as JSON."""

    said: str
    template: str


class Unchecked(Struct, frozen=True):
    """All that may be said, each for whoever is named; how many cards may be exchanged; the cards of the table.

    `means`: what a tapped card may be; `hand`: the cards that each of those `playing` gets.
    """

    words: tuple[Button, ...]
    counts: tuple[Button, ...]
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
    words = tuple(of_anybody(one, telling) for one in vocabulary(now))
    kinds = fold.game.event_types
    hands = [hand for hand in _hands_of_a_deal(fold) if hand]
    longest = max(hands, default=0)
    return Unchecked(
        words,
        tuple(_count(count, telling) for count in range(longest + 1) if CardsExchanged in kinds),
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
        return Meaning(say(telling.lang, "rec.is_turned"), _json(event))
    return Meaning(say(telling.lang, "rec.is_called"), _json(event | {"seat": None}))


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _count(count: int, telling: Telling) -> Button:
    event = {"type": CardsExchanged.__struct_config__.tag, "seat": None, "count": count}
    told = say(telling.lang, "rec.act_of", name="{name}", what=count)
    return Button(label=str(count), acts=_json([event]), told=told)
