"""The reader of msgspec's messages, before any wording."""

import tomllib
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import pytest
from msgspec import Meta, Struct, field

from ledger.errors import MalformedError
from ledger.i18n import phrases
from ledger.validation import (
    Fault,
    MissingField,
    PatternMissed,
    UnknownChoice,
    UnknownField,
    UnknownTag,
    Unreadable,
    Wrong,
    WrongKind,
    WrongLength,
    converted,
    fault_of,
    malformed,
)

FAULTS = tomllib.loads(Path(__file__).with_name("validation.toml").read_text(encoding="utf-8"))["fault"]
phrase = phrases("ledger.i18n")
WORD = phrase("value.word")
Plate = Annotated[str, Meta(pattern="^[A-Z]{2}$", extra={"expected": WORD})]
OwnPlate = Annotated[Plate, Meta(extra={"expected": "letters"})]


class Van(Struct, tag="van", forbid_unknown_fields=True):
    plate: Plate | None = None
    wheels: Annotated[int, Meta(ge=3)] = 4
    source: Literal["new", "used"] = field(default="new", name="from")


class Tram(Struct, tag="tram", forbid_unknown_fields=True):
    line: Annotated[str, Meta(min_length=1, max_length=3)]
    stops: Annotated[tuple[str, ...], Meta(max_length=2)] = ()


class Depot(Struct, forbid_unknown_fields=True):
    cars: list[Van | Tram] = []
    keys: dict[Annotated[str, Meta(max_length=3)], int] = {}
    pair: tuple[int, OwnPlate] | None = None
    plain: Annotated[str, Meta(pattern="^x$")] = "x"
    since: date | None = None


def fault(value: Any, kind: Any = Depot) -> Fault:
    with pytest.raises(msgspec.ValidationError) as caught:
        msgspec.convert(value, kind)
    return fault_of(caught.value, value, kind)


def van(**fields: Any) -> dict[str, Any]:
    return {"cars": [{"type": "van", **fields}]}


def tram(**fields: Any) -> dict[str, Any]:
    return {"cars": [{"type": "tram", **fields}]}


UNKNOWN_CAR = UnknownField("car", ("cars", "keys", "pair", "plain", "since"))
UNKNOWN_FORM = UnknownField("form", ("plate", "wheels", "from"))
TOO_LONG, TOO_SHORT = WrongLength(4, 3, True, "character"), WrongLength(0, 1, False, "character")
NO_DAY = PatternMissed(phrase("value.day"))
NO_STRING = WrongKind(("str", "null"), "", "int")


@pytest.mark.parametrize(
    ("value", "wrong", "path", "at"),
    [
        (tram(), MissingField("line"), ("cars", 0), {"type": "tram"}),
        ({"car": []}, UNKNOWN_CAR, (), {"car": []}),
        (van(form=1), UNKNOWN_FORM, ("cars", 0), {"type": "van", "form": 1}),
        (tram(line="1234"), TOO_LONG, ("cars", 0, "line"), "1234"),
        (tram(line=""), TOO_SHORT, ("cars", 0, "line"), ""),
        (tram(line="1", stops=[1, 2, 3]), WrongLength(3, 2, True, "item"), ("cars", 0, "stops"), [1, 2, 3]),
        ({"cars": [{"type": "bus"}]}, UnknownTag(("tram", "van")), ("cars", 0, "type"), "bus"),
        (van(**{"from": "old"}), UnknownChoice(("new", "used")), ("cars", 0, "from"), "old"),
        (van(plate="x"), PatternMissed(WORD), ("cars", 0, "plate"), "x"),
        ({"pair": [1, "x"]}, PatternMissed("letters"), ("pair", 1), "x"),
        ({"since": "2026-13-01"}, NO_DAY, ("since",), "2026-13-01"),
        ({"plain": "y"}, WrongKind(("str",), " matching regex '^x$'", ""), ("plain",), "y"),
        (van(plate=7), NO_STRING, ("cars", 0, "plate"), 7),
        (van(wheels=2), WrongKind(("int",), " >= 3", "", 3), ("cars", 0, "wheels"), 2),
        ({"pair": [1]}, WrongKind(("array",), " of length 2", "1"), ("pair",), [1]),
        ({"keys": {"a": 1, "b": "x"}}, WrongKind(("int",), "", "str"), ("keys", "b"), "x"),
        ({"keys": {"a": 1, "long": 2}}, TOO_LONG, ("keys",), "long"),
    ],
    ids=lambda part: type(part).__name__ if isinstance(part, Struct) else "",
)
def test_a_fault_says_what_is_wrong_and_where(value: Any, wrong: Wrong, path: tuple[str | int, ...], at: Any) -> None:
    actual = fault(value)
    assert (actual.wrong, actual.path, actual.value) == (wrong, path, at)


def test_the_place_is_written_as_msgspec_writes_it() -> None:
    assert fault({"cars": [{"type": "tram", "line": 1}]}).place == ".cars[0].line"
    assert fault({"keys": {"a": "x"}}).place == ".keys[...]"
    assert fault(5).place == ""


def test_a_fault_without_words_of_ours_keeps_those_of_msgspec() -> None:
    error = msgspec.ValidationError("Integer value out of range - at `$.keys[...]`")
    value = {"keys": {"a": 10**20}}
    actual = fault_of(error, value, Depot)
    assert (actual.wrong, actual.sentence) == (Unreadable(), "Integer value out of range")
    refusal = malformed(error, value, Depot)
    assert str(refusal) == "keys[...]: not allowed, Integer value out of range: '100000000000000000000'"
    assert refusal.message("ja") == "keys[...]: 使えません(整数が大きすぎます): '100000000000000000000'"


@pytest.mark.parametrize(("value", "english", "japanese"), [tuple(row.values()) for row in FAULTS])
def test_a_fault_in_json_names_its_field(value: Any, english: str, japanese: str) -> None:
    with pytest.raises(MalformedError) as caught:
        converted(value, Depot, "depot")
    assert (str(caught.value), caught.value.message("ja")) == (f"depot.{english}", f"depot.{japanese}")
