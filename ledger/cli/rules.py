"""The command `rules`."""

from __future__ import annotations

import click

from ledger import api
from ledger.cli.completion import games_and_rule_ids
from ledger.cli.errors import wrong_use
from ledger.cli.language import phrase
from ledger.cli.state import CliState, command
from ledger.errors import NotFoundError
from ledger.i18n import Phrase
from ledger.text.catalogue import rules_note
from ledger.text.lists import rules_facts, rules_text


@command()
@click.argument("what", required=False, shell_complete=games_and_rule_ids)
@click.option("--search", "words", help="List the rules that contain all these words.")
def rules(state: CliState, what: str | None, words: str | None) -> None:
    """Print a rule (OMB-6.8) or a whole rulebook (ombre), or search them all (--search "surrender").

    A number alone (6.8) is looked up in every rulebook. To look for a word, use --search. Rules are in the language
    of --lang, or in English if their game does not have it.
    """
    lang = state.lang
    books = api.rulebooks(lang)
    if what in books and words is None and not state.is_json:
        book = books[what]
        click.echo_via_pager("\n\n".join(filter(None, (rules_note(book.rules, lang), book.text))))
        return
    if words is not None:
        if what is not None and what not in books:
            raise wrong_use("search_where", text=what, known=tuple(sorted(books)))
    elif what is None:
        raise wrong_use("which_rule", known=tuple(sorted(books)))
    try:
        matches = api.rules(what, search=words, lang=lang)
    except NotFoundError as error:
        is_unknown_word = isinstance(error.said, Phrase) and error.said.key == "no_rule_of_any_game"
        if what is not None and is_unknown_word and (count := len(api.rules(search=what, lang=lang))):
            raise NotFoundError("not_found", phrase("word_of_rules", text=what, count=count)) from None
        raise
    state.print(rules_facts(matches), rules_text(matches, words, lang))
