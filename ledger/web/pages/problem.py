"""Problems as pages: explanations, and refusals with links to go on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final
from urllib.parse import quote

from ledger.errors import LedgerError
from ledger.text.site.catalogue import as_sentence, say
from ledger.text.site.frame import page_of
from ledger.web.catalogue import phrase
from ledger.web.http.auth import known
from ledger.web.http.problems import STATUSES, Problem, WebError, headers_of, web_error
from ledger.web.http.request import Request
from ledger.web.http.response import Response
from ledger.web.http.routing import PREFIX, page
from ledger.web.pages.frame import frame_for, html, html_response, preferences_of, shown_names
from ledger.web.pages.redirects import SIGN_IN, requested_address, sign_in_and_back

PATH: Final = "/problems/{code}"


@page(PATH, "none", problems=("not_found",))
async def problem(request: Request, code: str) -> Response:
    """Show what a problem means, and what to do."""
    if code not in STATUSES:
        raise web_error("not_found", "no_problem", text=code[:100], known=tuple(STATUSES))
    meaning, advice = explained(code, request.lang)
    return html(
        request,
        "problem.html",
        code=code,
        status_of_code=STATUSES[code],
        problem_title=title_of(code, request.lang),
        meaning=meaning,
        advice=advice,
    )


def title_of(code: str, lang: str = "en") -> str:
    """Return the title of a problem."""
    return phrase(f"title.{code}").in_words(lang)


def explained(code: str, lang: str = "en") -> tuple[str, str]:
    """Return what a problem means, and what to do."""
    return phrase(f"meaning.{code}").in_words(lang), phrase(f"advice.{code}").in_words(lang)


_TO_SIGN_IN: Final = frozenset(("unauthenticated", "gone", "forbidden"))
_PASSING: Final = frozenset(("too_many_requests", "locked", "busy", "closing", "read_only", "rolled_back", "internal"))
"""Problems that pass, so that the page may reload by itself."""

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
"""The advice for readers; advice for programs is at the problem."""


def is_for_people(request: Request) -> bool:
    """Return whether a refusal is shown as a page: outside of `/api/v1`, to clients that accept HTML."""
    is_page = request.path != PREFIX and not request.path.startswith(f"{PREFIX}/")
    return is_page and "text/html" in request.headers.get("accept", "")


def refusal_page(problem: Problem, error: LedgerError | WebError, request: Request, lang: str) -> Response:
    """Return the page for a problem, with its status."""
    fields = headers_of(error, problem)
    is_read = request.method == "GET"
    address = requested_address(request) if is_read else "/"
    again_s = int(fields.get("retry-after", _USUAL_WAIT_S)) if is_read and problem.code in _PASSING else None
    text = page_of(
        "problem_refusal.html",
        frame_for(request.service, preferences_of(request, lang), problem.instance, known(request.service, request)),
        problem_title=problem.title,
        detail=as_sentence(lang, shown_names(request.service, problem.detail)),
        advice=say(lang, _ADVICE.get(problem.code, "errors.do_other")),
        code=problem.code,
        status=problem.status,
        again_s=again_s,
        address=address,
        ways=[*_ways_on(problem.code, problem.instance, address)],
    )
    page = html_response(request.headers, text, problem.status)
    return page.with_headers({**fields, "content-language": lang})


def _ways_on(code: str, path: str, address: str) -> Iterator[tuple[str, str]]:
    """Yield addresses with the keys of their labels, the likeliest first."""
    if code in _TO_SIGN_IN:
        yield sign_in_and_back(address) if code != "forbidden" else SIGN_IN, "errors.sign_in"
    if code == "not_found":
        yield from _above(path)
    yield "/", "errors.home"


def _above(path: str) -> Iterator[tuple[str, str]]:
    """Yield the pages above a missing page."""
    match path.split("/")[1:]:
        case ["t", table, _, *_]:
            yield f"/t/{quote(table, safe='')}", "errors.that_table"
            yield "/tables", "errors.tables"
        case ["rules", _, *_]:
            yield "/rules", "errors.rules"
        case ["t" | "tables" | "record" | "sessions" | "embed", *_]:
            yield "/tables", "errors.tables"
