"""What a game declares, and the few types in which it answers; its deals and matches stand in `deal.py`, `match.py`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, TypeVar

from msgspec import Struct

from ledger.events import Award, CardsDealt, Event, RulingGiven, ScoreClaimed
from ledger.i18n import Words

if TYPE_CHECKING:
    from ledger.games.kernel.match import Match

_Item = TypeVar("_Item")

Severity: TypeAlias = Literal["error", "warning", "info"]
Place: TypeAlias = int | Literal["pool", "vole_pool", "board"]
"""Who pays or is paid: a seat, the pool, the pool of a vole, which is empty between deals, or a board:
of points that nobody pays, or of bars to be wiped."""

Legal: TypeAlias = dict[str, list[Any]]
"""Event type to what may come next without breaking a rule, sorted as contract 5 says."""

DealStatus: TypeAlias = Literal["open", "complete", "voided", "unscorable"]


class Violation(Struct, frozen=True, gc=False):
    """A rule broken (or, as `info`, a rule used) by one event of a deal.

    `code` is the irregularity of the rulebook's section 11, `rule` the rule broken, `version` that of the
    event at fault (the log's version), `seat` the seat it is about.
    """

    code: str
    rule: str
    severity: Severity
    words: Words
    version: int
    seat: int | None = None
    legal: tuple[str, ...] | None = None


class TrickView(Struct, frozen=True):
    """A trick as played: the cards and the seats in the order of the record; `winner` is null while it is not known.

    `won_by`: the highest `trump`, or the highest card of the suit `led`.
    """

    leader: int
    cards: list[str]
    seats: list[int]
    winner: int | None
    won_by: Literal["trump", "led"] | None = None


class DealView(Struct, frozen=True):
    """The state of a deal as contract 5 shows it (`replay`); cards not known are `??`."""

    phase: str
    turn: int | None
    dealer: int | None
    hands: list[list[str]]
    stock: list[str]
    auction: list[dict[str, Any]]
    trump: str | None
    contract: str | None
    declarer: int | None
    partner: int | None
    tricks: list[TrickView]
    trick_counts: list[int]
    card_points: list[int]
    legal: Legal


class Decision(Struct, frozen=True):
    """The ruling in force for one deal and the score sheet it may rest on."""

    ruling: RulingGiven
    sheet: ScoreClaimed | None


class DealSummary(Struct, frozen=True):
    """What statistics ask of an outcome, in the rulebook's words; `won` is null where the declarer did neither."""

    result: str | None
    contract: str | None
    declarer: int | None
    partner: int | None
    trump: str | None
    won: bool | None


class Chance(Protocol):
    """What a simulation draws from; `random.Random` is one, handed in from outside."""

    def random(self) -> float: ...

    def sample(self, population: Sequence[_Item], k: int) -> list[_Item]: ...


class Simulation(ABC):
    """What a game adds so that random tables look played: it deals, and may say how likely each legal choice is."""

    @abstractmethod
    def deal_cards(self, options: Any, seats: int, dealer: int, chance: Chance) -> CardsDealt:
        """A shuffled pack, dealt out."""

    def weights(self, deal: Any, kind: str, values: Sequence[Any]) -> Sequence[float] | None:
        """How likely each of these values of `legal()` is; null: all alike."""
        return None

    def discards(self, deal: Any, seat: int, count: int, chance: Chance) -> tuple[str, ...]:
        """The cards that the seat puts aside when it exchanges so many."""
        return ()

    def completed(self, deal: Any, event: Event) -> Event:
        """The event with what its legal value leaves open: a card named with a call, seats that speak as one."""
        return event

    def last_words(self, deal: Any) -> Sequence[Event]:
        """What is still said when the play has ended and nothing is legal any more."""
        return ()


@dataclass(frozen=True, kw_only=True)
class Game:
    """What a game declares: its name, its vocabulary, its types and its makers. It stands in its package as `GAME`.

    `make_options(raw, players)`: the options of a table with defaults. `make_match(options, players)`: a new match.
    `check_outcome(raw, options, players, dealer)`: the outcome of a `result_recorded`, complete. `check_event(event)`:
    refuses fields that mean nothing in this game; null where there are none. `simulation` is null where random tables
    cannot be made. All but `make_match` raise `MalformedError`. `summarise(outcome)`: what statistics ask of an
    outcome.

    `pack_of(options)`: the cards of a table whose options choose a part of `pack`. `check_award(award, options)`:
    refuses an award that names other figures than the game scores; null where the game has no awards. `is_zero_sum`:
    what the seats win and lose adds up to nothing, the pool included; only then must a ruling add up, too.

    `revokes`: the codes of section 11 for cards played against the duty to follow. `following`: the rules that say
    which card may be played to a trick, shown where one is in dispute.
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
    check_event: Callable[[Event], None] | None = None
    simulation: Simulation | None = None
    pack_of: Callable[[Any], frozenset[str]] | None = None
    check_award: Callable[[Award, Any], None] | None = None
    is_zero_sum: bool = True
    revokes: frozenset[str] = frozenset()
    following: tuple[str, ...] = ()
