"""What a form for a new table offers: the forms in which each game is played, and the options of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal, TypeAlias, get_args, get_origin, get_type_hints

from msgspec import Struct, structs

from ledger.errors import MalformedError
from ledger.events import MAX_SEATS
from ledger.games.kernel.protocol import Game

_FORM: Final = "form"
_FOLLOWS: Final = frozenset((_FORM, "players"))
"""Options that are chosen with the form itself: how many sit there."""

Kind: TypeAlias = Literal["truth", "word", "number"]


class TableForm(Struct, frozen=True, kw_only=True):
    """One way to play a game. `form`: the word for it, None where the game has but one for so many."""

    game: str
    seats: int
    form: str | None = None

    @property
    def options(self) -> dict[str, Any]:
        return {} if self.form is None else {_FORM: self.form}


class OptionAsked(Struct, frozen=True, kw_only=True):
    """An option as it can be chosen. `choices`: of a `word`; `default`: what the rulebook says."""

    name: str
    kind: Kind
    choices: tuple[Any, ...]
    default: Any


def table_forms(game: Game) -> Iterator[TableForm]:
    """All forms of a game, as its own options take them."""
    fields = {field.encode_name: field for field in structs.fields(game.option_type)}
    hints = get_type_hints(game.option_type)
    forms: tuple[str | None, ...] = get_args(hints[fields[_FORM].name]) if _FORM in fields else (None,)
    for form in forms:
        for seats in range(2, MAX_SEATS + 1):
            one = TableForm(game=game.name, seats=seats, form=form)
            try:
                game.make_options(one.options, seats)
            except MalformedError:
                continue
            yield one


def options_asked(game: Game, form: TableForm) -> Iterator[OptionAsked]:
    """The other options of a table of that form, with what holds where nothing is chosen."""
    hints = get_type_hints(game.option_type)
    for field in structs.fields(game.option_type):
        if field.encode_name in _FOLLOWS:
            continue
        words = tuple(_words(hints[field.name]))
        numbers = int in (hints[field.name], *get_args(hints[field.name]))
        kind: Kind = "truth" if _is_truth(hints[field.name]) else "number" if numbers or not words else "word"
        yield OptionAsked(
            name=field.encode_name,
            kind=kind,
            choices=(True, False) if kind == "truth" else words if kind == "word" else (),
            default=field.default,
        )


def chosen_options(game: Game, form: TableForm, told: Mapping[str, str]) -> dict[str, Any]:
    """The options of the form and those that are told, each as it is recorded; what is as the rulebook has it is not.

    Whether they can be, `game.make_options` tells.
    """
    options = form.options
    for one in options_asked(game, form):
        text = told.get(one.name)
        if text is None:
            continue
        known = {option_text(choice): choice for choice in one.choices}
        value = known.get(text, int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else text)
        if value != one.default:
            options[one.name] = value
    return options


def option_text(value: Any) -> str:
    """A value of an option as a form sends it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _is_truth(hint: Any) -> bool:
    return hint is bool or bool in get_args(hint)


def _words(hint: Any) -> Iterator[Any]:
    if get_origin(hint) is Literal:
        yield from get_args(hint)
    else:
        for one in get_args(hint):
            yield from _words(one)
