"""What the app and the connection note about a request, for the access log and the metrics (`scope["state"]`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

ROUTE: Final = "route"
TOKEN: Final = "token"
CUT: Final = "cut"


def note_route(scope: Mapping[str, Any], route: str) -> None:
    """The pattern of the route, `/tables/{t}`: a path may tell more than a log should keep."""
    scope["state"][ROUTE] = route


def note_token(scope: Mapping[str, Any], token: str) -> None:
    """The id of the token, never the token itself. Its connection is kept longer than one that showed none."""
    scope["state"][TOKEN] = token


def note_cut(scope: Mapping[str, Any], status: int | None) -> None:
    """The connection has ended the request by itself: with this status, or because nobody is there any more."""
    scope["state"].setdefault(CUT, status)
