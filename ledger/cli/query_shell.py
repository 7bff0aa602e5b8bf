"""The prompt of `query --shell`: one question after the other, each up to a `;`, from a screen or from a pipe."""

from __future__ import annotations

import re
import sys
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

import click

from ledger import limits
from ledger.cli.output import say
from ledger.errors import LedgerError
from ledger.history import TableDescription, has_statement, split_statements
from ledger.text.catalogue import label

if TYPE_CHECKING:
    from prompt_toolkit.history import History as PastQuestions

Answering: TypeAlias = Callable[[str], None]
"""Answers one question by printing; raises `LedgerError`."""

ErrorPrinter: TypeAlias = Callable[[LedgerError], None]
"""Tells why a question has no answer."""

_WORD: Final = re.compile(r"[\w-]+")
"""What Tab completes: words, and names of saved questions, which may have hyphens."""

_PROMPT, _MORE = "sql> ", "...> "

KEYWORDS: Final = """
    SELECT FROM WHERE GROUP BY ALL HAVING ORDER LIMIT OFFSET DISTINCT AS WITH RECURSIVE JOIN LEFT INNER CROSS ON USING
    UNION EXCEPT INTERSECT AND OR NOT NULL IS IN BETWEEN LIKE ILIKE CASE WHEN THEN ELSE END FILTER OVER PARTITION
    QUALIFY ASC DESC NULLS FIRST LAST VALUES CAST TRUE FALSE DESCRIBE SUMMARIZE SHOW TABLES EXPLAIN PIVOT UNPIVOT
    INTERVAL DATE TIMESTAMP count sum avg min max median round coalesce nullif string_split list_contains unnest rank
    row_number lag lead wilson_low wilson_high
""".split()  # noqa: SIM905 - eighty lines of a list would be less readable


def run_shell(
    tables: Sequence[TableDescription], saved: Sequence[str], answer: Answering, print_error: ErrorPrinter, lang: str
) -> None:
    """Answer until the input ends. Read from a pipe, a question that had no answer makes the exit status 2.

    `saved`: the names of saved questions, which Tab completes as it does `tables`.
    """
    if sys.stdin.isatty():
        for text in _typed(tables, saved, lang):
            try:
                _answer_all(text, answer, print_error)
            except KeyboardInterrupt:
                say(label(lang, "shell.stopped"), err=True)
    else:
        status = max((_answer_all(text, answer, print_error) for text in _piped()), default=0)
        if status:
            sys.exit(status)


def _answer_all(text: str, answer: Answering, print_error: ErrorPrinter) -> int:
    """Answer the questions of a text, each for itself; the exit status that the worst of them would have alone."""
    ended, rest = split_statements(text)
    status = 0
    for sql in [*ended, rest] if has_statement(rest) else ended:
        try:
            answer(sql)
            sys.stdout.flush()
        except LedgerError as error:
            print_error(error)
            status = max(status, error.exit_status)
    return status


def _piped() -> Iterator[str]:
    """The questions of standard input, as soon as each has an end; at last what has none, or is too long for one."""
    waiting = ""
    decoded = getincrementaldecoder("utf-8")(errors="replace").decode
    for line in iter(partial(sys.stdin.buffer.readline, limits.QUERY_CHARS), b""):
        waiting += decoded(line)
        if b";" in line:
            ended, rest = split_statements(waiting)
            if ended:
                yield waiting[: len(waiting) - len(rest)]
                waiting = rest
        if len(waiting) > limits.QUERY_CHARS:
            break
    if has_statement(waiting):
        yield waiting


def _typed(tables: Sequence[TableDescription], saved: Sequence[str], lang: str) -> Iterator[str]:
    """What somebody types at the prompt, until Ctrl-D; Ctrl-C throws away what was begun."""
    from prompt_toolkit import PromptSession
    from prompt_toolkit.application import get_app
    from prompt_toolkit.completion import ThreadedCompleter, WordCompleter
    from prompt_toolkit.filters import Condition

    words, meanings = words_to_complete(tables, saved, lang)
    session: PromptSession[str] = PromptSession(
        _PROMPT,
        multiline=Condition(lambda: _goes_on(get_app().current_buffer.text)),
        prompt_continuation=_MORE,
        completer=ThreadedCompleter(WordCompleter(words, ignore_case=True, meta_dict=meanings, pattern=_WORD)),
        complete_while_typing=False,
        history=_past(),
    )
    say(label(lang, "shell.greeting"), err=True)
    while True:
        try:
            yield session.prompt()
        except KeyboardInterrupt:
            continue
        except EOFError:
            return


def _goes_on(text: str) -> bool:
    """Whether Enter begins a new line rather than asking."""
    return has_statement(split_statements(text)[1])


def words_to_complete(
    tables: Sequence[TableDescription], saved: Sequence[str] = (), lang: str = "en"
) -> tuple[Sequence[str], dict[str, str]]:
    """Saved questions, tables, columns and the words of SQL; and what those mean, where it is one thing everywhere."""
    meanings = dict.fromkeys(saved, label(lang, "shell.saved"))
    for table in tables:
        meanings[table.table] = table.meaning
        for column in table.columns:
            is_known = meanings.setdefault(column.name, column.meaning) == column.meaning
            meanings[column.name] = column.meaning if is_known else label(lang, "shell.column_of_several")
    return [*meanings, *KEYWORDS], meanings


def _past() -> PastQuestions:
    """The questions of earlier days, where the user's folder can keep them."""
    from prompt_toolkit.history import FileHistory, InMemoryHistory

    folder = Path(click.get_app_dir("trickledger"))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "questions").touch(mode=0o600)
    except OSError:
        return InMemoryHistory()
    return FileHistory(str(folder / "questions"))
