"""The declaration of a game: its name, vocabulary, types and factories, and how random tables of it are played."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol, TypeVar

from msgspec import Struct

from ledger.cards import RANKS
from ledger.events import Award, CardsDealt, Event
from ledger.games.kernel.card_order import TrumpTable
from ledger.games.kernel.match import Match
from ledger.games.kernel.result_form import ResultForm
from ledger.i18n import LANGUAGES, Phrase, Words, catalogue, word

_Item = TypeVar("_Item")

INTERFACE: Final = 2
"""The version of the interface between the program and a game (`Game`, `Deal`, `Simulation`, `Match`).

2: `Deal.legal` returns events and takes a seat; `Simulation.weight` replaces `weights`, and `completed` is gone.
"""


class DealSummary(Struct, frozen=True):
    """The facts of an outcome for statistics, in the rulebook's words; `won`: whether the declarer won, if any.

    `declarers`: two or more who play a contract as equals, when no record shows who bid it; `declarer` and `partner`
    are then None.
    """

    result: str | None
    contract: str | None
    declarer: int | None
    partner: int | None
    trump: str | None
    won: bool | None
    declarers: tuple[int, ...] = ()

    @property
    def played_by(self) -> tuple[int, ...]:
        """Every seat that was a declarer; empty if no contract was made."""
        return self.declarers or (() if self.declarer is None else (self.declarer,))


class Chance(Protocol):
    """The source of randomness of a simulation, handed in from outside, e.g. a `random.Random`."""

    def random(self) -> float:
        """Return a number from 0 up to, but not including, 1."""

    def sample(self, population: Sequence[_Item], k: int) -> list[_Item]:
        """Return `k` different elements in random order."""


class Simulation(ABC):
    """The part of a game that makes random tables look played: it deals, and may weigh legal moves.

    `points`: the card points by card number; empty if only tricks count. `variants`: the options under which clubs play
    the game.
    """

    points: Sequence[int] = ()
    variants: Sequence[Mapping[str, Any]] = ({},)

    @abstractmethod
    def deal_cards(self, options: Any, seats: int, dealer: int, chance: Chance) -> CardsDealt:
        """Deal a shuffled pack."""

    def weight(self, deal: Any, move: Event) -> float | None:
        """Return how likely this legal move is compared with others of its type; None: equally likely."""
        return None

    def discards(self, deal: Any, seat: int, count: int, chance: Chance) -> tuple[str, ...]:
        """Choose the cards that the seat discards when it exchanges `count` of them."""
        return ()

    def allies(self, deal: Any, seat: int) -> int:
        """Return the seats that this seat knows to be on its side during the play, as a mask."""
        return 1 << seat

    def last_words(self, deal: Any) -> Sequence[Event]:
        """Return the announcements made after the play has ended, when nothing is legal any more."""
        return ()


class GameTitle(Phrase, frozen=True, gc=False):
    """The title of a game or, if a language's catalogue has a word for the game's name, that word."""

    def in_words(self, lang: str = "en") -> str:
        """Return the title in a language."""
        named = word(self.package, self.key, lang)
        return str(self.values["title"]) if named == self.key else named


def game_title(package: str, name: str, title: str) -> GameTitle:
    """Return the title of a game, to be put into a language later."""
    return GameTitle(package, name, {"title": title})


@dataclass(frozen=True, kw_only=True)
class Game:
    """The declaration of a game, which its package has as `GAME`: its name, vocabulary, types and factories.

    `interface`: the version of this interface that the game was written for; the registry rejects any but `INTERFACE`.

    `make_options(raw, players)`: the options of a table, with defaults. `make_match(options, players)`: a new match.
    `check_outcome(raw, options, players, dealer)`: the outcome of a `result_recorded`, complete. `check_event(event)`:
    rejects fields that mean nothing in this game; None if there are none. `simulation` is None if random tables cannot
    be made. All but `make_match` raise `MalformedError`. `summarise(outcome)`: the facts of an outcome for statistics.

    `result_form(answers, options, players, dealer)`: the questions of a form for the result, given the answers so far;
    None: one question for each field of the outcome.

    `pack_of(options)`: the cards of a table whose options choose a part of `pack`. `check_award(award, options)`:
    rejects an award in figures that the table does not use; None if the game has no awards. `is_zero_sum`: the gains
    and losses of the seats and the pool add up to 0; only then must a ruling add up, too.

    `teams`: the number of fixed teams, seat s playing for team s modulo `teams`; 0: everyone plays alone, or sides
    change from deal to deal. `goes_to_the_right`: seat s+1 sits to the right of seat s, so that play goes
    counter-clockwise.

    `unfinished`: the code of section 11 for a deal left before its end. `fatal`: the codes after which a deal cannot be
    scored, unless `Deal.untold` says so itself. `impossible`: the codes for acts that cannot have happened as recorded:
    a card not held, one played before.

    `revokes`: the codes of section 11 for cards played against the duty to follow. `following`: the rules on which card
    may be played to a trick, shown with a disputed one.

    `ranks`: the order in which people look for the cards of a suit. `passing`: the call that says nothing.
    `seldom_said`: announcements that end a play early. `reordering`: announcements that change which card wins.

    `stakes(event, options)`: a few words on the stake of a call, shown next to it; None: nothing to say.

    `cutter(dealer, seats)`: the seat that cuts; None if the rulebook is silent. `first_leader(dealer, seats)`: the
    leader to the first trick.

    `orders`: the tables by which a deal may rank its cards, as `Deal.laid()` has them, by their names in the read
    model; without them, the read model has no ranks of cards.
    """

    name: str
    title: str
    rule_prefix: str
    package: str
    pack: frozenset[str]
    calls: frozenset[str]
    announcements: frozenset[str]
    ruling_kinds: frozenset[str]
    event_types: frozenset[type]
    option_type: type
    outcome_type: type
    sheet_type: type
    make_options: Callable[[Mapping[str, Any], int], Any]
    make_match: Callable[[Any, int], Match]
    check_outcome: Callable[[Mapping[str, Any], Any, int, int], Any]
    summarise: Callable[[Any], DealSummary]
    result_form: Callable[[Mapping[str, str], Any, int, int], ResultForm] | None = None
    check_event: Callable[[Event], None] | None = None
    simulation: Simulation | None = None
    pack_of: Callable[[Any], frozenset[str]] | None = None
    check_award: Callable[[Award, Any], None] | None = None
    is_zero_sum: bool = True
    teams: int = 0
    goes_to_the_right: bool = False
    unfinished: str = ""
    fatal: frozenset[str] = frozenset()
    impossible: frozenset[str] = frozenset()
    revokes: frozenset[str] = frozenset()
    following: tuple[str, ...] = ()
    ranks: str = RANKS
    passing: str = "pass"
    seldom_said: frozenset[str] = frozenset()
    reordering: frozenset[str] = frozenset()
    stakes: Callable[[Event, Any], Words | None] | None = None
    cutter: Callable[[int, int], int] | None = None
    first_leader: Callable[[int, int], int] | None = None
    orders: Mapping[str, TrumpTable] = field(default_factory=dict, hash=False)
    interface: int = 1

    @property
    def called(self) -> GameTitle:
        """The title of the game, to be put into a language later."""
        return game_title(self.package, self.name, self.title)

    def ways_to_write(self, recorded: str) -> tuple[str, ...]:
        """Return the ways in which people write a recorded word, in all languages.

        These are the word itself and, of each catalogue, its entries in `[words]` and `[typed]`, several separated by
        commas.
        """
        said = [word(self.package, recorded, lang) for lang in LANGUAGES]
        typed = [catalogue(self.package, lang).get(f"typed.{recorded}", recorded) for lang in LANGUAGES]
        return tuple(dict.fromkeys(way.strip() for text in (recorded, *said, *typed) for way in text.split(",")))
