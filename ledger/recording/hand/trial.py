"""A trial of a deal, as typed or with a change: it is played on a machine of its own, to see what it breaks.

Nothing is recorded. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

from msgspec import Struct, structs

from ledger.errors import MalformedError
from ledger.events import CardsDealt, Event
from ledger.games.kernel.deal import Deal
from ledger.games.kernel.findings import Violation
from ledger.games.kernel.protocol import Game
from ledger.i18n import Phrase
from ledger.recording.grammar import Arrow, Names, Speaker, Token, tokenize
from ledger.recording.hand.deal import DealLines, TypedDeal, run_of_words
from ledger.recording.hand.page import Page
from ledger.recording.hand.turns import SilentTurns, Turns
from ledger.recording.vocabulary import cards_apart, read_card

_UNEVEN: Final = frozenset(("line.trick_of_card", "line.trick_of_cards", "line.trick_complete"))
_OUT_OF_ORDER: Final = frozenset(("turn.halted", "turn.deal_over", "turn.unclear")) | _UNEVEN
"""The keys of messages about lines whose words can be read but come at the wrong moment."""


class DealContext(Struct, frozen=True):
    """The context in which a deal is read: the table, the cards dealt, the dealer due, and whether play went on after
    it.

    `place`: in the file of `page`, from 0. `number`: at the table.
    """

    game: Game
    options: Any
    names: Names
    page: Page
    place: int
    number: int
    dealt: CardsDealt | None
    dealer_due: int | None
    is_left: bool


class DealFault(NamedTuple):
    """A broken rule and its line; None if it shows only at the end."""

    violation: Violation
    line: int | None


class DealCourse(NamedTuple):
    """The result of playing a deal: its faults in the order in which they show, and the machine after its last line.

    `unread`: the error of an unreadable line, after which the play ends. `line`: that line, or the last.
    """

    faults: Sequence[DealFault]
    machine: Deal
    unread: MalformedError | None
    line: int

    @property
    def is_complete(self) -> bool:
        """Whether all lines could be read and the deal was played to its end."""
        return self.unread is None and self.machine.status == "complete"


class _TooManyError(Exception):
    """More faults than the trial allows."""


def course_of(setting: DealContext, typed: TypedDeal, most: int = 1_000) -> DealCourse | None:
    """Play these lines; return None if they break more than `most` rules."""
    names = setting.names
    machine = setting.game.make_match(setting.options, len(names.players)).start_deal(typed.dealer)
    faults: list[DealFault] = []
    is_wrong_dealer = setting.dealer_due not in (None, typed.dealer)
    version = 0

    def record(event: Event, line: int) -> Sequence[Violation]:
        nonlocal version
        version += 1
        violations = machine.apply(event, version)
        faults.extend(DealFault(violation, line) for violation in violations if violation.severity != "info")
        if len(faults) + is_wrong_dealer > most:
            raise _TooManyError
        return violations

    turns = Turns(setting.game, names, machine, record)
    try:
        if setting.dealt is not None:
            turns.act(setting.dealt)
        DealLines(setting.page, turns, setting.place).read(typed)
    except _TooManyError:
        return None
    except MalformedError as error:
        return DealCourse(faults, machine, error, turns.line)
    refuted = machine.refuted_violations()
    left = machine.leave(version, None) if setting.is_left else ()
    faults = [fault for fault in faults if fault.violation not in refuted]
    faults += [DealFault(late, None) for late in (*left, *machine.late_violations()) if late.severity != "info"]
    return None if len(faults) + is_wrong_dealer > most else DealCourse(faults, machine, None, turns.line)


def is_out_of_order(error: MalformedError) -> bool:
    """Return whether the words of a line can be read but come at the wrong moment."""
    return isinstance(error.what, Phrase) and error.what.key in _OUT_OF_ORDER


def is_about_course(error: MalformedError) -> bool:
    """Return whether a line only does not fit the course of the deal."""
    return isinstance(error.what, Phrase) and (error.what.key.startswith("turn.") or error.what.key in _UNEVEN)


def is_halted(error: MalformedError) -> bool:
    """Return whether a line cannot be read because the deal was halted before it."""
    return isinstance(error.what, Phrase) and error.what.key == "turn.halted"


def is_uneven(error: MalformedError) -> bool:
    """Return whether a line has more or fewer cards than the trick."""
    return isinstance(error.what, Phrase) and error.what.key in _UNEVEN


def with_lines(typed: TypedDeal, key: str, lines: Sequence[tuple[int, str]]) -> TypedDeal:
    """Return the same deal with other lines under that key."""
    return structs.replace(typed, lines={**typed.lines, key: tuple(lines)})


_CARD_CHARS: Final = 3
"""The longest card; a longer word that is no card begins an announcement of perhaps several words."""


class WordReader(DealLines):
    """Reader of the words of a deal whose course cannot be followed. `errors`: one for each word without a meaning.

    Nothing is played, so it does not matter whose turn it is.
    """

    def __init__(self, page: Page, turns: Turns, place: int) -> None:
        super().__init__(page, SilentTurns(turns.game, turns.names, turns.machine, lambda event, line: ()), place)
        self.errors: list[MalformedError] = []

    def read(self, typed: TypedDeal, as_typed: bool = False) -> None:
        """Read all words of the deal, and collect their errors."""
        line = self.page.line_of("deal", self.place, "turned")
        for word in cards_apart(typed.turned or ""):
            with self._collecting_errors(line):
                read_card(word, self.game, may_be_unknown=False)
        super().read(structs.replace(typed, turned=None))

    def _lines(self, lines: Sequence[tuple[int, str]], read: Callable[[list[Token]], None]) -> None:
        for line, text in lines:
            self.turns.line, self.turns.speaker = line, None
            with self._collecting_errors(line):
                if tokens := tokenize(text, self.turns.names):
                    read(tokens)

    @contextmanager
    def _collecting_errors(self, line: int) -> Iterator[None]:
        try:
            yield
        except MalformedError as error:
            self.errors.append(self.page.placed(error, line))

    def _each(self, tokens: list[Token], read: Callable[[list[Token], int], int]) -> None:
        place = 0
        while place < len(tokens):
            if isinstance(tokens[place], Speaker):
                place += 1
                continue
            try:
                place = read(tokens, place)
            except MalformedError as error:
                self.errors.append(self.page.placed(error, self.turns.line))
                place = self._after_error(tokens, place, read)

    def _after_error(self, tokens: list[Token], place: int, read: Callable[[list[Token], int], int]) -> int:
        """Return the place of the next word that is independent of the unreadable one."""
        words = run_of_words(tokens, place)
        if isinstance(tokens[place], Arrow):
            return place + 1 + len(run_of_words(tokens, place + 1))
        if read == self._exchange:
            return next((at for at in range(place, len(tokens)) if isinstance(tokens[at], Speaker)), len(tokens))
        if read == self._play and words and len(words[0]) > _CARD_CHARS:
            return place + len(words)
        return place + 1

    def _make_call(self, call: str, card: str | None = None) -> None:
        """Ignore the call: its player does not matter."""

    def _turn(self, count: int) -> None:
        """Ignore the cards turned up."""

    def _trick_is_complete(self) -> bool:
        return False
