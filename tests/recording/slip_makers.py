"""True deals as hand records with one typo, for each kind of typo: the maker, and the lines at fault.

The deals are those of `replays/` and of simulated tables with known hands, one statement a line.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from random import Random
from typing import Final, NamedTuple, TypeAlias

from ledger import events as ev
from ledger.errors import LedgerError
from ledger.games import game_named
from ledger.log.memory import MemoryStore
from ledger.recording.hand.record import HandRecord, read_hand_record
from ledger.recording.hand.record_writer import TableToWrite, write_hand_record
from ledger.recording.importing import ImportAs, ImportOptions, import_content
from ledger.recording.simulate import own_number, simulate_table
from tests.builders import EIGHT_NAMES
from tests.hand_records import RECORDS, record_in, table_events

FILE: Final = "slip.toml"
GAMES: Final = ("ombre", "quadrille", "couillon", "kop", "baska")


def recorded(text: str) -> MemoryStore:
    """Return a ledger with the tables of this file."""
    store = MemoryStore()
    import_content(store, text.encode(), FILE, ImportAs(by="test", options=ImportOptions(as_typed=True)))
    return store


class Deal(NamedTuple):
    """One deal with all its hands: the events of a table that has no other, and their hand record."""

    opened: ev.TableOpened
    started: ev.DealStarted
    dealt: ev.CardsDealt
    acts: tuple[ev.Event, ...]
    text: str


class Slipped(NamedTuple):
    """A record with a typo. `lines`: the lines of the file that contain it."""

    kind: str
    deal: Deal
    text: str
    lines: tuple[int, ...]


def simulated(game: str, seed: int, slug: str = "t", *, deals: int = 3) -> list[ev.Event]:
    """Return a table of that game in its own form."""
    made = game_named(game)
    return simulate_table(made, EIGHT_NAMES[: own_number(made, {})], {}, deals, seed, slug)


def deals_of(events: Sequence[ev.Event]) -> Iterator[Deal]:
    """Return the deals with known hands and at least three tricks that are read back unchanged."""
    opened = events[0]
    assert isinstance(opened, ev.TableOpened)
    starts = [place for place, event in enumerate(events) if isinstance(event, ev.DealStarted)]
    for start, end in zip(starts, [*starts[1:], len(events)], strict=True):
        started, dealt, *more = (*events[start:end], None, None)
        acts = tuple(act for act in more if is_act(act))
        is_played = sum(isinstance(act, ev.CardPlayed) for act in acts) >= 3 * len(opened.players)
        if isinstance(dealt, ev.CardsDealt) and is_played and None not in dealt.hands and "??" not in str(dealt.hands):
            assert isinstance(started, ev.DealStarted)
            first = ev.DealStarted(deal=1, dealer=started.dealer)
            table = enumerate((opened, first, dealt, *acts, ev.TableClosed()), 1)
            deal = Deal(opened, first, dealt, acts, write_hand_record(TableToWrite(slug="slip", reading=[*table])).text)
            if is_typed_truly(deal):
                yield deal


def is_act(event: ev.Event | None) -> bool:
    """Return whether the event belongs to the auction or the play."""
    return type(event) in ACTS


ACTS: Final = (ev.GAME_ACTION_TYPES | {ev.TrickGathered}) - {ev.CardsDealt}


def is_typed_truly(deal: Deal) -> bool:
    """Return whether the deal is read back unchanged and breaks no rule."""
    try:
        record = read_hand_record(deal.text, FILE)
    except LedgerError:
        return False
    faults = [violation for one in record.table.deals for violation in one.violations if violation.severity != "info"]
    return acts_of(record) == deal.acts and not faults


def acts_of(record: HandRecord) -> tuple[ev.Event, ...]:
    return tuple(filter(is_act, table_events(record)))


@cache
def true_deals(game: str) -> list[Deal]:
    """Return the deals of every fourth record of that game, then simulated ones.

    The evening of Kop was simulated, too, and is left out.
    """
    tables = [table_events(record_in(path)) for path in RECORDS[::4] if path.parent.name != "session-kop"]
    tables = [events for events in tables if isinstance(events[0], ev.TableOpened) and events[0].game == game]
    tables += [simulated(game, 5, f"slips-{number}") for number in range(3)]
    return [deal for events in tables for deal in deals_of(events)]


def drawn(kind: str, game: str, number: int) -> Slipped | None:
    """Return a deal with a typo of that kind; None if no deal has room for one."""
    chance = Random(f"{kind} {game} {number}")
    deal = chance.choice(true_deals(game))
    lines = deal.text.split("\n")
    rows = MAKERS[kind](deal, lines, chance)
    return None if rows is None else Slipped(kind, deal, "\n".join(lines), tuple(row + 1 for row in rows))


Maker: TypeAlias = Callable[[Deal, list[str], Random], tuple[int, ...] | None]
"""Function that puts a typo into the lines and returns its rows; None if the deal has no room for that typo."""


def tricks(lines: Sequence[str]) -> list[int]:
    play = lines.index('play = """')
    rows = range(play + 1, lines.index('"""', play))
    return [row for row in rows if not set(":>") & set(lines[row]) and " " in lines[row]]


def another_card(deal: Deal, lines: list[str], chance: Random) -> tuple[int, ...]:
    row = chance.choice(tricks(lines))
    cards = lines[row].split()
    place = chance.randrange(len(cards))
    cards[place] = chance.choice(sorted({card for hand in deal.dealt.hands for card in hand or ()} - {cards[place]}))
    lines[row] = " ".join(cards)
    return (row,)


def swapped_cards(deal: Deal, lines: list[str], chance: Random) -> tuple[int, ...]:
    row = chance.choice(tricks(lines))
    cards = lines[row].split()
    one, other = chance.sample(range(len(cards)), 2)
    cards[one], cards[other] = cards[other], cards[one]
    lines[row] = " ".join(cards)
    return (row,)


def swapped_between_lines(deal: Deal, lines: list[str], chance: Random) -> tuple[int, ...] | None:
    rows = tricks(lines)
    firsts = [row for row in rows if row + 1 in rows]
    if not firsts:
        return None
    row = chance.choice(firsts)
    first, second = lines[row].split(), lines[row + 1].split()
    here, there = chance.randrange(len(first)), chance.randrange(len(second))
    first[here], second[there] = second[there], first[here]
    lines[row : row + 2] = " ".join(first), " ".join(second)
    return (row, row + 1)


def wrong_seat(deal: Deal, lines: list[str], chance: Random) -> tuple[int, ...]:
    """Put a name before a trick that another player led."""
    row = chance.choice(tricks(lines))
    card = lines[row].split()[0]
    leader = next(act.seat for act in deal.acts if isinstance(act, ev.CardPlayed) and act.card == card)
    others = [name for seat, name in enumerate(deal.opened.players) if seat != leader and deal.dealt.hands[seat]]
    lines[row] = f"{chance.choice(others)}: {lines[row]}"
    return (row,)


def missing_trick(deal: Deal, lines: list[str], chance: Random) -> tuple[int, ...]:
    row = chance.choice(tricks(lines)[:-1])
    del lines[row]
    return (row,)


def doubled_line(deal: Deal, lines: list[str], chance: Random) -> tuple[int, ...]:
    row = chance.choice(tricks(lines))
    lines.insert(row, lines[row])
    return (row, row + 1)


def wrong_trump(deal: Deal, lines: list[str], chance: Random) -> tuple[int, ...] | None:
    for row, line in enumerate(lines):
        key, _, value = line.partition(' = "')
        if key in ("trump", "turned") and " " not in value:
            lines[row] = f'{key} = "{chance.choice([suit for suit in "SHDC" if suit != value[0]])}{value[1:]}'
            return (row,)
    return None


def wrong_dealer(deal: Deal, lines: list[str], chance: Random) -> tuple[int, ...]:
    row = next(row for row, line in enumerate(lines) if line.startswith("dealer = "))
    others = [name for name in deal.opened.players if lines[row] != f'dealer = "{name}"']
    lines[row] = f'dealer = "{chance.choice(others)}"'
    return (row,)


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
