"""Random tables of any game, for the suites of properties and for a game's own strategies.

A game's module `strategies` is such a `Tables`; `DeclaredTables` are those of a game without one.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Protocol

from hypothesis import strategies as st
from msgspec import inspect, json

from ledger import events as ev
from ledger.cards import UNKNOWN
from ledger.errors import MalformedError
from ledger.games import game_named
from ledger.games.kernel.protocol import Game
from ledger.recording.simulate import simulate_table
from ledger.table.corrections import Entry
from ledger.table.fold import TableFold
from tests.contracts.game_tables import NAMES, some_options

MAX_DISCARDS = 12


class Tables(Protocol):
    """Random tables of one game: openings, lawful tables, and events that follow no rule."""

    @property
    def openings(self) -> st.SearchStrategy[ev.TableOpened]: ...

    def lawful_tables(self, deals: int, closed: bool = True) -> st.SearchStrategy[list[Entry]]: ...

    def any_events(self, opened: ev.TableOpened) -> st.SearchStrategy[ev.Event]: ...


class DeclaredTables:
    """Tables by the declaration and the simulation of a game, which may be registered later."""

    def __init__(self, game: str) -> None:
        self._name = game

    @property
    def openings(self) -> st.SearchStrategy[ev.TableOpened]:
        return st.integers(0, 2**32).map(self._opened)

    def _opened(self, seed: int) -> ev.TableOpened:
        options, players = some_options(game_named(self._name), Random(seed))
        return ev.TableOpened(game=self._name, players=NAMES[:players], options=options)

    def lawful_tables(self, deals: int, closed: bool = True) -> st.SearchStrategy[list[Entry]]:
        return self.openings.flatmap(lambda opened: tables_opened_by(opened, deals, closed))

    def any_events(self, opened: ev.TableOpened) -> st.SearchStrategy[ev.Event]:
        results = st.integers(0, 2**32).map(lambda seed: ev.ResultRecorded(outcome=_an_outcome(opened, seed)))
        return any_events_of(opened, results)


def options_of(option_type: type, *without: str, **own: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Return a strategy of options of this type, any of them omitted; `own` replaces the strategies of some."""
    fields = {field.encode_name: field.type for field in inspect.type_info(option_type).fields}  # type: ignore[attr-defined]
    drawn = {name: _values_of(kind) for name, kind in fields.items() if name not in without}
    return st.fixed_dictionaries({}, optional={**drawn, **own})


def _values_of(kind: inspect.Type) -> st.SearchStrategy[Any]:
    """Return a strategy of values of the type of an option; numbers are small."""
    match kind:
        case inspect.LiteralType(values):
            return st.sampled_from(values)
        case inspect.UnionType(types):
            return st.one_of(*map(_values_of, types))
        case inspect.BoolType():
            return st.booleans()
        case inspect.IntType():
            least = kind.ge or 0
            return st.integers(least, least + 30 if kind.le is None else min(kind.le, least + 30))
        case _:
            return st.none()


def tables_opened_by(opened: ev.TableOpened, deals: int, closed: bool) -> st.SearchStrategy[list[Entry]]:
    def played(seed: int) -> list[Entry]:
        game = game_named(opened.game)
        events = simulate_table(game, opened.players, opened.options, deals, seed, "property", closed=closed)
        return list(enumerate(events, start=1))

    return st.integers(0, 2**32).map(played)


def _an_outcome(opened: ev.TableOpened, seed: int) -> dict[str, Any]:
    """Return the outcome of a lawful deal at such a table."""
    events = simulate_table(game_named(opened.game), opened.players, opened.options, 1, seed, "outcome")
    outcome: dict[str, Any] = json.decode(json.encode(TableFold(list(enumerate(events, 1))).deals[0].outcome))
    return outcome


def pack_of(game: Game, options: Any) -> list[str]:
    """Return the cards of a table under these options, sorted."""
    return sorted(game.pack if game.pack_of is None else game.pack_of(options))


def any_events_of(opened: ev.TableOpened, *own: st.SearchStrategy[ev.Event]) -> st.SearchStrategy[ev.Event]:
    """Return a strategy of any event of a table, well-formed but following no rule; `own` adds the game's own events.

    It has every type that the game takes, and those that every table has; cards come three times as often.
    """
    game, players = game_named(opened.game), len(opened.players)
    pack = pack_of(game, game.make_options(opened.options, players))
    seats = st.integers(0, players - 1)
    played = of_the_game(game, pack, seats)[ev.CardPlayed]
    taken = (events for kind, events in of_the_game(game, pack, seats).items() if kind in game.event_types)
    made = st.one_of(played, played, *taken, _dealt(pack, players), *of_every_table(game, players), *own)
    return made.filter(lambda event: _means_something(game, event))


def _means_something(game: Game, event: ev.Event) -> bool:
    """Return whether the log would accept the fields: some words need a seat."""
    if game.check_event is not None:
        try:
            game.check_event(event)
        except MalformedError:
            return False
    return True


def of_the_game(
    game: Game, pack: Sequence[str], seats: st.SearchStrategy[int]
) -> Mapping[type, st.SearchStrategy[Any]]:
    """Return strategies of what is called, announced and played, by type."""
    known, some = st.sampled_from(pack), st.sampled_from([*pack, UNKNOWN, UNKNOWN])
    discards = st.lists(some, max_size=MAX_DISCARDS).map(tuple)
    words = {
        ev.BidMade: (game.calls, lambda calls: st.builds(ev.BidMade, seat=seats, call=calls)),
        ev.Announced: (game.announcements, lambda said: st.builds(ev.Announced, seat=seats | st.none(), what=said)),
    }
    return {
        **{kind: made(st.sampled_from(sorted(said))) for kind, (said, made) in words.items() if said},
        ev.CardPlayed: st.builds(ev.CardPlayed, seat=seats, card=some),
        ev.CardTurned: st.builds(ev.CardTurned, card=known),
        ev.TrumpNamed: st.builds(ev.TrumpNamed, seat=seats, suit=st.sampled_from("SHDC")),
        ev.PartnerCalled: st.builds(ev.PartnerCalled, seat=seats, card=st.none() | known),
        ev.CardsExchanged: st.one_of(
            st.builds(ev.CardsExchanged, seat=seats, count=st.integers(0, MAX_DISCARDS)),
            st.builds(lambda seat, own: ev.CardsExchanged(seat=seat, count=len(own), discarded=own), seats, discards),
            st.builds(lambda seat, own: ev.CardsExchanged(seat=seat, count=len(own), drawn=own), seats, discards),
        ),
    }


def _dealt(pack: Sequence[str], players: int) -> st.SearchStrategy[ev.CardsDealt]:
    """Return a strategy of deals: unknown hands, hands of any length, of equal length, or by the order of a pack."""
    some = st.sampled_from([*pack, UNKNOWN])
    nothing = (None,) * players

    def hands(lengths: st.SearchStrategy[Any]) -> st.SearchStrategy[ev.CardsDealt]:
        hand = st.none() | lengths
        return st.builds(ev.CardsDealt, hands=st.tuples(*[hand] * players), stock=hand, deck=hand, cut_by=cutters)

    cutters = st.none() | st.integers(0, players - 1)
    return st.one_of(
        st.just(ev.CardsDealt(hands=nothing)),
        hands(st.lists(some, max_size=len(pack) // players + 1).map(tuple)),
        st.builds(ev.CardsDealt, hands=st.just(nothing), deck=st.permutations(pack).map(tuple), cut_by=cutters),
    )


def rulings_paid_by_the_pool(players: int) -> st.SearchStrategy[ev.RulingGiven]:
    """Return a strategy of rulings, in a game with a pool, that move any amounts."""
    return st.builds(
        lambda deal, kind, deltas: ev.RulingGiven(deal=deal, text="", kind=kind, deltas=deltas, pool=-sum(deltas)),
        st.integers(1, 3),
        st.sampled_from(["adjust", "replace"]),
        st.tuples(*[st.integers(-50, 50)] * players),
    )


def of_every_table(game: Game, players: int) -> list[st.SearchStrategy[Any]]:
    """Return strategies of what is recorded at the tables of every game, including rulings."""
    seats = st.integers(0, players - 1)
    amounts = st.lists(st.integers(-50, 50), min_size=players, max_size=players).map(tuple)
    deals = st.integers(1, 3)  # corrected when a record is made of it
    plain = st.sampled_from(sorted(game.ruling_kinds & {"void", "accept", "stands"}))
    adding_up = amounts.map(lambda moved: (*moved[:-1], -sum(moved[:-1])))
    moving = sorted(game.ruling_kinds & {"adjust", "replace"})
    return [
        st.builds(ev.TrickGathered, seat=seats),
        st.builds(
            ev.ScoreClaimed,
            deltas=st.none() | amounts,
            totals=st.none() | amounts,
            pool=st.none() | st.integers(-50, 50),
        ),
        st.builds(ev.DealVoided, reason=st.just("")),
        st.builds(ev.DealStarted, deal=deals, dealer=seats),
        st.builds(ev.PlayerSeated, seat=seats, player=st.just("Thalestris")),
        st.builds(ev.TableClosed),
        st.builds(ev.RulingGiven, deal=deals, text=st.just(""), kind=plain),
        *(
            st.builds(ev.RulingGiven, deal=deals, text=st.just(""), kind=st.just(kind), deltas=adding_up)
            for kind in moving
        ),
    ]
