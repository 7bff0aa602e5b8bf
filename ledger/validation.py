"""Parsing of msgspec's validation errors.

msgspec reports a fault as an English sentence. `fault_of` parses it, with the value and its type, into a `Fault`, which
is then put into words: by `malformed` here with the fields of JSON, by `recording.hand.reading` with the lines of a
hand record. A pattern's meaning is next to it in its type: `Meta(pattern="…", extra={"expected":
phrase("value.word")})`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from types import MappingProxyType, UnionType
from typing import Annotated, Any, Final, Literal, TypeAlias, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta, Struct, structs

from ledger.errors import MalformedError
from ledger.i18n import Phrase, Text, one_of, phrases
from ledger.i18n.library_errors import localised

Converted = TypeVar("Converted")

_phrase: Final = phrases("ledger.i18n")

_SENTENCE: Final = re.compile(r"(?P<what>.*?)(?: - at (?P<key>`key` in )?`\$(?P<place>[^`]*)`)?", re.DOTALL)
_STEP: Final = re.compile(r"\.(?P<field>\w+)|\[(?P<index>\d+)\]|(?P<any>\[\.\.\.\])")
_FIELD: Final = re.compile(r"Object (?P<fault>missing required|contains unknown) field `(?P<field>.*)`", re.DOTALL)
_LENGTH: Final = re.compile(r"Expected `(?P<kind>str|array)` of length (?P<bound><=|>=) (?P<limit>\d+)")
_PATTERN: Final = "Expected `str` matching regex "
_NO_DAY: Final = "Invalid RFC3339 encoded date"
_LENGTH_ALONE: Final = re.compile(r" of length (\d+)")
_KINDS: Final = re.compile(r"Expected `(?P<kinds>[^`]*)`(?P<condition>.*?)(?:, got (?P<got>.*))?", re.DOTALL)

_UNITS: Final = {"str": "character", "array": "item"}
_PYTHON_KINDS: Final[dict[str, type]] = {"str": str, "int": int, "bool": bool, "array": list, "object": dict}

_KINDS_NAMED: Final = frozenset(
    ("str", "int", "float", "bool", "null", "array", "object", "bytes", "date", "datetime", "time")
)

_BOUND_SHOWN: Final = 1_000_000

_SHOWN: Final = 200
"""The most characters of an offending text in a message."""


# Faults


class MissingField(Struct, frozen=True):
    field: str


class UnknownField(Struct, frozen=True):
    """An unknown field; `known`: the fields that exist, as written."""

    field: str
    known: tuple[str, ...]


class WrongLength(Struct, frozen=True):
    """A text or list with a wrong number of characters or items: over the maximum if `is_too_long`, else under the
    minimum.
    """

    length: int
    limit: int
    is_too_long: bool
    unit: str

    def in_words(self) -> tuple[Text, Text]:
        """Return what is wrong, and what was expected."""
        too, at = ("long", "most") if self.is_too_long else ("short", "least")
        length, limit = _counted(self.length, self.unit), _counted(self.limit, self.unit)
        return _phrase(f"value.too_{too}", length=length), _phrase(f"value.at_{at}", count=limit)


class UnknownTag(Struct, frozen=True):
    """A tag that names none of the allowed types."""

    known: tuple[str, ...]


class UnknownChoice(Struct, frozen=True):
    """A value that is not one of those listed in the type."""

    known: tuple[str | int, ...]


class PatternMissed(Struct, frozen=True):
    """A text that does not match the pattern of its type, with the pattern's meaning in words."""

    expected: Text


class WrongKind(Struct, frozen=True):
    """A value of the wrong kind, by msgspec's names of kinds, or one that breaks a further condition, e.g. ` >= 1`.

    `got`: the kind found; empty if only the condition is broken. `least`, `most`: the bounds of a number.
    """

    kinds: tuple[str, ...]
    condition: str
    got: str
    least: int | None = None
    most: int | None = None

    def expected(self, named: Mapping[str, Text] = MappingProxyType({})) -> Text:
        """Return the expected kind in words; `named`: kinds that a file format names differently from JSON."""
        return one_of([self._with_condition(kind, named.get(kind) or kind_in_words(kind)) for kind in self.kinds])

    def _with_condition(self, kind: str, words: Text) -> Text:
        if kind in ("int", "float") and (self.least is not None or self.most is not None) and not self._is_about_kind():
            bounds = "from_to" if None not in (self.least, self.most) else "from" if self.most is None else "to"
            return _phrase(f"kind.{bounds}", kind=words, least=self.least, most=self.most)
        if (length := _LENGTH_ALONE.fullmatch(self.condition)) is not None:
            return _phrase("kind.with", kind=words, count=_counted(int(length[1]), _UNITS.get(kind, "item")))
        return words

    def _is_about_kind(self) -> bool:
        """Return whether the kind is wrong, so that bounds need no mention."""
        return bool(self.got) and max(abs(self.least or 0), abs(self.most or 0)) > _BOUND_SHOWN


class Unreadable(Struct, frozen=True):
    """Any other fault, e.g. a number out of range, in msgspec's own words."""


Wrong: TypeAlias = (
    MissingField | UnknownField | WrongLength | UnknownTag | UnknownChoice | PatternMissed | WrongKind | Unreadable
)


class Fault(Struct, frozen=True, kw_only=True):
    """A fault that msgspec reported, and its place.

    `place` is msgspec's notation of `path`, e.g. `.hands[2]`. `value` is the value there, or None; for a rejected key
    of a table it is the key. `sentence` is msgspec's message without the place.
    """

    wrong: Wrong
    place: str
    path: tuple[str | int, ...]
    value: Any
    sentence: str


def fault_of(error: msgspec.ValidationError, value: Any, kind: Any) -> Fault:
    """Return the fault of a `value` that msgspec rejected as a `kind`."""
    match = _SENTENCE.fullmatch(str(error))
    assert match is not None
    sentence, place = match["what"], match["place"] or ""
    path, at_fault = _followed(value, place, sentence)
    kind_there = _kind_at(kind, value, path)
    if match["key"]:
        kind_there = _kind_of_keys(kind_there)
        at_fault = next((key for key in at_fault if not _is_a(kind_there, key)), None)
    kind_above = _kind_at(kind, value, path[:-1])
    wrong = _wrong(sentence, at_fault, kind_there, kind_above)
    return Fault(wrong=wrong, place=place, path=path, value=at_fault, sentence=sentence)


def _wrong(sentence: str, at_fault: Any, kind: Any, kind_above: Any) -> Wrong:
    if named := _FIELD.match(sentence):
        if named["fault"] == "missing required":
            return MissingField(named["field"])
        return UnknownField(named["field"], _fields(kind))
    if (length := _LENGTH.fullmatch(sentence)) and isinstance(at_fault, str | list | tuple):
        return WrongLength(len(at_fault), int(length["limit"]), length["bound"] == "<=", _UNITS[length["kind"]])
    if sentence.startswith("Invalid enum value"):
        return UnknownChoice(_choices(kind))
    if sentence.startswith("Invalid value"):
        return UnknownTag(tuple(sorted(_tagged(kind_above))))
    if sentence.startswith(_PATTERN) and (words := _words_of_pattern(kind)) is not None:
        return PatternMissed(words)
    if sentence == _NO_DAY:
        return PatternMissed(_phrase("value.day"))
    if match := _KINDS.fullmatch(sentence):
        condition, got = (match[part] or "" for part in ("condition", "got"))
        kinds = tuple(match["kinds"].split(" | "))
        return WrongKind(kinds, condition.replace("`", ""), got.replace("`", ""), *_bounds(kind))
    return Unreadable()


def kind_in_words(kind: str) -> Text:
    """Return the words for one of msgspec's kinds, e.g. `int`."""
    return _phrase(f"kind.a_{kind}") if kind in _KINDS_NAMED else kind


def _counted(number: int, unit: str) -> Phrase:
    return _phrase(f"value.{unit}s", number=number)


# Values and types along a path


def _followed(value: Any, place: str, sentence: str) -> tuple[tuple[str | int, ...], Any]:
    """Return the path and the value at which msgspec stopped; in a mapping, which it does not name, the first wrong
    one.
    """
    path: list[str | int] = []
    for match in _STEP.finditer(place):
        step: str | int = match["field"] or int(match["index"] or 0)
        if match["any"]:
            named = value if isinstance(value, Mapping) else {}
            step = next((key for key, item in named.items() if not _may_be(item, sentence)), next(iter(named), ""))
        path.append(step)
        value = _value_at(value, step)
    return tuple(path), value


def _may_be(value: Any, sentence: str) -> bool:
    """Return whether the value has a kind that the message asks for."""
    match = _KINDS.fullmatch(sentence)
    kinds = [_PYTHON_KINDS[kind] for kind in (match["kinds"].split(" | ") if match else ()) if kind in _PYTHON_KINDS]
    return not kinds or isinstance(value, tuple(kinds))


def _value_at(value: Any, step: str | int) -> Any:
    try:
        return value[step]
    except (KeyError, IndexError, TypeError):
        return None


def _kind_at(kind: Any, value: Any, path: Sequence[str | int]) -> Any:
    """Return the type expected at the end of the path; None if it is unknown."""
    for step in path:
        kind = _kind_below(_narrowed(kind, value), step)
        value = _value_at(value, step)
    return _narrowed(kind, value)


def _narrowed(kind: Any, value: Any) -> Any:
    """Return the Struct of a union that the value's tag names, or its only one; else the whole union."""
    tagged = _tagged(kind)
    tag = str(value.get("type")) if isinstance(value, Mapping) else ""
    return tagged.get(tag) or (next(iter(tagged.values())) if len(tagged) == 1 else kind)


def _kind_below(kind: Any, step: str | int) -> Any:
    for part in _alternatives(kind):
        origin, arguments = get_origin(part), get_args(part)
        if origin is dict:
            return arguments[1]
        if origin in (list, tuple) and isinstance(step, int):
            return arguments[step if origin is tuple and arguments[-1] is not ... else 0]
        if isinstance(part, type) and issubclass(part, Struct) and len(_tagged(kind)) == 1:
            names = {field.encode_name: field.name for field in structs.fields(part)}
            return get_type_hints(part, include_extras=True).get(names.get(str(step), ""))
    return None


def _kind_of_keys(kind: Any) -> Any:
    return next((get_args(part)[0] for part in _alternatives(kind) if get_origin(part) is dict), str)


def _is_a(kind: Any, value: Any) -> bool:
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError:
        return False
    return True


def _alternatives(kind: Any) -> list[Any]:
    """Return the members of a union without their annotations."""
    if get_origin(kind) is Annotated:
        return _alternatives(get_args(kind)[0])
    if get_origin(kind) in (Union, UnionType):
        return [member for part in get_args(kind) for member in _alternatives(part)]
    return [kind]


def _tagged(kind: Any) -> dict[str, type[Struct]]:
    """Return the Structs of a tagged union by their tags."""
    structs = [part for part in _alternatives(kind) if isinstance(part, type) and issubclass(part, Struct)]
    return {str(part.__struct_config__.tag): part for part in structs}


def _fields(kind: Any) -> tuple[str, ...]:
    return kind.__struct_encode_fields__ if isinstance(kind, type) and issubclass(kind, Struct) else ()


def _choices(kind: Any) -> tuple[str | int, ...]:
    literals = [part for part in _alternatives(kind) if get_origin(part) is Literal]
    return tuple(choice for literal in literals for choice in get_args(literal))


def _words_of_pattern(kind: Any) -> Text | None:
    """Return the meaning of the pattern in that type; the last annotation counts."""
    words: Text | None = None
    for note in _notes(kind):
        if note.extra is not None:
            words = note.extra.get("expected", words)
    return words


def _bounds(kind: Any) -> tuple[int | None, int | None]:
    """Return the least and the greatest number that the type allows."""
    least: int | None = None
    most: int | None = None
    for note in _notes(kind):
        least = note.ge if isinstance(note.ge, int) else note.gt + 1 if isinstance(note.gt, int) else least
        most = note.le if isinstance(note.le, int) else note.lt - 1 if isinstance(note.lt, int) else most
    return least, most


def _notes(kind: Any) -> Iterator[Meta]:
    """Yield the annotations of a type or of the members of a union."""
    parts = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
    for part in parts:
        yield from (note for note in getattr(part, "__metadata__", ()) if isinstance(note, Meta))


# By the fields of JSON


def converted(raw: Any, kind: type[Converted], field: str) -> Converted:
    """Convert `raw` to a `kind`; raise `MalformedError` naming the field below `field`, the value and what was
    expected.
    """
    try:
        return msgspec.convert(raw, kind)
    except msgspec.ValidationError as error:
        raise malformed(error, raw, kind, field) from None


def malformed(error: msgspec.ValidationError, value: Any, kind: Any, field: str = "") -> MalformedError:
    """Return the error for a `value` that msgspec rejected as a `kind`; `field` is the name of the whole value."""
    fault = fault_of(error, value, kind)
    name = f"{field}{fault.place}".removeprefix(".")
    what, expected = _in_words(fault)
    return MalformedError(
        _phrase("value.of_field", field=name, what=what) if name else what,
        expected,
        _shown(fault.value),
        field=name or None,
    )


def _in_words(fault: Fault) -> tuple[Text, Text | None]:
    """Return what is wrong, and what was expected if that is known."""
    match fault.wrong:
        case MissingField(field):
            return _phrase("value.missing"), field
        case UnknownField(field, known):
            close = get_close_matches(field, known, 1)
            unknown = _phrase("value.unknown_field", field=_shown(field))
            return unknown, _phrase("value.perhaps", word=close[0]) if close else _phrase("value.only", words=known)
        case WrongLength() as length:
            return length.in_words()
        case UnknownTag(known):
            close = get_close_matches(str(fault.value), known, 1)
            expected = _phrase("value.type_but", word=close[0]) if close else _phrase("value.type")
            return _phrase("value.unknown_type"), expected
        case UnknownChoice(known):
            return _phrase("value.unknown"), one_of(known) if known else _phrase("value.known")
        case PatternMissed(expected):
            return _phrase("value.not_allowed"), expected
        case WrongKind(got=got) as wrong:
            what = (
                _phrase("value.not_allowed_kind", kind=kind_in_words(got))
                if got in _KINDS_NAMED
                else _phrase("value.not_allowed")
            )
            return what, wrong.expected()
        case Unreadable():
            return _phrase("value.not_allowed_so", why=localised(fault.sentence)), None


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
