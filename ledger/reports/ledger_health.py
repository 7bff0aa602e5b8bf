"""The checks of a ledger before an evening: it is whole, can be written, has a backup, and phones may record."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from ledger.access.base import TokenFacts
from ledger.access.stores import open_access
from ledger.errors import LedgerError, UnreadableError
from ledger.log.append_rules import timestamp
from ledger.log.backup import opened_backup
from ledger.log.base import Head, LogStore
from ledger.log.growth import verify_growth
from ledger.log.paths import access_of, backups_in
from ledger.log.stores import file_of, is_file, open_store, sidecar_base
from ledger.log.verify import Verification
from ledger.reports.doctor import Check, guarded, phrase
from ledger.zones import UTC as UTC_NAME
from ledger.zones import moment_text

BACKUP_HOURS: Final = 24
"""A backup that lacks entries and is older is due for renewal."""

CLOCK_TOLERANCE_S: Final = 60

_FAULTS: Final = {
    "no_ledger": ("ledger.missing", "ledger.missing_next"),
    "not_a_ledger": ("ledger.other", "ledger.other_next"),
    "damaged": ("ledger.damaged", "restore_next"),
    "too_new": ("ledger.new", "ledger.new_next"),
    "forbidden": ("ledger.forbidden", "ledger.forbidden_next"),
}
"""The keys of the state and of the next step by the code of the error; other errors say themselves what to do."""

Progress: TypeAlias = Callable[[int, int], object]


def check_ledger(
    ledger: str | Path, *, backups: Path | None, tz: str | None, now: datetime, progress: Progress | None
) -> Iterator[Check]:
    """Check the ledger. `backups`: the folder with its backups, by default its own; `tz`: the zone of its days."""
    try:
        with open_store(ledger, access="allowed") as store:  # open until the end, or readers would leave files behind
            yield from _checks_of_open(store, ledger, backups, tz, now, progress)
    except LedgerError as error:
        what, step = _FAULTS.get(error.code, (None, "again"))
        yield Check("ledger", "fault", error.said if what is None else phrase(what, file=ledger), phrase(step))


def _checks_of_open(
    store: LogStore, where: str | Path, backups: Path | None, tz: str | None, now: datetime, progress: Progress | None
) -> Iterator[Check]:
    head = store.head()
    last = next(store.read(head.position - 1), None) if head.position else None
    ledger = sidecar_base(where)
    yield Check("ledger", "ok", phrase("ledger.ok", file=where, entries=head.position))
    if is_file(where):
        yield from check_writing(ledger)
    yield from guarded("verification", lambda: check_verification(verify_growth(where, progress=progress)))
    yield from guarded("read_model", lambda: check_read_model(store, ledger, tz or UTC_NAME))
    if not is_file(where):
        yield Check("backup", "note", phrase("backup.database"), phrase("backup.database_next"))
    elif head.position:
        folder = backups or ledger.absolute().parent
        yield from guarded("backup", lambda: check_backup(store, ledger, folder, head, now))
        if store.has_handles:
            yield from guarded("backup", lambda: check_erased_names(store, ledger, folder))
    yield from guarded("tokens", lambda: _check_access(where, now))
    recorded_at = None if last is None else last.recorded_at
    yield from guarded("clock", lambda: check_clock(recorded_at, _clock_ahead(where), now, tz))


def check_writing(ledger: Path) -> Iterator[Check]:
    """Check that this user may write to the ledger and create files next to it."""
    closed = [path for path in (ledger, ledger.absolute().parent) if not os.access(path, os.W_OK)]
    if closed:
        yield Check("writing", "fault", phrase("writing.forbidden", file=closed[0]), phrase("writing.next"))
    else:
        yield Check("writing", "ok", phrase("writing.ok"))


def check_verification(verification: Verification) -> Iterator[Check]:
    """Check the result of a verification of all entries."""
    damage = verification.damage
    if damage is None:
        yield Check("verification", "ok", phrase("verification.ok", entries=verification.entries))
        return
    what = phrase("verification.whole_file", what=damage.what)
    if damage.position is not None:
        what = phrase("verification.damaged", position=damage.position, what=damage.what)
    step = "verification.rolled_back_next" if verification.is_rolled_back else "restore_next"
    yield Check("verification", "fault", what, phrase(step))


def check_read_model(store: LogStore, ledger: Path, zone: str) -> Iterator[Check]:
    """Check that the read model has all entries; statistics otherwise bring it up to date first."""
    from ledger.history.connection import choose_history_path
    from ledger.history.model.catch_up import is_current

    path = choose_history_path(store, ledger, zone=zone)
    if not path.exists():
        yield Check("read_model", "note", phrase("read_model.none"), phrase("read_model.next"))
    elif is_current(store, path, zone):
        yield Check("read_model", "ok", phrase("read_model.ok"))
    else:
        yield Check("read_model", "note", phrase("read_model.behind"), phrase("read_model.next"))


def check_backup(store: LogStore, ledger: Path, folder: Path, head: Head, now: datetime) -> Iterator[Check]:
    """Check that the newest backup of this ledger in the folder is complete, or younger than a day."""
    try:
        newest = _newest_backup(store, ledger, folder, head)
    except UnreadableError as error:
        yield Check("backup", "fault", error.said, phrase("backup.next"))
        return
    if newest is None:
        yield Check("backup", "note", phrase("backup.none", folder=folder), phrase("backup.next"))
        return
    values = {"file": newest.path.name, "hours": max(0, int((now - newest.made) / timedelta(hours=1)))}
    if not newest.lacking:
        yield Check("backup", "ok", phrase("backup.complete", **values))
    elif now - newest.made <= timedelta(hours=BACKUP_HOURS):
        yield Check("backup", "ok", phrase("backup.young", lacking=newest.lacking, **values))
    else:
        yield Check("backup", "note", phrase("backup.old", lacking=newest.lacking, **values), phrase("backup.next"))


class _Backup(NamedTuple):
    """A backup with the moment in its name, and the number of entries that it lacks."""

    made: datetime
    path: Path
    lacking: int


def _newest_backup(store: LogStore, ledger: Path, folder: Path, head: Head) -> _Backup | None:
    """Return the newest backup of this ledger; other clubs may name theirs alike."""
    for made, path in reversed(backups_in(folder, ledger)):
        with opened_backup(path) as backup:
            lacking = max(0, head.position - backup.head().position)
            if backup.ledger_id == store.ledger_id and (lacking or backup.digest_at(head.position) == head.digest):
                return _Backup(made, path, lacking)
    return None


def check_erased_names(store: LogStore, ledger: Path, folder: Path) -> Iterator[Check]:
    """Name the backups in the folder with a name that the ledger does not show any more."""
    shown = store.display_names()
    named = []
    for _, path in backups_in(folder, ledger):
        with suppress(LedgerError), opened_backup(path) as backup:
            names = backup.display_names() if backup.ledger_id == store.ledger_id else {}
            if any(shown.get(player) != name for player, name in names.items()):
                named.append(path.name)
    if named:
        yield Check("backup", "note", phrase("backup.names", files=tuple(named)), phrase("backup.names_next"))


def _check_access(ledger: str | Path, now: datetime) -> Iterator[Check]:
    tokens: Sequence[TokenFacts] = ()
    if _may_have_tokens(ledger):
        with open_access(ledger) as access:
            tokens = access.tokens()
    yield from check_tokens(tokens, now)


def _may_have_tokens(ledger: str | Path) -> bool:
    """Return whether a file of tokens exists; opening the tokens would create it."""
    return not is_file(ledger) or access_of(file_of(ledger)).exists()


def check_tokens(tokens: Sequence[TokenFacts], now: datetime) -> Iterator[Check]:
    """Check that a token or a table's code is valid with which a phone may record."""
    moment = timestamp(now)
    valid = [one for one in tokens if one.revoked_at is None and (one.expires_at is None or one.expires_at > moment)]
    recording = [one for one in valid if one.role != "viewer"]
    if recording:
        yield Check("tokens", "ok", phrase("tokens.ok", recording=len(recording), all=len(valid)))
    else:
        yield Check("tokens", "note", phrase("tokens.none"), phrase("tokens.next"))


def _clock_ahead(ledger: str | Path) -> str | None:
    """Return the later time that the tokens know, if any; the check of the tokens reports why they cannot be read."""
    if _may_have_tokens(ledger):
        with suppress(LedgerError), open_access(ledger) as access:
            return access.clock_ahead()
    return None


def check_clock(last: str | None, ahead: str | None, now: datetime, tz: str | None) -> Iterator[Check]:
    """Check that the clock is not behind the last entry, or the time at which tokens were last checked (`ahead`)."""
    if last is not None and datetime.fromisoformat(last) > now + timedelta(seconds=CLOCK_TOLERANCE_S):
        what = phrase("clock.behind", now=moment_text(timestamp(now), tz), last=moment_text(last, tz))
        yield Check("clock", "fault", what, phrase("clock.behind_next"))
    elif ahead is not None:
        what = phrase("clock.tokens", now=moment_text(timestamp(now), tz), ahead=moment_text(ahead, tz))
        yield Check("clock", "note", what, phrase("clock.tokens_next"))
    else:
        yield Check("clock", "ok", phrase("clock.ok"))
