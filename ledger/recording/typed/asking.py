"""What a recorder is asked beside the acts: whole results, hands and score sheets, one question a line."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias, get_args, get_origin, get_type_hints

import msgspec
from msgspec import NODEFAULT, Struct, structs

from ledger.errors import MalformedError
from ledger.events import Amounts, CardsDealt, ResultRecorded, ScoreClaimed
from ledger.i18n import LANGUAGES, Text, word
from ledger.recording.hand.vocabulary import means
from ledger.recording.hand.words import Names
from ledger.recording.typed.signs import cards_in_text
from ledger.recording.typed.situation import Situation
from ledger.recording.words import either, phrase
from ledger.table.fold import TableFold


class Question(Struct, frozen=True):
    """What is asked; Enter alone means the `default`. `choices`: what a terminal offers."""

    said: Text
    default: str = ""
    choices: tuple[str, ...] = ()


Ask: TypeAlias = Callable[[Question], str]
"""Answers a question; raises `EOFError` where nobody answers any more, `KeyboardInterrupt` where it is broken off."""

_NO_VALUE: Final = frozenset(("-", "–", "none"))
_YES: Final = frozenset(("y", "1", "はい"))
_NO: Final = frozenset(("n", "0", "いいえ"))


# --- hands ------------------------------------------------------------------------------------------------------------


def told_hands(words: str, now: Situation, ask: Ask, known: CardsDealt | None) -> CardsDealt:
    """The hands of `ada: … / ben: … / stock: …`, or as answered player by player; what is left out stays as `known`.

    Raises `MalformedError` for what is no card or no player.
    """
    hands: list[tuple[str, ...] | None] = [None] * len(now.players) if known is None else list(known.hands)
    stock = None if known is None else known.stock
    names = Names(now.players)
    if not words:
        for seat, name in enumerate(now.players):
            hands[seat] = _hand(ask(Question(phrase("recorder.hand_of", name=name))), now, hands[seat])
        told = ask(Question(phrase("recorder.stock")))
        return CardsDealt(hands=tuple(hands), stock=cards_in_text(told, now.game) if told.strip() else stock)
    for part in words.replace("：", ":").split("/"):
        name, colon, held = part.partition(":")
        if not colon:
            raise MalformedError(phrase("words.whose_cards"), phrase("words.name_before"), part.strip())
        if means("stock", name):
            stock = cards_in_text(held, now.game)
        else:
            seat = names.seat(name)
            hands[seat] = _hand(held, now, hands[seat])
    return CardsDealt(hands=tuple(hands), stock=stock)


def _hand(text: str, now: Situation, known: tuple[str, ...] | None) -> tuple[str, ...] | None:
    if not text.strip():
        return known
    return () if means("sits_out", text) else cards_in_text(text, now.game)


# --- results ----------------------------------------------------------------------------------------------------------


def told_result(now: Situation, fold: TableFold, dealer: int, ask: Ask) -> ResultRecorded:
    """The outcome of a deal, field by field; raises `MalformedError` where the fields cannot be, or contradict."""
    hints = get_type_hints(now.game.outcome_type, include_extras=False)
    outcome: dict[str, Any] = {}
    for field in structs.fields(now.game.outcome_type):
        value = _field(field, hints[field.name], now, ask)
        if value is not msgspec.UNSET:
            outcome[field.encode_name] = value
    now.game.check_outcome(outcome, fold.options, len(now.players), dealer)
    return ResultRecorded(outcome=outcome)


def _field(field: structs.FieldInfo, hint: Any, now: Situation, ask: Ask) -> Any:
    """The value of a field as it was answered; UNSET where it was left out."""
    kinds = _kinds(hint)
    words = tuple(str(one) for kind in kinds if get_origin(kind) is Literal for one in get_args(kind))
    key = (
        "recorder.field"
        if field.default is NODEFAULT and field.default_factory is NODEFAULT
        else "recorder.field_or_enter"
    )
    told = ask(Question(phrase(key, field=field.encode_name, words=words), "", words)).strip()
    if not told:
        return msgspec.UNSET
    if told in _NO_VALUE and type(None) in kinds:
        return None
    try:
        return _value(told, kinds, words, now)
    except MalformedError as error:
        raise error.at(field.encode_name) from None


def _kinds(hint: Any) -> tuple[Any, ...]:
    """The alternatives of a type: `Seat | None` as its two."""
    if get_origin(hint) in (Literal, tuple, list) or isinstance(hint, type):
        return (hint,)
    return tuple(kind for one in get_args(hint) for kind in _kinds(one)) or (hint,)


def _value(told: str, kinds: Sequence[Any], words: Sequence[str], now: Situation) -> Any:
    if words and (found := _spelt(told, words, now.game.package)) is not None:
        return found
    if bool in kinds:
        return _truth(told)
    parts = told.replace("+", " ").replace(",", " ").replace("、", " ").split()
    is_list = any(get_origin(kind) in (tuple, list) for kind in kinds)
    values = [int(part) if part.lstrip("-").isdecimal() else part for part in parts]
    names = Names(now.players)
    seats = [names.seat(value) if isinstance(value, str) else value for value in values]
    return seats if is_list else seats[0]


def _spelt(told: str, words: Sequence[str], package: str) -> str | None:
    """The one of the words that is meant, in any language, whole or as far as it is clear."""
    text = told.casefold()
    whole = [
        one for one in words if text in {one.casefold(), *(word(package, one, lang).casefold() for lang in LANGUAGES)}
    ]
    found = whole or [one for one in words if one.casefold().startswith(text)]
    if len(found) > 1:
        raise MalformedError(phrase("line.several_words"), either(found), told)
    return found[0] if found else None


def _truth(told: str) -> bool:
    for key, letters, truth in (("true", _YES, True), ("false", _NO, False)):
        if means(key, told) or told.casefold() in letters:
            return truth
    raise MalformedError(phrase("recorder.no_answer"), phrase("recorder.yes_or_no"), told)


# --- score sheets -----------------------------------------------------------------------------------------------------


def told_sheet(words: str, now: Situation, has_pool: bool, ask: Ask) -> ScoreClaimed:
    """The amounts of a score sheet: the changes behind its letter, or changes, pool and totals as they are answered."""
    if words:
        return ScoreClaimed(deltas=_amounts(words, now))
    told = {"deltas": ask(Question(phrase("recorder.deltas", names=tuple(now.players))))}
    if has_pool:
        told["pool"] = ask(Question(phrase("recorder.pool")))
    told["totals"] = ask(Question(phrase("recorder.totals", names=tuple(now.players))))
    claim = ScoreClaimed(
        deltas=_amounts(told["deltas"], now), pool=_pool(told.get("pool", "")), totals=_amounts(told["totals"], now)
    )
    if claim == ScoreClaimed():
        raise MalformedError(phrase("recorder.empty_sheet"), phrase("recorder.some_amounts"))
    return claim


def _amounts(text: str, now: Situation) -> Amounts | None:
    """`10 -5 -5` by seat, or `Ada +10, Ben -5 …` by name."""
    parts = text.replace(",", " ").replace("−", "-").split()
    if not parts:
        return None
    numbers = [int(part) for part in parts if part.lstrip("+-").isdecimal()]
    names = [part for part in parts if not part.lstrip("+-").isdecimal()]
    if len(numbers) != len(now.players):
        raise MalformedError(
            phrase("ruling.not_each_seat"), phrase("ruling.amounts_or_names", seats=len(now.players)), text
        )
    if not names:
        return tuple(numbers)
    by_name: Mapping[int, int] = dict(zip(map(Names(now.players).seat, names), numbers, strict=False))
    if len(by_name) != len(numbers):
        raise MalformedError(phrase("name.same_player"), phrase("name.each_once"), text)
    return tuple(by_name[seat] for seat in range(len(now.players)))


def _pool(text: str) -> int | None:
    if not text.strip():
        return None
    if not text.strip().lstrip("+-").isdecimal():
        raise MalformedError(phrase("ruling.no_amount"), phrase("kind.int"), text.strip())
    return int(text)
