"""What the page brings along for moments without the server: hands to be typed, and words that nobody can check."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from ledger.events import CardsDealt, CardsExchanged
from ledger.recording.board import vocabulary
from ledger.recording.board.keyboard import keys_in_row, pack_at
from ledger.recording.typed.situation import Situation, machine_now
from ledger.table.fold import TableFold
from ledger.text.site.recorder.buttons import Button, of_anybody
from ledger.text.site.recorder.told import Telling
from ledger.text.site.words import say


class Unchecked(Struct, frozen=True):
    """All that may be said, each for whoever is named; how many cards may be exchanged; the cards of the table."""

    words: tuple[Button, ...]
    counts: tuple[Button, ...]
    suits: tuple[tuple[str, ...], ...]

    @property
    def per(self) -> int:
        return keys_in_row(max(map(len, self.suits)))

    @property
    def is_high(self) -> bool:
        return max(map(len, self.suits)) > self.per


def unchecked_of(fold: TableFold, now: Situation, telling: Telling) -> Unchecked:
    words = tuple(of_anybody(one, telling) for one in vocabulary(now))
    counts = range(_longest_hand(fold) + 1) if CardsExchanged in fold.game.event_types else ()
    return Unchecked(words, tuple(_count(count, telling) for count in counts), pack_at(fold.game, fold.options))


def hands_awaited(fold: TableFold) -> str | None:
    """How many cards each seat is dealt, as JSON, where no hands were told yet; else None."""
    sizes = _sizes(fold)
    return msgspec.json.encode(sizes).decode() if sizes is not None else None


def _sizes(fold: TableFold) -> list[int] | None:
    machine = machine_now(fold)
    if machine is None:
        return None
    return [len(hand) for hand in machine.view().hands]


def _longest_hand(fold: TableFold) -> int:
    """Of a deal by whoever is due: the same for all deals of a table."""
    machine = fold.game.make_match(fold.options, len(fold.players)).start_deal(0)
    machine.apply(CardsDealt(hands=(None,) * len(fold.players)), 0)
    return max((len(hand) for hand in machine.view().hands), default=0)


def _count(count: int, telling: Telling) -> Button:
    event = {"type": CardsExchanged.__struct_config__.tag, "seat": None, "count": count}
    told = say(telling.lang, "rec.act_of", name="{name}", what=count)
    return Button(label=str(count), acts=msgspec.json.encode([event]).decode(), told=told)
