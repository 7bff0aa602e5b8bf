"""Where a recorder sits: a terminal with the table in view, or lines alone, from a screen reader or a pipe."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, Protocol

from ledger.cli.output import say
from ledger.errors import LedgerError
from ledger.i18n import in_words
from ledger.recording.typed.asking import Question
from ledger.recording.typed.reading import completions
from ledger.recording.typed.situation import Situation
from ledger.text.layout import visible
from ledger.text.recorder import Recording, current_text, prompt_text

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.key_binding import KeyBindings

_LINE_CHARS: Final = 10_000
"""A longer line is no typing; it is read in pieces."""

_HELP: Final = "/"

_REFRESH_S: Final = 2
"""So often the table below the prompt is read again, for what others record."""


class Desk(Protocol):
    """`is_watched`: somebody sees what is refused, and types it otherwise.

    Lines that are pasted together are read one by one, each as if it were typed.
    """

    is_watched: bool

    def line(self, now: Situation, shown: Recording) -> str:
        """The next line that is typed; raises `EOFError` where nobody types any more."""
        ...

    def ask(self, question: Question) -> str:
        """The answer to a question; raises as `line`."""
        ...

    def drop(self) -> tuple[str, ...]:
        """Forget the lines that were pasted behind the last one, and return them."""
        ...


def desk_for(*, is_plain: bool, lang: str) -> Desk:
    """The desk that fits where standard input comes from."""
    if sys.stdin.isatty() and sys.stdout.isatty() and not is_plain:
        return Terminal(lang)
    return Lines(lang)


class Lines:
    """Prompts and answers as lines, in their order."""

    def __init__(self, lang: str) -> None:
        self._lang = lang
        self.is_watched = sys.stdin.isatty()

    def line(self, now: Situation, shown: Recording) -> str:
        return self._read(prompt_text(now, self._lang))

    def ask(self, question: Question) -> str:
        return self._read(in_words(question.said, self._lang)) or question.default

    def drop(self) -> tuple[str, ...]:
        return ()  # what comes through a pipe is read to its end

    def _read(self, prompt: str) -> str:
        say(prompt, nl=not self.is_watched)
        sys.stdout.flush()
        line = sys.stdin.buffer.readline(_LINE_CHARS)
        if not line:
            raise EOFError
        return line.decode("utf-8", errors="replace").rstrip("\r\n")


class Terminal:
    """A prompt below what has happened, with the table under it; what may come is offered by Tab."""

    is_watched = True

    def __init__(self, lang: str) -> None:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.history import InMemoryHistory

        self._lang = lang
        self._typed: PromptSession[str] = PromptSession(history=InMemoryHistory(), key_bindings=_help_key())
        self._answers: PromptSession[str] = PromptSession(history=InMemoryHistory())
        self._pasted: deque[str] = deque()

    def line(self, now: Situation, shown: Recording) -> str:
        view = ""

        def current() -> str:
            nonlocal view
            with suppress(LedgerError):  # a ledger that is busy is read the next time
                view = visible("\n".join(current_text(shown)))
            return view

        return self._next(
            prompt_text(now, self._lang),
            lambda prompt: self._typed.prompt(
                prompt,
                bottom_toolbar=current,
                refresh_interval=_REFRESH_S,
                completer=_words(completions(now)),
                complete_while_typing=False,
            ),
        )

    def ask(self, question: Question) -> str:
        completer = _words(question.choices)
        prompt = in_words(question.said, self._lang)
        return self._next(prompt, lambda said: self._answers.prompt(said, completer=completer)) or question.default

    def drop(self) -> tuple[str, ...]:
        left = tuple(self._pasted)
        self._pasted.clear()
        return left

    def _next(self, prompt: str, typed: Callable[[str], str]) -> str:
        """Return the next of the pasted lines, else what is typed, without the lines pasted behind it."""
        if self._pasted:
            line = self._pasted.popleft()
            say(f"{prompt}{line}")
            return line
        line, *more = typed(visible(prompt)).removesuffix("\n").split("\n")
        self._pasted.extend(more)
        return line


def _words(words: Iterable[str]) -> Any:
    from prompt_toolkit.completion import WordCompleter

    return WordCompleter(list(words), ignore_case=True, sentence=False)


def _help_key() -> KeyBindings:
    """F1 asks what may be typed, and leaves the line as it is not."""
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

    bindings = KeyBindings()

    def ask_for_help(event: KeyPressEvent) -> None:
        event.current_buffer.text = _HELP
        event.current_buffer.validate_and_handle()

    bindings.add("f1")(ask_for_help)
    return bindings
