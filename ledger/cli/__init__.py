"""The command `trickledger` (contract 7): parse the arguments, call the library, print the answer."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn, TextIO

import click

from ledger import __version__
from ledger.cli.commands import GROUPS, SUMMARIES, Commands
from ledger.cli.errors import of_click, of_file, print_error, requested_language, wants_json, wrong_use, wrong_value
from ledger.cli.language import VARIABLE, known_zone, language_of_locale, phrase
from ledger.cli.translated import WORDS, TranslatedCommand, translated_items
from ledger.errors import LedgerError
from ledger.i18n import LANGUAGES
from ledger.interrupts import INTERRUPTED, interruptible

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from ledger.cli.state import CliState

USED_WRONGLY: Final = 2
_COMPLETION: Final = "_TRICKLEDGER_COMPLETE"
"""The environment variable by which a shell requests completions from click."""


class LedgerGroup(TranslatedCommand, click.Group):
    """Commands loaded when they are called; errors of the package end in one line on standard error and an exit status
    of contract 7.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.commands = Commands()  # type: ignore[assignment]  # no command is ever added

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands by task with their whole summaries; click would load every command for that."""
        width = max(map(len, SUMMARIES))
        for task, commands in GROUPS.items():
            with formatter.section(task):
                formatter.write_dl([(name.ljust(width), summary) for name, summary in commands.items()])

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        words = tuple(args)
        if extra.get("resilient_parsing"):
            return super().make_context(info_name, args, parent, **extra)  # errors are not for a shell
        try:
            return super().make_context(info_name, args, parent, **extra)
        except (click.ClickException, LedgerError) as error:
            _end_with(error, words, requested_language(words), command=info_name)

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        context.meta[WORDS] = tuple(args)
        for word in args:
            if not _is_text(word):
                raise wrong_use("not_utf8", text=word)
        return super().parse_args(context, args)

    def shell_complete(self, context: click.Context, incomplete: str) -> list[CompletionItem[str]]:
        """Return completions without loading every command, as click would."""
        from click.shell_completion import CompletionItem

        names = [name for name in sorted(SUMMARIES) if name.startswith(incomplete)]
        helps = {name: click.Command(name, help=SUMMARIES[name]).get_short_help_str() for name in names}
        items = [CompletionItem(name, help=helps[name]) for name in names]
        return translated_items(self, context, items + click.Command.shell_complete(self, context, incomplete))

    def main(self, *args: Any, **kwargs: Any) -> Any:
        if _COMPLETION in os.environ:
            from ledger.cli.shells import answer_shells

            answer_shells()
        return super().main(*args, **kwargs)

    def invoke(self, context: click.Context) -> Any:
        _open_what_is_closed()
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, TextIOWrapper):
                stream.reconfigure(errors="replace")  # a terminal without ♠ shows ? instead
        try:
            try:
                with interruptible():
                    return super().invoke(context)
            finally:
                sys.stdout.flush()  # a closed pipe is noticed here, not while Python exits
        except BrokenPipeError:
            _let_go_of(sys.stdout)  # the reader has closed the pipe
            sys.exit(0)
        except (LedgerError, click.ClickException, OSError) as error:
            words = context.meta[WORDS]
            lang = requested_language(words) if context.obj is None else context.obj.lang
            path = f"{context.command_path} {context.invoked_subcommand or ''}".strip()
            _end_with(error, words, lang, command=path, names=partial(_names, context.obj))
        except KeyboardInterrupt:
            sys.exit(INTERRUPTED)  # click's 1 would mean findings of the audit


def _end_with(
    error: LedgerError | click.ClickException | OSError,
    words: Sequence[str],
    lang: str,
    command: str | None,
    names: Callable[[], Mapping[str, str]] = dict,
) -> NoReturn:
    """Print the error and exit with its status, even if standard output or error cannot be written."""
    if isinstance(error, click.ClickException) and not words:
        error.show()  # without arguments click shows the help
        sys.exit(USED_WRONGLY)
    if isinstance(error, click.ClickException):
        error = of_click(error)
    elif isinstance(error, OSError):
        error = of_file(error)
    with suppress(OSError):
        print_error(error, lang, as_json=wants_json(words), command=command, names=names)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            _let_go_of(stream)
    sys.exit(error.exit_status)


def _names(state: CliState | None) -> Mapping[str, str]:
    """Return the display names of the ledger, none if they cannot be read."""
    with suppress(LedgerError):
        return {} if state is None else state.names(form="text")
    return {}


def _open_what_is_closed() -> None:
    """Replace standard streams that the caller closed (`>&-`), which Python sets to None, by the null device."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115


def _let_go_of(stream: TextIO) -> None:
    """Redirect the stream to the null device; otherwise Python flushes it again at exit and ends with status 120."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _is_text(word: str) -> bool:
    """Return whether the argument is UTF-8; other bytes arrive as lone surrogates."""
    return not any("\ud800" <= sign <= "\udfff" for sign in word)


def _print_version(context: click.Context) -> NoReturn:
    click.echo(phrase("version", version=__version__).in_words(requested_language(context.meta[WORDS])))
    context.exit()


_HOME: Final = "TRICKLEDGER_HOME"


class _LedgerAddress(click.Path):
    """The path of a ledger's file, or as text the URL of a ledger in a database."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return value if isinstance(value, str) and "://" in value else super().convert(value, param, ctx)


@click.group(cls=LedgerGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--ledger",
    "ledger",
    type=_LedgerAddress(path_type=Path, readable=False),
    envvar="TRICKLEDGER_LEDGER",
    default=Path("club.ledger"),
    show_default=True,
    help="The ledger's file, or postgresql://HOST/DATABASE#NAME; also from TRICKLEDGER_LEDGER.",
)
@click.option(
    "--home",
    type=click.Path(path_type=Path, file_okay=False),
    envvar=_HOME,
    help="The folder for the keys and read models of ledgers in a database; also from TRICKLEDGER_HOME. Default: "
    "~/.local/share/trickledger.",
)
@click.option(
    "--lang",
    type=click.Choice(list(LANGUAGES)),
    envvar=VARIABLE,
    default=language_of_locale,
    show_default="the locale's",
    help="Language of answers, before or after the command; also from TRICKLEDGER_LANG.",
)
@click.option(
    "--tz",
    metavar="ZONE",
    envvar="TRICKLEDGER_TZ",
    callback=known_zone,
    help="Time zone (e.g. Asia/Tokyo) for sessions that name none, before or after the command; also from "
    "TRICKLEDGER_TZ. Default: the machine's for times, UTC for the days of statistics.",
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=lambda context, param, is_given: _print_version(context) if is_given else None,
    help="Show the version and exit.",
)
@click.pass_context
def main(context: click.Context, ledger: str | Path, home: Path | None, lang: str, tz: str | None) -> None:
    """Keep, replay, score and audit a card club's record of Ombre, Quadrille, Couillon, Kop and Baśka.

    \b
    First steps:
      trickledger init                        create club.ledger in this folder
      trickledger import evening.toml         record a paper sheet that you typed in
      trickledger tables                      list what was played
      trickledger replay TABLE --deal 1       replay a deal, card by card
      trickledger score TABLE                 show the score sheet, line by line
      trickledger audit TABLE                 list what broke the rules
      trickledger stats standings             show who leads
      trickledger help COMMAND                explain a command
    """
    if (isinstance(ledger, Path) and not ledger.name) or not _is_text(str(ledger)):
        raise wrong_value("--ledger", phrase("usage.no_file_name", text=str(ledger)))
    if home is not None:
        os.environ[_HOME] = os.fspath(home)  # for the processes that this one starts, too
    from ledger.cli.state import CliState

    context.obj = CliState(ledger, lang, tz)
