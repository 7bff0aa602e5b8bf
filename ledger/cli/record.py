"""The command `record`: record a table act by act, at a terminal or from lines."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from datetime import date
from typing import TYPE_CHECKING, Any, Final, Protocol

import click

from ledger.cli.completion import game_names, recorded_player_names, session_names, table_names
from ledger.cli.output import say
from ledger.cli.state import CliState, command
from ledger.cli.writing import recorder_option
from ledger.errors import LedgerError, NotFoundError
from ledger.i18n import in_words
from ledger.log.base import LogStore
from ledger.recording.live import LiveTable
from ledger.recording.typed.forms import Prompt
from ledger.recording.typed.opening import TablePresets, open_table_by_prompts, option_named
from ledger.recording.typed.reading import completions
from ledger.recording.typed.recorder import Recorder
from ledger.recording.typed.situation import ActRefused, FormLeft, Notice, Situation
from ledger.streams import TABLE
from ledger.text.catalogue import label
from ledger.text.layout import visible
from ledger.text.recorder import RecorderView, current_text, notice_text, prompt_text, resumed_text, table_text

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.key_binding import KeyBindings


@command(has_format=False)
@click.argument("table", shell_complete=table_names)
@click.option("--game", help="The game of a new table.", shell_complete=game_names)
@click.option(
    "--player", "players", multiple=True, metavar="NAME", help="A player of a new table; repeat in the order of seats.",
    shell_complete=recorded_player_names,
)  # fmt: skip
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of a new table; repeatable.")
@click.option("--session", help="The session of a new table; - for none.", shell_complete=session_names)
@click.option("--defaults", is_flag=True, help="Open a new table without questions, with default options.")
@click.option("--hidden", is_flag=True, help="Show only what everybody at the table knows.")
@click.option("--plain", is_flag=True, help="Plain lines only, e.g. for a screen reader or a script.")
@recorder_option
def record(
    state: CliState,
    table: str,
    game: str | None,
    players: tuple[str, ...],
    options: tuple[str, ...],
    session: str | None,
    defaults: bool,
    hidden: bool,
    plain: bool,
    recorded_by: str,
) -> None:
    """Record TABLE while the game goes on: a key or two for each card, each act saved before the next one.

    A new table is opened after a few questions. Type / to list what you can type.

    \b
    trickledger record friday-1
    trickledger record friday-1 --game kop --player Ada --player Ben --player Cleo --player Dan
    """
    desk = desk_for(is_plain=plain, lang=state.lang)
    given = TablePresets(game=game, players=players, options=dict(map(option_named, options)), session=session)
    with state.store() as store:
        try:
            live = _opened(state, store, table, given, desk, defaults, recorded_by)
        except (EOFError, KeyboardInterrupt):
            say(label(state.lang, "recorder.not_opened", table=TABLE.slug(table)), err=True)
            sys.exit(2)
        _record(state, live, desk, recorded_by, is_hidden=hidden, shown_names=store.display_names)


def _opened(
    state: CliState, store: LogStore, table: str, given: TablePresets, desk: Desk, defaults: bool, by: str
) -> LiveTable:
    """Open the table for recording; create it if it does not exist."""
    from ledger.log.append_rules import new_id

    try:
        return LiveTable.resume(store, table)
    except NotFoundError:
        say(label(state.lang, "recorder.new", table=TABLE.slug(table)))

    def print_refusal(error: LedgerError) -> None:
        if defaults:
            raise error
        say(error.message(state.lang), err=True)
        _drop_pasted(state, desk)

    return open_table_by_prompts(
        store,
        TABLE.slug(table),
        given,
        ask=(lambda question: question.default) if defaults else desk.ask,
        refuse=print_refusal,
        today=date.today().isoformat(),
        by=by,
        new_id=new_id,
    )


def _record(
    state: CliState,
    live: LiveTable,
    desk: Desk,
    by: str,
    *,
    is_hidden: bool,
    shown_names: Callable[[], Mapping[str, str]],
) -> None:
    from ledger.log.append_rules import new_id

    names = dict(shown_names())
    shown = RecorderView(live, state.lang, is_hidden, names)

    def notify(message: Notice) -> None:
        is_refusal = isinstance(message, ActRefused)
        for line in notice_text(message, shown):
            say(line, err=is_refusal)
        if is_refusal or isinstance(message, FormLeft):
            _drop_pasted(state, desk)

    recorder = Recorder(
        live,
        by=by,
        players=lambda players: [names.get(name, name) for name in players],
        new_id=new_id,
        ask=desk.ask,
        notify=notify,
        lang=state.lang,
        is_hidden=is_hidden,
    )
    say(resumed_text(shown))
    for line in table_text(shown):
        say(line)
    while not recorder.is_over:
        try:
            names.update(shown_names())  # somebody new may have sat down
            recorder.look()
            recorder.type(desk.line(recorder.now(), shown))
        except KeyboardInterrupt:
            _drop_pasted(state, desk)
        except EOFError:
            break
    if not desk.is_watched and recorder.worst_status:
        sys.exit(recorder.worst_status)


def _drop_pasted(state: CliState, desk: Desk) -> None:
    """Say which pasted lines were discarded because of an error in the line before them."""
    if lines := desk.drop():
        say(label(state.lang, "recorder.not_taken", lines=" / ".join(lines)), err=True)


_LINE_BYTES: Final = 100_000
"""The longest line read at once, longer than any note that can be recorded; a longer one is read in pieces."""

_HELP: Final = "/"

_REFRESH_S: Final = 2
"""The interval in seconds at which the table below the prompt shows what others recorded."""


class Desk(Protocol):
    """The input of a recorder. `is_watched`: somebody sees a rejection and can type the line again.

    Lines pasted together are read one by one.
    """

    is_watched: bool

    def line(self, now: Situation, shown: RecorderView) -> str:
        """Return the next line; raise `EOFError` at the end of the input."""
        ...

    def ask(self, question: Prompt) -> str:
        """Return the answer to a question; raise as `line`."""
        ...

    def drop(self) -> tuple[str, ...]:
        """Discard the rest of the pasted lines and return them."""
        ...


def desk_for(*, is_plain: bool, lang: str) -> Desk:
    """Return the desk that suits standard input."""
    if sys.stdin.isatty() and sys.stdout.isatty() and not is_plain:
        return Terminal(lang)
    return Lines(lang)


class Lines(Desk):
    """A desk that reads and prints plain lines in order."""

    def __init__(self, lang: str) -> None:
        self._lang = lang
        self.is_watched = sys.stdin.isatty()

    def line(self, now: Situation, shown: RecorderView) -> str:
        return self._read(prompt_text(now, self._lang))

    def ask(self, question: Prompt) -> str:
        return self._read(in_words(question.said, self._lang)) or question.default

    def drop(self) -> tuple[str, ...]:
        return ()  # a pipe is read to its end

    def _read(self, prompt: str) -> str:
        say(prompt, nl=not self.is_watched)
        sys.stdout.flush()
        line = sys.stdin.buffer.readline(_LINE_BYTES)
        if not line:
            raise EOFError
        return line.decode("utf-8-sig", errors="replace").rstrip("\r\n")


class Terminal(Desk):
    """A desk with a prompt, the table below it, and completion by Tab."""

    is_watched = True

    def __init__(self, lang: str) -> None:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.history import InMemoryHistory

        self._lang = lang
        self._typed: PromptSession[str] = PromptSession(history=InMemoryHistory(), key_bindings=_help_key())
        self._answers: PromptSession[str] = PromptSession(history=InMemoryHistory())
        self._pasted: deque[str] = deque()

    def line(self, now: Situation, shown: RecorderView) -> str:
        view = ""

        def current() -> str:
            nonlocal view
            with suppress(LedgerError):  # a busy ledger is read the next time
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

    def ask(self, question: Prompt) -> str:
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
    """Return key bindings in which F1 shows what can be typed and keeps the line."""
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

    bindings = KeyBindings()

    def ask_for_help(event: KeyPressEvent) -> None:
        event.current_buffer.text = _HELP
        event.current_buffer.validate_and_handle()

    bindings.add("f1")(ask_for_help)
    return bindings
