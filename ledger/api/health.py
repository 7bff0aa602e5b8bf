"""The examination of an installation and its ledger before an evening."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from ledger.addresses import USUAL_PORT
from ledger.log.stores import sidecar_base
from ledger.reports import doctor as examination
from ledger.reports.doctor import Diagnosis, guarded
from ledger.reports.ledger_health import check_ledger


def doctor(
    ledger: str | Path,
    *,
    backups: str | Path | None = None,
    port: int = USUAL_PORT,
    tls_cert: str | Path | None = None,
    tz: str | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Diagnosis:
    """Check the program, this machine and the ledger before an evening; return each check with its next step.

    Nothing is changed. `backups`: the folder with the backups, by default that of the ledger. `port` and `tls_cert`:
    those of the service. `tz`: the time zone that the club uses, by default the machine's. A fault is a check, not an
    error: nothing is raised for a ledger that is missing or damaged.
    """
    now = datetime.now().astimezone()
    certificate = None if tls_cert is None else Path(tls_cert)
    checks = [
        *guarded("extras", examination.check_extras),
        *guarded("fonts", examination.check_fonts),
        *guarded("time_zone", lambda: examination.check_time_zone(now, tz)),
        *guarded("disk", lambda: examination.check_disk(sidecar_base(ledger))),
        *guarded(
            "ledger",
            lambda: check_ledger(
                ledger, backups=None if backups is None else Path(backups), tz=tz, now=now, progress=progress
            ),
        ),
        *guarded("port", lambda: examination.check_port(port)),
        *guarded("address", lambda: examination.check_address(port, is_tls=certificate is not None)),
        *guarded("https", lambda: examination.check_https(certificate, now)),
    ]
    return Diagnosis(examination.versions(), tuple(checks))
