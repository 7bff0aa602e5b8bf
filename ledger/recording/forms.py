"""Forms: the variants and options of a new table, and the questions about the result of a deal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, Literal, TypeAlias, get_args, get_origin, get_type_hints

from msgspec import NODEFAULT, Meta, Struct, structs

from ledger.errors import MalformedError
from ledger.events import MAX_SEATS
from ledger.games.kernel.protocol import Game
from ledger.games.kernel.result_form import NONE, ResultForm, ResultFormBuilder
from ledger.i18n import Words
from ledger.limits import AMOUNT_MAX

_FORM: Final = "form"
_FOLLOWS: Final = frozenset((_FORM, "players"))
"""The options that follow from the form and the number of players."""

Kind: TypeAlias = Literal["truth", "word", "number"]


class TableForm(Struct, frozen=True, kw_only=True):
    """One way to play a game. `form`: its name in the options; None if the game has only one form."""

    game: str
    seats: int
    form: str | None = None

    @property
    def options(self) -> dict[str, Any]:
        """The options that choose the form."""
        return {} if self.form is None else {_FORM: self.form}


class OptionField(Struct, frozen=True, kw_only=True):
    """An option as a form offers it. `choices`: the values of a `word` or `truth`; `default`: the value of the
    rulebook.
    """

    name: str
    kind: Kind
    choices: tuple[Any, ...]
    default: Any


def table_forms(game: Game) -> Iterator[TableForm]:
    """Yield all forms of a game with the numbers of players that its options allow."""
    fields = {field.encode_name: field for field in structs.fields(game.option_type)}
    hints = get_type_hints(game.option_type)
    forms: tuple[str | None, ...] = get_args(hints[fields[_FORM].name]) if _FORM in fields else (None,)
    for form in forms:
        options = {} if form is None else {_FORM: form}
        yield from (TableForm(game=game.name, seats=seats, form=form) for seats in seat_counts(game, options))


def seat_counts(game: Game, options: Mapping[str, Any]) -> Iterator[int]:
    """Yield the numbers of players that the game allows with these options, in ascending order."""
    for seats in range(2, MAX_SEATS + 1):
        with suppress(MalformedError):
            game.make_options(options, seats)
            yield seats


def option_fields(game: Game, form: TableForm) -> Iterator[OptionField]:
    """Yield the other options of a table of that form."""
    hints = get_type_hints(game.option_type)
    for field in structs.fields(game.option_type):
        if field.encode_name in _FOLLOWS:
            continue
        kinds = _kinds(hints[field.name])
        words = _words(kinds)
        kind: Kind = "truth" if bool in kinds else "number" if int in kinds or not words else "word"
        yield OptionField(
            name=field.encode_name,
            kind=kind,
            choices=(True, False) if kind == "truth" else words if kind == "word" else (),
            default=field.default,
        )


def chosen_options(game: Game, form: TableForm, answers: Mapping[str, str]) -> dict[str, Any]:
    """Return the options of the form and the answers that differ from the rulebook, as they are recorded.

    `game.make_options` validates them.
    """
    options = form.options
    for one in option_fields(game, form):
        text = answers.get(one.name)
        if text is None:
            continue
        known = {option_text(choice): choice for choice in one.choices}
        value = known.get(text, int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else text)
        if value != one.default:
            options[one.name] = value
    return options


def option_text(value: Any) -> str:
    """Return the value of an option as a form sends it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


_FEW: Final = 14
"""The least number of values for which a number is typed instead of chosen."""

_LEFT_OUT: Final = Words("")


def result_form(game: Game, answers: Mapping[str, str], options: Any, seats: int, dealer: int) -> ResultForm:
    """Return the questions about a result, and the outcome once all are answered; `game.check_outcome` validates it."""
    if game.result_form is not None:
        return game.result_form(answers, options, seats, dealer)
    return _form_of_fields(game, answers, seats)


def _form_of_fields(game: Game, answers: Mapping[str, str], seats: int) -> ResultForm:
    """Return one question for each field of the outcome; optional fields without an answer are left out."""
    builder = ResultFormBuilder(answers)
    hints = get_type_hints(game.outcome_type, include_extras=True)
    outcome: dict[str, Any] = {}
    for field in structs.fields(game.outcome_type):
        name = field.encode_name
        is_needed = field.default is NODEFAULT and field.default_factory is NODEFAULT
        kinds = _kinds(hints[field.name])
        lists = [kind for kind in kinds if get_origin(kind) is tuple]
        if lists:
            items = get_args(lists[0])
            items = items[:1] * seats if items[-1] is Ellipsis else items
            values = [_answer(builder, f"{name}.{place}", _kinds(item), is_needed) for place, item in enumerate(items)]
            if None not in values:
                outcome[name] = values
        elif (value := _answer(builder, name, kinds, is_needed)) is not None:
            outcome[name] = value
    return builder.build(outcome)


def _answer(builder: ResultFormBuilder, name: str, kinds: Sequence[Any], is_needed: bool) -> Any:
    """Return the answer to the question about one value of these types; None if it is left out."""
    left_out, default = (None, None) if is_needed else (_LEFT_OUT, NONE)
    words = _words(kinds)
    if bool in kinds:
        return builder.truth(name, None)
    if words:
        chosen = builder.word(name, None, list(map(str, words)), none_words=left_out, default=default)
        return next((one for one in words if str(one) == chosen), chosen)
    least, most = _bounds(kinds)
    if most - least < _FEW:
        return builder.number(name, None, range(least, most + 1), none_words=left_out, default=default)
    return builder.amount(name, None, least, most, default=None if is_needed else str(max(least, 0)))


def _kinds(hint: Any) -> list[Any]:
    """Return the alternatives of a type with their bounds, e.g. the two of `Seat | None`."""
    if get_origin(hint) in (Literal, tuple) or hasattr(hint, "__metadata__") or isinstance(hint, type):
        return [hint]
    return [kind for one in get_args(hint) for kind in _kinds(one)] or [hint]


def _words(kinds: Sequence[Any]) -> tuple[Any, ...]:
    return tuple(one for kind in kinds if get_origin(kind) is Literal for one in get_args(kind))


def _bounds(kinds: Sequence[Any]) -> tuple[int, int]:
    bounds = [meta for kind in kinds for meta in getattr(kind, "__metadata__", ()) if isinstance(meta, Meta)]
    least = [int(meta.ge) for meta in bounds if meta.ge is not None]
    most = [int(meta.le) for meta in bounds if meta.le is not None]
    most += [int(meta.lt) - 1 for meta in bounds if meta.lt is not None]
    return max(least, default=-AMOUNT_MAX), min(most, default=AMOUNT_MAX)
