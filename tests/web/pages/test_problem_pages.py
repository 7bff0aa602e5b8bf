"""The page of each problem, to which its `type` leads: public, in both languages."""

from __future__ import annotations

import httpx
import pytest

from ledger.web.http.problems import STATUSES
from ledger.web.pages.problem import explained, title_of
from tests.web.serving import NOBODY, Served


def read(served: Served, path: str, **headers: str) -> httpx.Response:
    """Return the answer to a browser without a token. `path`: the whole one."""
    return served.run(served.client.get(path, headers=headers))


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_every_problem_has_a_page_that_says_what_to_do(served: Served, lang: str) -> None:
    for code, status in STATUSES.items():
        answer = read(served, f"/problems/{code}", **{"accept-language": lang})
        assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
        assert answer.headers["content-language"] == lang
        shown = answer.text.replace("&#39;", "'").replace("<code>", "").replace("</code>", "")
        for text in (f'lang="{lang}"', str(status), code, title_of(code, lang), *explained(code, lang)):
            assert text.replace("`", "") in shown, (code, text)


def test_the_type_of_a_problem_leads_there(served: Served) -> None:
    problem = served.problem("/me", 401, "unauthenticated", who=NOBODY)
    assert title_of("unauthenticated") in read(served, problem["type"]).text


def test_a_page_runs_nothing_that_it_quotes(served: Served) -> None:
    answer = read(served, "/problems/closing")
    assert "script-src 'self'; style-src 'self'" in answer.headers["content-security-policy"]
    assert "<script>" not in answer.text and "style=" not in answer.text


def test_a_page_is_for_one_reader(served: Served) -> None:
    """The page has its reader's name."""
    answer = read(served, "/problems/closing")
    assert (answer.headers["cache-control"], "etag" in answer.headers) == ("private, no-cache", False)


@pytest.mark.parametrize("path", ["/problems/none", "/problems/", "/problems", "/problems/closing/"])
def test_other_problems_have_none(served: Served, path: str) -> None:
    answer = read(served, path)
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


def test_a_page_is_only_read(served: Served) -> None:
    answer = served.run(served.client.post("/problems/closing"))
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET, HEAD")
