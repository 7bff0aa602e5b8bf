"""Rows of a table of cases: what stands in a record, what is found in it, and what it comes to.

    case("a second pass", bidding().calls("0 pass", "1 entrada", "0 pass"), "11.14"),
    case("a call out of turn is void", bidding().calls("1 entrada"), ("11.15", 1, []), turn=0, auction=[]),

A finding is its code, or at the last entry of the record with its seat and what was legal, or with its rule and its
seat (`("11.22", "5.2", 0)`). No finding at all is `case(…)` without one; `shown(…)` leaves the findings aside.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

from ledger.table.answers import Finding, ScoreAnswer
from tests.builders import Record, without_prefix

Found: TypeAlias = str | tuple[Any, ...]


class Case(NamedTuple):
    name: str
    made: Record | Callable[[], Record]
    found: Sequence[Found] | None
    """Null where it does not matter."""
    expected: dict[str, Any]


def case(name: str, record: Record | Callable[[], Record], *found: Found, **expected: Any) -> Case:
    """What is found in the record, and what it comes to as in `came_to`."""
    return Case(name, record, found, expected)


def shown(name: str, record: Record | Callable[[], Record], **expected: Any) -> Case:
    """What the record comes to, whatever is found in it."""
    return Case(name, record, None, expected)


def assert_cases(cases: Sequence[Case]) -> None:
    """Each case is as its row says; the failure names those that are not."""
    assert len({one.name for one in cases}) == len(cases)
    wrong = {one.name: difference for one in cases if (difference := _difference(one)) is not None}
    assert wrong == {}


def _difference(one: Case) -> tuple[Any, Any] | None:
    """What it comes to and what is expected, where they are not the same."""
    record = one.made if isinstance(one.made, Record) else one.made()
    came_to: dict[str, Any] = {name: _came_to(record, name, value) for name, value in one.expected.items()}
    expected = dict(one.expected)
    if one.found is not None:
        expected["found"] = [found if isinstance(found, str) else (*found, record.version) for found in one.found]
        came_to["found"] = _findings_like(one.found, record)
    return None if came_to == expected else (came_to, expected)


def _findings_like(found: Sequence[Found], record: Record) -> list[Found]:
    """The findings of the record, each told as the row tells those of its place."""
    told: list[Found] = []
    for place, finding in enumerate(record.findings()):
        code, like = without_prefix(finding.code), found[place] if place < len(found) else ""
        if isinstance(like, str):
            told.append(code)
        elif isinstance(like[1], str):
            told.append((code, without_prefix(finding.rule), finding.seat, finding.version))
        else:
            told.append((code, finding.seat, finding.legal, finding.version))
    return told


def _came_to(record: Record, name: str, expected: Any) -> Any:
    """By the name of it: of the findings, of the score, or of the last state.

    `outcome` is compared in the facts that are expected; `faults`: the codes of what is more than a note; `blamed`:
    code, version and seat; `first_status`: that of the first deal.
    """
    if name in _OF_THE_FINDINGS:
        return _OF_THE_FINDINGS[name](record.findings())
    if name in ("status", "deltas"):
        return getattr(record.deal(), name)
    if name == "outcome":
        outcome = record.deal().outcome
        return {fact: outcome.get(fact) for fact in expected} if expected else outcome
    if name in _OF_THE_SCORE:
        return _OF_THE_SCORE[name](record.score())
    if name in ("carried", "need", "gp", "sides", "draw_mark"):
        carried = record.fold().match.state()
        return carried if name == "carried" else carried[name]
    state = record.state()
    if name == "winner":
        return state.tricks[0].winner
    if name == "auction":
        return [f"{call.seat} {call.call}" for call in state.auction]
    return getattr(state, name)


_OF_THE_FINDINGS: dict[str, Callable[[list[Finding]], Any]] = {
    "rule": lambda found: found[0].rule,
    "message": lambda found: found[0].message,
    "severity": lambda found: found[0].severity,
    "offered": lambda found: found[0].legal,
    "faults": lambda found: [without_prefix(one.code) for one in found if one.severity != "info"],
    "blamed": lambda found: [(without_prefix(one.code), one.version, one.seat) for one in found],
    "who": lambda found: [(without_prefix(one.code), one.seat) for one in found],
    "all_found": lambda found: [(without_prefix(one.code), one.version, one.seat, one.legal) for one in found],
}
_OF_THE_SCORE: dict[str, Callable[[ScoreAnswer], Any]] = {
    "first_status": lambda score: score.deals[0].status,
    "totals": lambda score: score.totals,
    "over": lambda score: score.match.over,
    "winners": lambda score: score.match.winners,
}
