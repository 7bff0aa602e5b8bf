"""A proxy before a PostgreSQL server that cuts connections at a commit."""

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from select import select
from threading import Thread
from typing import Final, Literal, TypeAlias

Cut: TypeAlias = Literal["before", "after", "meanwhile"] | None
"""When to cut: before the server has the commit, after it answered, or at once after sending; None: not at all."""

SOCKET: Final = ".s.PGSQL.5432"
_BYTES: Final = 1 << 20


@contextmanager
def cutting_proxy(folder: Path, server: Path, next_cut: Callable[[], Cut]) -> Iterator[None]:
    """Listen in a folder for clients of the server whose socket is in another; `next_cut` decides for each commit."""
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(folder / SOCKET))
        listener.listen()

        def accept() -> None:
            with suppress(OSError):  # the end
                while True:
                    client, _ = listener.accept()
                    Thread(target=_pass_on, args=(client, server, next_cut), daemon=True).start()

        Thread(target=accept, daemon=True).start()
        yield
        listener.shutdown(socket.SHUT_RDWR)


def _pass_on(client: socket.socket, server: Path, next_cut: Callable[[], Cut]) -> None:
    with client, socket.socket(socket.AF_UNIX) as upstream, suppress(OSError):
        upstream.connect(str(server / SOCKET))
        while True:
            readable, _, _ = select([client, upstream], [], [])
            if upstream in readable:
                answer = upstream.recv(_BYTES)
                client.sendall(answer)
                if not answer:
                    return
            if client in readable:
                message = client.recv(_BYTES)
                cut = next_cut() if message.endswith(b"COMMIT\0") else None
                if not message or cut == "before":
                    return
                upstream.sendall(message)
                if cut == "after":
                    upstream.recv(_BYTES)
                if cut:
                    return
