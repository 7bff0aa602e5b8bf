"""Write the tables of `docs/reference/http.md`, from routes, problems and pages: `python -m tools.http`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from ledger.errors import EXIT_STATUSES
from ledger.web import handlers  # noqa: F401 - each module declares its routes
from ledger.web.http.openapi import problems_of
from ledger.web.http.problems import RETRY_AFTER_S, STATUSES
from ledger.web.http.routing import PREFIX, ROUTES, Route
from ledger.web.pages.problem import explained

PAGE: Final = Path(__file__).parents[1] / "docs" / "reference" / "http.md"

_MEMBERS: Final[Mapping[str, tuple[str, ...]]] = {
    "malformed": ("where", "text", "expected", "entry_index"),
    "unknown_parameter": ("where", "known"),
    "against_rules": ("finding", "rule", "seat", "legal", "entry_index"),
    "wrong_version": ("expected", "actual", "stream"),
    "id_used": ("stream", "version", "id"),
    "partly_recorded": ("stream", "known"),
    "not_found": ("text", "known"),
    "misdirected": ("text",),
    "too_large": ("limit",),
    "unsupported_media_type": ("text", "known"),
    "not_acceptable": ("text", "known"),
    "too_many_requests": ("limit",),
    "deal_open": ("tables", "reaches"),
    "confirm_required": ("tables",),
    "damaged": ("position",),
    "method_not_allowed": ("allow",),
    "headers_too_large": ("limit",),
    "rolled_back": ("expected", "actual"),
    "exists": ("text",),
    "csrf": ("text",),
    "not_next": ("position",),
    "not_installed": ("text",),
}
"""The members of each problem beyond those that all problems have, present if known."""

_ANYWHERE: Final = set.intersection(
    *({code for codes in problems_of(one).values() for code in codes} for one in ROUTES)
)


def with_tables(page: str) -> str:
    """Return the page with current tables."""
    for name, lines in (("routes", _routes()), ("problems", _problems())):
        table = "\n".join(lines)
        page, count = re.subn(
            rf"(<!-- {name} -->\n).*?(<!-- end of {name} -->)",
            lambda match, table=table: match[1] + table + "\n" + match[2],  # type: ignore[misc]
            page,
            flags=re.DOTALL,
        )
        assert count == 1, f"the page has no place for the table of {name}"
    return page


def _routes() -> Iterator[str]:
    yield "| method, path | role | what | forms | problems besides those of every route |"
    yield "|---|---|---|---|---|"
    for one in sorted(ROUTES, key=lambda one: (one.path, one.method)):
        own = sorted({code for codes in problems_of(one).values() for code in codes} - _ANYWHERE)
        forms = ", ".join(f"`{media.partition(';')[0]}`" for media in one.media) if any(one.answers.values()) else ""
        yield f"| {one.method} `{one.path}` | {_who(one)} | {one.summary} | {forms} | {_codes(own)} |"
    yield ""
    yield f"Every route may end in {_codes(sorted(_ANYWHERE))}. All paths stand under `{PREFIX}`."


def _who(one: Route) -> str:
    who = "any" if one.who == "any" else one.who
    return f"{who}, or viewers by `--viewers-query`" if one.or_viewers else who


def _codes(codes: list[str]) -> str:
    return ", ".join(f"`{code}`" for code in codes)


def _problems() -> Iterator[str]:
    yield "| code | status | what it means | what to do | members | exit status of the command line |"
    yield "|---|---|---|---|---|---|"
    for code, status in STATUSES.items():
        means, advice = explained(code)
        members = [
            *(f"`{name}`" for name in _MEMBERS.get(code, ())),
            *(["`Retry-After`"] if code in RETRY_AFTER_S else []),
        ]
        shown = "409, by If-Match 412" if code == "wrong_version" else str(status)
        yield f"| `{code}` | {shown} | {means} | {advice} | {', '.join(members)} | {EXIT_STATUSES.get(code, '')} |"


if __name__ == "__main__":
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
