"""Where a client may go from an answer: `Link` headers (RFC 8288), and the pages of a list."""

from __future__ import annotations

from base64 import b64decode, urlsafe_b64encode
from collections.abc import Callable, Sequence
from typing import Annotated, Final, TypeVar
from urllib.parse import parse_qsl, quote, urlencode

from msgspec import Meta, Struct

from ledger.errors import MalformedError
from ledger.web.catalogue import phrase
from ledger.web.http.request import Request
from ledger.web.http.response import Response
from ledger.web.http.routing import PREFIX

_DESCRIPTION: Final = f"{PREFIX}/openapi.json"
_IN_QUERIES: Final = "=&%+-._~:/?,@"
_AS_OF: Final = "as_of"


def linked(request: Request, *alternates: tuple[str, str], **relations: str | None) -> dict[str, str]:
    """The header with the answer itself, what describes it, `relations`, and other forms of it as address and media
    type. Relations without an address are left out; the latest of an answer as of some time is the same as of now.
    """
    told = _parameters(request)
    if _AS_OF in told:
        now = {name: value for name, value in told.items() if name != _AS_OF}
        relations.setdefault("latest", _address(request.path, now))
    links = [_link(itself(request), "self")]
    links += [_link(address, relation) for relation, address in relations.items() if address is not None]
    links += [f'{_link(address, "alternate")}; type="{media}"' for address, media in alternates]
    links.append(_link(_DESCRIPTION, "describedby"))
    return {"link": ", ".join(links)}


def itself(request: Request) -> str:
    """The address that was asked, as it may stand in a header."""
    return _with_query(request.path, request.query_string)


def beside(request: Request, path: str, *, without: str = "") -> str:
    """Another path of this service, with the parameters of this question but the one that it does not take."""
    told = _parameters(request)
    told.pop(without, None)
    return _address(PREFIX + path, told)


def further(request: Request, **parameters: object) -> str:
    """The same path with these parameters besides those that were told."""
    return _address(request.path, _parameters(request) | {name: str(value) for name, value in parameters.items()})


def _parameters(request: Request) -> dict[str, str]:
    return dict(parse_qsl(request.query_string.decode("ascii"), keep_blank_values=True)) if request.query_string else {}


def _address(path: str, parameters: dict[str, str]) -> str:
    return f"{quote(path)}?{urlencode(parameters)}" if parameters else quote(path)


def _with_query(path: str, query_string: bytes) -> str:
    return f"{quote(path)}?{quote(query_string, safe=_IN_QUERIES)}" if query_string else quote(path)


def _link(address: str, relation: str) -> str:
    return f'<{address}>; rel="{relation}"'


Row = TypeVar("Row")

Limit = Annotated[int, Meta(ge=1, le=1_000)]


class Paging(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`limit`: so many at most. `after`: what the link to the next page says."""

    limit: Limit = 100
    after: str | None = None


def paged(request: Request, rows: Sequence[Row], key: Callable[[Row], str]) -> Response:
    """One page of a list, whose rows have different keys."""
    page, following = page_of(request, rows, key)
    return Response(list(page), headers=linked(request, next=following))


def page_of(request: Request, rows: Sequence[Row], key: Callable[[Row], str]) -> tuple[Sequence[Row], str | None]:
    """The rows of the page that is asked for, and the address of the next one, where there are more.

    After an `after` that there is not any more nothing comes.
    """
    query = request.query
    first = 0
    if query.after is not None:
        last = _decoded(query.after)
        first = next((place + 1 for place, row in enumerate(rows) if key(row) == last), len(rows))
    end = first + query.limit
    page = rows[first:end]
    return page, further(request, after=_encoded(key(page[-1]))) if end < len(rows) else None


def _encoded(key: str) -> str:
    return urlsafe_b64encode(key.encode()).decode().rstrip("=")


def _decoded(after: str) -> str:
    try:
        return b64decode(after + "=" * (-len(after) % 4), altchars=b"-_", validate=True).decode()
    except ValueError:
        raise MalformedError(phrase("not_after"), text=after[:200], field="after") from None
