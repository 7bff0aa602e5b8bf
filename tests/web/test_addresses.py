"""No name of the record leads to another page: where an address has a word of its own, nothing can be called so."""

from __future__ import annotations

import re
from itertools import permutations

from ledger.recording.new_names import RESERVED_SLUGS
from ledger.web import handlers  # noqa: F401 - it declares the routes
from ledger.web.routes import PAGES, ROUTES

_PARAMETER = re.compile(r"\{(\w+)\}(\.\w+)?")
NO_NAMES = {("step", "last"), ("step", "readings")}
"""Steps are numbers."""


def _same_address(path: str, other: str) -> set[tuple[str, str]]:
    """With which values of its parameters a path has an address of the other one; none where it has not."""
    values: set[tuple[str, str]] = set()
    segments, others = path.split("/"), other.split("/")
    if len(segments) != len(others):
        return set()
    for segment, word in zip(segments, others, strict=True):
        parameter = _PARAMETER.fullmatch(segment)
        if segment == word or _PARAMETER.fullmatch(word):
            continue
        if parameter is None or not word.endswith(parameter[2] or ""):
            return set()
        values.add((parameter[1], word))
    return values


def test_no_stream_and_no_player_has_the_address_of_another_page() -> None:
    found: set[tuple[str, str]] = set()
    for routes in (ROUTES, PAGES):
        for path, other in permutations({one.path for one in routes}, 2):
            found |= _same_address(path, other)
    assert found - NO_NAMES == {("table", slug) for slug in RESERVED_SLUGS}
