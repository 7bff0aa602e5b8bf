"""Tables, read: listed, replayed, scored, audited, with their disputes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, Literal

from ledger.log.base import LogStore
from ledger.streams import TABLE
from ledger.table.answers import AuditAnswer, ReplayAnswer, ScoreAnswer
from ledger.table.audit import audit_answer
from ledger.table.disputes import Dispute, DisputeAtTable, disputes_at, disputes_of
from ledger.table.listing import TableFilter, TableRow, table_rows
from ledger.table.repository import TableAsRead, asked_reading, fold_table, fold_tables, known_session
from ledger.table.score import score_answer
from ledger.table.steps import replay_answer, replay_state, replay_steps, seat_named
from ledger.table.two_readings import TwoReadings, two_readings


def tables(
    store: LogStore,
    *,
    session: str | None = None,
    player: str | None = None,
    game: str | None = None,
    state: Literal["open", "over", "closed"] | None = None,
    names: Mapping[str, str] | None = None,
) -> list[TableRow]:
    """The tables with players, deals and totals, as they were opened: all, or those that fit.

    `names` as in `read_tables`. Raises `NotFoundError` for a session or player that the ledger does not have.
    """

    wanted = TableFilter(session=session, player=player, game=game, state=state)
    return list(table_rows(store, asked_reading(store, names=names), wanted))


def read_tables(
    store: LogStore,
    table: str | None = None,
    *,
    session: str | None = None,
    as_recorded: bool = False,
    as_of: str | int | datetime | None = None,
    without_rulings: bool = False,
    names: Mapping[str, str] | None = None,
) -> Iterator[TableAsRead]:
    """The table, or one after the other all of them or those of a session, read once for several questions.

    Each verb takes what comes here in the place of a table's name, and leaves it in its reading.

    `as_recorded`: as first written, without corrections. `as_of`: as the record stood at a position or moment.
    `without_rulings`: by the rules alone. `names`: what to show for players, by their names in the record, for example
    `store.display_names()`. Raises `NotFoundError` naming the tables, sessions or positions that there are.
    """

    reading = asked_reading(store, as_recorded=as_recorded, as_of=as_of, without_rulings=without_rulings, names=names)
    if table is None:
        of_session = None if session is None else known_session(store, session)
        for slug, fold in fold_tables(store, reading):
            if of_session in (None, fold.opened.session):
                yield TableAsRead(slug, fold)
    else:
        yield TableAsRead(TABLE.slug(table), fold_table(store, table, reading))


def _read(store: LogStore, table: str | TableAsRead, **reading: Any) -> TableAsRead:
    """The table, where it was not read already; then it stays in the reading that it has."""
    return next(read_tables(store, table, **reading)) if isinstance(table, str) else table


def replay(
    store: LogStore,
    table: str | TableAsRead,
    deal: int | None = None,
    step: int | None = None,
    seat: str | int | None = None,
    *,
    as_recorded: bool = False,
    as_of: str | int | datetime | None = None,
    names: Mapping[str, str] | None = None,
) -> ReplayAnswer:
    """The state of a deal, by default the last, after `step` of its actions, by default all of them.

    `seat`: only what that seat could know, by its number or by the name of who sits there. The reading is as in
    `read_tables`.
    """

    read = _read(store, table, as_recorded=as_recorded, as_of=as_of, names=names)
    number = read.deal_or_last(deal)
    named = seat_named(read.fold.deal(number).players, number, seat)
    return replay_answer(read.slug, number, replay_state(read.fold, number, step, named))


def replay_all(
    store: LogStore,
    table: str | TableAsRead,
    deal: int | None = None,
    seat: str | int | None = None,
    *,
    as_recorded: bool = False,
    as_of: str | int | datetime | None = None,
    names: Mapping[str, str] | None = None,
) -> Iterator[ReplayAnswer]:
    """Every state of a deal, from before it started; else as `replay`."""

    read = _read(store, table, as_recorded=as_recorded, as_of=as_of, names=names)
    number = read.deal_or_last(deal)
    named = seat_named(read.fold.deal(number).players, number, seat)
    return (replay_answer(read.slug, number, step) for step in replay_steps(read.fold, number, named))


def table_picture(
    store: LogStore,
    table: str | TableAsRead,
    deal: int | None = None,
    step: int | None = None,
    seat: str | int | None = None,
    *,
    below: str | int | None = None,
    as_recorded: bool = False,
    as_of: str | int | datetime | None = None,
    names: Mapping[str, str] | None = None,
    lang: str = "en",
) -> str:
    """The table from above as SVG, at the step that `replay` answers for the same words.

    `below`: who sits at the bottom of the picture, by default the `seat` that sees it, else the first.
    """
    from ledger.text.pictures.moment import moment_at
    from ledger.text.pictures.table import table_svg

    read = _read(store, table, as_recorded=as_recorded, as_of=as_of, names=names)
    number = read.deal_or_last(deal)
    players = read.fold.deal(number).players
    sees, sits = seat_named(players, number, seat), seat_named(players, number, below)
    return table_svg(moment_at(read.fold, number, step, lang, seat=sees, below=sits))


def readings(
    store: LogStore,
    table: str | TableAsRead,
    deal: int | None = None,
    *,
    as_of: str | int | datetime | None = None,
    names: Mapping[str, str] | None = None,
    lang: str = "en",
) -> TwoReadings:
    """A deal, by default the last, as first written and as corrected, entry by entry."""

    read = _read(store, table, as_of=as_of, names=names)
    return two_readings(read.slug, read.fold, read.deal_or_last(deal), lang)


def score(
    store: LogStore,
    table: str | TableAsRead,
    deal: int | None = None,
    *,
    as_recorded: bool = False,
    as_of: str | int | datetime | None = None,
    without_rulings: bool = False,
    names: Mapping[str, str] | None = None,
    lang: str = "en",
) -> ScoreAnswer:
    """The score sheet of a table, or of one of its deals, every payment with its rule.

    The reading is as in `read_tables`; totals are those of the table, also where only a `deal` is asked for.
    """

    read = _read(store, table, as_recorded=as_recorded, as_of=as_of, without_rulings=without_rulings, names=names)
    return score_answer(read.slug, read.fold, lang, deal=deal)


def audit(
    store: LogStore,
    table: str | TableAsRead,
    *,
    as_recorded: bool = False,
    as_of: str | int | datetime | None = None,
    names: Mapping[str, str] | None = None,
    lang: str = "en",
) -> AuditAnswer:
    """What in a table was against the rules; the reading is as in `read_tables`."""

    read = _read(store, table, as_recorded=as_recorded, as_of=as_of, names=names)
    return audit_answer(read.slug, read.fold, lang)


def open_disputes(store: LogStore, *, names: Mapping[str, str] | None = None) -> list[DisputeAtTable]:
    """The disputes of all tables that no ruling decided, in the order in which the tables were opened."""

    reads = read_tables(store, names=names)
    return [one for read in reads for one in disputes_at(read) if one.state == "open"]


def disputes(
    store: LogStore, table: str | TableAsRead, deal: int | None = None, *, names: Mapping[str, str] | None = None
) -> list[Dispute]:
    """The disputes of a table, or of one of its deals, and what became of them."""

    return [one for one in disputes_of(_read(store, table, names=names).fold) if deal in (None, one.deal)]
