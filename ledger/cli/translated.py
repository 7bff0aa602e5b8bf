"""Commands whose help is in the language of the answers.

The English help is in the code: docstrings and `help=`. Each other language has one file, `help_texts/LANGUAGE.toml`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from ledger.cli.errors import requested_language
from ledger.i18n.languages import DEFAULT

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

WORDS: Final = "ledger.words"
"""The key in click's context under which the arguments of the program are stored."""


class TranslatedCommand(click.Command):
    """A command that shows its help and its completions in the language of `--lang` or of the environment."""

    def get_help(self, context: click.Context) -> str:
        lang = requested_language(context.meta.get(WORDS, ()))
        if lang == DEFAULT:
            return super().get_help(context)
        from ledger.cli.help_page import help_page  # English does not need it

        return help_page(self, context, lang)

    def shell_complete(self, context: click.Context, incomplete: str) -> list[CompletionItem[str]]:
        return translated_items(self, context, super().shell_complete(context, incomplete))


def translated_items(
    command: click.Command, context: click.Context, items: list[CompletionItem[str]]
) -> list[CompletionItem[str]]:
    """Return completions with their descriptions in the language of the arguments."""
    lang = requested_language(context.meta.get(WORDS, ()))
    if lang != DEFAULT:
        from ledger.cli.help_page import described

        for item in items:
            item.help = described(command, item.value, lang) or item.help
    return items
