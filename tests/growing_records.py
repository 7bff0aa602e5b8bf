"""Hand records of simulated tables, as somebody types them while the game goes on: each a little longer."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.events import (
    Announced,
    BidMade,
    CardPlayed,
    CardsDealt,
    CardsExchanged,
    CardTurned,
    DealStarted,
    Event,
    PartnerCalled,
    TableClosed,
    TableOpened,
    TrickGathered,
    TrumpNamed,
)
from ledger.games import game_named
from ledger.recording.simulate import PLAYERS, own_number, simulate_table

GAMES = ("ombre", "quadrille", "couillon", "kop", "baska")


def simulated(name: str, deals: int, seed: int) -> list[Event]:
    """A table of that game in its own form."""
    game = game_named(name)
    players = PLAYERS[: own_number(game, {})]
    events = simulate_table(game, players, {}, deals, seed, f"{name}-{seed}", closed=False)
    return [*events, TableClosed()]


def hand_record(events: Sequence[Event], table: str = "t") -> str:
    """The events of a table as a hand record that names whoever does anything."""
    opened = events[0]
    assert isinstance(opened, TableOpened)
    head = [f'game = "{opened.game}"', f'table = "{table}"', f"players = {list(opened.players)}".replace("'", '"')]
    if any(isinstance(event, TableClosed) for event in events):
        head.append("closed = true")
    starts = [place for place, event in enumerate(events) if isinstance(event, DealStarted)]
    ends = [*starts[1:], len(events)]
    deals = [_Deal(opened.players, events[start:end]).text() for start, end in zip(starts, ends, strict=False)]
    return "\n".join(head) + "\n" + "".join(deals)


class _Deal:
    """One deal: each event goes under the key that a hand record has for it at that time."""

    def __init__(self, players: Sequence[str], events: Sequence[Event]) -> None:
        self.players = players
        self.keys: dict[str, str] = {}
        self.turned: list[str] = []
        self.lines: dict[str, list[str]] = {"calls": [], "exchange": [], "play": []}
        self.hands: list[str] = []
        self.in_trick = 0
        self.has_contract = False
        for event in events:
            self._tell(event)

    def _tell(self, event: Event) -> None:
        names = self.players
        match event:
            case DealStarted():
                self.keys["dealer"] = names[event.dealer]
            case CardsDealt():
                for key, cards in (("stock", event.stock), ("deck", event.deck)):
                    if cards is not None:
                        self.keys[key] = " ".join(cards)
                if event.cut_by is not None:
                    self.keys["cut_by"] = names[event.cut_by]
                self.hands = [
                    f'{names[seat]} = "{" ".join(hand) or "-"}"'
                    for seat, hand in enumerate(event.hands)
                    if hand is not None
                ]
            case BidMade():
                self._say(f"{names[event.seat]}: {event.call}" + (f" {event.card}" if event.card else ""), is_call=True)
            case Announced():
                speakers = event.seats or (event.seat,)
                who = "+".join("table" if seat is None else names[seat] for seat in speakers)
                self._say(f"{who}: {event.what}")
            case CardTurned():
                self.turned.append(event.card)
                self.has_contract = bool(self.lines["calls"])
            case TrumpNamed():
                self.keys["trump"] = f"{names[event.seat]}: {event.suit}"
                self.has_contract = True
            case PartnerCalled():
                self.keys["called"] = f"{names[event.seat]}: {event.card or 'none'}"
            case CardsExchanged():
                put_aside = str(event.count) if event.discarded is None else " ".join(event.discarded) or "none"
                drawn = f" > {' '.join(event.drawn)}" if event.drawn else ""
                self.lines["exchange"].append(f"{names[event.seat]}: {put_aside}{drawn}")
                self.has_contract = True
            case CardPlayed():
                self._play(f"{names[event.seat]}: {event.card}")
            case TrickGathered():
                self.lines["play"].append(f"> {names[event.seat]}")

    def _play(self, card: str) -> None:
        if self.in_trick:
            self.lines["play"][-1] += f" {card}"
        else:
            self.lines["play"].append(card)
        self.in_trick = (self.in_trick + 1) % len(self.players)

    def _say(self, words: str, *, is_call: bool = False) -> None:
        if not self.lines["play"]:
            self.lines["exchange" if self.has_contract and not is_call else "calls"].append(words)
        elif self.in_trick:
            self.lines["play"][-1] += f" {words}"
        else:
            self.lines["play"].append(words)

    def text(self) -> str:
        told = [f'{key} = "{value}"' for key, value in self.keys.items()]
        if self.turned:
            told.append(f'turned = "{" ".join(self.turned)}"')
        for key, lines in self.lines.items():
            if lines:
                told += [f'{key} = """', *lines, '"""']
        if self.hands:
            told += ["[deal.hands]", *self.hands]
        return "\n[[deal]]\n" + "\n".join(told) + "\n"
