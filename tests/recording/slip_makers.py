"""True deals, typed as a hand record with one slip in it: for each kind of slip who makes it, and at which line.

The deals are those of `replays/` and of simulated tables whose hands are known, laid out one thing a line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from random import Random
from typing import Final, NamedTuple, TypeAlias

from ledger.errors import LedgerError
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
    TableOpened,
    TrickGathered,
    TrumpNamed,
)
from ledger.games import game_named
from ledger.recording.hand.record import HandRecord, read_hand_record
from ledger.recording.simulate import simulate_table
from tests.builders import EIGHT_NAMES
from tests.hand_records import REPLAYS, record_in, table_events

FILE: Final = "slip.toml"

SIMULATED: Final[Mapping[str, tuple[int, dict[str, object]]]] = {
    "ombre": (3, {}),
    "quadrille": (4, {}),
    "couillon": (4, {}),
    "kop": (4, {}),
    "baska": (4, {}),
}
"""The games with so many players and these options."""


class Deal(NamedTuple):
    """One deal with all its hands: the events of its table, which has no other."""

    opened: TableOpened
    started: DealStarted
    dealt: CardsDealt
    acts: tuple[Event, ...]

    @property
    def game(self) -> str:
        return self.opened.game


class Sheet(NamedTuple):
    """A deal as somebody types it: who dealt, the lines under each key, in the order of the file."""

    dealer: str
    lines: dict[str, list[str]]


class Slipped(NamedTuple):
    """A record with a slip; `lines`: those of the file at which the slip stands."""

    kind: str
    deal: Deal
    text: str
    lines: tuple[int, ...]


def deals_of(events: Sequence[Event]) -> Iterator[Deal]:
    """The deals of a table of which all hands are known, with at least three tricks."""
    opened = events[0]
    assert isinstance(opened, TableOpened)
    starts = [place for place, event in enumerate(events) if isinstance(event, DealStarted)]
    for start, end in zip(starts, [*starts[1:], len(events)], strict=True):
        started, dealt, *acts = (*events[start:end], None, None)
        told = [act for act in acts if isinstance(act, SHOWN)]
        is_played = sum(isinstance(act, CardPlayed) for act in told) >= 3 * len(opened.players)
        if isinstance(dealt, CardsDealt) and is_played and None not in dealt.hands and "??" not in str(dealt.hands):
            assert isinstance(started, DealStarted)
            yield Deal(opened, DealStarted(deal=1, dealer=started.dealer), dealt, tuple(told))


SHOWN: Final = (
    Announced, BidMade, CardPlayed, CardsExchanged, CardTurned, PartnerCalled, TrickGathered, TrumpNamed
)  # fmt: skip


def recorded_deals() -> Iterator[Deal]:
    """Those of `replays/` that are read again as they were."""
    for path in sorted(REPLAYS.glob("*/*.toml")):
        for deal in deals_of(table_events(record_in(path))):
            if is_typed_truly(deal):
                yield deal


def simulated_deals(game: str, seed: int, count: int) -> Iterator[Deal]:
    """Those of simulated tables of that game."""
    players, options = SIMULATED[game]
    for number in range(count):
        events = simulate_table(game_named(game), EIGHT_NAMES[:players], options, 3, seed, f"slips-{number}")
        for deal in deals_of(events):
            if is_typed_truly(deal):
                yield deal


def is_typed_truly(deal: Deal) -> bool:
    """Whether the deal can be typed so that it is read as it was, and breaks no rule."""
    try:
        record = read_hand_record(file_of(deal, typed(deal)), FILE)
    except LedgerError:
        return False
    faults = [found for one in record.table.deals for found in one.violations if found.severity != "info"]
    return acts_of(record) == deal.acts and not faults


def acts_of(record: HandRecord) -> tuple[Event, ...]:
    return tuple(event for event in table_events(record) if isinstance(event, SHOWN))


def typed(deal: Deal) -> Sheet:
    """Without a name where none is needed: what everybody types."""
    names = deal.opened.players
    lines: dict[str, list[str]] = {key: [] for key in ("calls", "turned", "trump", "called", "exchange", "play")}
    seats = sum(1 for hand in deal.dealt.hands if hand)
    laid = 0
    for act in deal.acts:
        match act:
            case BidMade(call=call, card=card) if laid == 0 and not lines["play"]:
                lines["calls"].append(f"{call} {card or ''}".strip())
            case CardTurned(card=card):
                lines["turned"].append(card)
            case TrumpNamed(suit=suit):
                lines["trump"].append(f"{suit}")
            case PartnerCalled(card=card):
                lines["called"].append(card or "none")
            case CardsExchanged(discarded=discarded, drawn=drawn, count=count):
                drew = "" if drawn is None else f" > {' '.join(drawn)}"
                lines["exchange"].append((" ".join(discarded) if discarded else str(count)) + drew)
            case CardPlayed(card=card):
                if laid % seats == 0:
                    lines["play"].append(card)
                else:
                    lines["play"][-1] += f" {card}"
                laid += 1
            case Announced(seat=seat, what=what, seats=several):
                who = "+".join(names[one] for one in several or ()) or ("table" if seat is None else names[seat])
                key = "exchange" if what == "yield_exchange" else "play" if lines["play"] else "calls"
                lines[key].append(f"{who}: {what}")
            case BidMade(seat=seat, call=call):
                lines["play"].append(f"{names[seat]}: {call}")
    return Sheet(names[deal.started.dealer], lines)


def file_of(deal: Deal, sheet: Sheet) -> str:
    """The whole hand record; `play` stands from a line of its own on."""
    opened = deal.opened
    options = [f"{key} = {_toml(value)}" for key, value in opened.options.items()]
    head = [
        f'game = "{opened.game}"',
        'table = "slip"',
        f"players = [{', '.join(_toml(name) for name in opened.players)}]",
        "closed = true",
        *(["[options]", *options] if options else []),
        "[[deal]]",
        f"dealer = {_toml(sheet.dealer)}",
    ]
    for key, lines in sheet.lines.items():
        if not lines:
            continue
        if key in ("calls", "exchange", "play"):
            head += [f'{key} = """', *lines, '"""']
        else:
            head.append(f"{key} = {_toml(' '.join(lines))}")
    if deal.dealt.stock is not None:
        head.append(f"stock = {_toml(' '.join(deal.dealt.stock))}")
    hands = [
        f"{name} = {_toml(' '.join(hand or ['-']))}"
        for name, hand in zip(opened.players, deal.dealt.hands, strict=True)
    ]
    return "\n".join([*head, "[deal.hands]", *hands, ""])


def _toml(value: object) -> str:
    return str(value).lower() if isinstance(value, bool | int) else f'"{value}"'


# --- slips ------------------------------------------------------------------------------------------------------------

Maker: TypeAlias = Callable[[Deal, Sheet, Random], tuple[Sheet, tuple[str, ...]] | None]
"""Answers the sheet with a slip, and its places as `key:row`; None where the deal has no room for that slip."""


def tricks(deal: Deal, sheet: Sheet) -> list[int]:
    """The lines of the play that are tricks, by their rows."""
    return [row for row, line in enumerate(sheet.lines["play"]) if ":" not in line and len(line.split()) > 1]


def _with_play(sheet: Sheet, play: list[str]) -> Sheet:
    return Sheet(sheet.dealer, {**sheet.lines, "play": play})


def another_card(deal: Deal, sheet: Sheet, chance: Random) -> tuple[Sheet, tuple[str, ...]] | None:
    play, row = [*sheet.lines["play"]], chance.choice(tricks(deal, sheet))
    cards = play[row].split()
    place = chance.randrange(len(cards))
    pack = sorted({card for hand in deal.dealt.hands for card in hand or ()} - {cards[place]})
    cards[place] = chance.choice(pack)
    play[row] = " ".join(cards)
    return _with_play(sheet, play), (f"play:{row}",)


def swapped_cards(deal: Deal, sheet: Sheet, chance: Random) -> tuple[Sheet, tuple[str, ...]] | None:
    play, row = [*sheet.lines["play"]], chance.choice(tricks(deal, sheet))
    cards = play[row].split()
    one, other = chance.sample(range(len(cards)), 2)
    cards[one], cards[other] = cards[other], cards[one]
    play[row] = " ".join(cards)
    return _with_play(sheet, play), (f"play:{row}",)


def swapped_between_lines(deal: Deal, sheet: Sheet, chance: Random) -> tuple[Sheet, tuple[str, ...]] | None:
    play, rows = [*sheet.lines["play"]], tricks(deal, sheet)
    pairs = [(one, other) for one, other in pairwise(rows) if other == one + 1]
    if not pairs:
        return None
    one, other = chance.choice(pairs)
    first, second = play[one].split(), play[other].split()
    here, there = chance.randrange(len(first)), chance.randrange(len(second))
    first[here], second[there] = second[there], first[here]
    play[one], play[other] = " ".join(first), " ".join(second)
    return _with_play(sheet, play), (f"play:{one}", f"play:{other}")


def wrong_seat(deal: Deal, sheet: Sheet, chance: Random) -> tuple[Sheet, tuple[str, ...]] | None:
    """A name before a trick that another player led."""
    play, row = [*sheet.lines["play"]], chance.choice(tricks(deal, sheet))
    card = play[row].split()[0]
    leader = next(act.seat for act in deal.acts if isinstance(act, CardPlayed) and act.card == card)
    others = [name for seat, name in enumerate(deal.opened.players) if seat != leader and deal.dealt.hands[seat]]
    play[row] = f"{chance.choice(others)}: {play[row]}"
    return _with_play(sheet, play), (f"play:{row}",)


def missing_trick(deal: Deal, sheet: Sheet, chance: Random) -> tuple[Sheet, tuple[str, ...]] | None:
    play, rows = [*sheet.lines["play"]], tricks(deal, sheet)
    row = chance.choice(rows[:-1])
    del play[row]
    return _with_play(sheet, play), (f"play:{row}",)


def doubled_line(deal: Deal, sheet: Sheet, chance: Random) -> tuple[Sheet, tuple[str, ...]] | None:
    play, row = [*sheet.lines["play"]], chance.choice(tricks(deal, sheet))
    play.insert(row, play[row])
    return _with_play(sheet, play), (f"play:{row}", f"play:{row + 1}")


def wrong_trump(deal: Deal, sheet: Sheet, chance: Random) -> tuple[Sheet, tuple[str, ...]] | None:
    for key in ("trump", "turned"):
        if len(sheet.lines[key]) == 1:
            was = sheet.lines[key][0]
            suit = chance.choice([suit for suit in "SHDC" if suit != was[0]])
            return Sheet(sheet.dealer, {**sheet.lines, key: [suit + was[1:]]}), (f"{key}:0",)
    return None


def wrong_dealer(deal: Deal, sheet: Sheet, chance: Random) -> tuple[Sheet, tuple[str, ...]] | None:
    dealer = chance.choice([name for name in deal.opened.players if name != sheet.dealer])
    return Sheet(dealer, sheet.lines), ("dealer:0",)


MAKERS: Final[Mapping[str, Maker]] = {
    "another card": another_card,
    "swapped cards": swapped_cards,
    "swapped between lines": swapped_between_lines,
    "wrong seat": wrong_seat,
    "missing trick": missing_trick,
    "doubled line": doubled_line,
    "wrong trump": wrong_trump,
    "wrong dealer": wrong_dealer,
}


def slipped(kind: str, deal: Deal, chance: Random) -> Slipped | None:
    """The deal with such a slip in it; None where it has no room for that."""
    made = MAKERS[kind](deal, typed(deal), chance)
    if made is None:
        return None
    sheet, places = made
    text = file_of(deal, sheet)
    return Slipped(kind, deal, text, tuple(_line_of(text, place) for place in places))


def _line_of(text: str, place: str) -> int:
    """The line of the file at which that row of that key stands."""
    key, _, row = place.partition(":")
    lines = text.split("\n")
    number = next(number for number, line in enumerate(lines, 1) if line.startswith(f"{key} ="))
    return number + (int(row) + 1 if lines[number - 1].endswith('"""') else 0)
