"""The ledger of a running service as the source of a copy, read over HTTP with a token (docs/reference/http.md).

The service sends complete entries with their digests only to a token with the role `director` and the right `hands`
that is bound to no table. It shows neither the id of the ledger nor the people as stored.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from socket import gaierror
from ssl import SSLCertVerificationError
from typing import Final
from urllib.parse import SplitResult, urlsplit

import msgspec
from msgspec import Raw, Struct

from ledger.errors import ConflictError, LedgerError, MalformedError, UnreadableError, at_position
from ledger.i18n import Text
from ledger.i18n.library_errors import localised
from ledger.limits import LINE_BYTES, exceeded
from ledger.log.base import EMPTY, Head, Row
from ledger.log.catalogue import phrase

EXPORT: Final = "/api/v1/export"

TIMEOUT_S: Final = 10.0
"""The longest wait for the service."""

ENTRIES: Final = 5_000
"""Entries of one request: a lost connection costs no more than these."""

_PROBLEM_BYTES: Final = 100_000


class _Line(Struct, frozen=True, forbid_unknown_fields=True):
    """An entry as the service sends it; the event stays JSON."""

    position: int
    stream: str
    version: int
    id: str
    recorded_at: str
    recorded_by: str
    event: Raw
    digest: str
    happened_at: str | None = None


class _Problem(Struct, frozen=True):
    code: str = ""


class HttpSource:
    """The ledger of a service. Each request has a connection of its own, so that a restart is no trouble.

    Raise `MalformedError` for a wrong address, or one with a user or a password.
    """

    def __init__(self, address: str, token: str | None) -> None:
        self._parts = _parts_of(address)
        self._token = token

    @property
    def address(self) -> str:
        return self._parts.geturl()

    @property
    def ledger_id(self) -> None:
        return None

    @property
    def has_handles(self) -> bool:
        return False

    def people(self) -> None:
        """Return None: a service shows people only as each client may see them."""

    def head(self) -> Head:
        """Return the last entry. Raise as `read`."""
        with self._answer(0, 0) as response:
            position = response.headers.get("Trickledger-Position", "")
        if not position.isdecimal():
            raise self._no_service()
        last = next((Head(row.position, row.digest) for row in self.read(int(position) - 1, int(position))), None)
        if last is None and int(position):
            raise self._unreachable(phrase("copying.no_answer"))
        return last or EMPTY

    def read(self, after: int = 0, until: int | None = None) -> Iterator[Row]:
        """Return the entries with `after` < position <= `until`, in order.

        Raise `UnreadableError` if the service cannot be reached or refuses, `ConflictError` if a deal is open and the
        token does not see hands, and `MalformedError` for lines that are no entries.
        """
        after = max(after, 0)
        until = self.head().position if until is None else until
        while after < until:
            last = min(after + ENTRIES, until)
            yield from self._page(after, last)
            after = last

    def _page(self, after: int, until: int) -> Iterator[Row]:
        with self._answer(after, until) as response:
            for position in range(after + 1, until + 1):
                try:
                    line = response.readline(LINE_BYTES + 1)
                except (OSError, HTTPException) as error:
                    raise self._unreachable(_why(error)) from None
                if len(line) > LINE_BYTES:
                    raise exceeded("line", len(line), LINE_BYTES, "bytes", at_position(position))
                if not line.endswith(b"\n"):
                    raise self._unreachable(phrase("copying.no_answer"))
                yield _row(line, position)

    @contextmanager
    def _answer(self, after: int, until: int) -> Iterator[HTTPResponse]:
        """Yield the export of these entries, of which nothing has been read."""
        kind = HTTPSConnection if self._parts.scheme == "https" else HTTPConnection
        headers = {"Accept": "application/x-ndjson", "Connection": "close"}
        if self._token is not None:
            headers["Authorization"] = f"Bearer {self._token}"
        path = f"{self._parts.path.rstrip('/')}{EXPORT}?after={after}&until={until}"
        with closing(kind(str(self._parts.hostname), self._parts.port, timeout=TIMEOUT_S)) as connection:
            try:
                connection.request("GET", path, headers=headers)
                response = connection.getresponse()
            except (OSError, HTTPException) as error:
                raise self._unreachable(_why(error)) from None
            with closing(response):
                if response.status != 200:
                    raise self._refusal(response)
                yield response

    def _refusal(self, response: HTTPResponse) -> LedgerError:
        """Return the error for an answer that is not the export."""
        status = response.status
        try:
            code = msgspec.json.decode(response.read(_PROBLEM_BYTES), type=_Problem).code
        except (OSError, HTTPException, msgspec.DecodeError, UnicodeDecodeError):
            code = ""
        match status, code:
            case 401, _:
                return UnreadableError("forbidden", phrase("copying.no_token", file=self.address))
            case 403, "forbidden":
                return UnreadableError("forbidden", phrase("copying.few_rights", file=self.address))
            case 409, "deal_open":
                return ConflictError("deal_open", phrase("copying.few_rights", file=self.address))
            case 404, "not_found":
                return ConflictError("changed", phrase("copying.changed", file=self.address))
            case 500, "damaged":
                return UnreadableError("damaged", phrase("copying.damaged", file=self.address))
            case _, str() if code and (status >= 500 or status in (408, 429)):
                return self._unreachable(phrase("copying.status", status=status, problem=code))
        return self._no_service()

    def _unreachable(self, why: Text) -> UnreadableError:
        return UnreadableError("unreachable", phrase("copying.unreachable", file=self.address, why=why))

    def _no_service(self) -> UnreadableError:
        return UnreadableError("not_a_ledger", phrase("copying.no_service", file=self.address))


def _parts_of(address: str) -> SplitResult:
    """Return the parts of the address of a service, without a query. Raise `MalformedError` as `HttpSource`."""
    try:
        parts = urlsplit(address)
        is_valid = bool(parts.hostname) and not (parts.query or parts.fragment) and parts.port != 0
        if parts.username is None and parts.password is None and is_valid:
            str(parts.hostname).encode("idna")
            return parts
    except (ValueError, UnicodeError):
        parts = SplitResult("", "", "", "", "")
    shown = None if "@" in parts.netloc else address
    raise MalformedError(phrase("form.not_service"), phrase("form.service"), shown)


def _row(line: bytes, position: int) -> Row:
    """Return the row of a line, of which the target checks every field. Raise `MalformedError` if it is no entry."""
    try:
        entry = msgspec.json.decode(line, type=_Line)
        digest = bytes.fromhex(entry.digest)
    except (msgspec.DecodeError, UnicodeDecodeError, ValueError) as error:
        what = phrase("form.not_entry", why=localised(error))
        raise MalformedError(what, phrase("form.envelope"), where=at_position(position)) from None
    return Row(
        entry.position,
        entry.stream,
        entry.version,
        entry.id,
        entry.recorded_at,
        entry.recorded_by,
        entry.happened_at,
        bytes(entry.event),
        digest,
    )


def _why(error: OSError | HTTPException) -> Text:
    match error:
        case ConnectionRefusedError():
            return phrase("copying.refused")
        case gaierror():
            return phrase("copying.unknown_host")
        case SSLCertVerificationError():
            return phrase("copying.certificate")
    return phrase("copying.no_answer")
