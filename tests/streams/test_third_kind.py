"""A third kind of stream from an installed package (`survey`), unknown to the program's own files."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import pytest

import ledger
from ledger import streams
from ledger.access.grants import Grant
from ledger.errors import MalformedError
from ledger.history.model import projections, schema
from ledger.recording import validator
from ledger.service import visibility
from ledger.web import handlers
from ledger.web.http.openapi import openapi
from ledger.web.http.routing import ROUTES
from tests.quick_history import quick_history  # noqa: F401 - pytest finds it here
from tests.thirdparty.conftest import install
from tests.web import conforming
from tests.web.serving import DIRECTOR, SEER, VIEWER, Served, serving

ANN: Final = Grant(token="ann", role="director")

CACHES: Final[tuple[Callable[[], None], ...]] = (
    streams.load_packages.cache_clear,
    handlers.load_packages.cache_clear,
    schema.schema_version.cache_clear,
    schema.cut_version.cache_clear,
    openapi.cache_clear,
    conforming._routes.cache_clear,
    conforming._registry.cache_clear,
    conforming.validator.cache_clear,
)
"""The functions that cache the kinds of stream, or the routes."""

OPENED: Final = {"type": "session_opened", "title": "Where do we play?", "date": "2026-05-01"}


@pytest.fixture(scope="module", autouse=True)
def _survey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Register the package in this process while the tests of this module run."""
    site = tmp_path_factory.mktemp("site")
    (site / "survey").symlink_to(Path(__file__).parents[2] / "examples" / "survey")
    install(site, "survey", "[ledger.streams]\nsurvey = survey:register\n[ledger.routes]\nsurvey = survey.routes\n")
    known = (streams.STREAM_TYPES, validator.VALIDATORS, visibility.REDACTIONS, projections.PROJECTIONS)
    routes = list(ROUTES)
    with pytest.MonkeyPatch.context() as patched:
        patched.syspath_prepend(str(site))
        with ExitStack() as stack:
            for registry in known:
                stack.enter_context(patch.dict(registry))
            _forget()
            yield
    ROUTES[:] = routes
    _forget()


def _forget() -> None:
    for clear in CACHES:
        clear()


def line(event: Mapping[str, Any], stream: str = "survey/place") -> str:
    return json.dumps({"stream": stream, "event": event})


def imported(folder: Path, *lines: str) -> Path:
    """Return a ledger with these lines."""
    file = folder / "lines.ndjson"
    file.write_text("\n".join(lines), encoding="utf-8")
    with ledger.create(folder / "club.ledger") as store:
        ledger.import_file(store, file, ledger.Recording(by="Ann"))
    return folder / "club.ledger"


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with serving(imported(tmp_path, line(OPENED))) as service:
        yield service


def answered(served: Served, text: str, who: Grant = DIRECTOR) -> None:
    number = len(served.ok("/streams/survey/place/entries"))
    entry = {"id": f"00000000-0000-7000-8000-{number:012}", "event": {"type": "noted", "text": text}}
    reply = served.post("/streams/survey/place/entries", {"entries": [entry]}, who=who)
    assert reply.status_code == 201, reply.text


def test_what_its_state_does_not_take_is_rejected(tmp_path: Path) -> None:
    with pytest.raises(MalformedError, match=r"lines\.ndjson, line 2, survey/place"):
        imported(tmp_path, line(OPENED), line(OPENED))


def test_a_prefix_of_no_kind_is_rejected(tmp_path: Path) -> None:
    with pytest.raises(MalformedError, match="line 1: stream: not allowed: 'poll/place'"):
        imported(tmp_path, line(OPENED, "poll/place"))


def test_its_export_makes_the_same_ledger_elsewhere(tmp_path: Path) -> None:
    with ledger.open(imported(tmp_path, line(OPENED), line({"type": "noted", "text": "at home"}))) as store:
        (tmp_path / "export.ndjson").write_bytes(b"\n".join(ledger.export(store)))
        head = store.head()
    with ledger.create(tmp_path / "other.ledger") as other:
        ledger.import_file(other, tmp_path / "export.ndjson", ledger.Recording(by="Bob"))
        assert other.head() == head


def test_answers_are_hidden_from_others_until_it_is_closed(served: Served) -> None:
    answered(served, "at home", ANN)
    assert served.ok("/surveys/place") == {"question": "Where do we play?", "answers": ["??"]}
    assert served.ok("/surveys/place", who=ANN)["answers"] == ["at home"]
    assert served.ok("/surveys/place", who=SEER)["answers"] == ["at home"]
    shown = served.get("/streams/survey/place/entries").json()
    assert [one["digest"] is None for one in shown] == [False, True]
    closed = {"id": "00000000-0000-7000-8000-00000000ffff", "event": {"type": "session_closed"}}
    assert served.post("/streams/survey/place/entries", {"entries": [closed]}, who=DIRECTOR).status_code == 201
    assert served.ok("/surveys/place")["answers"] == ["at home"]


def test_its_rows_are_in_sql_as_soon_as_everybody_may_see_them(served: Served) -> None:
    question = {"sql": "SELECT answer FROM survey_answers ORDER BY version"}
    answered(served, "at home")
    assert served.post("/query", question, who=DIRECTOR).json() == []
    served.record("survey/place", {"type": "session_closed"})  # type: ignore[arg-type]
    assert served.service.history.is_level_with(served.service.visible.head.position, within_s=60)
    assert served.post("/query", question, who=DIRECTOR).json() == [{"answer": "at home"}]


def test_corrected_answers_replace_their_rows(tmp_path: Path) -> None:
    noted = {"type": "noted", "text": "at home"}
    now = [{**noted, "text": "there"}]
    corrected = {"type": "corrected", "version": 2, "action": "replace", "reason": "typo", "events": now}
    path = imported(tmp_path, line(OPENED), line(noted))
    question = "SELECT answer FROM survey_answers"
    assert list(ledger.query(path, question).rows) == [("at home",)]
    (tmp_path / "more.ndjson").write_text(line(corrected), encoding="utf-8")
    with ledger.open(path) as store:
        ledger.import_file(store, tmp_path / "more.ndjson", ledger.Recording(by="Ann"))
    assert list(ledger.query(path, question).rows) == [("there",)]


def test_openapi_and_schemas_name_it(served: Served) -> None:
    document = served.ok("/openapi.json")
    assert "/api/v1/surveys/{slug}" in document["paths"]
    assert document["components"]["schemas"]["EntrySeen"]["properties"]["stream"]["pattern"].startswith(
        "^(table|session|survey)/"
    )


def test_a_survey_that_is_not_there_is_named(served: Served) -> None:
    assert "survey/nothing" in served.problem("/surveys/nothing", 404, "not_found")["detail"]
    assert "survey" in served.problem("/streams/poll/x/entries", 404, "not_found")["detail"]
    assert served.get("/surveys/place", who=VIEWER).status_code == 200
