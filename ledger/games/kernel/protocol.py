"""What a game declares: its name, its words, its types and its makers, and how random tables of it are played."""

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
"""Version of the interface between the program and a game (`Game`, `Deal`, `Simulation`, `Match`).

2: `Deal.legal` returns events and takes a seat; `Simulation.weight` replaces `weights`, and `completed` is gone.
"""


class DealSummary(Struct, frozen=True):
    """What statistics ask of an outcome, in the rulebook's words; `won` is None where the declarer did neither.

    `declarers`: two or more who play a contract as equals, none of whom is told to have bid it; then neither `declarer`
    nor `partner` is anybody.
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
        """Every seat that was declarer; nobody's, where no contract was made."""
        return self.declarers or (() if self.declarer is None else (self.declarer,))


class Chance(Protocol):
    """What a simulation draws from; `random.Random` is one, handed in from outside."""

    def random(self) -> float: ...

    def sample(self, population: Sequence[_Item], k: int) -> list[_Item]: ...


class Simulation(ABC):
    """What a game adds so that random tables look played: it deals, and may say how likely each legal choice is.

    `points`: what each card number counts in a trick; empty where tricks alone count. `variants`: the options under
    which clubs play the game.
    """

    points: Sequence[int] = ()
    variants: Sequence[Mapping[str, Any]] = ({},)

    @abstractmethod
    def deal_cards(self, options: Any, seats: int, dealer: int, chance: Chance) -> CardsDealt:
        """A shuffled pack, dealt out."""

    def weight(self, deal: Any, move: Event) -> float | None:
        """Return how likely this legal move is beside the others of its type; None: all of them alike."""
        return None

    def discards(self, deal: Any, seat: int, count: int, chance: Chance) -> tuple[str, ...]:
        """The cards that the seat puts aside when it exchanges so many."""
        return ()

    def allies(self, deal: Any, seat: int) -> int:
        """The seats that this one knows to be on its side during the play, as a mask."""
        return 1 << seat

    def last_words(self, deal: Any) -> Sequence[Event]:
        """What is still said when the play has ended and nothing is legal any more."""
        return ()


class GameTitle(Phrase, frozen=True, gc=False):
    """What people call a game: its title, or what its catalogue says in a language for its name, the key."""

    def in_words(self, lang: str = "en") -> str:
        named = word(self.package, self.key, lang)
        return str(self.values["title"]) if named == self.key else named


def game_title(package: str, name: str, title: str) -> GameTitle:
    return GameTitle(package, name, {"title": title})


@dataclass(frozen=True, kw_only=True)
class Game:
    """What a game declares: its name, its vocabulary, its types and its makers. It stands in its package as `GAME`.

    `interface`: the version of this interface that the game was written for; the registry rejects any but `INTERFACE`.

    `make_options(raw, players)`: the options of a table with defaults. `make_match(options, players)`: a new match.
    `check_outcome(raw, options, players, dealer)`: the outcome of a `result_recorded`, complete. `check_event(event)`:
    refuses fields that mean nothing in this game; None where there are none. `simulation` is None where random tables
    cannot be made. All but `make_match` raise `MalformedError`. `summarise(outcome)`: what statistics ask of an
    outcome.

    `result_form(told, options, players, dealer)`: what a form for the result asks, by what it holds so far; None: each
    field of the outcome.

    `pack_of(options)`: the cards of a table whose options choose a part of `pack`. `check_award(award, options)`:
    refuses an award that names other figures than the game scores; None where the game has no awards. `is_zero_sum`:
    what the seats win and lose adds up to nothing, the pool included; only then must a ruling add up, too.

    `teams`: how many fixed teams there are, where seat s plays for team s modulo `teams`; 0: everybody plays alone, or
    sides change from deal to deal. `goes_to_the_right`: whether seat s+1 sits at the right hand of seat s, so that play
    goes counter-clockwise.

    `unfinished`: the code of section 11 for a deal that was left before its end; `fatal`: those after which a
    deal cannot be scored, whatever else was recorded, where `untold` of the deal does not say so.

    `impossible`: the codes for what cannot have been at the table as it is told: a card not held, one played before.

    `revokes`: the codes of section 11 for cards played against the duty to follow. `following`: the rules that say
    which card may be played to a trick, shown where one is in dispute.

    `ranks`: the order in which people look for the cards of a suit. `passing`: the call that says nothing.
    `seldom_said`: announcements that break a play off before its end. `reordering`: those that change which card wins.

    `stakes(event, options)`: what a call is played for, told beside it in a few words; None: nothing of its own.

    `cutter(dealer, seats)`: who cuts; None where the rulebook is silent. `first_leader(dealer, seats)`: who leads to
    the first trick.

    `orders`: the tables by which a deal may rank its cards, as `Deal.laid()` has them, by their names in the read
    model; where there are none, that says nothing of what a card was.
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
        """Its title, still without a language."""
        return game_title(self.package, self.name, self.title)

    def ways_to_write(self, recorded: str) -> tuple[str, ...]:
        """What people write for a word that the game records: the word, what each language says for it (`[words]` of
        its catalogue) and what else is typed (`[typed]`, several with commas between).
        """
        said = [word(self.package, recorded, lang) for lang in LANGUAGES]
        typed = [catalogue(self.package, lang).get(f"typed.{recorded}", recorded) for lang in LANGUAGES]
        return tuple(dict.fromkeys(way.strip() for text in (recorded, *said, *typed) for way in text.split(",")))
