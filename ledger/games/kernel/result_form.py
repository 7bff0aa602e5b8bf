"""What a form asks for the result of a deal, and what its answers come to.

A game tells it as a function that asks one question after the other of an `Asking`, each with regard to what was
answered before. What follows from the other answers it does not ask.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias, TypedDict, Unpack

from msgspec import UNSET, Struct, UnsetType

from ledger.cards import SUITS
from ledger.i18n import Words

NONE: Final = "none"
YES: Final = "yes"
NO: Final = "no"

Kind: TypeAlias = Literal["seat", "suit", "word", "number", "amount", "truth"]
"""What is chosen, `number` from a few; `amount`: a number that is typed."""


class FormQuestion(Struct, frozen=True, kw_only=True):
    """`name`: of the field of the outcome that it answers, `tricks.1` for one of several. `words`: what is asked.

    `choices`: what may be answered, as a form sends it; of an `amount` there are none, but bounds. `not_told`: what the
    choice `none` is called. `answer`: as it stands, None where it is still to come. `is_rare`: seldom another than it
    is without asking.
    """

    name: str
    words: Words | None
    kind: Kind
    choices: tuple[str, ...] = ()
    least: int = 0
    most: int = 0
    none_words: Words | None = None
    answer: str | None = None
    is_rare: bool = False

    @property
    def is_answered(self) -> bool:
        """Not by a number outside the bounds, nor by what is none."""
        if self.answer is None or self.kind != "amount":
            return self.answer is not None
        is_number = self.answer.isascii() and self.answer.isdecimal() and len(self.answer) < 10
        return is_number and self.least <= int(self.answer) <= self.most


class ResultForm(Struct, frozen=True, kw_only=True):
    """The questions in their order. `outcome`: what `result_recorded` tells, None while answers are missing.

    `follows`: what nobody needs to be asked, said.
    """

    questions: tuple[FormQuestion, ...]
    outcome: Mapping[str, Any] | None
    follows: tuple[Words, ...] = ()


class QuestionOptions(TypedDict, total=False):
    """What a question may have besides, as in `Question`; `default`: the answer where none is given."""

    none_words: Words | None
    default: str | None
    is_rare: bool


class ResultFormBuilder:
    """Asks, one question after the other, of the answers that a form holds; what it does not hold stays open."""

    def __init__(self, answers: Mapping[str, str]) -> None:
        self._answers = answers
        self._questions: list[FormQuestion] = []
        self._follows: list[Words] = []
        self.is_open = False

    def seat(
        self, name: str, words: Words | None, seats: Sequence[int], **how: Unpack[QuestionOptions]
    ) -> int | UnsetType | None:
        """One of the seats; None where the answer is that nobody is."""
        return self._counted("seat", name, words, seats, **how)

    def suit(self, name: str, words: Words | None, *, none_words: Words | None = None) -> str | UnsetType | None:
        return self._worded("suit", name, words, SUITS, none_words=none_words)

    def word(
        self, name: str, words: Words | None, known: Sequence[str], **how: Unpack[QuestionOptions]
    ) -> str | UnsetType | None:
        """One of the words of the game."""
        return self._worded("word", name, words, known, **how)

    def number(
        self, name: str, words: Words | None, known: Sequence[int], **how: Unpack[QuestionOptions]
    ) -> int | UnsetType | None:
        """One of a few numbers."""
        return self._counted("number", name, words, known, **how)

    def amount(
        self, name: str, words: Words | None, least: int, most: int, *, default: str | None = None
    ) -> int | UnsetType:
        """A number that is typed; one outside the bounds stays open."""
        answer = self._answers.get(name, default)
        question = FormQuestion(name=name, words=words, kind="amount", least=least, most=most, answer=answer)
        self._questions.append(question)
        if answer is not None and question.is_answered:
            return int(answer)
        self.is_open = True
        return UNSET

    def truth(self, name: str, words: Words | None, *, is_rare: bool = False) -> bool:
        """Yes or no; no, where nothing is answered."""
        return self._chosen("truth", name, words, (NO, YES), default=NO, is_rare=is_rare) == YES

    def tricks(self, seats: Sequence[int], total: int, *, is_all: bool) -> dict[int, int | UnsetType | None]:
        """How many of so many tricks each seat won; the number of the last one follows where they won all of them.

        The game says `result.tricks` and `result.rest`.
        """
        tricks: dict[int, int | UnsetType | None] = {}
        left = total
        for seat in seats[:-1] if is_all else seats:
            words = Words("result.tricks", {"seat": seat, "left": left})
            won = tricks[seat] = self.number(f"tricks.{seat}", words, range(left + 1))
            left -= won if isinstance(won, int) else 0
        if is_all:
            tricks[seats[-1]] = left
            self.follows(Words("result.rest", {"seat": seats[-1], "tricks": left}))
        return tricks

    def follows(self, words: Words) -> None:
        """Says what nobody needs to be asked."""
        self._follows.append(words)

    def build(self, outcome: Mapping[str, Any]) -> ResultForm:
        """What was asked, and the outcome that all answers make; what is UNSET in it was not asked."""
        facts = {name: value for name, value in outcome.items() if value is not UNSET}
        return ResultForm(
            questions=tuple(self._questions),
            outcome=None if self.is_open else facts,
            follows=() if self.is_open else tuple(self._follows),
        )

    def _counted(
        self, kind: Kind, name: str, words: Words | None, known: Sequence[int], **how: Unpack[QuestionOptions]
    ) -> int | UnsetType | None:
        answer = self._worded(kind, name, words, [*map(str, known)], **how)
        return int(answer) if isinstance(answer, str) else answer

    def _worded(
        self, kind: Kind, name: str, words: Words | None, known: Sequence[str], **how: Unpack[QuestionOptions]
    ) -> str | UnsetType | None:
        answer = self._chosen(kind, name, words, tuple(known), **how)
        return None if answer == NONE else answer

    def _chosen(
        self,
        kind: Kind,
        name: str,
        words: Words | None,
        choices: tuple[str, ...],
        *,
        none_words: Words | None = None,
        default: str | None = None,
        is_rare: bool = False,
    ) -> str | UnsetType:
        known = choices if none_words is None else (*choices, NONE)
        answer = self._answers.get(name)
        if answer not in known:
            answer = default
        question = FormQuestion(
            name=name, words=words, kind=kind, choices=known, none_words=none_words, answer=answer, is_rare=is_rare
        )
        self._questions.append(question)
        if answer is None:
            self.is_open = True
            return UNSET
        return answer


def answers_of(outcome: Mapping[str, Any]) -> dict[str, str]:
    """The answers from which a form makes this outcome."""
    answers: dict[str, str] = {}
    for name, value in outcome.items():
        if isinstance(value, list | tuple):
            answers |= {f"{name}.{place}": _answer(one) for place, one in enumerate(value)}
        else:
            answers[name] = _answer(value)
    return answers


def _answer(value: Any) -> str:
    if isinstance(value, bool):
        return YES if value else NO
    return NONE if value is None else str(value)
