"""Refusals as pages: what went wrong, and a way on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final
from urllib.parse import quote

from msgspec import structs

from ledger.errors import LedgerError
from ledger.service.running import Service
from ledger.text.site.frame import page_of
from ledger.text.site.words import say, sentence
from ledger.web.http.auth import known
from ledger.web.http.problems import Problem, WebError, headers_of
from ledger.web.http.request import Headers
from ledger.web.http.routing import PREFIX, Answer
from ledger.web.pages.frame import frame_for, told_as_html
from ledger.web.pages.preferences import look_of
from ledger.web.pages.redirects import SIGN_IN, address_asked, sign_in_and_back

_TO_SIGN_IN: Final = frozenset(("unauthenticated", "gone", "forbidden"))
_PASSING: Final = frozenset(("too_many_requests", "locked", "busy", "closing", "read_only", "rolled_back", "internal"))
"""What is over after a while, so that the page may ask again by itself."""

_USUAL_WAIT_S: Final = 10

_ADVICE: Final[Mapping[str, str]] = {
    "not_found": "errors.do_not_found",
    "unauthenticated": "errors.do_unauthenticated",
    "forbidden": "errors.do_forbidden",
    "csrf": "errors.do_csrf",
    "gone": "errors.do_gone",
    "misdirected": "errors.do_misdirected",
    "too_many_requests": "errors.do_too_often",
    **dict.fromkeys(("locked", "busy", "closing", "internal", "rolled_back"), "errors.do_wait"),
    "read_only": "errors.do_read_only",
    "no_space": "errors.do_room",
    "damaged": "errors.do_damaged",
    **dict.fromkeys(("malformed", "unknown_parameter", "not_json", "too_large"), "errors.do_typed"),
}
"""What a reader does; what a program does stands at the problem."""


def is_for_people(path: str, headers: Headers) -> bool:
    """Whether a refusal is shown in a browser: programs ask below `/api/v1`, and seldom for HTML."""
    is_page = path != PREFIX and not path.startswith(f"{PREFIX}/")
    return is_page and "text/html" in (headers.get("accept") or "")


def refusal_page(
    service: Service,
    problem: Problem,
    error: LedgerError | WebError,
    scope: Mapping[str, Any],
    headers: Headers,
    lang: str,
) -> Answer:
    """The page for a problem, with its status."""
    told = headers_of(error, problem)
    is_read = scope["method"] == "GET"
    address = address_asked(scope) if is_read else "/"
    again_s = int(told.get("retry-after", _USUAL_WAIT_S)) if is_read and problem.code in _PASSING else None
    text = page_of(
        "refusal.html",
        frame_for(service, look_of(headers, lang), problem.instance, known(service, scope, headers)),
        problem_title=problem.title,
        detail=sentence(lang, problem.detail),
        advice=say(lang, _ADVICE.get(problem.code, "errors.do_other")),
        code=problem.code,
        status=problem.status,
        again_s=again_s,
        address=address,
        ways=[*_ways_on(problem.code, scope, address)],
    )
    answer = told_as_html(headers, text, problem.status)
    return structs.replace(answer, headers={**told, **answer.headers, "content-language": lang})


def _ways_on(code: str, scope: Mapping[str, Any], address: str) -> Iterator[tuple[str, str]]:
    """Addresses with the keys of what they are called; the first is the likeliest."""
    if code in _TO_SIGN_IN:
        yield sign_in_and_back(address) if code != "forbidden" else SIGN_IN, "errors.sign_in"
    if code == "not_found":
        yield from _above(scope["path"])
    yield "/", "errors.home"


def _above(path: str) -> Iterator[tuple[str, str]]:
    """What stands above a page that there is not."""
    match path.split("/")[1:]:
        case ["t", table, _, *_]:
            yield f"/t/{quote(table, safe='')}", "errors.that_table"
            yield "/tables", "errors.tables"
        case ["rules", _, *_]:
            yield "/rules", "errors.rules"
        case ["t" | "tables" | "record" | "sessions" | "embed", *_]:
            yield "/tables", "errors.tables"
