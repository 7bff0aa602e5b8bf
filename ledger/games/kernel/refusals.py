"""Errors that all games share, and phrases for expected values; those of a single game are in its own catalogue."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import Any, Final, Literal, TypeVar, cast

import msgspec
from msgspec import inspect

from ledger.errors import MalformedError
from ledger.events import Announced, BidMade, Event
from ledger.i18n import Phrase, Text, one_of, phrases
from ledger.validation import UnknownChoice, UnknownField, fault_of

Options = TypeVar("Options")

phrase: Final = phrases("ledger.games")
_of_all_rooms = phrases("ledger.i18n")


def wrong_number_of_players(players: int, expected: Text) -> MalformedError:
    """Return the error for a number of players that the table cannot have."""
    return MalformedError(phrase("refusal.number_of_players"), expected, str(players), field="players")


def options_from(raw: Mapping[str, Any], kind: type[Options]) -> Options:
    """Return the options of a table. Raise `MalformedError` for an unknown option or an impossible value."""
    try:
        return msgspec.convert(dict(raw), kind)
    except msgspec.ValidationError as error:
        fault = fault_of(error, raw, kind)
    types = {field.encode_name: field.type for field in inspect.type_info(kind).fields}  # type: ignore[attr-defined]
    if isinstance(fault.wrong, UnknownField):
        unknown = fault.wrong.field
        meant = get_close_matches(unknown, types, 1) or types
        raise MalformedError(phrase("refusal.no_option"), one_of(meant), unknown, field=f"options.{unknown}")
    name = str(fault.path[0])
    known = [*map(str, fault.wrong.known)] if isinstance(fault.wrong, UnknownChoice) else []  # in the declared order
    values = sorted(_values_of(types[name]), key=lambda text: known.index(text) if text in known else len(known))
    raise bad_option(name, _alternatives(values), fault.value)


def bad_option(name: str, expected: Text, value: object) -> MalformedError:
    """Return the error for an impossible value of an option."""
    is_word = isinstance(value, str) and not value.lstrip("-").isdecimal()  # a quoted number keeps its quotes
    text = str(value) if is_word else msgspec.json.encode(value).decode()
    return MalformedError(phrase("refusal.option", option=name), expected, text, field=f"options.{name}")


def _values_of(kind: inspect.Type) -> Iterator[Text]:
    """Yield the possible values of an option, in words."""
    match kind:
        case inspect.UnionType(types=types):
            yield from (text for one in types for text in _values_of(one))
        case inspect.LiteralType(values=values):
            yield from map(str, values)
        case inspect.BoolType():
            yield from ("true", "false")
        case inspect.IntType(ge=least, le=most, multiple_of=None):
            yield phrase("refusal.whole_number", least=least, most=most)
        case inspect.IntType(ge=least, le=most, multiple_of=step):
            yield phrase("refusal.multiple", least=least, most=most, step=step)


def _alternatives(texts: Iterable[Text]) -> Text:
    first, *others = texts
    for other in others:
        first = Phrase("ledger.i18n", "list.or", {"words": first, "word": other})
    return first


def bad_outcome(field: str, expected: Text, value: object = None) -> MalformedError:
    """Return the error for a field of a recorded result that contradicts the others, or the table."""
    what = phrase("refusal.of_result", field=field)
    return MalformedError(what, expected, None if value is None else str(value), field=f"outcome.{field}")


def bad_award(field: str, expected: Text, value: object) -> MalformedError:
    """Return the error for a figure of an award that the table's scoring does not use."""
    return MalformedError(phrase("refusal.of_award", field=field), expected, str(value), field=f"award.{field}")


def contradicting_outcome(field: str, follows: object, value: object) -> MalformedError:
    """Return the error for a field of a result that differs from what the other fields imply."""
    return bad_outcome(field, phrase("refusal.follows", value="null" if follows is None else follows), value)


def missing_field(field: str, expected: Text) -> MalformedError:
    """Return the error for a missing field of a result or an award, e.g. `outcome.trump` or `award.v`."""
    part, _, name = field.partition(".")
    named = phrase({"outcome": "refusal.of_result", "award": "refusal.of_award"}[part], field=name)
    return MalformedError(phrase("refusal.is_missing", field=named), expected, field=field)


def part_of_event(name: Literal["call_card", "several_seats"]) -> Phrase:
    """Name a part of an event that only some calls or announcements have."""
    return phrase(f"refusal.{name}")


def unused_part(field: Literal["call_card", "several_seats"], game: Text, expected: Text, value: str) -> MalformedError:
    """Return the error for a part of an event that the game has no use for."""
    return MalformedError(phrase("refusal.means_nothing", field=part_of_event(field), game=game), expected, value)


def missing_speaker(word: str) -> MalformedError:
    """Return the error for an announcement without a seat that only a seat can make."""
    return MalformedError(phrase("refusal.nobody_says", word=word), phrase("refusal.seat_that_says_it"))


def names(numbers: Iterable[int], rule: str) -> Phrase:
    """Describe the expected number of names, with the rule for it."""
    return phrase("refusal.names", count=one_of(numbers), rule=rule)


def any_of(*words: str) -> Phrase:
    """List two or more words of which one is typed."""
    return phrase("refusal.any_of", words=words[:-1], last=words[-1])


def at_most(number: int) -> Phrase:
    """Describe an upper limit."""
    return _of_all_rooms("value.at_most", count=number)


def seat_up_to(last: int) -> Phrase:
    """Describe a seat from 0 to `last`."""
    return phrase("refusal.a_seat", last=last)


def tricks_in_all(tricks: int) -> Phrase:
    """Describe the number of all tricks."""
    return phrase("refusal.tricks_in_all", tricks=tricks)


def tricks_played_to_the_end(tricks: int) -> Phrase:
    """Describe the number of all tricks of a deal played to its end."""
    return phrase("refusal.tricks_played_to_the_end", tricks=tricks)


def no_seats() -> Phrase:
    """Describe an announcement without a list of seats."""
    return phrase("refusal.no_seats")


def foreign_fields_check(title: Text) -> Callable[[Event], None]:
    """Return the `check_event` of a game in which no call has a card and every seat speaks for itself alone."""

    def check_event(event: Event) -> None:
        kind = type(event)  # isinstance takes ten times as long on Structs
        if kind is BidMade and (card := cast(BidMade, event).card) is not None:
            raise unused_part("call_card", title, phrase("refusal.no_card"), card)
        if kind is Announced:
            announced = cast(Announced, event)
            if announced.seats is not None:
                raise unused_part("several_seats", title, no_seats(), str([*announced.seats]))
            if announced.seat is None:
                raise missing_speaker(announced.what)

    return check_event
