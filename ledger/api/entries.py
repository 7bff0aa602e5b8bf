"""Entries of tables and sessions: corrections, disputes, rulings, notes, and what opens and closes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any, Literal

from ledger.errors import UsageError
from ledger.events import Event, RulingKind
from ledger.log.base import LogStore
from ledger.recording import directing, sessions
from ledger.recording.adding import Added, Recording, add_events
from ledger.recording.catalogue import phrase
from ledger.recording.correcting import CorrectionAction, EntryReference, deals_at
from ledger.recording.moved_seats import corrections_of
from ledger.recording.sessions import SessionAddition
from ledger.streams import TABLE


def correct(
    store: LogStore,
    table: str,
    action: CorrectionAction | Literal["deal"],
    words: str | Sequence[Event] | None = None,
    *,
    version: int | None = None,
    deal: int | None = None,
    step: int | None = None,
    file: str | Path | None = None,
    reason: str,
    confirm: bool = False,
    keep_seats: bool = False,
    recording: Recording,
    names: Mapping[str, str] | None = None,
    lang: str = "en",
) -> Added:
    """Adds how an entry is to be read: named by version, or by deal and step, else the last one.

    `words`: those of a hand record, or the events themselves. `names`: what is shown for players, by their names in
    the record; either may be said. With `recording.dry_run` it is only shown what would change. A dispute or ruling is
    corrected only with `confirm`; without, `UsageError` names the better way. Cards played later in the deal go to
    those who are then in turn, where they were in turn before and less is broken so, unless `keep_seats`.

    The action `deal` replaces a whole deal by the one `[[deal]]` of a hand record, `file`.
    """
    from ledger.recording.correcting import deal_correction
    from ledger.recording.files import hand_record_text

    if action == "deal":
        if deal is None or file is None:
            raise UsageError("usage", phrase("correction.deal_and_file"))
        text, number = hand_record_text(Path(file)), deal
        return add_events(
            store,
            table,
            lambda fold: deal_correction(fold, TABLE.slug(table), number, text, str(file), reason),
            recording,
            deals=lambda fold: (number,),
            names=names,
            lang=lang,
        )
    named, one = EntryReference(version=version, deal=deal, step=step), action
    is_meant = confirm or recording.dry_run
    return add_events(
        store,
        table,
        lambda fold: corrections_of(
            fold, TABLE.slug(table), named, one, words, reason, is_meant=is_meant, keep_seats=keep_seats
        ),
        recording,
        deals=lambda fold: deals_at(fold, named.place(fold)),
        names=names,
        lang=lang,
    )


def dispute(
    store: LogStore,
    table: str,
    text: str,
    *,
    deal: int | None = None,
    player: str | int | None = None,
    version: int | None = None,
    step: int | None = None,
    appeals: int | None = None,
    recording: Recording,
    names: Mapping[str, str] | None = None,
    lang: str = "en",
) -> Added:
    """Raises a dispute about a deal, or about one entry of it, named by version or step, or as an appeal.

    `appeals`: the version of the ruling that it is an appeal against; then no `deal` need be named. `names` as in
    `correct`.
    """

    return add_events(
        store,
        table,
        lambda fold: [directing.dispute(fold, deal, text, player=player, version=version, step=step, appeals=appeals)],
        recording,
        names=names,
        lang=lang,
    )


def ruling(
    store: LogStore,
    table: str,
    kind: RulingKind,
    text: str,
    *,
    deal: int,
    rule: str | None = None,
    deltas: str | Sequence[int] | None = None,
    pool: int | None = None,
    award: str | Mapping[str, Any] | None = None,
    dispute: int | None = None,
    recording: Recording,
    names: Mapping[str, str] | None = None,
    lang: str = "en",
) -> Added:
    """Rules on a deal; `deltas` by seat, or in words by name; `names` as in `correct`.

    With `recording.dry_run` it is only shown what would change.
    """

    return add_events(
        store,
        table,
        lambda fold: [
            directing.ruling(fold, deal, kind, text, rule=rule, deltas=deltas, pool=pool, award=award, dispute=dispute)
        ],
        recording,
        deals=lambda fold: (deal,),
        names=names,
        lang=lang,
    )


def close_table(
    store: LogStore,
    table: str,
    *,
    reason: str | None = None,
    recording: Recording,
    names: Mapping[str, str] | None = None,
    lang: str = "en",
) -> Added:
    """Closes a table: what its end pays out is paid, and a deal in progress stays unfinished; `names` as in `correct`.

    The hands of deals that ended before their last card are shown to everybody from then on.

    Raises `MalformedError` where it is closed already. `correct(…, "strike")` takes it back.
    """

    return add_events(store, table, lambda fold: directing.closing(fold, reason), recording, names=names, lang=lang)


def seat(
    store: LogStore,
    table: str,
    seat: str | int,
    player: str,
    *,
    recording: Recording,
    names: Mapping[str, str] | None = None,
    lang: str = "en",
) -> Added:
    """Seats a player for the one in a seat, named by its number or by who sits there; `names` as in `correct`.

    Raises `ConflictError` in the middle of a deal. `correct(…, "strike")` takes it back.
    """

    shown = names or {}
    return add_events(
        store,
        table,
        lambda fold: [directing.seating(fold, seat, player, shown)],
        recording,
        names=names,
        lang=lang,
    )


def note(
    store: LogStore,
    table: str,
    text: str,
    *,
    deal: int | None = None,
    step: int | None = None,
    version: int | None = None,
    player: str | int | None = None,
    recording: Recording,
    names: Mapping[str, str] | None = None,
    lang: str = "en",
) -> Added:
    """Notes something at a table: about an entry, named by version, or by deal and step, and about a player, if told.

    `names` as in `correct`.
    """

    named = EntryReference(version=version, deal=deal, step=step)
    return add_events(
        store, table, lambda fold: [directing.note(fold, text, named, player)], recording, names=names, lang=lang
    )


def note_session(store: LogStore, session: str, text: str, *, recording: Recording) -> SessionAddition:
    """Notes something about a session; raises `NotFoundError` for one that there is not."""

    return sessions.add_to_session(store, session, sessions.noting(text), recording)


def open_session(
    store: LogStore,
    session: str,
    *,
    title: str,
    date: date | str,
    club: str | None = None,
    place: str | None = None,
    zone: str | None = None,
    recording: Recording,
) -> SessionAddition:
    """Opens a session; `zone`: the IANA name of the time zone in which its times are shown.

    Raises `MalformedError` where it was opened before.
    """

    fields = {"title": title, "date": str(date), "club": club, "place": place, "zone": zone}
    return sessions.add_to_session(store, session, sessions.opening(fields), recording, is_opening=True)


def amend_session(
    store: LogStore,
    session: str,
    *,
    title: str | None = None,
    date: date | str | None = None,
    club: str | None = None,
    place: str | None = None,
    zone: str | None = None,
    reason: str,
    recording: Recording,
) -> SessionAddition:
    """Corrects what a session says of itself: the fields that are told; an empty text empties one that may be.

    Raises `MalformedError` where nothing would change.
    """

    day = None if date is None else str(date)
    fields = {"title": title, "date": day, "club": club, "place": place, "zone": zone}
    return sessions.add_to_session(store, session, sessions.amendment(fields, reason), recording)


def close_session(store: LogStore, session: str, *, confirm: bool = False, recording: Recording) -> SessionAddition:
    """Closes a session. Where tables of it are open, only with `confirm`; without, `UsageError` names them."""

    left_open = sessions.open_tables(store, session)
    make = sessions.closing(session, left_open, is_meant=confirm or recording.dry_run)
    return sessions.add_to_session(store, session, make, recording, open_tables=left_open)


def reopen_session(store: LogStore, session: str, *, reason: str, recording: Recording) -> SessionAddition:
    """Takes the closing of a session back, by a correction; raises `MalformedError` where it is open."""

    return sessions.add_to_session(store, session, sessions.reopening(reason), recording)


def correct_session(
    store: LogStore,
    session: str,
    action: CorrectionAction,
    words: str | Sequence[Event] | None = None,
    *,
    version: int | None = None,
    reason: str,
    recording: Recording,
) -> SessionAddition:
    """Adds how an entry of a session is to be read, named by version, else the last one.

    `words`: those of a note, events as JSON, or the events themselves.
    """

    make = sessions.correcting(action, words, version=version, reason=reason)
    return sessions.add_to_session(store, session, make, recording)
