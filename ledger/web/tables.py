"""Tables as they are read: the score, the audit, the states of a deal."""

from __future__ import annotations

from ledger import api
from ledger.table.answers import AuditAnswer, ScoreAnswer
from ledger.web.asking import Asked
from ledger.web.reading import TableReading, check_seat, read_table, seen
from ledger.web.routes import Answer, route


@route(
    "GET",
    "/tables/{table}/score",
    "viewer",
    query=TableReading,
    answers={200: ScoreAnswer},
    rests_on="table",
    problems=("not_found",),
)
def score(asked: Asked, table: str) -> Answer:
    """What each deal came to, line by line, and the totals."""
    check_seat(asked, table)
    return Answer(body=api.score(seen(asked), read_table(asked, table), lang=asked.lang))


@route(
    "GET",
    "/tables/{table}/audit",
    "viewer",
    query=TableReading,
    answers={200: AuditAnswer},
    rests_on="table",
    problems=("not_found",),
)
def audit(asked: Asked, table: str) -> Answer:
    """What the record of a table breaks, each with its rule."""
    check_seat(asked, table)
    return Answer(body=api.audit(seen(asked), read_table(asked, table), lang=asked.lang))
