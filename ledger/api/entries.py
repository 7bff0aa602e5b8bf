"""Entries of tables and sessions: corrections, disputes, rulings, notes, opening and closing."""

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
    """Correct an entry, named by version, or by deal and step, or else the last one.

    `words`: the words of a hand record, or the events themselves. `names`: display names by recorded names; both are
    understood. With `recording.dry_run`, only show what would change. A dispute or ruling is corrected only with
    `confirm`; otherwise `UsageError` names the better way. Unless `keep_seats`, later cards of the deal move to the
    players then in turn, provided they were recorded in turn and fewer rules are broken that way.

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
    """Raise a dispute about a deal, about an entry of it named by version or step, or as an appeal.

    `appeals`: the version of the ruling to appeal against; `deal` may then be left out. `names` as in `correct`.
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
    """Rule on a deal; `deltas` by seat, or in words by name; `names` as in `correct`.

    With `recording.dry_run`, only show what would change.
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
    """Close a table: make its final payments and leave a deal in progress unfinished; `names` as in `correct`.

    From then on everybody may see the hands of deals that ended before their last card.

    Raise `MalformedError` if the table is closed already. `correct(…, "strike")` undoes it.
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
    """Seat a player in place of another, who is named by seat number or name; `names` as in `correct`.

    Raise `ConflictError` in the middle of a deal. `correct(…, "strike")` undoes it.
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
    """Add a note to a table, to an entry of it (by version, or by deal and step) or to a player.

    `names` as in `correct`.
    """

    named = EntryReference(version=version, deal=deal, step=step)
    return add_events(
        store, table, lambda fold: [directing.note(fold, text, named, player)], recording, names=names, lang=lang
    )


def note_session(store: LogStore, session: str, text: str, *, recording: Recording) -> SessionAddition:
    """Add a note to a session; raise `NotFoundError` if there is no such session."""

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
    """Open a session; `zone`: the IANA name of the time zone in which its times are shown.

    Raise `MalformedError` if the session was opened before.
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
    """Change fields of a session; an empty text clears a field that may be empty.

    Raise `MalformedError` if nothing would change.
    """

    day = None if date is None else str(date)
    fields = {"title": title, "date": day, "club": club, "place": place, "zone": zone}
    return sessions.add_to_session(store, session, sessions.amendment(fields, reason), recording)


def close_session(store: LogStore, session: str, *, confirm: bool = False, recording: Recording) -> SessionAddition:
    """Close a session; with `confirm` even if some of its tables are open, otherwise `UsageError` names them."""

    left_open = sessions.open_tables(store, session)
    make = sessions.closing(session, left_open, is_meant=confirm or recording.dry_run)
    return sessions.add_to_session(store, session, make, recording, open_tables=left_open)


def reopen_session(store: LogStore, session: str, *, reason: str, recording: Recording) -> SessionAddition:
    """Reopen a session by a correction of its closing; raise `MalformedError` if it is open."""

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
    """Correct an entry of a session, named by version, or else the last one.

    `words`: the words of a note, events as JSON, or the events themselves.
    """

    make = sessions.correcting(action, words, version=version, reason=reason)
    return sessions.add_to_session(store, session, make, recording)
