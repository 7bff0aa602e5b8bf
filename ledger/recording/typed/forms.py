"""Forms at the terminal: hands, score sheets and results, asked one question after the other.

A wrong answer is asked again, and a form can be left.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, TypeAlias

from msgspec import Struct, structs

from ledger.cards import SYMBOLS, UNKNOWN
from ledger.errors import LedgerError, MalformedError
from ledger.events import Amounts, BidMade, CardsDealt, ResultRecorded, ScoreClaimed
from ledger.games.kernel.result_form import NO, NONE, YES, FormQuestion, ResultForm
from ledger.i18n import Text, Words, with_signs
from ledger.i18n.normalisation import narrow, spelt
from ledger.recording.catalogue import either, finished, phrase
from ledger.recording.forms import result_form
from ledger.recording.grammar import Names, named_cards
from ledger.recording.typed.choices import ActChoice, matching
from ledger.recording.typed.situation import Situation
from ledger.recording.vocabulary import cards_in_text, game_words, means, spellings, suit_spellings
from ledger.table.fold import TableFold


class Prompt(Struct, frozen=True):
    """A question. `default`: the meaning of Enter alone. `choices`: the completions that a terminal offers."""

    said: Text
    default: str = ""
    choices: tuple[str, ...] = ()


Ask: TypeAlias = Callable[[Prompt], str]
"""Callback that returns the answer to a prompt. It raises `EOFError` at the end of the input, `KeyboardInterrupt` if
the form is left.
"""

Step: TypeAlias = Callable[[], bool | None]
"""One question: True if it was answered, False to go back to the one before, None if nothing was to be asked."""


class PromptForm:
    """Questions in order. A wrong answer is refused and asked again; `<` goes back to the question before.

    `q` leaves the form: it raises `KeyboardInterrupt`, as Ctrl-C does, and nothing is recorded. `can_insist`: `!`
    accepts an answer against the rules. `insists`: it did so for the last answer; `as_played`: for any answer.
    """

    def __init__(self, ask: Ask, refuse: Callable[[LedgerError], None], *, can_insist: bool = False) -> None:
        self._ask = ask
        self.refuse = refuse
        self.insists = self.as_played = False
        self._can_insist = can_insist

    def answer(self, question: Prompt, read: Callable[[str], None], typed: str | None = None) -> bool:
        """Ask until `read` accepts the answer. Return False to go back to the question before.

        `typed`: the first answer, if it was typed together with the command.
        """
        refused = ""
        while True:
            text, typed = self._ask(question) if typed is None else typed, None
            if means("leave", text):
                raise KeyboardInterrupt
            if means("back", text):
                return False
            self.insists = self._can_insist and narrow(text.strip())[:1] == "!"
            if self.insists:
                text = text.strip()[1:].strip() or refused
            try:
                read(text)
            except LedgerError as error:
                refused = text
                self.refuse(error)
            else:
                self.as_played |= self.insists
                return True

    def fill(self, steps: Sequence[Step]) -> None:
        """Ask the questions, back and forth."""
        place, direction = 0, 1
        while place < len(steps):
            answered = steps[place]()
            if answered is not None:
                direction = 1 if answered else -1
            place += direction
            if place < 0:
                place, direction = 0, 1


class HandsForm:
    """The hands of a deal. `check`: raises `LedgerError` for an impossible deal."""

    def __init__(
        self, now: Situation, form: PromptForm, known: CardsDealt | None, check: Callable[[CardsDealt], None]
    ) -> None:
        self._now, self._form, self._check = now, form, check
        self._hands: list[tuple[str, ...] | None] = [None] * len(now.players) if known is None else list(known.hands)
        self._stock = None if known is None else known.stock

    @property
    def dealt(self) -> CardsDealt:
        """The hands so far."""
        return CardsDealt(hands=tuple(self._hands), stock=self._stock)

    def ask(self) -> None:
        """Ask for each player's hand, and for the stock."""
        self._form.fill([partial(self._ask_hand, seat) for seat in (*range(len(self._hands)), None)])

    def read(self, words: str) -> None:
        """Read `ada: … / ben: … / stock: …`, asking again for wrong hands. Raise `MalformedError` for an unknown
        player.
        """
        names = Names(self._now.players)
        parts: list[tuple[int | None, str]] = []
        for name, held in named_cards(words.replace("：", ":").split("/")):
            parts.append((None if means("stock", name) else names.seat(name), held))
        for seat, held in parts:
            if not self._ask_hand(seat, held):
                raise KeyboardInterrupt  # a line has no question before it

    def _ask_hand(self, seat: int | None, typed: str | None = None) -> bool:
        """Ask for the hand of a seat, or for the stock."""
        said = phrase("recorder.stock") if seat is None else phrase("recorder.hand_of", name=self._now.players[seat])
        return self._form.answer(Prompt(said), partial(self._take, seat), typed)

    def _take(self, seat: int | None, text: str) -> None:
        before = list(self._hands), self._stock
        if text.strip() and seat is None:
            self._stock = cards_in_text(text, self._now.game)
        elif text.strip() and seat is not None:
            self._hands[seat] = () if means("sits_out", text) else cards_in_text(text, self._now.game)
        try:
            if not self._form.insists:
                self._check_cards(seat, text)
                if not self._form.as_played:
                    self._check(self.dealt)
        except LedgerError:
            self._hands, self._stock = before
            raise

    def _check_cards(self, seat: int | None, text: str) -> None:
        """Raise `MalformedError` for a card that is twice in this hand, or also in another one."""
        places: dict[int | None, Sequence[str] | None] = dict(enumerate(self._hands))
        places[None] = self._stock
        own = places.pop(seat) or ()
        others = {card for cards in places.values() for card in cards or ()}
        known = [card for card in own if card != UNKNOWN]
        twice = next((card for place, card in enumerate(known) if card in others or card in known[:place]), None)
        if twice is not None:
            what = phrase("recorder.card_twice", card=with_signs(twice))
            raise MalformedError(what, phrase("recorder.card_once"), text.strip())


def read_sheet(words: str, now: Situation, has_pool: bool, form: PromptForm) -> ScoreClaimed:
    """Return a score sheet: the changes typed with the command, else the answers for changes, pool and totals."""
    if words:
        return ScoreClaimed(deltas=_amounts(words, now))
    names = tuple(now.players)
    amounts: dict[str, Any] = {}
    readers: dict[str, Callable[[str, Situation], Any]] = {"deltas": _amounts, "pool": _pool, "totals": _amounts}
    if not has_pool:
        del readers["pool"]

    def ask(field: str) -> bool:
        def read(text: str) -> None:
            amounts[field] = readers[field](text, now)
            if field == "totals" and not any(value is not None for value in amounts.values()):
                raise MalformedError(phrase("recorder.empty_sheet"), phrase("recorder.some_amounts"))

        return form.answer(Prompt(phrase(f"recorder.{field}", names=names)), read)

    form.fill([partial(ask, field) for field in readers])
    return ScoreClaimed(**amounts)


_AMOUNT: Final = re.compile(r"[+-]?\d{1,15}")


def _amounts(text: str, now: Situation) -> Amounts | None:
    """Read `10 -5 -5` by seat, or `Ada +10, Ben -5 …` by name; a name may have several words."""
    parts = text.replace(",", " ").replace("−", "-").split()
    if not parts:
        return None
    numbers: list[int] = []
    names: list[str] = []
    words: list[str] = []
    for part in parts:
        if _AMOUNT.fullmatch(part) is None:
            words.append(part)
        else:
            numbers.append(int(part))
            names.append(" ".join(words))
            words.clear()
    if len(numbers) != len(now.players) or words:
        raise MalformedError(
            phrase("ruling.not_each_seat"), phrase("ruling.amounts_or_names", seats=len(now.players)), text
        )
    if not any(names):
        return tuple(numbers)
    by_name: Mapping[int, int] = dict(zip(map(Names(now.players).seat, names), numbers, strict=True))
    if len(by_name) != len(numbers):
        raise MalformedError(phrase("name.same_player"), phrase("name.each_once"), text)
    return tuple(by_name[seat] for seat in range(len(now.players)))


def _pool(text: str, _: Situation) -> int | None:
    amount = text.strip().replace("−", "-")
    if not amount:
        return None
    if _AMOUNT.fullmatch(amount) is None:
        raise MalformedError(phrase("ruling.no_amount"), phrase("kind.int"), text.strip())
    return int(amount)


_TRUTHS: Final = (("true", "y", YES), ("false", "n", NO))
"""For each truth: the key of its words, its letter, and its value in a game's form."""

_DIGITS: Final = 9
"""The longest number that counts as one."""


def ask_result(now: Situation, fold: TableFold, dealer: int, form: PromptForm) -> ResultRecorded:
    """Ask for the result of a deal, question by question of its game. Contradicting answers are asked again."""
    answers: dict[str, str] = {}
    before: dict[str, str] = {}
    while True:
        form_now = result_form(fold.game, answers, fold.options, len(now.players), dealer)
        question = next((one for one in form_now.questions if one.name not in answers), None)
        if question is not None:
            answer = _Answer(question, now)
            if form.answer(answer.prompt(before.get(question.name)), answer.read):
                answers[question.name] = answer.value
            elif answers:
                name, value = answers.popitem()
                before[name] = value
            continue
        outcome = without_defaults(form_now.outcome or {}, fold.game.outcome_type)
        try:
            fold.game.check_outcome(outcome, fold.options, len(now.players), dealer)
        except MalformedError as error:
            wrong = _at_fault(form_now, error)
            what = _Answer(wrong[0], now).title if len(wrong) < len(form_now.questions) else error.what
            form.refuse(MalformedError(what, error.expected, " ".join(answers[one.name] for one in wrong)))
            before |= answers
            for one in wrong:
                answers.pop(one.name, None)
            continue
        return ResultRecorded(outcome=outcome)


def without_defaults(outcome: Mapping[str, Any], outcome_type: type[Struct]) -> dict[str, Any]:
    """Return the fields that differ from their defaults."""
    defaults = {field.encode_name: field.default for field in structs.fields(outcome_type)}
    return {name: value for name, value in outcome.items() if value is not defaults[name] and value != defaults[name]}


def _at_fault(form: ResultForm, error: MalformedError) -> Sequence[FormQuestion]:
    """Return the questions about the field at fault; all questions if it belongs to none."""
    field = (error.faulty_field or "").removeprefix("outcome.").partition("[")[0]
    return [one for one in form.questions if one.name.partition(".")[0] == field] or form.questions


class _Answer:
    """The answer to one question of a game about the result of a deal."""

    def __init__(self, question: FormQuestion, now: Situation) -> None:
        self._question = question
        self._now = now
        self._players = list(now.players)
        self.value = ""

    @property
    def title(self) -> Text:
        """The question in the game's words."""
        return self._sentence(self._question.words) if self._question.words is not None else self._question.name

    def prompt(self, before: str | None) -> Prompt:
        """Return the question for the recorder. `before`: an earlier answer, which Enter keeps."""
        default = before or self._question.answer or ""
        shown = phrase("recorder.default", default=self._choice(default)) if default else ""
        words = tuple(game_words(self._now.game, self._question.choices)) if self._question.kind == "word" else ()
        said = phrase("recorder.asked", question=self.title, choices=self._choices(), default=shown)
        return Prompt(said, default, tuple(map(str, words)) or tuple(self._players))

    def read(self, text: str) -> None:
        """Take the answer. Raise `MalformedError` if it is invalid or ambiguous."""
        matches = self._values(text.strip()) if text.strip() else []
        if len(matches) != 1:
            key = (
                "line.several_words" if matches else "recorder.no_answer" if text.strip() else "recorder.answer_missing"
            )
            expected = either([self._choice(one) for one in matches]) if matches else self._choices()
            raise MalformedError(phrase(key), expected, text.strip() or None)
        self.value = matches[0]

    def _values(self, text: str) -> list[str]:
        question, game = self._question, self._now.game
        number = narrow(text)
        if number.isascii() and number.isdecimal() and len(number) <= _DIGITS:
            number = str(int(number))
            is_within = question.least <= int(number) <= question.most
            return [number] if number in question.choices or (question.kind == "amount" and is_within) else []
        if text in question.choices:
            return [text]
        if NONE in question.choices and means("none", text):
            return [NONE]
        match question.kind:
            case "seat":
                matches = [str(Names(self._players).seat(text))]
            case "suit":
                signs = {suit: suit_spellings(suit).begins | {sign} for suit, sign in SYMBOLS.items()}
                matches = [suit for suit, ways in signs.items() if any(way.startswith(spelt(text)) for way in ways)]
            case "truth":
                matches = [value for key, letter, value in _TRUTHS if means(key, text) or spelt(text) == letter]
            case "word":
                words = [
                    ActChoice(BidMade(seat=0, call=one), one, None, *spellings(game, one)) for one in question.choices
                ]
                matches = [choice.word for choice in matching(words, spelt(text))]
            case _:
                matches = []
        return [one for one in matches if one in question.choices]

    def _choices(self) -> Text:
        question = self._question
        if question.kind == "amount":
            return phrase("recorder.from_to", least=question.least, most=question.most)
        numbers = [one for one in question.choices if one.isdecimal()] if question.kind == "number" else []
        if len(numbers) > 2 and len(numbers) == len(question.choices):
            return phrase("recorder.from_to", least=numbers[0], most=numbers[-1])
        return either([self._choice(one) for one in question.choices])

    def _choice(self, value: str) -> Text:
        """Return a choice as it is shown and may be typed."""
        question = self._question
        if value == NONE and question.none_words is not None:
            return (
                phrase("recorder.dash", words=self._sentence(question.none_words)) if question.none_words.key else "-"
            )
        match question.kind:
            case "seat":
                return self._players[int(value)]
            case "suit":
                return SYMBOLS[value]
            case "truth":
                return phrase("recorder.yes" if value == YES else "recorder.no")
            case "word":
                return game_words(self._now.game, [value])[0]
        return value

    def _sentence(self, words: Words) -> Text:
        return finished(self._now.game.package, words, self._players)
