"""Where a client may go from an answer: `Link` headers (RFC 8288)."""

from __future__ import annotations

from typing import Final
from urllib.parse import parse_qsl, quote, urlencode

from ledger.web.http.request import Asked
from ledger.web.http.routing import PREFIX

_DESCRIPTION: Final = f"{PREFIX}/openapi.json"
_IN_QUERIES: Final = "=&%+-._~:/?,@"
_AS_OF: Final = "as_of"


def linked(asked: Asked, *alternates: tuple[str, str], **relations: str | None) -> dict[str, str]:
    """The header with the answer itself, what describes it, `relations`, and other forms of it as address and media
    type. Relations without an address are left out; the latest of an answer as of some time is the same as of now.
    """
    told = _parameters(asked)
    if _AS_OF in told:
        now = {name: value for name, value in told.items() if name != _AS_OF}
        relations.setdefault("latest", _address(asked.path, now))
    links = [_link(itself(asked), "self")]
    links += [_link(address, relation) for relation, address in relations.items() if address is not None]
    links += [f'{_link(address, "alternate")}; type="{media}"' for address, media in alternates]
    links.append(_link(_DESCRIPTION, "describedby"))
    return {"link": ", ".join(links)}


def itself(asked: Asked) -> str:
    """The address that was asked, as it may stand in a header."""
    return _with_query(asked.path, asked.query_string)


def beside(asked: Asked, path: str, *, without: str = "") -> str:
    """Another path of this service, with the parameters of this question but the one that it does not take."""
    told = _parameters(asked)
    told.pop(without, None)
    return _address(PREFIX + path, told)


def further(asked: Asked, **parameters: object) -> str:
    """The same path with these parameters besides those that were told."""
    return _address(asked.path, _parameters(asked) | {name: str(value) for name, value in parameters.items()})


def _parameters(asked: Asked) -> dict[str, str]:
    return dict(parse_qsl(asked.query_string.decode("ascii"), keep_blank_values=True)) if asked.query_string else {}


def _address(path: str, parameters: dict[str, str]) -> str:
    return f"{quote(path)}?{urlencode(parameters)}" if parameters else quote(path)


def _with_query(path: str, query_string: bytes) -> str:
    return f"{quote(path)}?{quote(query_string, safe=_IN_QUERIES)}" if query_string else quote(path)


def _link(address: str, relation: str) -> str:
    return f'<{address}>; rel="{relation}"'
