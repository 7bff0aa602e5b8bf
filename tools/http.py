"""Write the tables of `docs/reference/http.md`, from routes, problems and pages: `python -m tools.http`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from msgspec import structs

from ledger.web import handlers  # noqa: F401 - each module declares its routes
from ledger.web.http.openapi import problems_of
from ledger.web.http.problems import RETRY_AFTER_S, STATUSES
from ledger.web.http.routing import ROUTES, Route
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

_GROUPS: Final[Mapping[str, frozenset[str]]] = {
    "*token*": frozenset(("closing", "forbidden", "gone", "unauthenticated")),
    "*write*": frozenset(("busy", "locked", "no_space", "read_only")),
    "*body*": frozenset(("not_json", "too_large", "unsupported_media_type")),
}
"""Problems that many routes share, by the name that stands for them in the table of routes."""

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
    yield "| method, path | role | answer | problems |"
    yield "|---|---|---|---|"
    for one in sorted(ROUTES, key=lambda one: (one.path, one.method)):
        forms = [f"`{media.partition(';')[0]}`" for media in one.media] if any(one.answers.values()) else []
        shown = "" if forms == ["`application/json`"] else f" ({', '.join(forms) or 'no body'})"
        summary = f"{one.summary}{shown}{_parameters(one)}"
        yield f"| {one.method} `{one.path}` | {_who(one)} | {summary} | {_problems_of(one)} |"
    yield ""
    yield "| group | problems |"
    yield "|---|---|"
    for name, codes in (*_GROUPS.items(), ("every route", _ANYWHERE)):
        yield f"| {name} | {_codes(sorted(codes))} |"


def _parameters(one: Route) -> str:
    """Return the query parameters that section 1 does not explain for all reads of a table, or for all lists."""
    names = [field.encode_name for field in structs.fields(one.query)]
    for explained_above in (("reading", "as_of", "seat", "without_rulings"), ("limit", "after")):
        if set(explained_above) <= {*names}:
            names = [name for name in names if name not in explained_above]
    return f" Parameters: {_codes(names)}." if names else ""


def _problems_of(one: Route) -> str:
    """Return the problems of a route beyond those of every route, with the names of groups that it has whole."""
    own = {code for codes in problems_of(one).values() for code in codes} - _ANYWHERE
    groups = [name for name, codes in _GROUPS.items() if codes <= own]
    rest = own.difference(*(_GROUPS[name] for name in groups))
    return ", ".join((*groups, *(f"`{code}`" for code in sorted(rest))))


def _who(one: Route) -> str:
    who = "any" if one.who == "any" else one.who
    return f"{who}, or viewers by `--viewers-query`" if one.or_viewers else who


def _codes(codes: list[str]) -> str:
    return ", ".join(f"`{code}`" for code in codes)


def _problems() -> Iterator[str]:
    yield "| code | status | meaning | what to do | members |"
    yield "|---|---|---|---|---|"
    for code, status in STATUSES.items():
        means, advice = explained(code)
        members = [
            *(f"`{name}`" for name in _MEMBERS.get(code, ())),
            *(["`Retry-After`"] if code in RETRY_AFTER_S else []),
        ]
        shown = "409, by If-Match 412" if code == "wrong_version" else str(status)
        yield f"| `{code}` | {shown} | {means} | {advice} | {', '.join(members)} |"


if __name__ == "__main__":
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
