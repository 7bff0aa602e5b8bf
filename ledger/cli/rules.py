"""The command `rules`: prints any rule of any game."""

from __future__ import annotations

import click

from ledger.cli.language import language_option
from ledger.cli.output import format_option, print_json, show
from ledger.cli.state import CliState
from ledger.games import registered_games, rule_named
from ledger.games.kernel.rulebook import load
from ledger.text.rules import rules_facts, rules_text


@click.command()
@click.argument("what", required=False)
@click.option("--search", "words", help="Rules that hold all these words.")
@format_option
@language_option
@click.pass_obj
def rules(state: CliState, what: str | None, words: str | None, form: str) -> None:
    """Print a rule (OMB-6.8), a whole rulebook (ombre), or search them all (--search "surrender")."""
    books = {name: load(game.package) for name, game in registered_games().items()}
    if what in books and words is None and form == "text":
        click.echo_via_pager(books[what].text)
        return
    if words is not None:
        if what is not None and what not in books:
            raise click.UsageError(
                f"--search looks in a rulebook ({', '.join(sorted(books))}) or in all, not in {what}."
            )
        searched = list(books.values()) if what is None else [books[what]]
        found = [rule for book in searched for rule in book.search(words)]
    elif what in books:
        found = list(books[what].rules)
    elif what is not None:
        found = [rule_named(what)]
    else:
        raise click.UsageError(f"Name a rule, a game ({', '.join(sorted(books))}), or --search for words.")
    if form == "json":
        print_json(rules_facts(found))
    else:
        show(rules_text(found, words, state.lang))
