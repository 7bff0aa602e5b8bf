"""What reads answer is what `/openapi.json` says of them: each answer against its schema."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator

from tests.web.club import MATCH, OPEN, REVOKE, club_of
from tests.web.serving import NOBODY, RECORDER, SEER, VIEWER, Served, serving

READS = {
    "/streams": "/streams",
    "/streams/{kind}/{slug}/entries": f"/streams/table/{OPEN}/entries",
    "/tables": "/tables",
    "/tables/{table}": f"/tables/{MATCH}",
    "/tables/{table}/score": f"/tables/{MATCH}/score",
    "/tables/{table}/audit": f"/tables/{REVOKE}/audit",
    "/tables/{table}/disputes": f"/tables/{REVOKE}/disputes",
    "/tables/{table}/now": f"/tables/{OPEN}/now",
    "/tables/{table}/deals/{deal}/readings": f"/tables/{REVOKE}/deals/1/readings",
    "/tables/{table}/deals/{deal}/steps": f"/tables/{MATCH}/deals/2/steps",
    "/tables/{table}/deals/{deal}/steps/{step}": f"/tables/{REVOKE}/deals/1/steps/20",
    "/tables/{table}/deals/{deal}/steps/last": f"/tables/{OPEN}/deals/1/steps/last",
    "/tables/{table}/disputes/{version}/case": f"/tables/{REVOKE}/disputes/39/case",
    "/rules": "/rules?q=kontra",
    "/rules/{rule}": "/rules/OMB-6.8",
}
"""A read of each route, by its path."""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(club_of(tmp_path_factory.mktemp("club"))) as one:
        yield one


@pytest.fixture(scope="module")
def description(served: Served) -> dict[str, Any]:
    told: dict[str, Any] = served.ok("/openapi.json", who=NOBODY)
    return told


@pytest.mark.parametrize("path", READS)
def test_an_answer_is_as_it_is_described(served: Served, description: dict[str, Any], path: str) -> None:
    operation = description["paths"][f"/api/v1{path}"]["get"]
    schema = operation["responses"]["200"]["content"]["application/json"]["schema"]
    check = Draft202012Validator({**schema, "components": description["components"]})
    for who in (VIEWER, RECORDER, SEER):
        answer = served.get(READS[path], who=who, headers={"accept": "application/json"})
        assert answer.status_code == (403 if path.endswith("/case") and who is RECORDER else 200)
        if answer.status_code == 200:
            assert [error.message for error in check.iter_errors(answer.json())] == []


@pytest.mark.parametrize(
    ("path", "media"),
    [
        ("/export", "application/x-ndjson"),
        ("/tables/{table}/deals/{deal}.toml", "application/toml"),
        ("/tables/{table}/deals/{deal}/steps/{step}.svg", "image/svg+xml"),
        ("/tables/{table}/deals/{deal}/steps/{step}.png", "image/png"),
        ("/tables/{table}/disputes/{version}/case", "application/pdf"),
    ],
)
def test_other_forms_are_described(description: dict[str, Any], path: str, media: str) -> None:
    assert media in description["paths"][f"/api/v1{path}"]["get"]["responses"]["200"]["content"]
