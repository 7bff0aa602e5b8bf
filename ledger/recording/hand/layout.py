"""The standard layout of a hand record: keys in their order, a line for each trick, cards in one spelling. Comments
stay.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Final

from msgspec import Struct, structs

from ledger.cards import parse_card_or_unknown
from ledger.errors import MalformedError
from ledger.recording.catalogue import phrase
from ledger.recording.hand.checking import text_of_file
from ledger.recording.hand.deal import LINE_KEYS
from ledger.recording.hand.file import DealPart, HandRecordFile, SessionPart
from ledger.recording.hand.page import QUOTED, Page
from ledger.recording.hand.reading import read_page
from ledger.recording.hand.record import HandRecord, read_hand_record
from ledger.recording.vocabulary import is_card
from ledger.toml import lines_text, value_text


class Statement(Struct, frozen=True):
    """A pair, or a header without a value; `key` and `value` as they were typed.

    `above`: the comments above it, with an empty one for each blank line between them. `inline_comment`: the comment
    behind it, or an empty text.
    """

    key: str
    value: str | None
    above: tuple[str, ...]
    inline_comment: str


class Statements(Struct, frozen=True):
    """All statements of a file. `after`: the comments after the last one."""

    all: tuple[Statement, ...]
    after: tuple[str, ...]


def statements_of(text: str) -> Statements:
    """Split a text that is known to be TOML into its statements."""
    statements: list[Statement] = []
    place = 0
    for start, value, end in Page(text, "").statements:
        end_of_line = (text + "\n").index("\n", end)
        key = text[start:end].strip() if value is None else text[start:value].rstrip().removesuffix("=").strip()
        statements.append(
            Statement(
                key,
                None if value is None else text[value:end].strip(),
                _tidy(text[place:start].split("\n")[:-1]),
                text[end:end_of_line].strip(),
            )
        )
        place = end_of_line
    return Statements(tuple(statements), _tidy(text[place:].removesuffix("\n").split("\n")))


def comments_within(value: str) -> Iterator[str]:
    """Yield the comments inside a value of several lines, outside of its texts."""
    bare = QUOTED.sub("", value)
    return (line.partition("#")[2].strip() for line in bare.split("\n") if "#" in line)


def _tidy(lines: Sequence[str]) -> tuple[str, ...]:
    """Return comments without leading blank lines and with at most one blank line between them."""
    tidied: list[str] = []
    for comment in map(str.strip, lines):
        if comment or (tidied and tidied[-1]):
            tidied.append(comment)
    return tuple(tidied)


_ORDER: Final = {
    "": HandRecordFile.__struct_fields__,
    "[session]": SessionPart.__struct_fields__,
    "[[deal]]": DealPart.__struct_fields__,
}
"""The order of the keys of each table, as in its schema."""

_CARDS: Final = frozenset(("stock", "deck", "turned"))
_HANDS: Final = "[deal.hands]"
_MARKS: Final = re.compile("[ \\t]*(->|=>|→|>)[ \\t]*")
_COLON: Final = re.compile("[ \\t]*:[ \\t]*")
_BETWEEN: Final = re.compile("[,;·|]")


class LaidOut(Struct, frozen=True):
    """A hand record in the standard layout. `is_changed`: whether its layout was another one."""

    text: str
    is_changed: bool


def lay_out_file(file: str | Path | BinaryIO, name: str) -> LaidOut:
    """Return the standard layout of a file. Raise as `lay_out`."""
    text = text_of_file(file, name)
    made = lay_out(text, name)
    return LaidOut(made, made != text)


def lay_out(text: str, source: str) -> str:
    """Return the same hand record in the standard layout; its events and comments stay.

    `source`: the file's name in messages. Raise `MalformedError` if the file cannot be read.
    """
    before = read_hand_record(text, source)
    read = read_page(text, source).text
    for is_respelled in (True, False):
        made = _text(statements_of(read), before.table.game.calls if is_respelled else None)
        if _is_same(read, before, made, source):
            return made
    raise MalformedError(phrase("layout.cannot"), phrase("layout.by_hand"), source)


def _text(statements: Statements, calls: Collection[str] | None) -> str:
    """Return the whole file; without the `calls` of the game, values stay as they were typed."""
    head, those = _without_head(statements.all)
    lines: list[str] = [*head, ""]
    for header, block in _blocks(those):
        name = "" if header is None else re.sub(r"\s", "", header.key)
        if header is not None:
            lines += ["", *header.above, _with_comment(header.key, header.inline_comment)]
        for one in _in_order(block, name):
            lines += one.above
            assert one.value is not None, "headers begin blocks"
            value = one.value if calls is None else _value(name, one.key, one.value, calls)
            lines.append(_with_comment(f"{one.key} = {value}", one.inline_comment))
    if statements.after:
        lines += ["", *statements.after]
    return "\n".join(lines).strip("\n") + "\n"


def _without_head(statements: Sequence[Statement]) -> tuple[Sequence[str], Sequence[Statement]]:
    """Split off the comments above a blank line at the top: they describe the whole file, not its first key."""
    if not statements or "" not in statements[0].above:
        return (), statements
    above = statements[0].above
    last_blank = len(above) - 1 - above[::-1].index("")
    return above[:last_blank], (structs.replace(statements[0], above=above[last_blank + 1 :]), *statements[1:])


def _blocks(statements: Sequence[Statement]) -> Iterator[tuple[Statement | None, list[Statement]]]:
    """Yield each header with its pairs, after the pairs above the first header."""
    header: Statement | None = None
    block: list[Statement] = []
    for one in statements:
        if one.value is None:
            yield header, block
            header, block = one, []
        else:
            block.append(one)
    yield header, block


def _in_order(block: Sequence[Statement], name: str) -> Sequence[Statement]:
    """Return the pairs of a table in the order of its keys."""
    keys = _ORDER.get(name)
    if keys is None:
        return block
    place = {key: number for number, key in enumerate(keys)}
    return sorted(block, key=lambda one: place.get(one.key.partition(".")[0].strip("\"' "), len(place)))


def _with_comment(text: str, comment: str) -> str:
    return f"{text}  {comment}" if comment else text


# Values


def _value(table: str, key: str, raw: str, calls: Collection[str]) -> str:
    """Return a value in the standard layout; as it was typed if it contains a comment."""
    if any(comments_within(raw)):
        return raw
    value = tomllib.loads(f"value = {raw}")["value"]
    if table == "[[deal]]" and key in LINE_KEYS:
        return _lines(value, calls if key == "calls" else ())
    if isinstance(value, str) and ((table == "[[deal]]" and key in _CARDS) or table == _HANDS):
        return value_text(_words(value))
    return _plain(value, raw)


def _plain(value: Any, raw: str) -> str:
    """Return a value other than cards on one line, unless it has several lines or a type other than text, number, list
    or table.
    """
    if "\n" in raw or not _is_plain(value):
        return raw
    return value_text(value)


def _is_plain(value: Any) -> bool:
    if isinstance(value, dict):
        return all(map(_is_plain, value.values()))
    if isinstance(value, list):
        return all(map(_is_plain, value))
    return isinstance(value, str | int)


def _lines(value: str | Sequence[str], calls: Collection[str]) -> str:
    texts = [value] if isinstance(value, str) else value
    lines = [line for text in texts for typed in text.split("\n") for line in _line(typed, calls)]
    return lines_text(lines) if lines else value_text("")


def _line(typed: str, calls: Collection[str]) -> Iterator[str]:
    """Yield the lines of a typed line, which `/` may divide; its comment stays with the last of them."""
    acts, sign, comment = typed.partition("#")
    parts = [words for part in acts.split("/") if (words := _words(part, calls))]
    if sign:
        comment = f"# {comment.strip()}".rstrip()
        parts = [*parts[:-1], f"{parts[-1]}  {comment}"] if parts else [comment]
    yield from parts


def _words(text: str, calls: Collection[str] = ()) -> str:
    """Return words with one blank between them and cards in canonical form. `calls`: words that look like cards."""
    spaced = _COLON.sub(": ", _MARKS.sub(" > ", _BETWEEN.sub(" ", text)))
    return " ".join(
        parse_card_or_unknown(word) if is_card(word) and word.casefold() not in calls else word
        for word in spaced.split()
    )


# What must stay


def _is_same(read: str, before: HandRecord, made: str, source: str) -> bool:
    """Return whether the new text has the same events, expectations and comments."""
    try:
        after = read_hand_record(made, source, seeks_slips=False)
    except MalformedError:
        return False
    has_same_content = before.events == after.events and before.expectations == after.expectations
    return has_same_content and _comments(read) == _comments(made)


def _comments(text: str) -> Counter[str]:
    """Count all comments, also those within the lines of acts, without the blanks around them."""
    statements = statements_of(text)
    comments: Counter[str] = Counter(statements.after)
    for one in statements.all:
        comments.update([*one.above, one.inline_comment])
        if one.value is not None:
            comments.update(comments_within(one.value))
            comments.update(_comments_in_lines(tomllib.loads(f"value = {one.value}")["value"]))
    return Counter({comment.strip("# "): number for comment, number in comments.items() if comment.strip("# ")})


def _comments_in_lines(value: Any) -> Iterator[str]:
    """Yield the comments within the lines of a text, or of texts in a list."""
    if isinstance(value, str):
        yield from (line.partition("#")[2].strip() for line in value.split("\n") if "#" in line)
    elif isinstance(value, list):
        for item in value:
            yield from _comments_in_lines(item)
