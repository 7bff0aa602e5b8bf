"""The single typos that a deal may contain, each with the deal as it would have been meant.

A card for another, two cards or lines exchanged, a line typed twice or left out, another trump, dealer or name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import combinations
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from msgspec import structs

from ledger.cards import SUITS, UNKNOWN, parse_card, parse_suit
from ledger.errors import MalformedError
from ledger.recording.hand.deal import TypedDeal
from ledger.recording.hand.trial import DealContext, DealCourse, course_of, with_lines
from ledger.recording.vocabulary import cards_apart, without_separators

_WORD: Final = re.compile(r"[^\s:>+&]+")
_PLAY: Final = "play"

TypoKind: TypeAlias = Literal[
    "card",
    "swapped",
    "swapped_lines",
    "order",
    "repeated",
    "surplus",
    "extra",
    "missing",
    "missing_at_end",
    "trump",
    "turned",
    "dealer",
    "name",
    "no_name",
]


class TypoCandidate(NamedTuple):
    """One possible typo: the line of the file, the typed text, the meant text, and the deal with it.

    `other`: the other line that it involves, if any.
    """

    kind: TypoKind
    line: int
    typed: TypedDeal
    was: str
    meant: str
    other: int | None = None

    @property
    def values(self) -> Mapping[str, Any]:
        """The values of the sentence about it."""
        return {"was": self.was, "meant": self.meant, "other": self.other}


class PlacedCard(NamedTuple):
    """A card and its place: the line of the play (from 0), and the start and end in its text."""

    row: int
    start: int
    end: int
    card: str


def placed_cards(lines: Sequence[tuple[int, str]]) -> list[PlacedCard]:
    """Return the known cards of these lines, in order."""
    cards = []
    for row, (_, text) in enumerate(lines):
        bare = without_separators(text)
        for start, end in words_in(text):
            if not bare[end:].lstrip().startswith(":"):
                with suppress(MalformedError):
                    cards.append(PlacedCard(row, start, end, parse_card(text[start:end])))
    return cards


def words_in(text: str, begin: int = 0, end: int | None = None) -> list[tuple[int, int]]:
    """Return the start and end of each word of a line, names and cards alike."""
    bare = without_separators(text)
    return [word.span() for word in _WORD.finditer(bare, begin, len(bare) if end is None else end)]


class TypoCandidates:
    """The possible typos of a deal up to the end of `course`, the deal as it was typed; likely ones first."""

    def __init__(self, setting: DealContext, typed: TypedDeal, course: DealCourse) -> None:
        self.setting = setting
        self.typed = typed
        self.lines = typed.lines[_PLAY]
        self.cards = placed_cards(self.lines)
        self.first_line = min((fault.line for fault in course.faults if fault.line is not None), default=course.line)
        self.by_row: Mapping[int, list[PlacedCard]] = {
            row: [placed for placed in self.cards if placed.row == row] for row in range(len(self.lines))
        }

    def of_lines_alone(self) -> Iterator[Iterator[TypoCandidate]]:
        """Yield repeated and missing lines."""
        yield self._repeated()
        yield self._left_out()

    def of_names_alone(self) -> Iterator[Iterator[TypoCandidate]]:
        """Yield other names, and names left out."""
        yield self._other_names()

    def names_leader(self) -> bool:
        """Return whether the first line at fault names the leader of its trick, and nobody else."""
        for number, text in self.lines:
            if number == self.first_line:
                names = list(self._names_in(text))
                return len(names) == 1 and not text[: names[0][0]].strip()
        return False

    def by_effort(self) -> Iterator[Iterator[TypoCandidate]]:
        """Yield all typos, those of the same kind together."""
        yield from self.of_lines_alone()
        yield from self.of_names_alone()
        yield self._one_word()
        yield self._places()
        yield self._surplus()
        yield self._any_card()

    def _rows(self) -> Iterator[int]:
        """Yield the lines of the play that can have the typo, the last first; later lines cannot."""
        for row in reversed(range(len(self.lines))):
            if self.lines[row][0] <= self.first_line:
                yield row

    def _with_play(self, changed: Mapping[int, str | None]) -> TypedDeal:
        """Return the deal with other texts for lines of the play; None removes a line."""
        lines = []
        for row, (number, text) in enumerate(self.lines):
            instead = changed.get(row, text)
            if instead is not None:
                lines.append((number, instead))
        return with_lines(self.typed, _PLAY, lines)

    # Lines too many

    def _repeated(self) -> Iterator[TypoCandidate]:
        for row in range(len(self.lines)):
            cards = sorted(placed.card for placed in self.by_row[row])
            for earlier in range(row):
                if cards and cards == sorted(placed.card for placed in self.by_row[earlier]):
                    number, text = self.lines[row]
                    dropped = self._with_play({row: None})
                    yield TypoCandidate("repeated", number, dropped, text.strip(), "", self.lines[earlier][0])

    # One word for another

    def _one_word(self) -> Iterator[TypoCandidate]:
        yield from self._extra_cards()
        yield from self._other_cards(self._suspects())
        yield from self._swapped_in_line()
        yield from self._other_trump()
        yield from self._other_dealer()

    def _extra_cards(self) -> Iterator[TypoCandidate]:
        """Yield each card too many in the first line at fault, those after a name first."""
        seats = len(self.setting.names.players)
        for row, (number, text) in enumerate(self.lines):
            if number != self.first_line or len(self.by_row[row]) <= seats:
                continue
            starts = {placed: placed.start for placed in self.by_row[row]}
            for start, end, _ in self._names_in(text):
                named = next((placed for placed in self.by_row[row] if placed.start > end), None)
                if named is not None:
                    starts[named] = start
            for placed in sorted(starts, key=lambda placed: starts[placed] == placed.start):
                dropped = text[: starts[placed]] + text[placed.end :]
                yield TypoCandidate("extra", number, self._with_play({row: dropped}), placed.card, "")

    def _suspects(self) -> list[PlacedCard]:
        """Return the cards that are typed twice and all of the first line at fault; later ones first."""
        times = Counter(placed.card for placed in self.cards)
        return [
            placed
            for placed in reversed(self.cards)
            if times[placed.card] > 1 or self.lines[placed.row][0] == self.first_line
        ]

    def _unplayed(self) -> list[str]:
        game, options = self.setting.game, self.setting.options
        pack = game.pack if game.pack_of is None else game.pack_of(options)
        return sorted(pack - {placed.card for placed in self.cards})

    def _other_cards(self, places: Sequence[PlacedCard]) -> Iterator[TypoCandidate]:
        unplayed = self._unplayed()
        for placed in places:
            number = self.lines[placed.row][0]
            for card in sorted(unplayed, key=lambda card: (card[0] != placed.card[0]) + (card[1] != placed.card[1])):
                changed = self._with_play({placed.row: self._with_words(placed.row, {placed: card})})
                yield TypoCandidate("card", number, changed, placed.card, card, self._other_line(placed))

    def _other_line(self, placed: PlacedCard) -> int | None:
        """Return another line that has the same card."""
        others = [self.lines[one.row][0] for one in self.cards if one.card == placed.card and one != placed]
        return others[0] if others else None

    def _with_words(self, row: int, words: Mapping[PlacedCard, str]) -> str:
        text = self.lines[row][1]
        for placed in sorted(words, reverse=True):
            text = text[: placed.start] + words[placed] + text[placed.end :]
        return text

    def _swapped_in_line(self) -> Iterator[TypoCandidate]:
        for row in self._rows():
            for one, other in combinations(self.by_row[row], 2):
                if one.card != other.card:
                    text = self._with_words(row, {one: other.card, other: one.card})
                    yield TypoCandidate(
                        "swapped", self.lines[row][0], self._with_play({row: text}), one.card, other.card
                    )

    def _other_trump(self) -> Iterator[TypoCandidate]:
        for number, text in self.typed.lines["trump"]:
            *_, (start, end) = words_in(text)
            with suppress(MalformedError):
                was = parse_suit(text[start:end])
                for suit in SUITS:
                    if suit != was:
                        instead = text[:start] + suit + text[end:]
                        yield TypoCandidate(
                            "trump", number, with_lines(self.typed, "trump", [(number, instead)]), was, suit
                        )
        yield from self._other_turned()

    def _other_turned(self) -> Iterator[TypoCandidate]:
        turned_up = cards_apart(self.typed.turned or "")
        if not turned_up:
            return
        number = self.setting.page.line_of("deal", self.setting.place, "turned")
        *before, last = turned_up
        with suppress(MalformedError):
            was = parse_card(last)
            for suit in SUITS:
                card = suit + was[1]
                if card != was:
                    turned = structs.replace(self.typed, turned=" ".join((*before, card)))
                    yield TypoCandidate("turned", number, turned, was, card)

    def _other_dealer(self) -> Iterator[TypoCandidate]:
        page, place, players = self.setting.page, self.setting.place, self.setting.names.players
        number = page.line_of("deal", place, "dealer")
        due = self.setting.dealer_due
        for seat, name in enumerate(players):
            if seat != self.typed.dealer and due in (None, seat):
                dealt = structs.replace(self.typed, dealer=seat)
                yield TypoCandidate("dealer", number, dealt, players[self.typed.dealer], name)

    def _other_names(self) -> Iterator[TypoCandidate]:
        players = self.setting.names.players
        for key in (_PLAY, "calls", "exchange"):
            lines = self.typed.lines[key]
            for row, (number, text) in enumerate(lines):
                if number > self.first_line:
                    break
                for start, end, seat in self._names_in(text):
                    before, after = lines[:row], lines[row + 1 :]
                    for other, name in enumerate(players):
                        if other != seat:
                            instead = (number, text[:start] + name + text[end:])
                            typed = with_lines(self.typed, key, (*before, instead, *after))
                            yield TypoCandidate("name", number, typed, players[seat], name)
                    unnamed = (number, text[:start] + text[_after_colon(text, end) :])
                    typed = with_lines(self.typed, key, (*before, unnamed, *after))
                    yield TypoCandidate("no_name", number, typed, players[seat], "")

    def _names_in(self, text: str) -> Iterator[tuple[int, int, int]]:
        """Yield the names before a colon: start, end and seat."""
        begin = 0
        for colon in re.finditer(":", without_separators(text)):
            words = words_in(text, begin, colon.start())
            with suppress(MalformedError):
                named = self.setting.names.speaker([text[start:end] for start, end in words])
                if named is not None and len(named[0].seats) == 1:
                    yield words[-named[1]][0], words[-1][1], named[0].seats[0]
            begin = colon.end()

    # Words and lines in another's place

    def _places(self) -> Iterator[TypoCandidate]:
        for row in self._rows():
            yield from self._turned_about(row)
            if row + 1 < len(self.lines):
                yield from self._swapped_with(row, row + 1)

    def _turned_about(self, row: int) -> Iterator[TypoCandidate]:
        """Yield the cards of a trick in the order played, if they were typed beginning with another player."""
        placed = self.by_row[row]
        cards = [one.card for one in placed]
        for shift in range(1, len(cards)):
            order = cards[shift:] + cards[:shift]
            text = self._with_words(row, dict(zip(placed, order, strict=True)))
            was, meant = " ".join(cards), " ".join(order)
            yield TypoCandidate("order", self.lines[row][0], self._with_play({row: text}), was, meant)

    def _swapped_with(self, row: int, later: int) -> Iterator[TypoCandidate]:
        (number, text), (other, other_text) = self.lines[row], self.lines[later]
        swapped = self._with_play({row: other_text, later: text})
        yield TypoCandidate("swapped_lines", number, swapped, text.strip(), other_text.strip(), other)
        for one in self.by_row[row]:
            for card in self.by_row[later]:
                if one.card != card.card:
                    texts = {
                        row: self._with_words(row, {one: card.card}),
                        later: self._with_words(later, {card: one.card}),
                    }
                    yield TypoCandidate("swapped", number, self._with_play(texts), one.card, card.card, other)

    # Lines too few, and others too many

    def _left_out(self) -> Iterator[TypoCandidate]:
        for row in (len(self.lines), *self._rows()):
            trick = self._trick_missing_before(row)
            if trick:
                is_at_end = row == len(self.lines)
                number = self.lines[row - is_at_end][0]
                lines = (*self.lines[:row], (number, trick), *self.lines[row:])
                kind: TypoKind = "missing_at_end" if is_at_end else "missing"
                yield TypoCandidate(kind, number, with_lines(self.typed, _PLAY, lines), "", trick)

    def _surplus(self) -> Iterator[TypoCandidate]:
        longest = max(map(len, self.by_row.values()), default=0)
        for row in self._rows():
            if len(self.by_row[row]) < longest:
                continue
            number, text = self.lines[row]
            yield TypoCandidate("surplus", number, self._with_play({row: None}), text.strip(), "")

    def _trick_missing_before(self, row: int) -> str | None:
        """Return the only trick that fits there: the one card of each hand that is never played; None if hands are
        unknown.
        """
        if not self.lines:
            return None
        so_far = structs.replace(self.setting, is_left=False)
        course = course_of(so_far, with_lines(self.typed, _PLAY, self.lines[:row]))
        if course is None or course.unread is not None:
            return None
        view = course.machine.view()
        played_later = {placed.card for placed in self.cards if placed.row >= row}
        if view.turn is None:
            return None
        trick = []
        for step in range(len(view.hands)):
            hand = view.hands[(view.turn + step) % len(view.hands)]
            left = [card for card in hand if card not in played_later]
            if UNKNOWN in hand or len(left) > 1 or (hand and not left):
                return None
            trick += left
        return " ".join(trick)

    def _any_card(self) -> Iterator[TypoCandidate]:
        suspects = set(self._suspects())
        rows = set(self._rows())
        yield from self._other_cards([one for one in reversed(self.cards) if one.row in rows and one not in suspects])


def _after_colon(text: str, position: int) -> int:
    return without_separators(text).index(":", position) + 1
