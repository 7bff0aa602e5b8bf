"""Deals over HTTP: states, legal acts, hand records, pictures of the table, and case sheets."""

import re
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

import ledger
from ledger.access.grants import Grant
from ledger.events import Corrected
from tests.web.club import MATCH, OPEN, REVOKE, club_of
from tests.web.roles import ADMIN, DIRECTOR, RECORDER, SEER, VIEWER
from tests.web.serving import OMBRE, Served, encoded, ledger_of, ledger_with, lines_of, links_of, serving, stored_rows

NDJSON = "application/x-ndjson"
STEPS = f"/tables/{REVOKE}/deals/1/steps"


@pytest.mark.parametrize("seat", [None, "1", "Baron"])
def test_all_states_are_those_of_the_command(served: Served, seat: str | None) -> None:
    with ledger.open(served.ledger) as store:
        expected = encoded(list(ledger.replay_all(store, REVOKE, 1, seat)))
    path = STEPS if seat is None else f"{STEPS}?seat={seat}"
    answer = served.get(path)
    assert answer.headers["content-type"] == NDJSON
    assert lines_of(answer) == served.ok(path, headers={"accept": "application/json"}) == expected


def test_each_state_comes_with_what_led_to_it(served: Served) -> None:
    states = lines_of(served.get(STEPS))
    legal: dict[str, list[str]] = {}
    events = {row.version: encoded(row.event()) for row in stored_rows(served.ledger, f"table/{REVOKE}")}
    with ledger.open(served.ledger) as store:
        findings = encoded(ledger.audit(store, REVOKE))["findings"]
    for number, state in enumerate(states):
        body = served.ok(f"{STEPS}/{number}")
        assert {name: body[name] for name in state} == state
        assert body["legal_before"] == legal
        if number:
            assert body["event"] == events[body["version"]]
        else:
            assert (body["event"], body["version"]) == (None, None)
        assert body["findings"] == [one for one in findings if one["version"] == body["version"]]
        legal = state["legal"]
    assert findings and served.ok(f"{STEPS}/last") == body


def test_the_findings_of_a_state_are_in_the_requested_language(served: Served) -> None:
    with ledger.open(served.ledger) as store:
        findings = encoded(ledger.audit(store, REVOKE, lang="ja"))["findings"]
    states = [served.ok(f"{STEPS}/{state['step']}?lang=ja") for state in lines_of(served.get(STEPS))]
    assert findings and [one for state in states for one in state["findings"]] == findings


def test_one_state_leads_to_the_next(served: Served) -> None:
    address, seen = f"/api/v1{STEPS}/0?seat=1", []
    while address:
        answer = served.get(address.removeprefix("/api/v1"))
        assert answer.json()["step"] == len(seen)
        seen.append(address)
        links = links_of(answer)
        assert links.get("prev") == (seen[-2] if len(seen) > 1 else None)
        assert links["latest"] == f"/api/v1{STEPS}/last?seat=1"
        address = links.get("next", "")
    assert len(seen) == len(lines_of(served.get(STEPS)))


def test_a_state_can_be_had_as_a_picture(served: Served) -> None:
    answer = served.get(f"{STEPS}/5")
    assert f'</api/v1{STEPS}/5.svg>; rel="alternate"; type="image/svg+xml"' in answer.headers["link"]
    assert f'</api/v1{STEPS}/5.png>; rel="alternate"; type="image/png"' in answer.headers["link"]


def test_now_is_the_last_state_and_the_version(served: Served) -> None:
    last = served.ok(f"/tables/{OPEN}/deals/1/steps/last")
    body = served.ok(f"/tables/{OPEN}/now", who=RECORDER)
    assert (body["version"], body["status"], body["turn"]) == (4, "open", 1)
    assert body["legal"] == {"bid_made": ["pass", "solo", "vuelta"]}
    assert {name: last[name] for name in body if name not in ("version", "status")} == {
        name: value for name, value in body.items() if name not in ("version", "status")
    }


@pytest.mark.parametrize(("who", "is_shown"), [(VIEWER, False), (RECORDER, True), (DIRECTOR, True), (ADMIN, True)])
def test_legal_events_are_sent_to_recorders(served: Served, who: Grant, is_shown: bool) -> None:
    for _ in range(2):
        assert ("legal" in served.ok(f"/tables/{OPEN}/now", who=who)) == is_shown


def test_before_the_first_deal_a_table_only_waits(tmp_path: Path) -> None:
    with serving(ledger_with(tmp_path, {OPEN: OMBRE[:1]})) as served:
        body = served.ok(f"/tables/{OPEN}/now", who=RECORDER)
        assert (body["version"], body["deal"], body["phase"], body["legal"]) == (1, None, None, {})
        served.problem(f"/tables/{OPEN}/deals/1/steps", 404, "not_found")


def test_now_follows_each_act(own: Served) -> None:
    before = own.get(f"/tables/{OPEN}/now")
    own.record(OPEN, {"type": "bid_made", "seat": 1, "call": "pass"})
    after = own.ok(f"/tables/{OPEN}/now", headers={"if-none-match": before.headers["etag"]})
    assert (before.json()["turn"], after["turn"], after["version"]) == (1, 2, 5)


def test_a_deal_is_a_hand_record_that_makes_the_same_deal(served: Served, tmp_path: Path) -> None:
    answer = served.get(f"/tables/{MATCH}/deals/3.toml")
    assert answer.headers["content-type"] == "application/toml"
    assert answer.headers["content-disposition"] == f'attachment; filename="{MATCH}-3.toml"'
    file = tmp_path / "deal.toml"
    file.write_bytes(answer.content)
    again = ledger_of(tmp_path, file, name="again.ledger")
    with ledger.open(again) as store:
        states = encoded(list(ledger.replay_all(store, MATCH, 1)))
    states = lines_of(served.get(f"/tables/{MATCH}/deals/3/steps"))
    assert [{**state, "deal": 3} for state in states] == states


def test_a_hand_record_is_in_the_requested_reading(own: Served) -> None:
    path = f"/tables/{REVOKE}/deals/1.toml"
    written = own.get(path).text
    own.record(REVOKE, Corrected(version=4, action="strike", reason="he said nothing"))
    assert own.get(path).text != written
    assert own.get(f"{path}?reading=recorded").text == written


def test_the_hand_record_of_an_open_deal_reveals_no_card(served: Served) -> None:
    text = served.get(f"/tables/{OPEN}/deals/1.toml").text
    assert "entrada" in text
    assert text.count("??") == 40


def test_a_table_is_folded_once_for_all_its_states(own: Served) -> None:
    for number in range(5):
        own.ok(f"{STEPS}/{number}")
    own.ok(f"/tables/{REVOKE}/score", who=RECORDER)
    assert len(own.service.folds._answers) == 1


STEP = f"/tables/{REVOKE}/deals/1/steps/20"


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    path = club_of(tmp_path_factory.mktemp("club"))
    with ledger.open(path) as store:
        store.set_display_name("Baron", "The Baron")
    with serving(path) as one:
        yield one


@pytest.mark.parametrize(
    ("query", "how"), [("", {}), ("seat=1", {"seat": 1}), ("below=2&lang=ja", {"below": 2, "lang": "ja"})]
)
def test_a_picture_is_that_of_the_library(named: Served, query: str, how: dict[str, object]) -> None:
    with ledger.open(named.ledger) as store:
        drawn = ledger.table_picture(store, REVOKE, 1, 20, names=store.display_names(), **how)  # type: ignore[arg-type]
    answer = named.get(f"{STEP}.svg?{query}")
    assert (answer.text, answer.headers["content-type"]) == (drawn, "image/svg+xml")
    assert "The Baron" in answer.text


def test_the_last_moment_has_a_picture_by_its_name(named: Served) -> None:
    last = named.ok(f"/tables/{REVOKE}/deals/1/steps/last")["step"]
    by_name, by_number = (named.get(STEP.replace("20", str(step)) + ".svg").text for step in ("last", last))
    assert by_name == by_number


def test_a_picture_as_pixels_has_the_requested_size(named: Served) -> None:
    answer = named.get(f"{STEP}.png?scale=2")
    assert answer.headers["content-type"] == "image/png"
    assert [int.from_bytes(answer.content[at : at + 4]) for at in (16, 20)] == [800, 880]


def test_either_form_names_the_other(named: Served) -> None:
    assert links_of(named.get(f"{STEP}.png?scale=2&seat=1"))["alternate"] == f"/api/v1{STEP}.svg?seat=1"
    assert links_of(named.get(f"{STEP}.svg?seat=1"))["alternate"] == f"/api/v1{STEP}.png?seat=1"


def test_a_picture_shows_no_hidden_card(named: Served) -> None:
    path = f"/tables/{OPEN}/deals/1/steps/last.svg"
    seen, open_hands = (named.get(path, who=who).text for who in (VIEWER, SEER))
    assert "hearts" not in seen.partition("</desc>")[0]
    assert "hearts" in open_hands.partition("</desc>")[0]


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
