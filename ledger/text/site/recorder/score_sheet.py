"""Ask for a result or for the table's own score sheet in a form, and compare the sheet with the score by the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final
from unicodedata import normalize

from msgspec import Struct

from ledger.cards import SYMBOLS
from ledger.games.kernel.protocol import Game
from ledger.games.kernel.result_form import NO, NONE, YES, FormQuestion, ResultForm
from ledger.i18n import sentence
from ledger.limits import AMOUNT_MAX
from ledger.table.fold import DealRecord
from ledger.text.catalogue import Wording, written_wording_for
from ledger.text.site.catalogue import say
from ledger.text.site.recorder.deal_state import PlayerScore


class AnswerOption(Struct, frozen=True, kw_only=True):
    """A possible answer of a question."""

    value: str
    said: str
    is_chosen: bool


class QuestionView(Struct, frozen=True, kw_only=True):
    """A question as the form shows it.

    `choices`: empty if a number from `least` to `most` is typed. `fault`: the error in its answer, empty if there is
    none.
    """

    name: str
    said: str
    choices: tuple[AnswerOption, ...]
    least: int
    most: int
    answer: str
    fault: str


class ScoredDeal(Struct, frozen=True, kw_only=True):
    """The score of a deal. `pool`: None if there is none."""

    result: str
    shares: tuple[PlayerScore, ...]
    pool: int | None


class ResultFormView(Struct, frozen=True, kw_only=True):
    """The form for a result.

    `rare`: folded questions, whose usual answer is nearly always right. `follows`: facts that follow from the answers.
    `is_missing`: answers are still missing.
    """

    questions: tuple[QuestionView, ...]
    rare: tuple[QuestionView, ...]
    follows: tuple[str, ...]
    is_missing: bool


_TRUTHS: Final = {YES: "result.yes", NO: "result.no"}


def result_form_view(
    form: ResultForm, game: Game, players: Sequence[str], lang: str, faults: Mapping[str, str]
) -> ResultFormView:
    """Return the form for a result with its answers so far. `faults`: error messages by question."""
    wording = written_wording_for(game, lang)
    questions = [(one.is_rare, _form_question(one, game, players, wording, faults)) for one in form.questions]
    return ResultFormView(
        questions=tuple(one for is_rare, one in questions if not is_rare),
        rare=tuple(one for is_rare, one in questions if is_rare),
        follows=tuple(sentence(game.package, one, players, lang) for one in form.follows),
        is_missing=form.outcome is None,
    )


def unanswered(form: ResultForm, lang: str) -> dict[str, str]:
    """Return a message for each question that is still open, by question."""
    return {
        one.name: say(lang, "result.choose" if one.choices else "result.number")
        for one in form.questions
        if not one.is_answered
    }


def _form_question(
    question: FormQuestion, game: Game, players: Sequence[str], wording: Wording, faults: Mapping[str, str]
) -> QuestionView:
    words = question.words
    return QuestionView(
        name=question.name,
        said=question.name if words is None else sentence(game.package, words, players, wording.lang),
        choices=tuple(
            AnswerOption(
                value=one, said=_answer_text(one, question, game, players, wording), is_chosen=one == question.answer
            )
            for one in question.choices
        ),
        least=question.least,
        most=question.most,
        answer=question.answer or "",
        fault=faults.get(question.name, ""),
    )


def _answer_text(value: str, question: FormQuestion, game: Game, players: Sequence[str], wording: Wording) -> str:
    if value == NONE and question.none_words is not None:
        words = question.none_words
        return (
            sentence(game.package, words, players, wording.lang) if words.key else say(wording.lang, "result.left_out")
        )
    match question.kind:
        case "seat":
            return players[int(value)]
        case "suit":
            return SYMBOLS[value]
        case "truth":
            return say(wording.lang, _TRUTHS[value])
        case "word":
            return wording.spoken(value)
    return value


def scored_deal(record: DealRecord, game: Game, totals: Sequence[int], players: Sequence[str], lang: str) -> ScoredDeal:
    """Return the score of a settled deal. `totals`: the points by seat after the deal."""
    settlement = record.settlement
    assert settlement is not None
    result = game.summarise(record.outcome).result if record.outcome is not None else None
    named = written_wording_for(game, lang).word(result if record.status == "complete" and result else record.status)
    return ScoredDeal(
        result=named,
        shares=tuple(map(PlayerScore, players, settlement.deltas, totals)),
        pool=settlement.pool_after if settlement.pool_before or settlement.pool_after else None,
    )


POOL: Final = "pool"
_SIGNS: Final = str.maketrans({"\N{MINUS SIGN}": "-", "\N{EN DASH}": "-", "ー": "-", "-": "-"})


class SheetAmounts(Struct, frozen=True, kw_only=True):
    """The amounts typed from a paper sheet, by seat; None where none was typed.

    `wrong`: the fields whose text is no number.
    """

    deltas: tuple[int | None, ...]
    pool: int | None
    wrong: frozenset[str]

    @property
    def left_out(self) -> frozenset[str]:
        """The fields of players without a number."""
        return frozenset(_field(seat) for seat, amount in enumerate(self.deltas) if amount is None)

    @property
    def is_whole(self) -> bool:
        return not self.wrong and None not in self.deltas

    @property
    def is_empty(self) -> bool:
        return not self.wrong and self.pool is None and set(self.deltas) <= {None}


class SheetRow(Struct, frozen=True, kw_only=True):
    """A row of the comparison: a player, or the pool.

    `differs`: the difference in words, None if there is none. `is_wrong`: the typed text is no number.
    """

    name: str
    field: str
    rules: int
    typed: str
    differs: str | None
    is_wrong: bool


def parse_amounts(form: Mapping[str, str], seats: int) -> SheetAmounts:
    """Return the amounts typed into the form, in any usual notation (`+4`, `−4`, `4`)."""
    wrong = set()

    def number(field: str) -> int | None:
        text = normalize("NFKC", form.get(field, "")).translate(_SIGNS).replace(" ", "")
        if not text:
            return None
        digits = text.removeprefix("+").removeprefix("-")
        if not (digits.isascii() and digits.isdecimal()) or len(digits) > len(str(AMOUNT_MAX)):
            wrong.add(field)
            return None
        if abs(int(text)) > AMOUNT_MAX:
            wrong.add(field)
            return None
        return int(text)

    deltas = tuple(number(_field(seat)) for seat in range(seats))
    return SheetAmounts(deltas=deltas, pool=number(POOL), wrong=frozenset(wrong))


def _field(seat: int) -> str:
    return f"s{seat}"


def rows(
    record: DealRecord, players: Sequence[str], form: Mapping[str, str], typed: SheetAmounts, pool_name: str, lang: str
) -> tuple[SheetRow, ...]:
    """Return a row for each player, and one for the pool if it is in use."""
    settlement = record.settlement
    assert settlement is not None
    sheet_rows = [
        _sheet_row(name, _field(seat), settlement.deltas[seat], typed.deltas[seat], form, typed, lang)
        for seat, name in enumerate(players)
    ]
    if settlement.pool_before or settlement.pool_after:
        sheet_rows.append(_sheet_row(pool_name, POOL, settlement.pool_after, typed.pool, form, typed, lang))
    return tuple(sheet_rows)


def _sheet_row(
    name: str, field: str, rules: int, claimed: int | None, form: Mapping[str, str], typed: SheetAmounts, lang: str
) -> SheetRow:
    differs = None
    if claimed is not None and claimed != rules:
        differs = say(lang, "sheet.more" if claimed > rules else "sheet.less", amount=abs(claimed - rules))
    return SheetRow(
        name=name,
        field=field,
        rules=rules,
        typed=form.get(field, ""),
        differs=differs,
        is_wrong=field in typed.wrong,
    )


def guess(deltas: Sequence[int], typed: SheetAmounts, lang: str) -> str | None:
    """Return what the typed amounts suggest about the mistake in them, None if they suggest nothing."""
    if not typed.is_whole or list(typed.deltas) == list(deltas) or not any(deltas):
        return None
    claimed = [one for one in typed.deltas if one is not None]
    if claimed == [-one for one in deltas]:
        return say(lang, "sheet.other_way_round")
    if sorted(claimed) == sorted(deltas):
        return say(lang, "sheet.other_places")
    for factor in (2, 3, 4, 8, 16):
        if claimed == [one * factor for one in deltas]:
            return say(lang, "sheet.times", factor=factor)
        if [one * factor for one in claimed] == list(deltas):
            return say(lang, "sheet.part", factor=factor)
    return None
