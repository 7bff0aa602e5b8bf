"""The repair of one line that is not TOML: the line as it was probably meant, and what is wrong with it.

The repaired line is shown as a suggestion, and the rest of the file is searched for errors with it. It is never
recorded.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple, TypeAlias

from ledger.i18n import Phrase
from ledger.i18n.normalisation import WIDTHS
from ledger.recording.catalogue import phrase
from ledger.recording.hand.file import KEYS, holds_lines, is_moment, keys_called
from ledger.recording.vocabulary import means
from ledger.toml import TEXT_OR_COMMENT, parse_toml

_SMART: Final = "“”„‟«»‹›「」『』〝〞〟＂"
_SMART_SIGN: Final = re.compile(rf"[{_SMART}]|(?<!\w)[‘’‚]|[‘’](?!\w)")
_OTHER_SIGNS: Final = WIDTHS | str.maketrans("、−–", ",--")
_WIDE_SIGN: Final = re.compile("[\u3000、−–" + "".join(chr(code) for code in WIDTHS if code > 0xFF00) + "]")

_REMARK: Final = re.compile(r"(\s*)(?://+|--+|;+|%+)\s*(.*)")
_BRACKETS: Final = re.compile(r"\s*\[+\s*([\w.-]+)\s*\]*\s*(?:\x02.*)?|\s*(deals?)\s*", re.IGNORECASE)
_WRONG_EQUALS: Final = re.compile(r"(\s*[^\s=:{}\[\],]+)\s*(?::=|:|==|=>)\s*(?=\S)")
_INNER_COLON: Final = re.compile(r"(?<=[{,])(\s*[^\s=:{}\[\],]+)\s*:\s*(?=\S)")
_NO_EQUALS: Final = re.compile(r"(\s*)(\w+)\s+(?=[^\s=])")
_ODD_KEY: Final = re.compile(r"(?:^|(?<=[{,]))\s*([^\s=:{}\[\],.\x01\x02][^=:{}\[\],\x01\x02]*?)\s*=")
_PLAIN_KEY: Final = re.compile(r"[A-Za-z0-9_.-]+")
_PAIR: Final = re.compile(r"(\s*(?:[A-Za-z0-9_.-]+|\x01+)\s*=)([^\x02]*)(.*)", re.DOTALL)
_INNER_VALUE: Final = re.compile(r"(?<==)(\s*)([^\s,{}\[\]\x01][^,{}\[\]\x01]*?)(?=\s*[,}])")
_ITEM: Final = re.compile(r"[^\s,\[\]{}\x01][^,\[\]{}\x01]*?(?=\s*[,\]])")
_NO_COMMA: Final = re.compile(r"(?<=\x01)[ \t]+(?=\x01)")
_DATE: Final = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ]+(\d{1,2}):(\d\d)(?::(\d\d))?)?", re.ASCII)
_TEXTS: Final = re.compile(r"\x01+(?:[\s,]+\x01+)+")

LONG_MARKS: Final = ('"""', "'''")
"""The marks around a text of several lines."""

RepairRule: TypeAlias = Callable[[str], tuple[str, Phrase] | None]
"""A rule that returns the repaired line and what was wrong; None if it does not apply."""


class Repair(NamedTuple):
    """A repaired line, or None if its meaning is not clear. `wrong`: the first mistake."""

    wrong: Phrase
    line: str | None


def repair_line(line: str) -> Repair | None:
    """Return the repair of a line outside of any text; None if no rule applies."""
    wrong: Phrase | None = None
    for rule in _REPAIR_RULES:
        repaired = rule(line)
        if repaired is not None:
            line, wrong = repaired[0], wrong or repaired[1]
    if wrong is None:
        return None
    return Repair(wrong, line.strip() if _is_toml(line) else None)


def masked(text: str) -> str:
    """Return the text with texts replaced by `\\x01` and comments by `\\x02`, sign by sign. Unclosed texts stay."""
    return TEXT_OR_COMMENT.sub(lambda match: _filled(match[0]), text)


def is_closed(text: str) -> bool:
    """Return whether a text ends with the marks with which it begins."""
    mark = text[:3] if text[:3] in LONG_MARKS else text[:1]
    return len(text) >= 2 * len(mark) and text.endswith(mark)


def _filled(text: str) -> str:
    if text.startswith("#"):
        return "\x02" * len(text)
    return re.sub(r"[^\n]", "\x01", text) if is_closed(text) else text


def _is_toml(line: str) -> bool:
    opens = re.search(r"(\"\"\"|''')\s*$", line) if '"' in masked(line) or "'" in masked(line) else None
    try:
        parse_toml(line + "\n" + opens[1] if opens else line)
    except (ValueError, RecursionError):
        return False
    return True


# Signs


def _smart_quotes(line: str) -> tuple[str, Phrase] | None:
    matches = list(_SMART_SIGN.finditer(masked(line)))
    if not matches:
        return None
    for sign in matches:
        line = _replaced(line, *sign.span(), '"')
    return line, phrase("toml.smart_quotes", sign=matches[0][0])


def _wide_signs(line: str) -> tuple[str, Phrase] | None:
    """Replace full-width signs outside of texts; within texts they are valid."""
    mask = masked(line)
    match = _WIDE_SIGN.search(mask)
    if match is None:
        return None
    signs = (
        sign if hidden in "\x01\x02" else sign.translate(_OTHER_SIGNS) for sign, hidden in zip(line, mask, strict=True)
    )
    key = (
        "toml.wide_blank" if match[0] == "\u3000" else "toml.wide_sign" if ord(match[0]) > 0xFF00 else "toml.other_sign"
    )
    return "".join(signs), phrase(key, sign=match[0])


def _remark(line: str) -> tuple[str, Phrase] | None:
    match = _REMARK.fullmatch(line)
    return None if match is None else (f"{match[1]}# {match[2]}", phrase("toml.remark"))


# Keys


def _brackets(line: str) -> tuple[str, Phrase] | None:
    match = _BRACKETS.fullmatch(masked(line))
    if match is None or _is_toml(line):
        return None
    name = ".".join(_own_name(part) for part in (match[1] or match[2]).split("."))
    is_deal = name.casefold() in ("deal", "deals")
    return "[[deal]]" if is_deal else f"[{name}]", phrase("toml.brackets")


def _own_name(part: str) -> str:
    called = () if _PLAIN_KEY.fullmatch(part) else keys_called(part)
    return called[0] if called else part


def _equals(line: str) -> tuple[str, Phrase] | None:
    mask = masked(line)
    if (match := _WRONG_EQUALS.match(mask)) is not None:
        return _inner_equals(_replaced(line, match.end(1), match.end(), " = ")), phrase("toml.wrong_equals")
    if line.strip() in KEYS:
        return line, phrase("toml.no_equals")
    match = _NO_EQUALS.match(mask)
    if match is not None and (match[2] in KEYS or keys_called(match[2])):
        return _replaced(line, match.end(2), match.end(), " = "), phrase("toml.no_equals")
    return (inner, phrase("toml.wrong_equals")) if (inner := _inner_equals(line)) != line else None


def _inner_equals(line: str) -> str:
    for match in reversed(list(_INNER_COLON.finditer(masked(line)))):
        line = _replaced(line, match.end(1), match.end(), " = ")
    return line


def _keys(line: str) -> tuple[str, Phrase] | None:
    """Quote keys that need it, and replace other names of keys by the keys."""
    wrong: Phrase | None = None
    for match in reversed(list(_ODD_KEY.finditer(masked(line)))):
        key = line[slice(*match.span(1))]
        if not _PLAIN_KEY.fullmatch(key):
            called = keys_called(key)
            line = _replaced(line, *match.span(1), called[0] if called else _quoted(key))
            wrong = phrase("file.unknown_key") if called else phrase("toml.odd_key")
    return None if wrong is None else (line, wrong)


# Values


def _value(line: str) -> tuple[str, Phrase] | None:
    match = _PAIR.fullmatch(masked(line))
    if match is None or _is_toml(line):
        return None
    head, rest = line[: match.end(1)], line[match.end(1) : match.end(2)]
    key, value = head.rstrip(" \t=").strip(" \t\"'"), rest.strip()
    if not value:
        return line, phrase("toml.no_value")
    for other, wrong in _values_meant(key, value):
        if other is None or _is_toml(f"x = {other}"):
            return (line if other is None else f"{head} {other}"), wrong
    return None


def _values_meant(key: str, value: str) -> Iterator[tuple[str | None, Phrase]]:
    """Yield the possible meanings of an invalid value, the likeliest first; None if there is no suggestion."""
    yield value.rstrip(",;. "), phrase("toml.after_value")
    for truth in ("true", "false"):
        if means(truth, value):
            yield truth, phrase("toml.truth")
    if is_moment(key):
        yield _moment(value), phrase("toml.moment")
    mask = masked(value)
    if _TEXTS.fullmatch(mask):
        texts = [text[0].strip("\"'") for text in re.finditer(r'"[^"]*"|\'[^\']*\'', value)]
        yield _list_of(texts) if key == "players" else _quoted(" ".join(texts)), phrase("toml.several_texts")
    if value[0] in "[({":
        yield from _tables_meant(value, mask)
    elif value in ('"', "'"):
        yield ('"""' if holds_lines(key) else None), phrase("toml.unclosed_quote")
    else:
        yield from _texts_meant(key, value)


def _tables_meant(value: str, mask: str) -> Iterator[tuple[str | None, Phrase]]:
    """Yield the possible meanings of lists and tables in braces."""
    if value[0] == "{":
        if mask.count("{") != mask.count("}"):
            yield None, phrase("toml.broken_table")
        yield _each_quoted(value, _INNER_VALUE), phrase("toml.bare_value")
        return
    items = "[" + value[1:].rstrip(")").rstrip("]") + "]"
    with_commas = items
    for match in reversed(list(_NO_COMMA.finditer(masked(items)))):
        with_commas = _replaced(with_commas, *match.span(), ", ")
    if with_commas != items:
        yield with_commas, phrase("toml.no_comma")
    yield _each_quoted(items, _ITEM), phrase("toml.bare_value")


def _texts_meant(key: str, value: str) -> Iterator[tuple[str | None, Phrase]]:
    bare = value.removeprefix(value[0]) if value[0] in "\"'" else value
    bare = bare[:-1] if bare[-1:] in ('"', "'") else bare
    if len(bare) == len(value) - 2:
        yield f"'{bare}'", phrase("toml.backslash" if "\\" in bare else "toml.inner_quotes")
    if key == "players":
        yield _list_of([name.strip(" \"'") for name in bare.split(",")]), phrase("toml.bare_value")
    yield _quoted(bare.strip()), phrase("toml.bare_value" if bare == value else "toml.unclosed_quote")


def _moment(value: str) -> str | None:
    match = _DATE.fullmatch(value)
    if match is None:
        return None
    year, month, day, hour, minute, second = match.groups()
    date = f"{year}-{month:0>2}-{day:0>2}"
    return date if hour is None else f"{date}T{hour:0>2}:{minute}:{second or '00'}"


def _each_quoted(value: str, of: re.Pattern[str]) -> str:
    """Return the value with quotation marks around each bare text in it."""
    for match in reversed(list(of.finditer(masked(value)))):
        start, end = match.span(match.lastindex or 0)
        bare = value[start:end]
        if not _is_toml(f"x = {bare}"):
            value = _replaced(value, start, end, _quoted(bare.strip()))
    return value


def _list_of(names: list[str]) -> str:
    return "[" + ", ".join(_quoted(name) for name in names if name) + "]"


def _quoted(text: str) -> str:
    return f"'{text}'" if '"' in text else f'"{text}"'


def _replaced(text: str, start: int, end: int, other: str) -> str:
    return text[:start] + other + text[end:]


_REPAIR_RULES: Final[tuple[RepairRule, ...]] = (_smart_quotes, _wide_signs, _remark, _brackets, _equals, _keys, _value)
