"""Write the tables of `docs/reference/http.md`, from routes, problems and pages: `python -m tools.http`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from msgspec import structs

from ledger.errors import EXIT_STATUSES
from ledger.web import handlers  # noqa: F401 - each module declares its routes
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

_QUERIES: Final[Mapping[str, tuple[str, ...]]] = {
    "": ("reading", "as_of", "seat", "without_rulings"),
    " ": ("limit", "after"),
    "*filters*": (
        *("player", "game", "since", "until", "session"),
        *("option", "place", "weekday", "season", "season_from"),
    ),
}
"""Query parameters that many routes share, by their name in the table; section 1 explains those without a name."""

_MEANT_ALIKE: Final = frozenset((
    *("not_json", "unknown_parameter", "against_rules", "wrong_version", "id_used", "partly_recorded", "too_large"),
    *("query_refused", "deal_open", "deal_shown", "locked", "no_space", "rolled_back", "confirm_required", "exists"),
    *("changed", "not_next", "forked", "other_past", "still_unscorable"),
))  # fmt: skip
"""The problems whose meaning the page of errors has, too."""

_MENDED_ALIKE: Final = frozenset((
    *("unknown_parameter", "id_used", "partly_recorded", "deal_open", "deal_shown", "changed", "exists", "not_next"),
    *("forked", "other_past", "still_unscorable", "no_space", "locked", "busy", "closing"),
))  # fmt: skip
"""The problems for which the page of errors, or the page itself at `Retry-After`, says what to do."""

assert EXIT_STATUSES.keys() >= _MEANT_ALIKE
assert EXIT_STATUSES.keys() | RETRY_AFTER_S.keys() >= _MENDED_ALIKE

_NOT_RECORDED: Final = " Nothing was recorded."
"""A sentence of many problems, which the page gives once, above their table."""


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
    yield "| method, path | role | answer |"
    yield "|---|---|---|"
    for one in sorted(ROUTES, key=lambda one: (one.path, one.method)):
        forms = [f"`{media.partition(';')[0]}`" for media in one.media] if any(one.answers.values()) else []
        shown = "" if forms == ["`application/json`"] else f" ({', '.join(forms) or 'no body'})"
        answer = one.summary.removeprefix("Return ")
        summary = f"{answer[0].upper()}{answer[1:]}{shown}{_parameters(one)}"
        yield f"| {one.method} `{one.path}` | {_who(one)} | {summary} |"


def _parameters(one: Route) -> str:
    """Return the query parameters of a route beyond those that section 1 explains."""
    names = [field.encode_name for field in structs.fields(one.query)]
    shown = []
    for group, members in _QUERIES.items():
        if set(members) <= {*names}:
            names = [name for name in names if name not in members]
            shown += [group] if group.strip() else []
    shown += [f"`{name}`" for name in names]
    return f" Parameters: {', '.join(shown)}." if shown else ""


def _who(one: Route) -> str:
    who = "any" if one.who == "any" else one.who
    return f"{who}, or viewers by `--viewers-query`" if one.or_viewers else who


def _problems() -> Iterator[str]:
    yield "| code | status | meaning | what to do | members |"
    yield "|---|---|---|---|---|"
    for code, status in STATUSES.items():
        means, advice = explained(code)
        means = "" if code in _MEANT_ALIKE else means.replace(_NOT_RECORDED, "")
        advice = "" if code in _MENDED_ALIKE else advice
        members = [
            *(f"`{name}`" for name in _MEMBERS.get(code, ())),
            *(["`Retry-After`"] if code in RETRY_AFTER_S else []),
        ]
        shown = "409, by If-Match 412" if code == "wrong_version" else str(status)
        yield f"| `{code}` | {shown} | {means} | {advice} | {', '.join(members)} |"


if __name__ == "__main__":
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
