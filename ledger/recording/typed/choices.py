"""The possible meanings of a line: acts that may come next, with the ways to type each, or commands of the recorder."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, Literal, TypeAlias, get_args

from msgspec import Struct, structs

from ledger.cards import UNKNOWN, in_order
from ledger.events import (
    Announced,
    BidMade,
    CardPlayed,
    CardsExchanged,
    CardTurned,
    Event,
    PartnerCalled,
    TrumpNamed,
)
from ledger.games.kernel.moves import shown
from ledger.i18n.normalisation import spelt
from ledger.recording.hand.turns import least_wrong
from ledger.recording.typed.situation import Situation
from ledger.recording.vocabulary import BETWEEN, card_spellings, spellings, suit_spellings


def first_word(text: str) -> tuple[str, str]:
    """Return the first word in the form for comparison, and the rest unchanged."""
    match = re.match(rf"[^{BETWEEN}>]*", text)
    assert match is not None
    return spelt(match[0]).replace("\ufe0f", ""), text[match.end() :]


CommandName: TypeAlias = Literal[
    "help",
    "undo",
    "redo",
    "as_played",
    "result",
    "sheet",
    "note",
    "dispute",
    "dealer",
    "hands",
    "seat",
    "void",
    "leave",
]

LETTERS: Final[dict[str, CommandName]] = {
    "u": "undo", "y": "redo", "r": "result", "s": "sheet", "d": "dispute", "x": "dealer", "h": "hands",
    "w": "seat", "v": "void", "q": "leave",
}  # fmt: skip
WORDS: Final[dict[str, CommandName]] = {name: name for name in get_args(CommandName) if name != "as_played"}
_WITH_WORDS: Final = frozenset(("result", "sheet", "note", "dispute", "dealer", "hands", "seat", "void"))
"""Commands that take the rest of the line."""


class Acts(Struct, frozen=True):
    """The acts of a line. `as_played`: to be recorded even if they break a rule."""

    events: tuple[Event, ...]
    as_played: bool = False


class RecorderCommand(Struct, frozen=True):
    """A command of the recorder. `words`: the rest of the line, for commands that take it."""

    name: CommandName
    words: str = ""


class Nothing(Struct, frozen=True):
    """Enter alone, when several acts may come."""


Meaning: TypeAlias = Acts | RecorderCommand | Nothing


def command_and_rest(name: CommandName, rest: str) -> tuple[Meaning, str]:
    """Return the command, and the rest of the line for the commands after it."""
    return (RecorderCommand(name, rest.strip()), "") if name in _WITH_WORDS else (RecorderCommand(name), rest)


NONE: Final = "none"


class ActChoice(Struct, frozen=True):
    """An act that may come next, and the ways to type it. `word`: the full word in a list of choices.

    `by`: the name before the word, if it is not the due player's. `card`: set if the act is about a card alone.
    `exact`: texts that mean this act only. `begins`: texts that may be shortened until another choice begins the same
    way.
    """

    event: Event
    word: str
    card: str | None = None
    exact: frozenset[str] = frozenset()
    begins: frozenset[str] = frozenset()
    by: str | None = None

    def begins_with(self, typed: str) -> bool:
        """Return whether the typed text begins one of the ways to type this act."""
        return any(begin.startswith(typed) for begin in self.begins)

    @property
    def is_said(self) -> bool:
        """Whether this is an announcement, which may come beside the due act."""
        return type(self.event) is Announced


def choices_in(now: Situation) -> list[ActChoice]:
    """Return all acts that may come next without breaking a rule."""
    return [
        choice
        for by_value in shown(now.legal, now.turn).values()
        for value in in_order(by_value)
        for choice in _choices(now, by_value[value])
    ]


def matching(choices: Sequence[ActChoice], typed: str) -> list[ActChoice]:
    """Return the choices that a word means: those that it spells in full, else those that begin so.

    A card that is also the beginning of a word stays ambiguous. If one word begins all the others, it is meant: `zolo`,
    not `zolo_du`.
    """
    exact = [choice for choice in choices if typed in choice.exact]
    if exact and all(choice.card is not None for choice in exact):
        words = [choice for choice in choices if choice.card is None and choice.begins_with(typed)]
        return exact + words
    if exact:
        return exact
    matches = [choice for choice in choices if choice.begins_with(typed)]
    if len(matches) > 1 and all(isinstance(choice.event, BidMade | Announced) for choice in matches):
        shortest = min(matches, key=lambda choice: len(choice.word))
        if all(choice.word.startswith(shortest.word) for choice in matches):
            return [shortest]
    return matches


def word_choice(now: Situation, event: BidMade | Announced, said: str) -> ActChoice:
    """Return the choice of a call or announcement: its words in every language, its initials, and clear beginnings."""
    exact, begins = spellings(now.game, said)
    seat = event.seat
    by = None if seat is None or seat == now.turn else now.players[seat]
    return ActChoice(event, said if by is None else f"{by}:{said}", None, exact, begins, by)


def _choices(now: Situation, move: Event) -> Iterator[ActChoice]:
    match move:
        case Announced():
            yield word_choice(now, structs.replace(move, seats=None), move.what)
        case BidMade():
            yield word_choice(now, structs.replace(move, card=None), move.call)
        case CardTurned():
            yield _of_card(move, move.card)
        case _ if actor(now) is None:
            return  # who names trumps is known only afterwards
        case CardPlayed():
            yield _of_card(move, move.card)
        case PartnerCalled(card=None):
            yield ActChoice(move, NONE, None, frozenset((NONE, "-", "–")), frozenset((NONE,)))
        case PartnerCalled(card=str(card)):
            yield _of_card(move, card)
        case TrumpNamed():
            yield ActChoice(move, move.suit.lower(), None, *suit_spellings(move.suit))
        case CardsExchanged():
            yield ActChoice(move, str(move.count), None, frozenset((str(move.count),)))


def actor(now: Situation) -> int | None:
    """Return the seat that acts: the one that is due, else the leader once nobody has to speak."""
    if now.turn is not None or now.machine is None:
        return now.turn
    view = now.machine.view()
    if view.declarer is not None and not view.tricks and not now.may(CardPlayed):
        return view.declarer
    if view.dealer is None or not now.may(CardPlayed):
        return None
    return least_wrong(now.machine, [CardPlayed(seat=seat, card=UNKNOWN) for seat in range(len(now.players))])


def _of_card(event: Event, card: str) -> ActChoice:
    return ActChoice(event, card.lower(), card, *card_spellings(card))
