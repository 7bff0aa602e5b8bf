"""Run `score` and `audit`: what tables come to, and what was against the rules."""

from __future__ import annotations

import sys
from typing import Any

import click

from ledger import api
from ledger.cli.errors import wrong_use
from ledger.cli.state import CliState, command
from ledger.cli.table_options import A_TABLE_A_LINE, session_option, table_options, tables_asked_for
from ledger.text.audit import audit_text
from ledger.text.events import continued
from ledger.text.score import score_text


@command()
@table_options(A_TABLE_A_LINE)
@session_option
@click.option("--deal", type=click.IntRange(min=1), help="Only this deal.")
@click.option("--without-rulings", is_flag=True, help="By the rules alone, as if the director had decided nothing.")
def score(
    state: CliState,
    table: str | None,
    deal: int | None,
    session: str | None,
    all_tables: bool,
    as_recorded: bool,
    as_of: str | None,
    without_rulings: bool,
) -> None:
    """The score sheet of TABLE: every payment with the rule that orders it.

    \b
    trickledger score ombre-revoke --deal 1
    """
    if deal is not None and table is None:
        raise wrong_use("deal_of_table")
    with state.store() as store:
        reading: dict[str, Any] = {"as_recorded": as_recorded, "as_of": as_of, "without_rulings": without_rulings}
        for read in tables_asked_for(state, store, table, all_tables, session=session, **reading):
            answer = api.score(store, read, deal, lang=state.lang)
            state.print(answer, score_text(answer, read.fold, state.lang, state.tz, deal=deal))


@command()
@table_options(A_TABLE_A_LINE)
@session_option
def audit(
    state: CliState,
    table: str | None,
    session: str | None,
    all_tables: bool,
    as_recorded: bool,
    as_of: str | None,
) -> None:
    """What in TABLE was against the rules, each finding with the rule's text.

    \b
    trickledger audit ombre-revoke
    trickledger audit --session opening-night

    The exit status is 1 where there is a finding of severity error.
    """
    has_error = False
    reading: dict[str, Any] = {"as_recorded": as_recorded, "as_of": as_of}
    with state.store() as store:
        for read in tables_asked_for(state, store, table, all_tables, session=session, **reading):
            answer = api.audit(store, read, lang=state.lang)
            has_error = has_error or any(finding.severity == "error" for finding in answer.findings)
            state.print(answer, map(continued, audit_text(answer, read.fold, state.lang, state.tz)))
    if has_error:
        sys.exit(1)
