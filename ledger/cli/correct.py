"""The command `correct`: adds how an entry is to be read; what was written stays."""

from __future__ import annotations

import re
import sys
from typing import Literal, get_args

import click

from ledger import api, limits
from ledger.cli.completion import table_or_session_names
from ledger.cli.errors import wrong_use
from ledger.cli.language import phrase
from ledger.cli.state import CliState, command
from ledger.cli.writing import writing_options
from ledger.errors import MalformedError, in_file
from ledger.outside import read_stream
from ledger.recording.correcting import CorrectionAction
from ledger.streams import SESSION
from ledger.text.changes import added_text, session_text


@command()
@click.argument("table", metavar="TABLE|session/SESSION", shell_complete=table_or_session_names)
@click.argument("action", type=click.Choice((*get_args(CorrectionAction), "deal")))
@click.argument("words", nargs=-1)
@click.option("--version", type=click.IntRange(min=1), metavar="V", help="The entry, by its version in the table.")
@click.option("--deal", type=click.IntRange(min=1), help="The entry, by its deal and step.")
@click.option("--step", type=click.IntRange(min=1), help="The step as `replay` shows it.")
@click.option("--last", is_flag=True, help="The last entry: undo while recording.")
@click.option("--from", "file", type=click.Path(exists=True, dir_okay=False), help="The deal, typed anew.")
@click.option("--keep-seats", is_flag=True, help="Leave later cards of the deal with those who have them.")
@click.option("--reason", required=True, help="Why the record was wrong.")
@click.option("--confirm", is_flag=True, help="Correct what a director wrote, too; another ruling is better.")
@writing_options
def correct(
    state: CliState,
    table: str,
    action: CorrectionAction | Literal["deal"],
    words: tuple[str, ...],
    version: int | None,
    deal: int | None,
    step: int | None,
    last: bool,
    file: str | None,
    keep_seats: bool,
    reason: str,
    confirm: bool,
    recording: api.Recording,
) -> None:
    """Add to TABLE how one of its entries is to be read: replace, strike, insert_after, or restore what was written.

    WORDS are those of a hand record ("Baron: D4"; the name may be left out for the same player), or events as JSON;
    - reads them from standard input. With `deal N --from FILE` the whole deal N is replaced by the one [[deal]] of a
    hand record. An entry of a session is corrected at session/SESSION, by version.

    Where a corrected card makes another player win the trick, the cards after it go to those who are then in turn, if
    they were recorded in turn and less is broken so. It is shown; --keep-seats leaves them.

    \b
    trickledger correct ombre-revoke replace D4 --deal 1 --step 24 --reason "misread"
    trickledger correct ombre-revoke strike --last --reason "typed twice"
    trickledger correct spring-1 deal 2 --from deal-2.toml --reason "the sheet was read wrongly"
    """
    if action == "deal":
        deal, words = _deal_to_replace(words, file, any((version, deal, step, last))), ()
    elif file is not None:
        raise wrong_use("from_with_deal")
    elif [version is not None, deal is not None and step is not None, last].count(True) != 1 or (
        (deal is None) != (step is None)
    ):
        raise wrong_use("which_entry")
    if action != "deal" and bool(words) != (action in ("replace", "insert_after")):
        raise wrong_use("takes_no_words" if words else "needs_words", action=action)
    told = _standard_input() if words == ("-",) else " ".join(words)
    if SESSION.has(table):
        if action == "deal" or deal is not None:
            raise wrong_use("session_by_version")
        _correct_session(state, table, action, told, version, reason, recording)
        return
    with state.store() as store:
        added = api.correct(
            store,
            table,
            action,
            told,
            version=version,
            deal=deal,
            step=step,
            file=file,
            reason=reason,
            confirm=confirm,
            keep_seats=keep_seats,
            recording=recording,
            names=state.names(store),
            lang=state.lang,
        )
    state.print(added.answer(), added_text(added, state.lang))


def _correct_session(
    state: CliState,
    session: str,
    action: CorrectionAction,
    told: str,
    version: int | None,
    reason: str,
    recording: api.Recording,
) -> None:
    with state.store() as store:
        added = api.correct_session(store, session, action, told, version=version, reason=reason, recording=recording)
    state.print(added, session_text(added, state.lang))


def _deal_to_replace(words: tuple[str, ...], file: str | None, names_entry: bool) -> int:
    """The number of the deal that is to be replaced by that of the file."""
    if len(words) != 1 or not re.fullmatch("[1-9][0-9]{0,8}", words[0]) or file is None or names_entry:
        raise wrong_use("deal_from")
    return int(words[0])


def _standard_input() -> str:
    where = in_file(phrase("standard_input"))
    try:
        return read_stream(sys.stdin.buffer, "words", limits.LINE_BYTES, where).decode()
    except UnicodeDecodeError:
        raise MalformedError(phrase("not_utf8"), phrase("text_in_utf8"), where=where) from None
