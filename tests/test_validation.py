"""The reader of msgspec's messages, and the messages of libraries in every language."""

import errno
import os
import sqlite3
import tomllib
from datetime import date, datetime
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import pytest
from msgspec import Meta, Struct, field

from ledger import validation
from ledger.errors import MalformedError
from ledger.i18n import Phrase, Text, in_words, phrases
from ledger.i18n.library_errors import expectation, localised
from ledger.toml import parse_toml
from tests.japanese import assert_wholly_japanese

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


def fault(value: Any, kind: Any = Depot) -> validation.Fault:
    with pytest.raises(msgspec.ValidationError) as caught:
        msgspec.convert(value, kind)
    return validation.fault_of(caught.value, value, kind)


def van(**fields: Any) -> dict[str, Any]:
    return {"cars": [{"type": "van", **fields}]}


def tram(**fields: Any) -> dict[str, Any]:
    return {"cars": [{"type": "tram", **fields}]}


UNKNOWN_CAR = validation.UnknownField("car", ("cars", "keys", "pair", "plain", "since"))
UNKNOWN_FORM = validation.UnknownField("form", ("plate", "wheels", "from"))
TOO_LONG, TOO_SHORT = validation.WrongLength(4, 3, True, "character"), validation.WrongLength(0, 1, False, "character")
NO_DAY = validation.PatternMissed(phrase("value.day"))
NO_STRING = validation.WrongKind(("str", "null"), "", "int")


@pytest.mark.parametrize(("value", "wrong", "path", "at"), [
    (tram(), validation.MissingField("line"), ("cars", 0), {"type": "tram"}),
    ({"car": []}, UNKNOWN_CAR, (), {"car": []}),
    (van(form=1), UNKNOWN_FORM, ("cars", 0), {"type": "van", "form": 1}),
    (tram(line="1234"), TOO_LONG, ("cars", 0, "line"), "1234"),
    (tram(line=""), TOO_SHORT, ("cars", 0, "line"), ""),
    (tram(line="1", stops=[1, 2, 3]), validation.WrongLength(3, 2, True, "item"), ("cars", 0, "stops"), [1, 2, 3]),
    ({"cars": [{"type": "bus"}]}, validation.UnknownTag(("tram", "van")), ("cars", 0, "type"), "bus"),
    (van(**{"from": "old"}), validation.UnknownChoice(("new", "used")), ("cars", 0, "from"), "old"),
    (van(plate="x"), validation.PatternMissed(WORD), ("cars", 0, "plate"), "x"),
    ({"pair": [1, "x"]}, validation.PatternMissed("letters"), ("pair", 1), "x"),
    ({"since": "2026-13-01"}, NO_DAY, ("since",), "2026-13-01"),
    ({"plain": "y"}, validation.WrongKind(("str",), " matching regex '^x$'", ""), ("plain",), "y"),
    (van(plate=7), NO_STRING, ("cars", 0, "plate"), 7),
    (van(wheels=2), validation.WrongKind(("int",), " >= 3", "", 3), ("cars", 0, "wheels"), 2),
    ({"pair": [1]}, validation.WrongKind(("array",), " of length 2", "1"), ("pair",), [1]),
    ({"keys": {"a": 1, "b": "x"}}, validation.WrongKind(("int",), "", "str"), ("keys", "b"), "x"),
    ({"keys": {"a": 1, "long": 2}}, TOO_LONG, ("keys",), "long"),
], ids=lambda part: type(part).__name__ if isinstance(part, Struct) else "")  # fmt: skip
def test_a_fault_says_what_is_wrong_and_where(
    value: Any, wrong: validation.Wrong, path: tuple[str | int, ...], at: Any
) -> None:
    actual = fault(value)
    assert (actual.wrong, actual.path, actual.value) == (wrong, path, at)


def test_the_place_is_written_as_msgspec_writes_it() -> None:
    assert fault({"cars": [{"type": "tram", "line": 1}]}).place == ".cars[0].line"
    assert fault({"keys": {"a": "x"}}).place == ".keys[...]"
    assert fault(5).place == ""


def test_a_fault_without_words_of_ours_keeps_those_of_msgspec() -> None:
    error = msgspec.ValidationError("Integer value out of range - at `$.keys[...]`")
    value = {"keys": {"a": 10**20}}
    actual = validation.fault_of(error, value, Depot)
    assert (actual.wrong, actual.sentence) == (validation.Unreadable(), "Integer value out of range")
    refusal = validation.malformed(error, value, Depot)
    assert str(refusal) == "keys[...]: not allowed, Integer value out of range: '100000000000000000000'"
    assert refusal.message("ja") == "keys[...]: 使えません(整数が大きすぎます): '100000000000000000000'"


@pytest.mark.parametrize(("value", "english", "japanese"), [tuple(row.values()) for row in FAULTS])
def test_a_fault_in_json_names_its_field(value: Any, english: str, japanese: str) -> None:
    with pytest.raises(MalformedError) as caught:
        validation.converted(value, Depot, "depot")
    assert (str(caught.value), caught.value.message("ja")) == (f"depot.{english}", f"depot.{japanese}")


JSON = [
    b"{", b'{"a":1,}', b"[1,]", b"{1:2}", b'{"a" 1}', b"[1 2]", b'{"a":1 "b"}', b'"\x01"', b'"\\q"', b'"\\udc00"',
    b"01", b"1 2", b"9e999", b"\xff", b'"\xff"', b'"\xc3("', b"[" * 10_000,
]  # fmt: skip
TOML = [
    "a", "a = ", "a = 1 b", "a = \x01", 'a = "\x01"', "[a]\n[a]", "a = 1\na = 2", "[a", "[[a]", "a = {b = 1}\na.c = 2",
    "a = {b = 1}\n[a.c]", "a", "=", "a = [", "a = {b = 1", "a = {b = 1, b = 2}", 'a = "\\q"', 'a = "\\uxxxx"',
    'a = "\\ud800"', 'a = "', "a = 2026-02-30", "a = x", ".".join("a" * 200) + " = 1", "a = '''",
]  # fmt: skip
VALUES: list[tuple[Any, Any]] = [
    (1, str | None),
    ([1], tuple[int, int]),
    ([], Annotated[list[int], Meta(min_length=1)]),
    ({"long": 1}, dict[Annotated[str, Meta(max_length=2)], int]),
    (7, Annotated[int, Meta(multiple_of=2)]),
    (1.5, Annotated[float, Meta(lt=1)]),
    ("x", Annotated[str, Meta(pattern="^y$")]),
    ("2026-01-05T18:30:00", Annotated[datetime, Meta(tz=True)]),
]
QUOTES = "'\""
SQLITE = ["SELECT * FROM absent", "SELECT absent"]
SYSTEM = (
    errno.ENOENT, errno.EACCES, errno.EPERM, errno.EISDIR, errno.ENOTDIR, errno.ENOSPC, errno.EDQUOT, errno.EIO,
    errno.ENAMETOOLONG, errno.EROFS, errno.EEXIST, errno.EMFILE,
)  # fmt: skip


def said_of(read: Any, *wrong: Any) -> str:
    with pytest.raises(Exception) as caught:
        read(*wrong)
    return str(caught.value)


SAID = [
    *(said_of(msgspec.json.decode, text) for text in JSON),
    *(said_of(parse_toml, text) for text in TOML),
    *(said_of(msgspec.convert, *value) for value in VALUES),
    *(said_of(sqlite3.connect(":memory:").execute, sql) for sql in SQLITE),
    *map(os.strerror, SYSTEM),
    said_of(msgspec.json.encode, object()),
    said_of("\ud800".encode),
    said_of("\ud800\ud800".encode),
]


def test_known_messages_have_words_in_both_languages() -> None:
    for said in SAID:
        text = localised(said)
        assert in_words(text) == said
        shown = set(values_in(text))
        assert_wholly_japanese(in_words(text, "ja"), {"JSON", "UTF-8", "UTF-16", "Unicode", "null", *shown})


def values_in(text: Text) -> list[str]:
    """Return the values that a sentence shows unchanged, after checking that none is a library's sentence."""
    assert isinstance(text, Phrase), f"not known: {text}"
    values: list[str] = []
    for name, value in text.values.items():
        if isinstance(value, Phrase):
            values += values_in(value)
        else:
            assert name not in ("why", "expectation", "kinds") or value[0] in QUOTES, f"not known: {value}"
            values.append(value)
    return values


@pytest.mark.parametrize("words", ["", "``", "what nobody knows", "Expected", "Invalid value"])
def test_unknown_messages_stay_unchanged(words: str) -> None:
    assert in_words(localised(words)) == in_words(expectation(words)) == words


def test_the_place_in_a_file_is_named() -> None:
    assert (
        in_words(localised(said_of(tomllib.loads, "a = 1\nb")), "ja") == "キーの後に'='がありません(ファイルの終わり)"
    )
    assert (
        in_words(localised(said_of(tomllib.loads, "a = 1\nb\n")), "ja") == "キーの後に'='がありません(2行目の2文字目)"
    )
