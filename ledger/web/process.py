"""A ledger served by this process: the service, its app, the log of what is answered, and the end of all that."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ledger import __version__
from ledger.access.stores import open_access
from ledger.service.running import Service, Settings
from ledger.service.visibility import VisibleHead
from ledger.web.app import App
from ledger.web.http.access_log import AccessLog, LineLog
from ledger.web.server.metrics import Metrics
from ledger.web.server.server import Hosted, serve
from ledger.web.server.sockets import Listening


def serve_ledger(
    ledger: Path, settings: Settings, listening: Listening, *, announce: Callable[[VisibleHead], None]
) -> None:
    """Serve until SIGTERM or Ctrl-C; `announce` is called with what is served before the first is let in.

    Raises `UnreadableError` where there is no ledger, or its tokens cannot be read.
    """
    access = open_access(ledger)
    access.tokens()  # a damaged file, or a row that something else wrote, is reported now and not to the first phone
    service = Service(ledger, settings, access)
    metrics = _measured(service) if listening.metrics_sockets else None
    log = LineLog()
    service.rescued = lambda rescue: log.write("rescued", file=str(rescue or ""))

    async def started() -> None:
        await service.start()
        log.write("started", version=__version__, ports=[one.getsockname()[1] for one in listening.sockets])
        announce(service.visible)

    app = App(service, AccessLog(log.write, None if metrics is None else metrics.answered))
    hosted = Hosted(app=app, started=started, closing=service.begin_closing, drained=service.stop)
    try:
        serve(hosted, listening, log=log, metrics=metrics)
    finally:
        log.write("stopped")
        log.close()


def _measured(service: Service) -> Metrics:
    metrics = Metrics()
    metrics.watch("entries", lambda: service.visible.head.position)
    metrics.watch("writer_queue", lambda: service.writer.waiting)
    metrics.watch("listeners", lambda: service.hub.listening)
    metrics.watch("answers_kept", lambda: len(service.kept))
    metrics.watch("folds_kept", lambda: len(service.folds))
    metrics.watch("history_lag", lambda: service.visible.reaches - service.history.position)
    service.committed = metrics.committed
    return metrics
