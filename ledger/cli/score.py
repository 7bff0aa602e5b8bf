"""The command `score`: the score sheet of tables, every payment with its rule."""

from __future__ import annotations

import click

from ledger.cli.output import console, format_option, print_json, say, show
from ledger.cli.state import CliState
from ledger.cli.which_tables import A_TABLE_A_LINE, folds_of, reading_asked_for, table_options
from ledger.table.answers import ScoreAnswer
from ledger.table.fold import TableFold
from ledger.table.fold import without_rulings as by_rules_alone
from ledger.table.score import score_answer
from ledger.text.events import continued
from ledger.text.score import closing_words, explanation, sheet


@click.command()
@table_options(A_TABLE_A_LINE)
@click.option("--without-rulings", is_flag=True, help="By the rules alone, as if the director had decided nothing.")
@format_option
@click.pass_obj
def score(
    state: CliState,
    table: str | None,
    all_tables: bool,
    as_recorded: bool,
    as_of: str | None,
    without_rulings: bool,
    form: str,
) -> None:
    """The score sheet of TABLE: every payment with the rule that orders it."""
    with state.store() as store:
        read_as = reading_asked_for(state, store, table, all_tables, as_recorded, as_of, form, without_rulings)
        for slug, fold in folds_of(store, table, read_as):
            answer = score_answer(slug, fold, state.lang)
            if form == "json":
                print_json(answer)
            else:
                _print_score(answer, fold)


def _print_score(answer: ScoreAnswer, fold: TableFold) -> None:
    say(f"{answer.table} · {fold.game.title} · {', '.join(answer.players)}\n")
    seated = [record.players for record in fold.deals]
    show(map(continued, explanation(answer, seated)))
    has_rulings = any(deal.rulings for deal in answer.deals)
    console().print(sheet(answer, seated, by_rules_alone(fold).match.totals if has_rulings else None))
    say("\n" + closing_words(answer) + "\n")
