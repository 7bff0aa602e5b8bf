"""The health of the service: what is well, what is not, and what to do about it."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final, Literal

from msgspec import Struct

from ledger import __version__
from ledger.errors import LedgerError
from ledger.log.append_rules import timestamp
from ledger.log.base import utc_now
from ledger.log.paths import backups_in, checkpoint_of, wal_of
from ledger.log.rollback_detection import sidecar_checkpoint
from ledger.log.stores import is_file
from ledger.reports.doctor import DISK_NOTE_BYTES
from ledger.service.running import Service
from ledger.service.visibility import VisibleHead
from ledger.streams import TABLE
from ledger.text.site.catalogue import as_sentence, say
from ledger.web.api.root import STUCK_S
from ledger.web.http.request import Request
from ledger.web.http.response import Response
from ledger.web.http.routing import form, page
from ledger.web.pages.forms import refusal_text
from ledger.web.pages.frame import elsewhere, html
from ledger.web.pages.shown_tables import title_by_slug
from ledger.zones import moment_text

_PATH: Final = "/room"

_BACKUP_OLD: Final = timedelta(days=7)
_LAG_MOST: Final = 1_000
"""The number of entries that the read model may lag behind before it is shown as a trouble."""


class Check(Struct, frozen=True, kw_only=True):
    """One thing that can be well or not. `what`: its subject; `text`: its state; `advice`: what to do, if anything."""

    what: str
    text: str
    advice: str = ""
    is_well: bool = True
    link: tuple[str, str] | None = None


class DiskState(Struct, frozen=True, kw_only=True):
    """The files of a ledger: their size, the free space, and when the checkpoint and the newest backup were made.

    `backup`: the newest one beside the ledger, by the moment in its name; no backup elsewhere is known.
    """

    used_bytes: int
    free_bytes: int
    signed_at: datetime | None
    backup: tuple[str, datetime] | None


def disk_state(ledger: Path) -> DiskState:
    """Return the state of a ledger's files."""
    backups = backups_in(ledger.parent, ledger)
    signed = checkpoint_of(ledger)
    return DiskState(
        used_bytes=sum(path.stat().st_size for path in (ledger, wal_of(ledger)) if path.exists()),
        free_bytes=shutil.disk_usage(ledger.parent).free,
        signed_at=datetime.fromtimestamp(signed.stat().st_mtime, UTC) if signed.exists() else None,
        backup=(backups[-1][1].name, backups[-1][0]) if backups else None,
    )


class Heard(Struct, frozen=True, kw_only=True):
    """The number of open live connections: in all, by browsers and programs, and by table."""

    count: int
    clients: int
    by_table: dict[str, int]


@page(_PATH, "admin")
async def room(request: Request) -> Response:
    """Show whether all is well, and who is connected."""
    return await _shown(request)


@form(f"{_PATH}/checkpoint", "admin", body=dict[str, str], problems=("not_found", "deal_open"))
async def make_checkpoint(request: Request) -> Response:
    """Sign a checkpoint over everything before the first open deal."""
    service, visible = request.service, request.visible

    def sign() -> None:
        service.prover.checkpoint(service.store(), visible, at_least=visible.reaches)

    try:
        await service.run_in_thread(sign)
    except LedgerError as error:
        return await _shown(request, refusal_text(error, request.lang))
    return elsewhere(f"{_PATH}#checkpoint")


async def _shown(request: Request, refusal: str | None = None) -> Response:
    hub = request.service.hub  # read here, as all of it happens in the event loop
    followers = [(one.token, one.browser, one.follower.streams) for one in hub.listeners()]
    heard = Heard(
        count=len(followers),
        clients=len({(token, browser) for token, browser, _ in followers}),
        by_table=dict(Counter(stream for _, _, streams in followers for stream in streams or ()).most_common()),
    )

    def make() -> Response:
        checks = list(_checks(request))
        return html(
            request,
            "room.html",
            status=200 if refusal is None else 422,
            refusal=refusal,
            troubles=[one for one in checks if not one.is_well],
            checks=checks,
            heard=heard,
            titles={
                stream: title_by_slug(request, TABLE.slug(stream)) for stream in heard.by_table if TABLE.has(stream)
            },
            slugs={stream: TABLE.slug(stream) for stream in heard.by_table if TABLE.has(stream)},
            signs=request.service.settings.secret_key is not None,
            may_sign=_unsigned(request.service, request.visible) > 0,
            waiting=[(TABLE.slug(one), title_by_slug(request, TABLE.slug(one))) for one in request.visible.hidden],
            version=__version__,
        )

    return await request.service.run_in_thread(make)


def _checks(request: Request) -> Iterator[Check]:
    disk = disk_state(request.service.ledger)
    yield from (_writer(request), _backup(request, disk), _checkpoint(request, disk))
    yield from (_proofs(request), _disk(request, disk))
    yield from (_read_model(request), _clock(request))
    yield from _rescued(request)


def _writer(request: Request) -> Check:
    lang, service = request.lang, request.service
    what = say(lang, "room.writer")
    if service.settings.read_only:
        return Check(what=what, text=say(lang, "room.read_only"))
    if (trouble := service.writer.trouble) is not None:
        text = as_sentence(lang, trouble.message(lang))
        return Check(what=what, text=text, advice=say(lang, "room.writer_trouble"), is_well=False)
    if service.writer.at_it_s > STUCK_S:
        text = say(lang, "room.writer_slow", seconds=int(service.writer.at_it_s), count=service.writer.waiting)
        return Check(what=what, text=text, advice=say(lang, "room.writer_slow_advice"), is_well=False)
    return Check(what=what, text=say(lang, "room.writer_well", count=service.writer.waiting))


def _backup(request: Request, disk: DiskState) -> Check:
    lang = request.lang
    what, advice = say(lang, "room.backup"), say(lang, "room.backup_advice")
    if not is_file(request.service.address):
        return Check(what=what, text=say(lang, "room.database_backup"))
    if disk.backup is None:
        return Check(what=what, text=say(lang, "room.no_backup"), advice=advice, is_well=False)
    name, made = disk.backup
    is_well = utc_now() - made <= _BACKUP_OLD
    text = say(lang, "room.backup_at", time=_moment(request, made), file=name)
    return Check(what=what, text=text, advice="" if is_well else advice, is_well=is_well)


def _checkpoint(request: Request, disk: DiskState) -> Check:
    lang, service = request.lang, request.service
    what, head = say(lang, "room.checkpoint"), request.visible.head.position
    last = sidecar_checkpoint(service.ledger)
    if last is None or disk.signed_at is None:
        key: Literal["room.sign_now", "room.no_key"] = "room.sign_now" if service.settings.secret_key else "room.no_key"
        text, advice = say(lang, "room.no_checkpoint"), say(lang, key)
        return Check(what=what, text=text, advice=advice, is_well=False, link=("/proof", say(lang, "frame.proof")))
    text = say(lang, "room.checkpoint_at", time=_moment(request, disk.signed_at), size=last.tree.size, head=head)
    return Check(what=what, text=text, link=("/proof", say(lang, "frame.proof")))


def _unsigned(service: Service, visible: VisibleHead) -> int:
    """Return the number of entries that a new checkpoint would cover in addition."""
    last = sidecar_checkpoint(service.ledger)
    return visible.reaches - (0 if last is None else last.tree.size)


def _proofs(request: Request) -> Check:
    lang, visible = request.lang, request.visible
    what, count = say(lang, "room.proofs"), len(visible.hidden)
    if not count:
        return Check(what=what, text=say(lang, "room.proofs_free"))
    text = say(lang, "room.proofs_wait", count=count, reaches=visible.reaches, head=visible.head.position)
    return Check(what=what, text=text, advice=say(lang, "room.proofs_advice"))


def _disk(request: Request, disk: DiskState) -> Check:
    lang = request.lang
    is_well = disk.free_bytes >= max(DISK_NOTE_BYTES, disk.used_bytes)
    text = say(
        lang,
        "room.disk_now",
        size=_megabytes(disk.used_bytes),
        entries=request.visible.head.position,
        free=_megabytes(disk.free_bytes),
    )
    advice = "" if is_well else say(lang, "room.disk_advice")
    return Check(what=say(lang, "room.disk"), text=text, advice=advice, is_well=is_well)


def _read_model(request: Request) -> Check:
    lang, history = request.lang, request.service.history
    what = say(lang, "room.read_model")
    if history.failure is not None:
        why = history.failure.message(lang) if isinstance(history.failure, LedgerError) else ""
        advice = say(lang, "room.read_model_advice")
        return Check(what=what, text=say(lang, "room.read_model_failed", why=why), advice=advice, is_well=False)
    lag = max(0, request.visible.reaches - history.position)
    if lag > _LAG_MOST:
        return Check(what=what, text=say(lang, "room.read_model_behind", count=lag))
    return Check(what=what, text=say(lang, "room.read_model_well"))


def _clock(request: Request) -> Check:
    lang, ahead = request.lang, request.service.access.clock_ahead()
    what = say(lang, "room.clock")
    if ahead is None:
        return Check(what=what, text=say(lang, "room.clock_well"))
    text = say(lang, "room.clock_ahead", moment=moment_text(ahead, request.service.settings.zone))
    return Check(what=what, text=text, advice=say(lang, "room.clock_advice"), is_well=False)


def _rescued(request: Request) -> Iterator[Check]:
    lang, ledger = request.lang, request.service.ledger
    for path in sorted(ledger.parent.glob(f"{ledger.name}.rescue-*")):
        text = say(lang, "room.rescued", file=path.name)
        yield Check(what=say(lang, "room.rescue"), text=text, advice=say(lang, "room.rescue_advice"), is_well=False)


def _moment(request: Request, moment: datetime) -> str:
    return moment_text(timestamp(moment), request.service.settings.zone)


def _megabytes(size: int) -> str:
    return f"{size / 1_000_000:,.1f}" if size < 10_000_000 else f"{size // 1_000_000:,}"
