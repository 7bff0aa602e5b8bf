"""The commands `correct`, `dispute` and `ruling`."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Final, Literal, get_args

import click
import msgspec

from ledger import api, limits
from ledger.cli.completion import player_names, rule_ids, table_names, table_or_session_names
from ledger.cli.errors import wrong_use
from ledger.cli.language import phrase
from ledger.cli.numbers import WholeNumber
from ledger.cli.output import check_output, format_from, output_file, overwrite_option, say
from ledger.cli.state import CliState, command
from ledger.cli.writing import writing_options
from ledger.errors import MalformedError, in_file
from ledger.events import RulingKind
from ledger.outside import read_stream
from ledger.recording.correcting import CorrectionAction
from ledger.streams import SESSION, TABLE
from ledger.table.repository import ReadAs, TableAsRead, fold_table
from ledger.text.case import case_text
from ledger.text.catalogue import label
from ledger.text.changes import added_text, session_text
from ledger.text.disputes import disputes_text, open_disputes_text


@command()
@click.argument("table", metavar="TABLE|session/SESSION", shell_complete=table_or_session_names)
@click.argument("action", type=click.Choice((*get_args(CorrectionAction), "deal")))
@click.argument("words", nargs=-1)
@click.option("--version", type=WholeNumber(1), metavar="V", help="The version of the entry.")
@click.option("--deal", type=WholeNumber(1), help="The deal of the entry; goes with --step.")
@click.option("--step", type=WholeNumber(1), help="The step of the entry, as `replay` shows it.")
@click.option("--last", is_flag=True, help="The last entry (undo while recording).")
@click.option("--from", "file", type=click.Path(exists=True, dir_okay=False), help="The hand record with the new deal.")
@click.option("--keep-seats", is_flag=True, help="Do not move later cards of the deal to other players.")
@click.option("--reason", required=True, help="Why the record was wrong.")
@click.option("--confirm", is_flag=True, help="Correct even a director's entry; a new ruling is usually better.")
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
    """Correct an entry of TABLE: replace it, strike it, insert after it, or restore what was written.

    WORDS are the words of a hand record ("Baron: D4"; leave the name out for the same player) or events as JSON;
    - reads them from standard input. `deal N --from FILE` replaces the whole deal N by the one [[deal]] of a hand
    record. Correct an entry of a session at session/SESSION, by its version.

    If a corrected card changes who wins the trick, the cards that follow move to the players then in turn, if that
    breaks fewer rules. The command shows this; --keep-seats prevents it.

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
    replacement = _standard_input() if words == ("-",) else " ".join(words)
    if SESSION.has(table):
        if action == "deal" or deal is not None:
            raise wrong_use("session_by_version")
        _correct_session(state, table, action, replacement, version, reason, recording)
        return
    with state.store() as store:
        added = api.correct(
            store,
            table,
            action,
            replacement,
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
    replacement: str,
    version: int | None,
    reason: str,
    recording: api.Recording,
) -> None:
    with state.store() as store:
        added = api.correct_session(
            store, session, action, replacement, version=version, reason=reason, recording=recording
        )
    state.print(added, session_text(added, state.lang))


def _deal_to_replace(words: tuple[str, ...], file: str | None, names_entry: bool) -> int:
    """Return the number of the deal that the file replaces."""
    if len(words) != 1 or not re.fullmatch("[1-9][0-9]{0,8}", words[0]) or file is None or names_entry:
        raise wrong_use("deal_from")
    return int(words[0])


def _standard_input() -> str:
    where = in_file(phrase("standard_input"))
    try:
        return read_stream(sys.stdin.buffer, "words", limits.LINE_BYTES, where).decode()
    except UnicodeDecodeError:
        raise MalformedError(phrase("not_utf8"), phrase("text_in_utf8"), where=where) from None


_FORMS: Final = {".txt": "text", ".json": "json", ".html": "html", ".htm": "html", ".pdf": "pdf", "": "text"}


@command()
@click.argument("table", required=False, shell_complete=table_names)
@click.argument("text", required=False)
@click.option("--deal", type=WholeNumber(1), help="The number of the deal.")
@click.option(
    "--player",
    "--seat",
    "player",
    metavar="NAME|SEAT",
    help="The player who raises the dispute.",
    shell_complete=player_names,
)
@click.option("--version", type=WholeNumber(1), metavar="V", help="The version of the disputed entry.")
@click.option("--step", type=WholeNumber(1), help="The step of the disputed entry, as `replay` shows it.")
@click.option(
    "--appeals",
    type=WholeNumber(1),
    metavar="V",
    help="The version of the ruling to appeal against.",
)
@click.option(
    "--case-sheet", "case_version", type=WholeNumber(1), metavar="V", help="Write everything about dispute V."
)
@click.option(
    "--output",
    "-o",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File for the case sheet; its ending sets the format: .txt .json .html .pdf.",
)
@overwrite_option
@writing_options
def dispute(
    state: CliState,
    table: str | None,
    text: str | None,
    deal: int | None,
    player: str | None,
    version: int | None,
    step: int | None,
    appeals: int | None,
    case_version: int | None,
    output: Path | None,
    overwrite: bool,
    recording: api.Recording,
) -> None:
    """Raise a dispute about a deal or an entry of TABLE; without TEXT, list the disputes of TABLE.

    Without TABLE, list the open disputes of all tables. An appeal is a dispute about a ruling.

    \b
    trickledger dispute
    trickledger dispute ombre-revoke --deal 1 --step 24 --player Belinda "the Baron had a diamond"
    trickledger dispute ombre-revoke
    trickledger dispute ombre-revoke "the fine is too high" --appeals 40
    trickledger dispute ombre-revoke --case-sheet 39 -o case.html
    """
    about = {"--deal": deal, "--player": player, "--version": version, "--step": step, "--appeals": appeals}
    named = [option for option, value in about.items() if value is not None]
    if table is None:
        if named or case_version is not None or output is not None:
            raise wrong_use("dispute_at_table")
        _print_open_disputes(state)
        return
    if output is not None and case_version is None:
        raise wrong_use("output_of_case")
    if case_version is not None:
        if text is not None:
            raise wrong_use("case_without_text")
        _write_case_sheet(state, table, case_version, output, overwrite=overwrite)
        return
    if text is None:
        _print_disputes(state, table, deal)
        return
    if deal is None and appeals is None:
        raise wrong_use("which_deal")
    if sum(value is not None for value in (version, step, appeals)) > 1:
        raise wrong_use("one_entry")
    with state.store() as store:
        state.warn_of_names(store, text)
        added = api.dispute(
            store,
            table,
            text,
            deal=deal,
            player=player,
            version=version,
            step=step,
            appeals=appeals,
            recording=recording,
            names=state.names(store),
            lang=state.lang,
        )
    state.print(added.answer(), added_text(added, state.lang))


def _print_open_disputes(state: CliState) -> None:
    with state.store() as store:
        disputes = api.open_disputes(store, names=state.names(store))
    state.print(disputes, open_disputes_text(disputes, state.lang))


def _print_disputes(state: CliState, table: str, deal: int | None) -> None:
    with state.store() as store:
        fold = fold_table(store, table, ReadAs(names=state.names(store)))
        disputes = api.disputes(store, TableAsRead(TABLE.slug(table), fold), deal)
    state.print(disputes, disputes_text(TABLE.slug(table), disputes, fold, deal, state.lang, state.tz))


def _write_case_sheet(state: CliState, table: str, version: int, output: Path | None, *, overwrite: bool) -> None:
    """Print the case sheet, or write it in the format of the file's ending."""
    written_as = state.form
    if output is not None:
        check_output(str(output), overwrite=overwrite)
        written_as = format_from(str(output), "json" if state.is_json else None, _FORMS)
    with state.store() as store:
        names = state.names(store, "json" if written_as == "json" else "text")
        sheet = api.case_sheet(store, table, version, state.lang, names)
    if output is None:
        state.print(sheet, case_text(sheet, state.lang, state.tz))
    else:
        with output_file(str(output), overwrite=overwrite) as file:
            file.write(_case_sheet_in(written_as, sheet, state))
        if str(output) != "-":
            say(label(state.lang, "file.written", path=output), err=state.is_json)


def _case_sheet_in(form: str, sheet: api.CaseSheet, state: CliState) -> bytes:
    match form:
        case "json":
            return msgspec.json.encode(sheet) + b"\n"
        case "html":
            return api.case_page(sheet, state.lang, state.tz).encode()
        case "pdf":
            return api.pdf(api.case_page(sheet, state.lang, state.tz))
    return ("\n".join(case_text(sheet, state.lang, state.tz)) + "\n").encode()


@command()
@click.argument("table", shell_complete=table_names)
@click.argument("kind", type=click.Choice(get_args(RulingKind)))
@click.argument("text")
@click.option("--deal", type=WholeNumber(1), required=True, help="The number of the deal.")
@click.option("--deltas", metavar="AMOUNTS", help="Points by name, 'Belinda +10, Baron -10', or by seat, 10,-10,0.")
@click.option("--pool", type=int, metavar="AMOUNT", help="Points paid into the pool; negative: out of it.")
@click.option("--award", metavar="FIELDS", help="For Couillon: winner=0,strength=2,circle=true,draw_mark=0.")
@click.option(
    "--rule", metavar="ID", help="The rule that the ruling applies, e.g. OMB-6.5 or 6.5.", shell_complete=rule_ids
)
@click.option(
    "--dispute", "dispute_version", type=WholeNumber(1), metavar="V", help="The version of the dispute that is decided."
)
@writing_options
def ruling(
    state: CliState,
    table: str,
    kind: RulingKind,
    text: str,
    deal: int,
    deltas: str | None,
    pool: int | None,
    award: str | None,
    rule: str | None,
    dispute_version: int | None,
    recording: api.Recording,
) -> None:
    """Rule on a deal of TABLE; TEXT says what is decided and why.

    \b
    adjust   move points besides the computed ones       --deltas, --pool
    replace  move these points instead                   --deltas, --pool
    void     annul the deal
    accept   score an unscorable deal from its sheet
    award    give a Couillon deal to a team              --award
    stands   decide that nothing changes

    \b
    trickledger ruling ombre-revoke adjust "a fine for the revoke" --deal 1 --deltas "Belinda +10, Baron -10"
    """
    with state.store() as store:
        state.warn_of_names(store, text)
        added = api.ruling(
            store,
            table,
            kind,
            text,
            deal=deal,
            rule=rule,
            deltas=deltas,
            pool=pool,
            award=award,
            dispute=dispute_version,
            recording=recording,
            names=state.names(store),
            lang=state.lang,
        )
    state.print(added.answer(), added_text(added, state.lang))
