"""The result of a deal of which nothing else is known, question by question, as its game asks it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import Struct, structs

from ledger.cards import SYMBOLS
from ledger.errors import MalformedError
from ledger.events import BidMade, ResultRecorded
from ledger.games.kernel.result_form import NO, NOT_TOLD, YES, ResultForm
from ledger.games.kernel.result_form import Question as GameQuestion
from ledger.i18n import LANGUAGES, Finished, Text, Words, sentence
from ledger.i18n.keyboard import narrow, spelt
from ledger.recording.hand.grammar import Names, means, spoken
from ledger.recording.result_forms import result_form
from ledger.recording.typed.choices import Choice, matching, spellings, suit_spellings
from ledger.recording.typed.forms import Form, Question
from ledger.recording.typed.situation import Situation
from ledger.recording.words import either, phrase
from ledger.table.fold import TableFold

_TRUTHS: Final = (("true", "y", YES), ("false", "n", NO))
"""Under which key the words for it are, its letter, and what a form of a game calls it."""

_DIGITS: Final = 9
"""A number with more digits is no count."""


def ask_result(now: Situation, fold: TableFold, dealer: int, form: Form) -> ResultRecorded:
    """Ask what a deal came to, as its game asks it. What contradicts the other answers is asked again."""
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
    """Return the fields that differ from what they are where a result does not have them."""
    defaults = {field.encode_name: field.default for field in structs.fields(outcome_type)}
    return {name: value for name, value in outcome.items() if value is not defaults[name] and value != defaults[name]}


def _at_fault(form: ResultForm, error: MalformedError) -> Sequence[GameQuestion]:
    """Return the questions about the field that is at fault; all of them where it is none of theirs."""
    field = (error.faulty_field or "").removeprefix("outcome.").partition("[")[0]
    return [one for one in form.questions if one.name.partition(".")[0] == field] or form.questions


class _Answer:
    """The answer to one question of a game about the result of a deal."""

    def __init__(self, question: GameQuestion, now: Situation) -> None:
        self._question = question
        self._now = now
        self._players = list(now.players)
        self.value = ""

    @property
    def title(self) -> Text:
        """Return the question as the game puts it."""
        return self._sentence(self._question.words) if self._question.words is not None else self._question.name

    def prompt(self, before: str | None) -> Question:
        """Return the question for the recorder. `before`: an earlier answer, which Enter keeps."""
        default = before or self._question.answer or ""
        shown = phrase("recorder.default", default=self._choice(default)) if default else ""
        words = tuple(spoken(self._now.game, self._question.choices)) if self._question.kind == "word" else ()
        said = phrase("recorder.asked", question=self.title, choices=self._choices(), default=shown)
        return Question(said, default, tuple(map(str, words)) or tuple(self._players))

    def read(self, text: str) -> None:
        """Take the answer. Raise `MalformedError` for what is none."""
        found = self._values(text.strip()) if text.strip() else []
        if len(found) != 1:
            key = "line.several_words" if found else "recorder.no_answer" if text.strip() else "recorder.answer_missing"
            expected = either([self._choice(one) for one in found]) if found else self._choices()
            raise MalformedError(phrase(key), expected, text.strip() or None)
        self.value = found[0]

    def _values(self, text: str) -> list[str]:
        question, game = self._question, self._now.game
        number = narrow(text)
        if number.isascii() and number.isdecimal() and len(number) <= _DIGITS:
            number = str(int(number))
            is_within = question.least <= int(number) <= question.most
            return [number] if number in question.choices or (question.kind == "amount" and is_within) else []
        if text in question.choices:
            return [text]
        if NOT_TOLD in question.choices and means("none", text):
            return [NOT_TOLD]
        match question.kind:
            case "seat":
                found = [str(Names(self._players).seat(text))]
            case "suit":
                signs = {suit: suit_spellings(suit)[1] | {sign} for suit, sign in SYMBOLS.items()}
                found = [suit for suit, ways in signs.items() if any(way.startswith(spelt(text)) for way in ways)]
            case "truth":
                found = [value for key, letter, value in _TRUTHS if means(key, text) or spelt(text) == letter]
            case "word":
                words = [
                    Choice(BidMade(seat=0, call=one), one, None, *spellings(game, one)) for one in question.choices
                ]
                found = [choice.word for choice in matching(words, spelt(text))]
            case _:
                found = []
        return [one for one in found if one in question.choices]

    def _choices(self) -> Text:
        question = self._question
        if question.kind == "amount":
            return phrase("recorder.from_to", least=question.least, most=question.most)
        numbers = [one for one in question.choices if one.isdecimal()] if question.kind == "number" else []
        if len(numbers) > 2 and len(numbers) == len(question.choices):
            return phrase("recorder.from_to", least=numbers[0], most=numbers[-1])
        return either([self._choice(one) for one in question.choices])

    def _choice(self, value: str) -> Text:
        """Return a choice as it is shown, and may be typed."""
        question = self._question
        if value == NOT_TOLD and question.not_told is not None:
            return phrase("recorder.dash", words=self._sentence(question.not_told)) if question.not_told.key else "-"
        match question.kind:
            case "seat":
                return self._players[int(value)]
            case "suit":
                return SYMBOLS[value]
            case "truth":
                return phrase("recorder.yes" if value == YES else "recorder.no")
            case "word":
                return spoken(self._now.game, [value])[0]
        return value

    def _sentence(self, words: Words) -> Text:
        package = self._now.game.package
        return Finished(package, words.key, {lang: sentence(package, words, self._players, lang) for lang in LANGUAGES})
