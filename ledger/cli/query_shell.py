"""The prompt of `query --shell`: queries that end with `;`, from a terminal or a pipe."""

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
from ledger.history.questions.saved import KEYWORDS
from ledger.text.catalogue import label

if TYPE_CHECKING:
    from prompt_toolkit.history import History as PastQuestions

Answering: TypeAlias = Callable[[str], None]
"""A function that prints the answer to a query; it raises `LedgerError`."""

ErrorPrinter: TypeAlias = Callable[[LedgerError], None]
"""A function that prints why a query failed."""

_WORD: Final = re.compile(r"[\w-]+")
"""A word that Tab completes, including names of saved queries, which may contain hyphens."""

_PROMPT, _MORE = "sql> ", "...> "


def run_shell(
    tables: Sequence[TableDescription], saved: Sequence[str], answer: Answering, print_error: ErrorPrinter, lang: str
) -> None:
    """Answer queries until the input ends; from a pipe, exit with the status of the worst error.

    `saved`: names of saved queries, which Tab completes like `tables`.
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
    """Answer the queries of a text separately; return the worst exit status."""
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
    """Yield the queries of standard input as soon as each is complete, at last an unfinished or overlong one."""
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
    """Yield what is typed at the prompt until Ctrl-D; Ctrl-C discards the current input."""
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
    """Return whether Enter continues the query on a new line."""
    return has_statement(split_statements(text)[1])


def words_to_complete(
    tables: Sequence[TableDescription], saved: Sequence[str] = (), lang: str = "en"
) -> tuple[Sequence[str], dict[str, str]]:
    """Return saved queries, tables, columns and SQL keywords, and the meanings of those with only one meaning."""
    meanings = dict.fromkeys(saved, label(lang, "shell.saved"))
    for table in tables:
        meanings[table.table] = table.meaning
        for column in table.columns:
            is_known = meanings.setdefault(column.name, column.meaning) == column.meaning
            meanings[column.name] = column.meaning if is_known else label(lang, "shell.column_of_several")
    return [*meanings, *KEYWORDS], meanings


def _past() -> PastQuestions:
    """Return the history of the prompt, stored in the user's folder if possible."""
    from prompt_toolkit.history import FileHistory, InMemoryHistory

    folder = Path(click.get_app_dir("trickledger"))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "questions").touch(mode=0o600)
    except OSError:
        return InMemoryHistory()
    return FileHistory(str(folder / "questions"))
