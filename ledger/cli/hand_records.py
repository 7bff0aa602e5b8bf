"""The commands `new`, `check`, `fmt` and `compare`, which write and read hand records but record nothing."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path

import click

from ledger import api
from ledger.cli.completion import game_names, session_names
from ledger.cli.errors import wrong_use
from ledger.cli.numbers import WholeNumber
from ledger.cli.output import HAND_RECORD_FORMS, check_output, format_from, output_file, output_option, say
from ledger.cli.state import CliState, command
from ledger.cli.table_options import check_game, check_slug, option_named
from ledger.errors import MalformedError, UsageError
from ledger.text.catalogue import label
from ledger.text.imports import FROM_STANDARD_INPUT, check_text, comparison_text


@command()
@click.argument("file", type=click.Path(allow_dash=True, exists=True, dir_okay=False))
def check(state: CliState, file: str) -> None:
    """Check the hand record FILE: show what an import would record and which rules were broken.

    Nothing is recorded, and no ledger is needed; - reads standard input. The exit status is 1 if there is a finding
    of severity error, and 3 if the file cannot be understood.
    """
    content = sys.stdin.buffer if file == "-" else file
    answer = api.check(content, name=FROM_STANDARD_INPUT if file == "-" else file, lang=state.lang)
    state.print(answer, check_text(answer, state.lang))
    if any(one.finding.severity == "error" for one in answer.findings):
        sys.exit(1)


@command(has_format=False)
@click.argument("file", type=click.Path(allow_dash=True, exists=True, dir_okay=False))
@click.option("--in-place", is_flag=True, help="Write the result into FILE if that changes anything.")
@click.option("--check", is_flag=True, help="Write nothing; the exit status is 1 if FILE is not formatted.")
@output_option
def fmt(state: CliState, file: str, in_place: bool, check: bool, output: str, overwrite: bool) -> None:
    """Format the hand record FILE: keys in order, one line per trick, every card spelled the same way.

    The content and all comments stay the same. The result goes to standard output; - reads standard input.
    """
    asks_output = output != "-" or overwrite
    if (in_place and (check or file == "-")) or (asks_output and (in_place or check)):
        raise wrong_use("one_place")
    check_output(output, overwrite=overwrite)
    format_from(output, None, HAND_RECORD_FORMS)
    done = api.fmt(sys.stdin.buffer, name=FROM_STANDARD_INPUT) if file == "-" else api.fmt(file)
    if check:
        if done.is_changed:
            say(label(state.lang, "file.other_layout", path=file), err=True)
            sys.exit(1)
        return
    if in_place and not done.is_changed:
        return
    target = str(Path(file).resolve()) if in_place else output
    with output_file(target, overwrite=overwrite or in_place) as stream:
        stream.write(done.text.encode())


@command()
@click.argument("first")
@click.argument("second")
def compare(state: CliState, first: str, second: str) -> None:
    """Compare two records of one table, each a hand record (its file) or a table of the ledger (its name).

    For each deal that differs, show where FIRST and SECOND part, by line and word, and how each scores by the rules.
    An unknown card contradicts nothing.
    """
    are_files = [Path(named).is_file() for named in (first, second)]
    with nullcontext() if all(are_files) else state.store() as store:
        shows_names = store is not None and store.has_handles and (any(are_files) or not state.is_json)
        names = store.display_names() if store is not None and shows_names else {}
        answer = api.compare(first, second, store=store, names=names, lang=state.lang)
    state.print(answer, comparison_text(answer, state.lang))


@command(has_format=False)
@click.argument("table")
@click.option("--game", required=True, shell_complete=game_names, help="The game that is played.")
@click.option("--players", required=True, metavar="NAME,NAME…", help="The players in the order of play.")
@click.option(
    "--deals", type=WholeNumber(1, 1000), default=1, show_default=True, help="The number of deals to leave room for."
)
@click.option("--dealer", metavar="NAME", help="The first dealer; default: the last of the players.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the game; repeatable.")
@click.option("--session", shell_complete=session_names, help="The session that the table belongs to.")
@output_option
def new(
    state: CliState,
    table: str,
    game: str,
    players: str,
    deals: int,
    dealer: str | None,
    options: tuple[str, ...],
    session: str | None,
    output: str,
    overwrite: bool,
) -> None:
    """Write a form for TABLE to type into, with a line for each trick and the words of its game as comments.

    \b
    trickledger new tuesday-1 --game ombre --players Ann,Ben,Cleo -o tuesday-1.toml

    When filled in, the file is a hand record for `import`. Comments are in the language of --lang.
    """
    check_output(output, overwrite=overwrite)
    format_from(output, None, HAND_RECORD_FORMS)
    check_game(game)
    check_slug("TABLE", table)
    if session is not None:
        check_slug("--session", session)
    try:
        text = api.form(
            table,
            game=game,
            players=[name.strip() for name in players.split(",")],
            deals=deals,
            dealer=dealer,
            options=dict(map(option_named, options)),
            session=session,
            lang=state.lang,
        )
    except MalformedError as error:  # the players and options of the command line are wrong
        raise UsageError("usage", error.said, **error.values) from error
    with output_file(output, overwrite=overwrite) as file:
        file.write(text.encode())
