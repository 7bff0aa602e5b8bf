"""The questions that a form asks for the result of a deal, and the outcome that the answers make.

A game writes a function that asks a `ResultFormBuilder` one question after another, depending on earlier answers. It
does not ask what follows from other answers.
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
"""The kind of answer: `number` is chosen from a few, `amount` is a number that is typed."""


class FormQuestion(Struct, frozen=True, kw_only=True):
    """A question of the form. `name`: the field of the outcome that it answers, `tricks.1` for one of several.

    `words`: the text of the question. `choices`: the possible answers as a form sends them; an `amount` has bounds
    instead. `none_words`: the label of the choice `none`. `answer`: the answer so far, or None. `is_rare`: the default
    is nearly always right.
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
        """Whether there is an answer; for an amount, whether it is a number within the bounds."""
        if self.answer is None or self.kind != "amount":
            return self.answer is not None
        is_number = self.answer.isascii() and self.answer.isdecimal() and len(self.answer) < 10
        return is_number and self.least <= int(self.answer) <= self.most


class ResultForm(Struct, frozen=True, kw_only=True):
    """The questions in their order. `outcome`: the outcome of `result_recorded`; None while answers are missing.

    `follows`: sentences about what follows from the answers.
    """

    questions: tuple[FormQuestion, ...]
    outcome: Mapping[str, Any] | None
    follows: tuple[Words, ...] = ()


class QuestionOptions(TypedDict, total=False):
    """Optional parts of a question, as in `FormQuestion`; `default`: the answer if none is given."""

    none_words: Words | None
    default: str | None
    is_rare: bool


class ResultFormBuilder:
    """A builder of result forms. Each method adds a question and returns its answer, or UNSET if there is none yet."""

    def __init__(self, answers: Mapping[str, str]) -> None:
        self._answers = answers
        self._questions: list[FormQuestion] = []
        self._follows: list[Words] = []
        self.is_open = False

    def seat(
        self, name: str, words: Words | None, seats: Sequence[int], **how: Unpack[QuestionOptions]
    ) -> int | UnsetType | None:
        """Ask for one of the seats; return None for the answer that it is nobody."""
        return self._counted("seat", name, words, seats, **how)

    def suit(self, name: str, words: Words | None, *, none_words: Words | None = None) -> str | UnsetType | None:
        """Ask for a suit; return None for the choice `none`."""
        return self._worded("suit", name, words, SUITS, none_words=none_words)

    def word(
        self, name: str, words: Words | None, known: Sequence[str], **how: Unpack[QuestionOptions]
    ) -> str | UnsetType | None:
        """Ask for one of the game's words; return None for the choice `none`."""
        return self._worded("word", name, words, known, **how)

    def number(
        self, name: str, words: Words | None, known: Sequence[int], **how: Unpack[QuestionOptions]
    ) -> int | UnsetType | None:
        """Ask for one of a few numbers; return None for the choice `none`."""
        return self._counted("number", name, words, known, **how)

    def amount(
        self, name: str, words: Words | None, least: int, most: int, *, default: str | None = None
    ) -> int | UnsetType:
        """Ask for a number to be typed; one outside the bounds is no answer."""
        answer = self._answers.get(name, default)
        question = FormQuestion(name=name, words=words, kind="amount", least=least, most=most, answer=answer)
        self._questions.append(question)
        if answer is not None and question.is_answered:
            return int(answer)
        self.is_open = True
        return UNSET

    def truth(self, name: str, words: Words | None, *, is_rare: bool = False) -> bool:
        """Ask a yes-or-no question; no answer means no."""
        return self._chosen("truth", name, words, (NO, YES), default=NO, is_rare=is_rare) == YES

    def tricks(self, seats: Sequence[int], total: int, *, is_all: bool) -> dict[int, int | UnsetType | None]:
        """Ask how many of `total` tricks each seat won; if the seats won all, the last one's number follows.

        The game's catalogue has `result.tricks` and `result.rest`.
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
        """Add a sentence about what follows from the answers."""
        self._follows.append(words)

    def build(self, outcome: Mapping[str, Any]) -> ResultForm:
        """Return the form with the outcome that the answers make, without the fields that had no question (UNSET)."""
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
    """Return the answers from which a form makes this outcome."""
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
