"""Case sheets over HTTP: for directors and for the person who raised the dispute."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256

import pytest

import ledger
from ledger.access.grants import Grant
from tests.web.club import OPEN, REVOKE
from tests.web.serving import DIRECTOR, RECORDER, SEER, Served, encoded, links_of

CASE = f"/tables/{REVOKE}/disputes/39/case"
HTML = {"accept": "text/html"}
OTHER_VIEWER = Grant(token="viewer-2", role="viewer")
NAMED_VIEWER = Grant(token="viewer-1", role="viewer", name="Ann")


def test_a_case_sheet_is_that_of_the_command(served: Served) -> None:
    with ledger.open(served.ledger) as store:
        expected = [encoded(ledger.case_sheet(store, REVOKE, 39, lang)) for lang in ("en", "ja")]
    assert [served.ok(f"{CASE}?lang={lang}", who=SEER) for lang in ("en", "ja")] == expected


@pytest.mark.parametrize("who", [RECORDER, OTHER_VIEWER, NAMED_VIEWER])
def test_nobody_else_may_whatever_was_answered_before(served: Served, who: Grant) -> None:
    tag = served.get(CASE, who=DIRECTOR).headers["etag"]
    served.problem(CASE, 403, "forbidden", who=who)
    served.problem(CASE, 403, "forbidden", who=who, headers={"if-none-match": tag})
    served.problem(CASE, 403, "forbidden", who=who, headers={"if-none-match": "*"})


def test_a_case_sheet_is_a_page_whose_style_alone_a_browser_takes(served: Served) -> None:
    answer = served.get(CASE, who=DIRECTOR, headers=HTML)
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert "he had a diamond" in answer.text
    (style,) = re.findall(r"<style>(.*?)</style>", answer.text, re.DOTALL)
    hash = b64encode(sha256(style.encode()).digest()).decode()
    assert answer.headers.get_list("content-security-policy") == [
        f"default-src 'none'; style-src 'sha256-{hash}'; img-src data:; "
        "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
    ]
    assert "<script" not in answer.text and " style=" not in answer.text


def test_a_case_sheet_can_be_printed(served: Served) -> None:
    answer = served.get(CASE, who=DIRECTOR, headers={"accept": "application/pdf"})
    assert (answer.headers["content-type"], answer.content[:5]) == ("application/pdf", b"%PDF-")


def test_the_other_forms_are_named(served: Served) -> None:
    answer = served.get(CASE, who=DIRECTOR)
    assert links_of(answer)["alternate"] == f"/api/v1{CASE}"
    assert answer.headers["link"].count('rel="alternate"') == 2


def test_digests_wait_for_the_open_deals(own: Served) -> None:
    """Requested first by a client that may see them, whose cached answer is not sent to others."""
    for _ in range(2):
        assert all(entry["digest"] for entry in own.ok(CASE, who=SEER)["rests_on"])
        sheet = own.get(CASE, who=DIRECTOR)
        assert sheet.json()["head_digest"] is None
    assert "None" not in own.get(CASE, who=DIRECTOR, headers=HTML).text
    own.record(OPEN, {"type": "hands_opened", "deal": 1})
    assert own.ok(CASE, who=DIRECTOR, headers={"if-none-match": sheet.headers["etag"]})["head_digest"] is not None


def test_a_case_sheet_can_be_had_as_of_before(own: Served) -> None:
    until = own.service.versions and own.service.visible.head.position
    own.record(
        REVOKE, {"type": "ruling_given", "deal": 1, "kind": "stands", "text": "nothing was wrong", "dispute": 39}
    )
    assert own.ok(CASE, who=DIRECTOR)["dispute"]["state"] == "ruled"
    sheet = own.ok(f"{CASE}?as_of={until}", who=DIRECTOR)
    assert (sheet["dispute"]["state"], sheet["head_position"]) == ("open", until)
