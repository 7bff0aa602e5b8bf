"""Reading tables: list, replay, score, audit, disputes."""

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
from ledger.table.repository import TableAsRead, fold_table, fold_tables, known_session, requested_reading
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
    """List the tables with players, deals and totals in the order of their opening, all or those that match.

    `names` as in `read_tables`. Raise `NotFoundError` for an unknown session or player.
    """

    wanted = TableFilter(session=session, player=player, game=game, state=state)
    return list(table_rows(store, requested_reading(store, names=names), wanted))


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
    """Read a table, or one after the other all tables or those of a session, once for several functions.

    The result may be passed to each function in place of the table's name and keeps its reading.

    `as_recorded`: as first written, without corrections. `as_of`: the record as it was at a position or moment.
    `without_rulings`: by the rules alone. `names`: display names by recorded names, e.g. `store.display_names()`. Raise
    `NotFoundError` naming the tables, sessions or positions that exist.
    """

    reading = requested_reading(
        store, as_recorded=as_recorded, as_of=as_of, without_rulings=without_rulings, names=names
    )
    if table is None:
        of_session = None if session is None else known_session(store, session)
        for slug, fold in fold_tables(store, reading):
            if of_session in (None, fold.opened.session):
                yield TableAsRead(slug, fold)
    else:
        yield TableAsRead(TABLE.slug(table), fold_table(store, table, reading))


def _read(store: LogStore, table: str | TableAsRead, **reading: Any) -> TableAsRead:
    """Read the table unless it was read already, in which case it keeps its reading."""
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
    """Return the state of a deal (default: the last) after `step` of its actions (default: all).

    `seat`: only what this seat could know, by number or by the name of its player. The reading is as in `read_tables`.
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
    """Return every state of a deal, from before its start; else as `replay`."""

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
    """Return the table from above as SVG, at the step that `replay` returns for the same arguments.

    `below`: the player at the bottom of the picture, by default the `seat` that sees it, else the first.
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
    """Return a deal (default: the last) as first written and as corrected, entry by entry."""

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
    """Return the score sheet of a table, or of one of its deals, every payment with its rule.

    The reading is as in `read_tables`; totals are those of the table even if only a `deal` is requested.
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
    """Return what broke the rules at a table; the reading is as in `read_tables`."""

    read = _read(store, table, as_recorded=as_recorded, as_of=as_of, names=names)
    return audit_answer(read.slug, read.fold, lang)


def open_disputes(store: LogStore, *, names: Mapping[str, str] | None = None) -> list[DisputeAtTable]:
    """Return the disputes without a ruling at all tables, in the order in which the tables were opened."""

    reads = read_tables(store, names=names)
    return [one for read in reads for one in disputes_at(read) if one.state == "open"]


def disputes(
    store: LogStore, table: str | TableAsRead, deal: int | None = None, *, names: Mapping[str, str] | None = None
) -> list[Dispute]:
    """Return the disputes of a table, or of one of its deals, with their rulings."""

    return [one for one in disputes_of(_read(store, table, names=names).fold) if deal in (None, one.deal)]
