"""The help of a command in another language than English, from `help_texts/LANGUAGE.toml`.

A table is named by its command (`main` is the program) and holds `help` and a text for each option; options that
several commands explain alike are in `[options]`; headings, groups and defaults are in `[words]` under their English.
A text that the file lacks is shown in English. In `help`, a paragraph of `\\b` alone is the next unbroken one of the
English help: its examples.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from inspect import cleandoc
from itertools import groupby
from typing import Final
from unicodedata import east_asian_width

import click

from ledger.cli.commands import GROUPS, SUMMARIES

_UNBROKEN: Final = "\b"
"""click's mark above a paragraph that keeps its lines."""

_TERM_MAX: Final = 30
"""The widest name of an option on the line of its description, as in click; a wider one has a line of its own."""

_NEVER_FIRST: Final = frozenset("、。・」』】〕)]}ー…々ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ,.;:!?")
_NEVER_LAST: Final = frozenset("「『【〔([{")
_WORDS: Final = ("narrow", "katakana", "kanji")
"""The kinds of characters whose runs are words."""

_ENDING_MAX: Final = 8
"""The longest run of hiragana that stays on the line of its word."""


@cache
def help_texts(lang: str) -> Mapping[str, Mapping[str, str]]:
    """Return the texts of a language by command and option; empty if it has none."""
    file = files("ledger.cli").joinpath("help_texts", f"{lang}.toml")
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}


def help_page(command: click.Command, context: click.Context, lang: str) -> str:
    """Return the whole help of a command, wrapped for the terminal."""
    width = context.make_formatter().width
    prefix = f"{_word(lang, 'Usage')}: {context.command_path} "
    lines = _hanging(prefix, " ".join(command.collect_usage_pieces(context)), width)
    for paragraph in help_paragraphs(command, lang):
        if paragraph[0] == _UNBROKEN:
            lines += ["", *(f"  {line}" for line in paragraph[1:])]
        else:
            lines += ["", *(f"  {line}" for line in wrapped(paragraph[0], width - 2))]
    lines += _section(_word(lang, "Options"), list(_options(command, context, lang)), width)
    if isinstance(command, click.Group):
        term_width = max(map(len, SUMMARIES))
        for group, names in GROUPS.items():
            rows = [(name.ljust(term_width), summary(name, lang)) for name in names]
            lines += _section(_word(lang, group), rows, width)
    return "\n".join(lines)


def help_paragraphs(command: click.Command, lang: str) -> list[list[str]]:
    """Return the paragraphs of a command's help: one line, or for an unbroken one the mark and its lines."""
    english = _paragraphs(command.help or "")
    text = help_texts(lang).get(command.name or "", {}).get("help")
    if text is None:
        return english
    examples = iter([paragraph for paragraph in english if paragraph[0] == _UNBROKEN])
    translated = []
    for paragraph in _paragraphs(text):
        example = next(examples, paragraph) if paragraph[0] == _UNBROKEN else paragraph
        translated.append(example if len(paragraph) == 1 else paragraph)
    return translated


def summary(name: str, lang: str) -> str:
    """Return the first paragraph of a command's help."""
    text = help_texts(lang).get(name, {}).get("help")
    return SUMMARIES[name] if text is None else _paragraphs(text)[0][0]


def option_help(command: click.Command, option: click.Option, lang: str) -> str:
    """Return the description of an option, without its default and limits."""
    texts = help_texts(lang)
    name = next((name for name in option.opts if name.startswith("--")), option.opts[0])
    own = texts.get(command.name or "", {}).get(name)
    return own or texts.get("options", {}).get(name) or option.help or ""


def described(command: click.Command, word: str, lang: str) -> str | None:
    """Return the description for a shell that completes a command or an option; None for any other word.

    A command has the first sentence of its summary, since shells show descriptions in one line.
    """
    if isinstance(command, click.Group) and word in SUMMARIES:
        return summary(word, lang).partition("。")[0]
    options = (one for one in command.params if isinstance(one, click.Option) and word in one.opts)
    return next((option_help(command, option, lang) for option in options), None)


def wrapped(text: str, width: int) -> list[str]:
    """Break a text into lines of at most `width` columns.

    Lines break at blanks and between Japanese words, but not before a closing mark or after an opening one.
    """
    lines = [""]
    for piece in _pieces(text):
        if piece.isspace():
            if lines[-1]:
                lines[-1] += piece
        elif columns(lines[-1] + piece) > width and lines[-1].strip():
            lines[-1] = lines[-1].rstrip()
            lines.append(piece)
        else:
            lines[-1] += piece
    lines[-1] = lines[-1].rstrip()
    return lines


def columns(text: str) -> int:
    """Return the width of a text on a terminal; a wide character fills two columns."""
    return len(text) if text.isascii() else sum(2 if east_asian_width(sign) in "WF" else 1 for sign in text)


def _pieces(text: str) -> Iterator[str]:
    """Yield blanks and the parts of a text that no line break may divide."""
    piece, before, quotes = "", "blank", 0
    for kind, signs in groupby(text, _kind):
        run = "".join(signs)
        if kind == "blank":
            yield from (piece, run)
            piece = ""
        elif kind == "hiragana" and before in _WORDS:
            piece += run[:_ENDING_MAX]
            run = run[_ENDING_MAX:]
        for part in _parts(run, kind):
            is_opened = piece[-1:] in _NEVER_LAST or (piece[-1:] == '"' and quotes % 2)
            if piece and (part[0] in _NEVER_FIRST or is_opened):
                piece += part
            else:
                yield piece
                piece = part
            quotes += part.count('"')
        before = kind
    yield piece


def _parts(run: str, kind: str) -> list[str]:
    if kind == "blank" or not run:
        return []
    size = {"hiragana": _ENDING_MAX, "mark": 1}.get(kind, len(run))
    return [run[start : start + size] for start in range(0, len(run), size)]


def _kind(sign: str) -> str:
    """Return the kind of a character, by which a text is divided into words."""
    if sign.isspace():
        return "blank"
    if "ぁ" <= sign <= "ゖ":
        return "hiragana"
    if "ァ" <= sign <= "ヺ" or sign == "ー":
        return "katakana"
    if "\u3400" <= sign <= "\u9fff" or sign == "々":
        return "kanji"
    return "narrow" if columns(sign) == 1 else "mark"


def _paragraphs(text: str) -> list[list[str]]:
    parts = [part.splitlines() for part in cleandoc(text).strip("\n").split("\n\n") if part]
    return [lines if lines[0] == _UNBROKEN else [_joined(lines)] for lines in parts]


def _joined(lines: Sequence[str]) -> str:
    """Join the lines of a paragraph, with a blank only between narrow characters."""
    text = ""
    for line in lines:
        is_narrow = text and columns(text[-1]) == columns(line[0]) == 1
        text += f" {line}" if is_narrow else line
    return text


def _options(command: click.Command, context: click.Context, lang: str) -> Iterator[tuple[str, str]]:
    """Yield each option as typed and its description with default and limits."""
    for option in command.get_params(context):
        record = option.get_help_record(context)
        if record is not None and isinstance(option, click.Option):
            limits = "; ".join(_limits(option, context, lang))
            text = option_help(command, option, lang)
            yield record[0], f"{text} [{limits}]" if limits else text


def _limits(option: click.Option, context: click.Context, lang: str) -> Iterator[str]:
    extra = option.get_help_extra(context)
    if "default" in extra:
        yield _word(lang, "default: {value}").format(value=_word(lang, extra["default"]))
    if "range" in extra and isinstance(option.type, click.IntRange | click.FloatRange):
        least, most = option.type.min, option.type.max
        yield _word(lang, "{least} or more" if most is None else "{least} to {most}").format(least=least, most=most)
    if "required" in extra:
        yield _word(lang, "required")


def _word(lang: str, english: str) -> str:
    return help_texts(lang).get("words", {}).get(english, english)


def _section(heading: str, rows: Sequence[tuple[str, str]], width: int) -> list[str]:
    """Return a heading with terms and their descriptions in two columns, as click lays them out."""
    column = min(max(columns(term) for term, _ in rows), _TERM_MAX) + 4
    lines = ["", f"{heading}:"]
    for term, text in rows:
        first, *others = wrapped(text, max(width - column, 10))
        if columns(term) > column - 4:
            lines += [f"  {term}", " " * column + first]
        else:
            lines.append(f"  {term}".ljust(column) + first)
        lines += [" " * column + line for line in others]
    return lines


def _hanging(prefix: str, text: str, width: int) -> list[str]:
    indent = columns(prefix)
    first, *others = wrapped(text, max(width - indent, 20))
    return [f"{prefix}{first}", *(" " * indent + line for line in others)]
