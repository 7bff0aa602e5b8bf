"""The server with an app of a few lines, without the service."""

import asyncio
import resource
from pathlib import Path
from typing import Any

from ledger.web.http.access_log import LOGGED, LineLog, Logged
from ledger.web.server.metrics import Metrics
from ledger.web.server.protocol import Limits
from ledger.web.server.server import Hosted, serve
from ledger.web.server.sockets import Listening, listening_sockets, tls_context


def run(limits: dict[str, Any], tls: tuple[Path, Path] | None, files: int | None) -> None:
    """Serve at a free port, and print it and that of the metrics. `files`: the limit of open files."""
    if files is not None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
    is_closing = asyncio.Event()
    log = LineLog()

    async def app(scope: Any, receive: Any, send: Any) -> None:
        async def answer(part: bytes, times: int = 1) -> None:
            length = str(len(part) * times).encode()
            await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", length)]})
            for left in reversed(range(times)):
                await send({"type": "http.response.body", "body": part, "more_body": left > 0})

        path = scope["path"]
        if path == "/token":
            scope["state"][LOGGED] = Logged("GET")
            scope["state"][LOGGED].token = "table-3"
        if path == "/fails":
            raise ValueError("a secret")
        if path == "/slow":
            await asyncio.sleep(0.3)
        if path == "/stuck":
            await asyncio.sleep(30)
        if path == "/opened":
            Path(scope["query_string"].decode()).open("rb").close()
        if path == "/scheme":
            await answer(scope["scheme"].encode())
        elif path == "/stream":
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b"event: opened\n\n", "more_body": True})
            await is_closing.wait()
            await answer_end(send)
        elif path == "/flood":
            await answer(b"x" * 100_000, 1000)
        elif path == "/body":
            size = 0
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    log.write("left")
                    return
                size += len(message["body"])
                if not message["more_body"]:
                    break
            await answer(str(size).encode())
        else:
            await answer(b"here")

    async def answer_end(send: Any) -> None:
        await send({"type": "http.response.body", "body": b"event: closing\n\n"})

    async def started() -> None:
        print(sockets[0].getsockname()[1], metrics_sockets[0].getsockname()[1], flush=True)

    def closing() -> None:
        log.write("closing")
        is_closing.set()

    async def drained() -> None:
        log.write("drained")

    sockets, metrics_sockets = listening_sockets("127.0.0.1", 0), listening_sockets("127.0.0.1", 0)
    serve(
        Hosted(app=app, started=started, closing=closing, drained=drained),
        Listening(sockets=sockets, tls=tls and tls_context(*tls), metrics_sockets=metrics_sockets),
        log=log,
        metrics=Metrics(),
        limits=Limits(**limits),
    )
    log.close()
