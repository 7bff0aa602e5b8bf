"""The state shared by all commands: ledger, language, time zone and format of the answer."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, Final, TypeAlias

import click
from msgspec import Struct, structs

from ledger import api
from ledger.cli.language import known_zone
from ledger.cli.output import print_json, say, show
from ledger.cli.translated import TranslatedCommand
from ledger.i18n import LANGUAGES, Phrase
from ledger.log import LogStore, open_store
from ledger.log.people import People, names_in
from ledger.log.stores import sidecar_base
from ledger.text.catalogue import label
from ledger.text.layout import Part

Decorated: TypeAlias = Callable[[Callable[..., Any]], click.Command]

_YES: Final = ("y", "yes", "はい")


class CliState(Struct, frozen=True):
    """The options before the command (contract 7), `--format` and `--lake`."""

    ledger: str | Path
    lang: str
    tz: str | None = None
    form: str = "text"
    lake: str | None = None

    @property
    def sidecar_base(self) -> Path:
        """The path from which those of the files beside the ledger are derived."""
        return sidecar_base(self.ledger)

    @property
    def is_json(self) -> bool:
        return self.form == "json"

    def print(self, answer: object, text: Iterable[Part]) -> None:
        """Print an answer as JSON or as text, as `--format` says."""
        if self.is_json:
            print_json(answer)
        else:
            show(text)

    @contextmanager
    def store(self) -> Iterator[LogStore]:
        """Open the ledger, for writing if possible; raise `UnreadableError` if there is none."""
        with open_store(self.ledger, access="allowed") as store:
            yield store

    def names(self, store: LogStore | None = None, form: str | None = None) -> Mapping[str, str]:
        """Return the names to display for players: display names in text, recorded names in JSON.

        `store`: the ledger, if it is open already. `form`: the format of the answer, by default that of `--format`.
        """
        if (form or self.form) != "text":
            return {}
        if self.lake is not None:
            return self.people().names
        with self.store() if store is None else nullcontext(store) as opened:
            return opened.display_names()

    def people(self) -> People:
        """Return the links and display names of the players, in the lake if `--lake` names one."""
        if self.lake is not None:
            return api.people_of_lake(self.lake)
        with self.store() as opened:
            return opened.people()

    def confirms(self, question: Phrase) -> bool:
        """Ask at a terminal and return whether the answer was yes; elsewhere return false and ask nothing."""
        if self.is_json or not (sys.stdin.isatty() and sys.stderr.isatty()):
            return False
        say(question.in_words(self.lang), nl=False, err=True)
        return sys.stdin.readline().strip().casefold() in _YES

    def warn_of_names(self, store: LogStore, *texts: str | None) -> None:
        """Warn of display names in texts, which are recorded as typed, if the ledger has handles."""
        if store.has_handles:
            typed = " ".join(text for text in texts if text is not None)
            for name in names_in(typed, store.display_names().values()):
                say(label(self.lang, "file.name_in_text", name=name), err=True)


def command(name: str | None = None, *, has_format: bool = True) -> Decorated:
    """Make a command of a function that receives the `CliState`; `--format`, `--lang` and `--tz` become its last
    options.

    `has_format`: false for a command without `--format` or with its own. `--lang` and `--tz` are hidden in the
    command's help because the program's help lists them.
    """

    def decorated(function: Callable[..., Any]) -> click.Command:
        form = click.Option(
            ["--format", "form"],
            type=click.Choice(["text", "json"]),
            default="text",
            show_default=True,
            help="The format of the answer.",
            expose_value=False,
            callback=lambda context, param, form: with_options(context, form=form),
        )
        lang = click.Option(
            ["--lang"],
            type=click.Choice(list(LANGUAGES)),
            expose_value=False,
            hidden=True,
            callback=lambda context, param, lang: with_options(context, lang=lang),
            is_eager=True,
        )
        tz = click.Option(
            ["--tz"],
            expose_value=False,
            hidden=True,
            callback=lambda context, param, tz: with_options(context, tz=known_zone(context, param, tz)),
        )
        made = click.command(name, cls=TranslatedCommand)(click.pass_obj(function))
        made.params += [form, lang, tz] if has_format else [lang, tz]
        return made

    return decorated


def with_options(context: click.Context, **options: str | None) -> None:
    """Use these options for the rest of the program, including its error messages."""
    chosen = {name: value for name, value in options.items() if value is not None}
    if chosen and isinstance(context.obj, CliState):
        context.find_root().obj = context.obj = structs.replace(context.obj, **chosen)
