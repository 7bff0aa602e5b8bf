"""Messages of libraries and the system: translated where known, and unchanged in English."""

import errno
import os
import sqlite3
import tomllib
from datetime import datetime
from typing import Annotated, Any

import msgspec
import pytest
from msgspec import Meta

from ledger.i18n import Phrase, Text, in_words
from ledger.i18n.library_errors import expectation, localised
from ledger.toml import parse_toml
from tests.japanese import assert_wholly_japanese

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
