"""No name in the record leads to another page: reserved words of addresses cannot be names."""

from __future__ import annotations

import re
from itertools import combinations

from ledger.recording.new_names import RESERVED_SLUGS
from ledger.web import handlers  # noqa: F401 - it declares the routes
from ledger.web.http.routing import PAGES, ROUTES

_PARAMETER = re.compile(r"\{(\w+)\}(\.\w+)?")
NO_NAMES = {("step", "last"), ("step", "readings"), ("version", "close")}
"""Steps and versions are numbers."""


def _shared_address(path: str, other: str) -> set[tuple[str, str]]:
    """Return the parameters with which two paths have the same address; none if there are none."""
    values: set[tuple[str, str]] = set()
    segments, others = path.split("/"), other.split("/")
    if len(segments) != len(others):
        return set()
    for pair in zip(segments, others, strict=True):
        parameters = [_PARAMETER.fullmatch(segment) for segment in pair]
        if all(parameters) or pair[0] == pair[1]:
            continue
        (parameter, word) = (parameters[0], pair[1]) if parameters[0] else (parameters[1], pair[0])
        if parameter is None or not word.endswith(parameter[2] or ""):
            return set()
        values.add((parameter[1], word))
    return set() if values & NO_NAMES else values


def test_no_stream_and_no_player_has_the_address_of_another_page() -> None:
    matches: set[tuple[str, str]] = set()
    for routes in (ROUTES, PAGES):
        for path, other in combinations({one.path for one in routes}, 2):
            matches |= _shared_address(path, other)
    assert matches == {("table", slug) for slug in RESERVED_SLUGS}
