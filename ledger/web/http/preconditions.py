"""Which version a write expects: by `expected_version` in its body or by `If-Match` (contract of HTTP, section 1)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, NamedTuple

from ledger.errors import ConflictError, MalformedError
from ledger.web.catalogue import phrase
from ledger.web.http.problems import WebError, web_error
from ledger.web.http.request import Headers

_ANY: Final = "*"
_TAG: Final = re.compile(r'"(\d{1,15})(?:[-.][^"]*)?"')
"""The tag of a write, or of a read: that one says more than the version, which comes first."""

_FAILED: Final = 412


class Expected(NamedTuple):
    """The version that is expected; None: any. `is_told`: whether that was said at all; `by_header`: by If-Match."""

    version: int | None = None
    is_told: bool = False
    by_header: bool = False

    @contextmanager
    def told_as_asked(self) -> Iterator[None]:
        """A stream that has gone on is a failed precondition for who asked by header."""
        try:
            yield
        except ConflictError as error:
            if not self.by_header or error.code != "wrong_version":
                raise
            raise WebError("wrong_version", error.said, status=_FAILED, **error.values) from None


def expected(headers: Headers, in_body: int | None) -> Expected:
    """What is expected. Raises `MalformedError` for a header that is no version, `WebError` where two are told."""
    header = headers.get("if-match")
    if header is None:
        return Expected(in_body, in_body is not None)
    told = header.strip()
    version = None
    if told != _ANY:
        found = _TAG.fullmatch(told)
        if found is None:
            raise MalformedError(phrase("no_tag"), phrase("if_match"), header[:200], field="If-Match")
        version = int(found[1])
    if in_body is not None and in_body != version:
        raise web_error("malformed", "two_versions", expected=in_body, text=header[:200], where="If-Match", status=400)
    return Expected(version, is_told=True, by_header=in_body is None)


def required(headers: Headers, in_body: int | None) -> Expected:
    """The same where it must be told; raises `WebError` where it is not."""
    told = expected(headers, in_body)
    if not told.is_told:
        raise web_error("precondition_required", "precondition")
    return told
