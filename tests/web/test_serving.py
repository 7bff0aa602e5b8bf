"""What every answer of the service is like, asked over the application without a socket."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import ledger
from ledger.events import Noted
from tests.web.serving import ADMIN, NOBODY, OMBRE, VIEWER, Served, encoded, ledger_of, record, serving

REVOKE = Path(__file__).parents[2] / "replays" / "ombre" / "revoke.toml"


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with serving(ledger_of(tmp_path, REVOKE)) as one:
        yield one


def test_an_answer_is_that_of_the_command(served: Served) -> None:
    with ledger.open(served.ledger) as store:
        assert served.ok("/tables/ombre-revoke/score") == encoded(ledger.score(store, "ombre-revoke"))


def test_who_asks_is_told_by_the_token(served: Served) -> None:
    assert [served.ok("/me", who=who)["role"] for who in (VIEWER, ADMIN)] == ["viewer", "admin"]
    served.problem("/me", 401, "unauthenticated", who=NOBODY)


def test_what_another_process_records_is_seen(served: Served) -> None:
    before = served.get("/tables/ombre-revoke/score").headers["etag"]
    served.record("ombre-revoke", Noted(text="a cup was spilled"))
    assert served.get("/tables/ombre-revoke/score").headers["etag"] != before


def test_an_open_deal_can_be_told_of(tmp_path: Path) -> None:
    path = ledger_of(tmp_path)
    with ledger.open(path) as store:
        record(store, "open", *OMBRE)
    with serving(path) as served:
        assert served.service.horizon.hidden["table/open"].version == 2
        assert served.ok("/tables/open/score")["deals"][0]["status"] == "open"


def test_a_parameter_is_never_null(served: Served) -> None:
    for path in ("/tables?open=null", "/statistics/standings?until=null", "/export?until=null"):
        assert served.problem(path, 422, "malformed", who=ADMIN)["text"] == "null"


def test_any_answer_is_known_only_of_what_there_is(served: Served) -> None:
    asked = {"headers": {"if-none-match": "*"}}
    assert served.get("/tables/ombre-revoke/score", **asked).status_code == 304
    served.problem("/tables/ombre-revoke/deals/9/steps", 404, "not_found", **asked)
    served.problem("/rules/OMB-99.9", 404, "not_found", **asked)
