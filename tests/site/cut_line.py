"""A connection between a phone and the service that a test cuts: before a request, within it, or within its answer."""

import socket
import threading
from contextlib import suppress
from typing import Final, Literal, TypeAlias
from urllib.parse import urlsplit

Cut: TypeAlias = Literal["now", "in the request", "in the answer", "before the answer"]

_RECORDS: Final = b"POST /api/v1/"
_PIECE: Final = 65_536


class Line:
    """A proxy that forwards bytes until it is cut. `url`: the address of the service."""

    def __init__(self, url: str) -> None:
        at = urlsplit(url)
        assert at.hostname is not None and at.port is not None
        self._service = (at.hostname, at.port)
        self._is_open = True
        self._cut: Cut | None = None
        self._ends: set[socket.socket] = set()
        self._lock = threading.Lock()
        """Prevents connections that are made during a cut from escaping it."""
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        self.cuts = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self, where: Cut) -> None:
        """Cut the connection at once, or when the next act is sent; it stays cut until `mend`."""
        if where == "now":
            self._part()
        else:
            self._cut = where

    def mend(self) -> None:
        self._is_open = True

    def close(self) -> None:
        self._listening.close()
        self._part()

    def _part(self) -> None:
        with self._lock:
            self._is_open, self._cut = False, None
            ends = list(self._ends)
        self.cuts += 1
        for end in ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                phone, _ = self._listening.accept()
                service = socket.create_connection(self._service)
                with self._lock:
                    self._ends |= {phone, service}
                    is_open = self._is_open
                if not is_open:
                    self._end(phone, service)
                    continue
                awaits_cut = threading.Event()
                for work in (self._requests, self._answers):
                    threading.Thread(target=work, args=(phone, service, awaits_cut), daemon=True).start()

    def _requests(self, phone: socket.socket, service: socket.socket, awaits_cut: threading.Event) -> None:
        with suppress(OSError):
            while piece := phone.recv(_PIECE):
                if self._cut is not None and piece.startswith(_RECORDS):
                    if self._cut == "in the request":
                        service.sendall(piece[: len(piece) // 2])
                        self._part()
                        break
                    awaits_cut.set()
                service.sendall(piece)
        self._end(phone, service)

    def _answers(self, phone: socket.socket, service: socket.socket, awaits_cut: threading.Event) -> None:
        with suppress(OSError):
            while piece := service.recv(_PIECE):
                if awaits_cut.is_set():
                    if self._cut == "in the answer":
                        phone.sendall(piece[: len(piece) // 2])
                    self._part()
                    break
                phone.sendall(piece)
        self._end(phone, service)

    def _end(self, *ends: socket.socket) -> None:
        for end in ends:
            self._ends.discard(end)
            end.close()
