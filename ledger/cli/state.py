"""What every command knows and takes: the ledger, the language, the time zone, the form of the answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, TypeAlias

import click
from msgspec import Struct, structs

from ledger.cli.language import known_zone
from ledger.cli.output import print_json, show
from ledger.i18n import LANGUAGES
from ledger.log import LogStore, open_store
from ledger.log.people import People
from ledger.text.layout import Part

Decorated: TypeAlias = Callable[[Callable[..., Any]], click.Command]


class CliState(Struct, frozen=True):
    """The options before the command (contract 7), and its `--format`."""

    ledger_path: Path
    lang: str
    tz: str | None = None
    form: str = "text"

    @property
    def is_json(self) -> bool:
        return self.form == "json"

    def print(self, answer: object, text: Iterable[Part]) -> None:
        """Print an answer as `--format` says: as JSON, or its text for people."""
        if self.is_json:
            print_json(answer)
        else:
            show(text)

    @contextmanager
    def store(self) -> Iterator[LogStore]:
        """The ledger, opened to be written to if that is possible; raises `UnreadableError` where there is none."""
        with open_store(self.ledger_path, access="allowed") as store:
            yield store

    def names(self, store: LogStore | None = None, form: str | None = None) -> Mapping[str, str]:
        """The names to show for players: people read them in text; programs get the record as it is.

        `store`: the ledger, where it is open already. `form`: that of the answer, by default the one of `--format`.
        """
        if (form or self.form) != "text":
            return {}
        with self.store() if store is None else nullcontext(store) as opened:
            return opened.display_names()

    def people(self) -> People:
        """Who is who among the players of the record."""
        with self.store() as opened:
            return opened.people()


def command(name: str | None = None, *, has_format: bool = True) -> Decorated:
    """Make a command of a function that gets the `CliState`; `--format`, `--lang` and `--tz` become its last options.

    `has_format`: false for a command without `--format`, or with one of its own. The other two are hidden in the help
    of a command, because they stand in that of the program.
    """

    def decorated(function: Callable[..., Any]) -> click.Command:
        form = click.Option(
            ["--format", "form"],
            type=click.Choice(["text", "json"]),
            default="text",
            show_default=True,
            help="The format of the answer.",
            expose_value=False,
            callback=lambda context, param, form: _answer_so(context, form=form),
        )
        lang = click.Option(
            ["--lang"],
            type=click.Choice(list(LANGUAGES)),
            expose_value=False,
            hidden=True,
            callback=lambda context, param, lang: _answer_so(context, lang=lang),
            is_eager=True,
        )
        tz = click.Option(
            ["--tz"],
            expose_value=False,
            hidden=True,
            callback=lambda context, param, tz: _answer_so(context, tz=known_zone(context, param, tz)),
        )
        made = click.command(name)(click.pass_obj(function))
        made.params += [form, lang, tz] if has_format else [lang, tz]
        return made

    return decorated


def _answer_so(context: click.Context, **options: str | None) -> None:
    """From here on the whole program answers so, also where it tells an error."""
    chosen = {name: value for name, value in options.items() if value is not None}
    if chosen and isinstance(context.obj, CliState):
        context.find_root().obj = context.obj = structs.replace(context.obj, **chosen)
