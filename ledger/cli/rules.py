"""The command `rules`: prints any rule of any game."""

from __future__ import annotations

import click

from ledger.cli.errors import wrong_use
from ledger.cli.output import format_option, print_json, show
from ledger.games import registered_games, rule_named
from ledger.games.kernel.rulebook import load
from ledger.text.rules import rules_facts, rules_text


@click.command()
@click.argument("what", required=False)
@click.option("--search", "words", help="Rules that hold all these words.")
@format_option
def rules(what: str | None, words: str | None, form: str) -> None:
    """Print a rule (OMB-6.8), a whole rulebook (ombre), or search them all (--search "surrender")."""
    books = {name: load(game.package) for name, game in registered_games().items()}
    if what in books and words is None and form == "text":
        click.echo_via_pager(books[what].text)
        return
    if words is not None:
        if what is not None and what not in books:
            raise wrong_use("search_where", text=what, known=tuple(sorted(books)))
        searched = list(books.values()) if what is None else [books[what]]
        found = [rule for book in searched for rule in book.search(words)]
    elif what in books:
        found = list(books[what].rules)
    elif what is not None:
        found = [rule_named(what)]
    else:
        raise wrong_use("which_rule", known=tuple(sorted(books)))
    if form == "json":
        print_json(rules_facts(found))
    else:
        show(rules_text(found, words))
