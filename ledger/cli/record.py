"""The command `record`: a table recorded while the game goes on, act by act."""

from __future__ import annotations

import sys
from datetime import date
from typing import TYPE_CHECKING, Any

import click

from ledger.cli.completion import game_names, recorded_player_names, session_names, table_names
from ledger.cli.language import telling_options
from ledger.cli.output import say
from ledger.cli.state import CliState
from ledger.cli.writing import recorder_option
from ledger.errors import LedgerError, NotFoundError
from ledger.log.base import LogStore
from ledger.recording.live import LiveTable
from ledger.recording.typed.opening import Given, opened_by_questions, option_named
from ledger.recording.typed.recorder import Recorder
from ledger.recording.typed.situation import FormLeft, Refused, Told
from ledger.streams import TABLE
from ledger.text.catalogue import label
from ledger.text.recorder import Recording, resumed_text, table_text, told_text

if TYPE_CHECKING:
    from ledger.cli.desk import Desk


@click.command()
@click.argument("table", shell_complete=table_names)
@click.option("--game", help="Open a new table: its game.", shell_complete=game_names)
@click.option(
    "--player", "players", multiple=True, metavar="NAME", help="A player of a new table; by seat, repeat.",
    shell_complete=recorded_player_names,
)  # fmt: skip
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of a new table; repeat.")
@click.option("--session", help="The session of a new table; - for none.", shell_complete=session_names)
@click.option("--defaults", is_flag=True, help="Ask nothing about a new table: what no option says is as usual.")
@click.option("--hidden", is_flag=True, help="Show only what everybody at the table knows.")
@click.option("--plain", is_flag=True, help="Lines alone, as for a screen reader or a script.")
@recorder_option
@telling_options
@click.pass_obj
def record(
    state: CliState,
    table: str,
    game: str | None,
    players: tuple[str, ...],
    options: tuple[str, ...],
    session: str | None,
    defaults: bool,
    hidden: bool,
    plain: bool,
    recorded_by: str,
) -> None:
    """Record TABLE while the game goes on: a key or two for each card, every act on disk before the next one.

    A table that is not there yet is opened; what has to be known for that is asked. / lists what may be typed.

    \b
    trickledger record friday-1
    trickledger record friday-1 --game kop --player Ada --player Ben --player Cleo --player Dan
    """
    from ledger.cli.desk import desk_for

    desk = desk_for(is_plain=plain, lang=state.lang)
    given = Given(game=game, players=players, options=dict(map(option_named, options)), session=session)
    with state.store() as store:
        try:
            live = _opened(state, store, table, given, desk, defaults, recorded_by)
        except (EOFError, KeyboardInterrupt):
            say(label(state.lang, "recorder.not_opened", table=TABLE.slug(table)), err=True)
            sys.exit(2)
        _record(state, live, desk, recorded_by, is_hidden=hidden, names=state.names_for("text", store))


def _opened(
    state: CliState, store: LogStore, table: str, given: Given, desk: Desk, defaults: bool, by: str
) -> LiveTable:
    """The table as it stands, or a new one."""
    from ledger.log.append_rules import new_id

    try:
        return LiveTable.resume(store, table)
    except NotFoundError:
        say(label(state.lang, "recorder.new", table=TABLE.slug(table)))

    def tell(error: LedgerError) -> None:
        if defaults:
            raise error
        say(error.message(state.lang), err=True)
        _drop_pasted(state, desk)

    return opened_by_questions(
        store,
        TABLE.slug(table),
        given,
        ask=(lambda question: question.default) if defaults else desk.ask,
        tell=tell,
        today=date.today().isoformat(),
        by=by,
        new_id=new_id,
    )


def _record(state: CliState, live: LiveTable, desk: Desk, by: str, *, is_hidden: bool, names: Any) -> None:
    from ledger.log.append_rules import new_id

    shown = Recording(live, state.lang, is_hidden, names)

    def tell(told: Told) -> None:
        is_refusal = isinstance(told, Refused)
        for line in told_text(told, shown):
            say(line, err=is_refusal)
        if is_refusal or isinstance(told, FormLeft):
            _drop_pasted(state, desk)

    recorder = Recorder(
        live,
        by=by,
        players=lambda players: [names.get(name, name) for name in players],
        new_id=new_id,
        ask=desk.ask,
        tell=tell,
        lang=state.lang,
        is_hidden=is_hidden,
    )
    say(resumed_text(shown))
    for line in table_text(shown):
        say(line)
    while not recorder.is_over:
        try:
            recorder.look()
            recorder.type(desk.line(recorder.now(), shown))
        except KeyboardInterrupt:
            _drop_pasted(state, desk)
        except EOFError:
            break
    if not desk.is_watched and recorder.worst_status:
        sys.exit(recorder.worst_status)


def _drop_pasted(state: CliState, desk: Desk) -> None:
    """Say which pasted lines are not read because of the one before them."""
    if lines := desk.drop():
        say(label(state.lang, "recorder.not_taken", lines=" / ".join(lines)), err=True)
