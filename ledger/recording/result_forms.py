"""What a form for the result of a deal asks at a table: as its game says it, or each field of the game's outcome."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, get_args, get_origin, get_type_hints

from msgspec import NODEFAULT, Meta, structs

from ledger.games.kernel.protocol import Game
from ledger.games.kernel.result_form import NOT_TOLD, Asking, ResultForm
from ledger.i18n import Words
from ledger.limits import AMOUNT_MAX

_FEW: Final = 14
"""So many numbers can be chosen from; of more one is typed."""

_LEFT_OUT: Final = Words("")


def result_form(game: Game, told: Mapping[str, str], options: Any, seats: int, dealer: int) -> ResultForm:
    """The questions, and the outcome once they are answered; whether that can be, `game.check_outcome` tells."""
    if game.result_form is not None:
        return game.result_form(told, options, seats, dealer)
    return _form_of_fields(game, told, seats)


def _form_of_fields(game: Game, told: Mapping[str, str], seats: int) -> ResultForm:
    """A question for each field of the outcome; one that may be left out is not told unless it is answered."""
    ask = Asking(told)
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
            values = [_asked(ask, f"{name}.{place}", _kinds(item), is_needed) for place, item in enumerate(items)]
            if None not in values:
                outcome[name] = values
        elif (value := _asked(ask, name, kinds, is_needed)) is not None:
            outcome[name] = value
    return ask.form(outcome)


def _asked(ask: Asking, name: str, kinds: Sequence[Any], is_needed: bool) -> Any:
    """The answer to a question about one value of these types; None where it is left out."""
    left_out, default = (None, None) if is_needed else (_LEFT_OUT, NOT_TOLD)
    words = [one for kind in kinds if get_origin(kind) is Literal for one in get_args(kind)]
    if bool in kinds:
        return ask.truth(name, None)
    if words:
        found = ask.word(name, None, list(map(str, words)), not_told=left_out, default=default)
        return next((one for one in words if str(one) == found), found)
    least, most = _bounds(kinds)
    if most - least < _FEW:
        return ask.number(name, None, range(least, most + 1), not_told=left_out, default=default)
    return ask.amount(name, None, least, most, default=None if is_needed else str(max(least, 0)))


def _kinds(hint: Any) -> list[Any]:
    """The alternatives of a type with what bounds them: `Seat | None` as its two."""
    if get_origin(hint) in (Literal, tuple) or hasattr(hint, "__metadata__") or isinstance(hint, type):
        return [hint]
    return [kind for one in get_args(hint) for kind in _kinds(one)] or [hint]


def _bounds(kinds: Sequence[Any]) -> tuple[int, int]:
    told = [meta for kind in kinds for meta in getattr(kind, "__metadata__", ()) if isinstance(meta, Meta)]
    least = [int(meta.ge) for meta in told if meta.ge is not None]
    most = [int(meta.le) for meta in told if meta.le is not None]
    most += [int(meta.lt) - 1 for meta in told if meta.lt is not None]
    return max(least, default=-AMOUNT_MAX), min(most, default=AMOUNT_MAX)
