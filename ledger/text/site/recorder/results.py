"""A result alone, as a form asks for it: the questions in words, what follows, and the score that it makes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from ledger.cards import SYMBOLS
from ledger.games.kernel.protocol import Game
from ledger.games.kernel.result_form import NO, NOT_TOLD, YES, Question, ResultForm
from ledger.i18n import sentence
from ledger.table.fold import DealRecord
from ledger.text.site.words import say
from ledger.text.words import Wording, label, written_wording_for


class Choice(Struct, frozen=True, kw_only=True):
    value: str
    said: str
    is_chosen: bool


class Asked(Struct, frozen=True, kw_only=True):
    """A question as it is put. `choices`: none where a number is typed, from `least` to `most`. `fault`: what is wrong
    with its answer; empty: nothing is.
    """

    name: str
    said: str
    choices: tuple[Choice, ...]
    least: int
    most: int
    answer: str
    fault: str


class Share(Struct, frozen=True, kw_only=True):
    """What a deal is to one player: the change by his own sign, and how he stands after it."""

    name: str
    amount: int
    total: int


class Scored(Struct, frozen=True, kw_only=True):
    """What a deal has come to. `pool`: None where there is none."""

    result: str
    shares: tuple[Share, ...]
    pool: int | None


class ResultShown(Struct, frozen=True, kw_only=True):
    """The whole form. `rare`: what is seldom otherwise. `missing`: whether answers are still to come."""

    questions: tuple[Asked, ...]
    rare: tuple[Asked, ...]
    follows: tuple[str, ...]
    is_missing: bool


_TRUTHS: Final = {YES: "result.yes", NO: "result.no"}


def result_shown(
    form: ResultForm, game: Game, players: Sequence[str], lang: str, faults: Mapping[str, str]
) -> ResultShown:
    """`faults`: what is wrong, by question."""
    wording = written_wording_for(game, lang)
    asked = [(one.is_rare, _asked(one, game, players, wording, faults)) for one in form.questions]
    return ResultShown(
        questions=tuple(one for is_rare, one in asked if not is_rare),
        rare=tuple(one for is_rare, one in asked if is_rare),
        follows=tuple(sentence(game.package, one, players, lang) for one in form.follows),
        is_missing=form.outcome is None,
    )


def unanswered(form: ResultForm, lang: str) -> dict[str, str]:
    """What is to be said at each question that is still open."""
    return {
        one.name: say(lang, "result.choose" if one.choices else "result.number")
        for one in form.questions
        if not one.is_answered
    }


def _asked(
    question: Question, game: Game, players: Sequence[str], wording: Wording, faults: Mapping[str, str]
) -> Asked:
    words = question.words
    return Asked(
        name=question.name,
        said=question.name if words is None else sentence(game.package, words, players, wording.lang),
        choices=tuple(
            Choice(value=one, said=_choice(one, question, game, players, wording), is_chosen=one == question.answer)
            for one in question.choices
        ),
        least=question.least,
        most=question.most,
        answer=question.answer or "",
        fault=faults.get(question.name, ""),
    )


def _choice(value: str, question: Question, game: Game, players: Sequence[str], wording: Wording) -> str:
    if value == NOT_TOLD and question.not_told is not None:
        words = question.not_told
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


def scored(record: DealRecord, game: Game, totals: Sequence[int], players: Sequence[str], lang: str) -> Scored:
    """A deal that is settled. `totals`: as they stand after it."""
    settlement = record.settlement
    assert settlement is not None
    result = game.summarise(record.outcome).result if record.outcome is not None else None
    named = written_wording_for(game, lang).word(result if record.status == "complete" and result else record.status)
    return Scored(
        result=named,
        shares=tuple(
            Share(name=name, amount=amount, total=total)
            for name, amount, total in zip(players, settlement.deltas, totals, strict=True)
        ),
        pool=settlement.pool_after if settlement.pool_before or settlement.pool_after else None,
    )


def pool_label(lang: str) -> str:
    return label(lang, "pool")
