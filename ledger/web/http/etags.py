"""Entity tags of reads, never digests, and the versions that writes expect (contract of HTTP, section 1)."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from typing import Final, NamedTuple

from msgspec import Struct
from starlette.datastructures import Headers

from ledger import __version__
from ledger.access.grants import Role
from ledger.errors import ConflictError, MalformedError
from ledger.service.visibility import View
from ledger.streams import TABLE
from ledger.web.catalogue import phrase
from ledger.web.http.problems import WebError, web_error
from ledger.web.http.reading import eyes_of, view_of
from ledger.web.http.request import Request
from ledger.zones import UTC


class Tag(Struct, frozen=True):
    """The entity tag of an answer. `counts`: of its sources; `key`: everything that it depends on, for caches."""

    text: str
    counts: str
    key: Hashable

    def is_known(self, if_none_match: str | None) -> bool:
        """Return whether the client has this answer. `*` means any answer and is not counted (`is_any`)."""
        if if_none_match is None:
            return False
        return any(one.strip().removeprefix("W/") == self.text for one in if_none_match.split(","))


def is_any(if_none_match: str | None) -> bool:
    """Return whether the header is `*`: the client wants nothing if there is an answer at all."""
    return if_none_match is not None and if_none_match.strip() == "*"


def tag_of(request: Request) -> Tag | None:
    """Return the tag of the answer; None for one that depends on nothing, or a table that does not exist."""
    service = request.service
    match request.route.rests_on:
        case "nothing":
            return None
        case "program":
            return _tag(request, "0", View(hands=False, writer="", seat=None))
        case "table":
            version = service.versions.get(TABLE.stream(request.path_params["table"]))
            return None if version is None else _tag(request, f"{version}-{service.session_entries}", eyes_of(request))
        case "entries":
            version = service.versions.get(f"{request.path_params['kind']}/{request.path_params['slug']}")
        case "history":
            version = service.history.position
            counts = f"{version}-{request.visible.reaches}"
            if not service.history.knows(request.visible.persons):
                counts += "-behind"  # the answer will change soon, with the same counts
            if (season_from := service.settings.season_from) is not None:
                counts += f"-{season_from}"
            if (zone := service.settings.zone) != UTC:
                counts += f"-{zone}"
            return _tag(request, counts, view_of(request), request.grant.role)
        case "head":
            version = request.visible.head.position
    return None if version is None else _tag(request, f"{version}-{request.visible.reaches}", view_of(request))


def _tag(request: Request, version: str, view: View, role: Role | None = None) -> Tag:
    """Return the tag. `role`: for answers with names of players, some of which are hidden from some roles."""
    reading = getattr(request.query, "reading", "corrected")
    if request.media != request.route.media[0]:
        reading += "-" + re.sub("[^a-z0-9]+", "-", request.media.partition("/")[2])
    words = (version, str(request.visible.names), reading, _class_of(view, role), request.lang, _PROGRAM)
    return Tag(f'"{".".join(words)}"', version, (*words, view, request.grant.role))


_PROGRAM: Final = __version__.replace(".", "-")


def _class_of(view: View, role: Role | None) -> str:
    """Return the class of readers who see the same: `all` cards, those of a `seat`, or what is `seen` by everybody;
    with the role where names differ.
    """
    seat = "seen" if view.seat is None else f"seat{view.seat[1]}"
    cards = "all" if view.hands else seat
    return cards if role is None else f"{cards}-{role}"


_ANY: Final = "*"
_TAG: Final = re.compile(r'"(\d{1,15})(?:[-.][^"]*)?"')
"""The tag of a write, or of a read, which continues after the version."""

_FAILED: Final = 412


class Expected(NamedTuple):
    """The expected version; None means any. `is_given`: whether the client sent one; `by_header`: as If-Match."""

    version: int | None = None
    is_given: bool = False
    by_header: bool = False

    @contextmanager
    def converting_conflict(self) -> Iterator[None]:
        """Report a version conflict as a failed precondition (412) to clients that used the header."""
        try:
            yield
        except ConflictError as error:
            if not self.by_header or error.code != "wrong_version":
                raise
            raise WebError("wrong_version", error.said, status=_FAILED, **error.values) from None


def expected(headers: Headers, in_body: int | None) -> Expected:
    """Return the expected version.

    Raise `MalformedError` for a header that is no version, `WebError` for two different versions.
    """
    header = headers.get("if-match")
    if header is None:
        return Expected(in_body, in_body is not None)
    text = header.strip()
    version = None
    if text != _ANY:
        tag = _TAG.fullmatch(text)
        if tag is None:
            raise MalformedError(phrase("no_tag"), phrase("if_match"), header[:200], field="If-Match")
        version = int(tag[1])
    if in_body is not None and in_body != version:
        raise web_error("malformed", "two_versions", expected=in_body, text=header[:200], where="If-Match", status=400)
    return Expected(version, is_given=True, by_header=in_body is None)


def required(headers: Headers, in_body: int | None) -> Expected:
    """Return the expected version. Raise `WebError` if the client sent none; otherwise as `expected`."""
    precondition = expected(headers, in_body)
    if not precondition.is_given:
        raise web_error("precondition_required", "precondition")
    return precondition
