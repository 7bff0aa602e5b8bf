"""The examination of an installation before an evening: the program, the machine, the network, and the ledger.

Each check is `ok`, a `note` (the evening works without it) or a `fault`, with one next step. Nothing is changed.
"""

from __future__ import annotations

import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import datetime
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from ledger.addresses import ANYWHERE, USUAL_PORT, addresses_of, bound_socket, lan_addresses, service_url
from ledger.errors import LedgerError, NotFoundError
from ledger.events import CONTRACT_VERSION
from ledger.extras import EXTRAS, module_of_extra
from ledger.i18n import Text, phrases
from ledger.i18n.library_errors import localised
from ledger.limits import RECEIPT_BYTES
from ledger.outside import read_file
from ledger.zones import zone_named

phrase: Final = phrases("ledger.reports")

CheckName: TypeAlias = Literal[
    "extras", "fonts", "ledger", "writing", "verification", "read_model", "backup", "tokens",
    "disk", "clock", "time_zone", "port", "address", "https",
]  # fmt: skip
Status: TypeAlias = Literal["ok", "note", "fault"]

DISK_FAULT_BYTES: Final = 50_000_000
"""With less free space an evening is in danger: a year of 52 evenings takes 60 MB, the read model included."""

DISK_NOTE_BYTES: Final = 500_000_000
"""The free space that an evening needs besides four times the ledger, for a backup and two read models."""

CERTIFICATE_DAYS: Final = 14
"""A certificate that is valid for fewer days is due for renewal."""

_FONT: Final = "pylopdf_fonts_jp"
_ANSWER_S: Final = 1.0


class Check(Struct, frozen=True):
    """The result of one check, not yet in a language: its state (`what`), and the next step if there is one."""

    name: CheckName
    status: Status
    what: Text
    next_step: Text | None = None


class Versions(Struct, frozen=True, kw_only=True):
    """The versions of the program and of what it runs on. `compiled`: whether the rules are machine code.

    `contract`: of the recorded events and answers; `duckdb`: null if it is not installed.
    """

    program: str
    contract: int
    compiled: bool
    python: str
    duckdb: str | None
    sqlite: str


class Diagnosis(Struct, frozen=True):
    """The versions and all checks, in the order of the examination."""

    versions: Versions
    checks: tuple[Check, ...]

    @property
    def is_healthy(self) -> bool:
        """Whether no check found a fault."""
        return all(check.status != "fault" for check in self.checks)


class DoctorCheck(Struct, frozen=True, kw_only=True):
    """One check: its `status`, the state as a sentence, and the next step as a sentence, null if there is none."""

    check: CheckName
    status: Status
    what: str
    next: str | None


class DoctorAnswer(Struct, frozen=True, kw_only=True):
    """Answer of `doctor`. `healthy`: whether no check found a fault."""

    healthy: bool
    versions: Versions
    checks: list[DoctorCheck]


def versions() -> Versions:
    """Return the versions of the program and of what it runs on."""
    rules = find_spec("ledger.cards")
    return Versions(
        program=import_module("ledger").__version__,  # its API imports this module
        contract=CONTRACT_VERSION,
        compiled=rules is not None and not str(rules.origin).endswith(".py"),
        python=".".join(map(str, sys.version_info[:3])),
        duckdb=_installed("duckdb"),
        sqlite=sqlite3.sqlite_version,
    )


def guarded(name: CheckName, check: Callable[[], Iterator[Check]]) -> Iterator[Check]:
    """Yield the results of a check; if it fails itself, yield its error as a fault."""
    try:
        yield from check()
    except LedgerError as error:
        yield Check(name, "fault", error.said, phrase("again"))
    except (OSError, sqlite3.Error, ImportError) as error:
        why = localised(getattr(error, "strerror", None) or str(error))
        file = getattr(error, "filename", None)
        what = phrase("failed", why=why) if file is None else phrase("failed_at", why=why, file=file)
        yield Check(name, "fault", what, phrase("again"))


def _installed(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def check_extras() -> Iterator[Check]:
    """Check that the modules of each extra are installed, and the system libraries of WeasyPrint."""
    whole = []
    for extra, modules in EXTRAS.items():
        lacking = next((said for name in modules if (said := _lacking(extra, name)) is not None), None)
        if lacking is None:
            whole.append(extra)
        else:
            yield Check("extras", "note", phrase("extras.missing", extra=extra), lacking)
    if whole:
        yield Check("extras", "ok", phrase("extras.ok", extras=tuple(whole)))


def _lacking(extra: str, module: str) -> Text | None:
    """Return what a module of an extra lacks and how to install it; None if it works.

    Only WeasyPrint is imported, which needs libraries of the system.
    """
    if find_spec(module) is not None and module != "weasyprint":
        return None
    try:
        module_of_extra(extra, module)
    except NotFoundError as error:
        return error.said
    return None


def check_fonts() -> Iterator[Check]:
    """Check that the font of pictures and printed pages is installed."""
    try:
        path: Path = module_of_extra("plots", _FONT).sans_path()
    except NotFoundError as error:
        yield Check("fonts", "note", phrase("fonts.missing"), error.said)
        return
    if path.is_file():
        yield Check("fonts", "ok", phrase("fonts.ok"))
    else:
        yield Check("fonts", "fault", phrase("fonts.lost", file=path), phrase("fonts.lost_next"))


def check_disk(ledger: Path) -> Iterator[Check]:
    """Check that the folder of the ledger has space for an evening, a backup and the read models."""
    folder, ledger_bytes = ledger.absolute().parent, 0
    with suppress(OSError):  # the check of the ledger says why
        ledger_bytes = ledger.stat().st_size
    free = shutil.disk_usage(folder).free
    values = {"folder": folder, "free": f"{free / 1e6:,.0f}"}
    if free < DISK_FAULT_BYTES:
        yield Check("disk", "fault", phrase("disk.full", **values), phrase("disk.next"))
    elif free < (needed := DISK_NOTE_BYTES + 4 * ledger_bytes):
        what = phrase("disk.low", needed=f"{needed / 1e6:,.0f}", **values)
        yield Check("disk", "note", what, phrase("disk.next"))
    else:
        yield Check("disk", "ok", phrase("disk.ok", **values))


def check_time_zone(now: datetime, tz: str | None) -> Iterator[Check]:
    """Check the time zone of times that people read: `tz`, by default that of the machine (`now` has its offset)."""
    if zone_named("Europe/Warsaw") is None:
        yield Check("time_zone", "fault", phrase("zone.none"), phrase("zone.none_next"))
        return
    local = now if tz is None else now.astimezone(zone_named(tz))
    shown, offset = local.strftime("%Y-%m-%d %H:%M"), local.strftime("%z")
    values = {"now": f"{shown} (UTC{offset[:3]}:{offset[3:5]})"}
    if tz is not None:
        yield Check("time_zone", "ok", phrase("zone.chosen", zone=tz, **values))
    elif not now.utcoffset():
        yield Check("time_zone", "note", phrase("zone.utc", **values), phrase("zone.utc_next"))
    else:
        yield Check("time_zone", "ok", phrase("zone.ok", **values))


def check_port(port: int) -> Iterator[Check]:
    """Check that the service can listen at this port, or already does."""
    try:
        for family, address in addresses_of(ANYWHERE):
            bound_socket(family, address, port).close()
    except PermissionError:
        yield Check("port", "fault", phrase("port.forbidden", port=port), phrase("port.forbidden_next"))
    except OSError:
        if _is_service_at(port):
            yield Check("port", "ok", phrase("port.running", port=port))
        else:
            yield Check("port", "fault", phrase("port.taken", port=port), phrase("port.taken_next"))
    else:
        yield Check("port", "ok", phrase("port.ok", port=port))


def _is_service_at(port: int) -> bool:
    """Return whether a service of ours answers at this port of this machine, without TLS."""
    from http.client import HTTPConnection, HTTPException

    connection = HTTPConnection("127.0.0.1", port, timeout=_ANSWER_S)
    try:
        connection.request("GET", "/api/v1/")
        return b'"trickledger"' in connection.getresponse().read(100)
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()


def check_address(port: int, *, is_tls: bool) -> Iterator[Check]:
    """Check that phones in the network can reach this machine, and at which address."""
    address = next(iter(lan_addresses()), None)
    if address is None:
        yield Check("address", "note", phrase("address.none"), phrase("address.none_next"))
    else:
        url = service_url(address, port or USUAL_PORT, is_tls=is_tls)
        yield Check("address", "ok", phrase("address.ok", url=url))


def check_https(certificate: Path | None, now: datetime) -> Iterator[Check]:
    """Check that the certificate for https is valid."""
    if certificate is None:
        yield Check("https", "note", phrase("https.none"), phrase("https.none_next"))
        return
    from cryptography.x509 import load_pem_x509_certificate

    try:
        read = load_pem_x509_certificate(read_file(certificate, "receipt", RECEIPT_BYTES))
    except ValueError:
        yield Check("https", "fault", phrase("https.unreadable", file=certificate), phrase("https.unreadable_next"))
        return
    begins, ends = read.not_valid_before_utc, read.not_valid_after_utc
    values = {"file": certificate, "since": f"{begins:%Y-%m-%d}", "until": f"{ends:%Y-%m-%d}"}
    if not begins <= now <= ends:
        yield Check("https", "fault", phrase("https.invalid", **values), phrase("https.renew"))
    elif (ends - now).days < CERTIFICATE_DAYS:
        yield Check("https", "note", phrase("https.soon", **values), phrase("https.renew"))
    else:
        yield Check("https", "ok", phrase("https.ok", **values))
