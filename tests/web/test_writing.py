"""Recording entries of tables and sessions: once, checked first, by clients with the right."""

from __future__ import annotations

import asyncio

import pytest
from msgspec import structs

import ledger
from ledger.access.grants import Grant
from tests.contracts.log_builders import an_id
from tests.web.sending import OPEN, PASS, TOO_LOW, entry, noted, problem_of, send
from tests.web.serving import ADMIN, DIRECTOR, OMBRE, RECORDER, Served, record, stored_rows

RULING = {"type": "ruling_given", "deal": 1, "kind": "stands", "text": "as it is"}
STRIKE = {"type": "corrected", "version": 4, "action": "strike", "reason": "misheard"}
DISPUTE = {"type": "dispute_raised", "deal": 1, "text": "he looked at the stock"}
SESSION = {"type": "session_opened", "title": "Spring", "date": "2026-03-01"}
AT_OPEN = structs.replace(RECORDER, tables=("open",))
MAY_OPEN = structs.replace(RECORDER, may_open=True)


def test_an_entry_is_recorded_and_the_table_after_it_returned(playing: Served) -> None:
    answer = send(playing, entry(1, PASS), expected_version=4)
    assert answer.status_code == 201
    assert answer.headers["etag"] == '"5"'
    assert answer.headers["location"] == "/api/v1/streams/table/open/entries?after_version=4"
    answered = answer.json()
    assert (answered["stream"], answered["first_version"], answered["last_version"], answered["ids"]) == (
        "table/open",
        5,
        5,
        [an_id(1)],
    )
    assert (answered["version"], answered["turn"], answered["findings"]) == (5, 2, [])
    assert answered["legal"] == {"bid_made": ["pass", "solo", "vuelta"]}
    row = stored_rows(playing.ledger, "table/open")[-1]
    assert (row.id, row.recorded_by, row.position) == (an_id(1), "recorder-1", answered["first_position"])


def test_who_signed_in_with_a_name_is_recorded_by_it(playing: Served) -> None:
    send(playing, entry(1, PASS), who=structs.replace(RECORDER, name="Ann"))
    assert stored_rows(playing.ledger, "table/open")[-1].recorded_by == "recorder-1/Ann"


def test_the_same_again_gets_the_first_receipt_though_it_would_be_illegal_by_now(playing: Served) -> None:
    first = send(playing, entry(1, PASS)).json()
    send(playing, entry(2, {**PASS, "seat": 2}))
    again = send(playing, entry(1, PASS), expected_version=4)
    assert again.status_code == 200
    assert again.json()["already_recorded"]
    assert {name: again.json()[name] for name in ("ids", "first_version", "last_position")} == {
        name: first[name] for name in ("ids", "first_version", "last_position")
    }


def test_an_id_in_upper_case_is_the_same_id(playing: Served) -> None:
    written = "0193F2A0-5C1E-7D3B-8A4F-2B6C9D0E1F23"
    answers = [send(playing, {"id": id, "event": PASS}) for id in (written, written.lower())]
    assert [answer.status_code for answer in answers] == [201, 200]


def test_an_id_for_something_else_is_refused(playing: Served) -> None:
    send(playing, noted(1))
    answer = send(playing, noted(1, "something else"))
    assert problem_of(answer) == (409, "id_used")
    assert (answer.json()["stream"], answer.json()["version"]) == ("table/open", 5)


def test_half_a_batch_is_not_recorded_anew(playing: Served) -> None:
    send(playing, noted(1))
    assert problem_of(send(playing, noted(1), noted(2))) == (409, "partly_recorded")


def test_the_same_request_at_the_same_time_is_recorded_once(playing: Served) -> None:
    async def twice() -> list[int]:
        body = {"entries": [entry(1, PASS)]}
        requests = [playing.request("POST", OPEN, json=body, who=RECORDER) for _ in range(8)]
        return sorted(answer.status_code for answer in await asyncio.gather(*requests))

    assert playing.run(twice()) == [200] * 7 + [201]


def test_acts_of_many_at_once_are_all_recorded(playing: Served) -> None:
    async def many() -> set[int]:
        requests = [
            playing.request(
                "POST", OPEN, json={"entries": [noted(100 + number)]}, who=Grant(token=f"r-{number}", role="recorder")
            )
            for number in range(40)
        ]
        return {answer.json()["version"] for answer in await asyncio.gather(*requests)}

    assert playing.run(many()) == set(range(5, 45))


def test_notes_of_one_session_sent_at_once_are_all_recorded(playing: Served) -> None:
    playing.post("/sessions", {"id": an_id(1), "slug": "spring", "event": SESSION}, who=DIRECTOR)

    async def many() -> set[int]:
        body = [{"entries": [noted(100 + number)]} for number in range(10)]
        path = "/streams/session/spring/entries"
        requests = [playing.request("POST", path, json=one, who=DIRECTOR) for one in body]
        return {answer.status_code for answer in await asyncio.gather(*requests)}

    assert playing.run(many()) == {201}


def test_an_act_is_judged_on_what_another_process_has_just_recorded(playing: Served) -> None:
    send(playing, noted(1))
    with ledger.open(playing.ledger) as store:
        record(store, "open", PASS, by="another-process")
        answer = send(playing, entry(2, PASS))
        assert problem_of(answer) == (422, "against_rules")
        assert answer.json()["version"] == 7
        record(store, "open", {"type": "noted", "text": "meanwhile"}, by="another-process")
        assert send(playing, entry(2, {**PASS, "seat": 2})).json()["version"] == 8


def test_an_act_after_a_correction_is_judged_on_it(playing: Served) -> None:
    send(playing, entry(1, PASS))
    body = {"id": an_id(2), "action": "strike", "reason": "misheard", "version": 5, "expected_version": 5}
    playing.post("/tables/open/corrections", body, who=RECORDER)
    assert send(playing, entry(3, PASS)).json()["version"] == 7


@pytest.mark.parametrize("tag", ['"4"', '"4.1.corrected.seen.en.0-1-0"', "*"])
def test_a_version_may_be_sent_as_a_header(playing: Served, tag: str) -> None:
    assert send(playing, entry(1, PASS), headers={"if-match": tag}).status_code == 201


def test_who_asks_by_header_hears_of_a_failed_precondition(playing: Served) -> None:
    answer = send(playing, entry(1, PASS), headers={"if-match": '"3"'})
    assert problem_of(answer) == (412, "wrong_version")
    assert (answer.json()["expected"], answer.json()["actual"]) == (3, 4)
    assert problem_of(send(playing, entry(1, PASS), expected_version=3)) == (409, "wrong_version")


def test_two_different_versions_are_none(playing: Served) -> None:
    answer = send(playing, entry(1, PASS), expected_version=4, headers={"if-match": '"3"'})
    assert (answer.status_code, answer.json()["where"]) == (400, "If-Match")
    assert send(playing, entry(1, PASS), expected_version=4, headers={"if-match": '"4"'}).status_code == 201


@pytest.mark.parametrize("tag", ["4", 'W/"4"', '"4", "5"', "", '"-1"'])
def test_what_is_no_version_is_malformed(playing: Served, tag: str) -> None:
    answer = send(playing, entry(1, PASS), headers={"if-match": tag})
    assert (*problem_of(answer), answer.json()["where"]) == (422, "malformed", "If-Match")


def test_what_breaks_a_rule_is_refused_unless_it_was_played_so(playing: Served) -> None:
    answer = send(playing, noted(1), entry(2, TOO_LOW))
    answered = answer.json()
    assert problem_of(answer) == (422, "against_rules")
    assert (answered["finding"], answered["rule"], answered["seat"], answered["entry_index"]) == (
        "OMB-11.16",
        "OMB-4.15",
        1,
        1,
    )
    assert answered["legal"] == ["pass", "solo", "vuelta"]
    played = send(playing, noted(1), entry(2, TOO_LOW), as_played=True)
    assert played.status_code == 201
    assert [finding["code"] for finding in played.json()["findings"]] == ["OMB-11.16"]


def test_a_thousand_entries_are_taken_at_once_and_no_more(playing: Served) -> None:
    answer = send(playing, *map(noted, range(1, 1002)))
    assert (*problem_of(answer), answer.json()["limit"]) == (413, "too_large", 1000)
    assert send(playing, *map(noted, range(1, 1001))).json()["version"] == 1004


def test_a_refusal_is_in_japanese(playing: Served) -> None:
    answer = send(playing, entry(1, PASS), who=AT_OPEN, headers={"accept-language": "ja", "if-match": "4"})
    assert answer.json()["detail"] == "If-Matchがバージョンではありません: '4'(正しくはバージョン、または*)"


@pytest.mark.parametrize("event", [RULING, STRIKE])
def test_a_director_must_name_the_version_they_change(playing: Served, event: dict[str, object]) -> None:
    assert send(playing, entry(1, event), who=DIRECTOR, expected_version=4).status_code == 201


@pytest.mark.parametrize("who", [AT_OPEN, ADMIN])
def test_a_table_is_recorded_by_who_may_and_disputes_are_raised_by_recorders(playing: Served, who: Grant) -> None:
    assert send(playing, entry(1, PASS), who=who).status_code == 201
    assert send(playing, entry(2, DISPUTE), who=RECORDER).status_code == 201


def test_a_token_that_may_open_opens_sessions_too(playing: Served) -> None:
    body = {"id": an_id(1), "slug": "fresh", "event": SESSION}
    assert playing.post("/sessions", body, who=MAY_OPEN).status_code == 201


def test_a_session_is_recorded_by_a_director(playing: Served) -> None:
    playing.post("/sessions", {"id": an_id(1), "slug": "spring", "event": SESSION}, who=DIRECTOR)
    path = "/streams/session/spring/entries"
    assert problem_of(send(playing, noted(2), to=path)) == (403, "forbidden")
    bound = structs.replace(DIRECTOR, tables=("open",))
    assert problem_of(send(playing, noted(2), to=path, who=bound)) == (403, "forbidden")
    answer = send(playing, noted(2), entry(3, {"type": "session_closed"}), to=path, who=DIRECTOR)
    assert (answer.status_code, answer.json()["version"], answer.json()["turn"]) == (201, 3, None)


CLOSED = {"type": "session_closed"}


def test_a_session_with_open_tables_is_closed_only_where_that_is_confirmed(playing: Served) -> None:
    opened = {**OMBRE[0], "session": "spring"}
    playing.post("/sessions", {"id": an_id(1), "slug": "spring", "event": SESSION}, who=DIRECTOR)
    for number, slug in enumerate(("one", "two"), start=2):
        playing.post("/tables", {"id": an_id(number), "slug": slug, "event": opened}, who=DIRECTOR)
    path = "/streams/session/spring/entries"
    refused = send(playing, entry(4, CLOSED), to=path, who=DIRECTOR)
    assert (problem_of(refused), refused.json()["tables"]) == ((409, "confirm_required"), ["one", "two"])
    one = {"stream": "table/one", "entries": [entry(5, {"type": "table_closed"})]}
    session = {"stream": "session/spring", "entries": [entry(4, CLOSED)]}
    refused = playing.post("/batches", {"batches": [one, session]}, who=DIRECTOR)
    assert (problem_of(refused), refused.json()["tables"]) == ((409, "confirm_required"), ["two"])
    assert send(playing, entry(4, CLOSED), to=path, who=DIRECTOR, confirm=True).status_code == 201
    again = send(playing, entry(4, CLOSED), to=path, who=DIRECTOR)
    assert (again.status_code, again.json()["already_recorded"]) == (200, True)
    assert problem_of(send(playing, entry(6, CLOSED), to=path, who=DIRECTOR)) == (422, "malformed")


def test_a_session_closes_unasked_where_its_last_tables_close_with_it(playing: Served) -> None:
    playing.post("/sessions", {"id": an_id(1), "slug": "spring", "event": SESSION}, who=DIRECTOR)
    playing.post("/tables", {"id": an_id(2), "slug": "one", "event": {**OMBRE[0], "session": "spring"}}, who=DIRECTOR)
    batches = [
        {"stream": "table/one", "entries": [entry(3, {"type": "table_closed"})]},
        {"stream": "session/spring", "entries": [entry(4, CLOSED)]},
    ]
    assert playing.post("/batches", {"batches": batches}, who=DIRECTOR).status_code == 201


@pytest.mark.parametrize("who", [DIRECTOR, MAY_OPEN, structs.replace(MAY_OPEN, tables=("fresh",))])
def test_a_table_is_opened(playing: Served, who: Grant) -> None:
    body = {"id": an_id(1), "slug": "fresh", "event": OMBRE[0]}
    answer = playing.post("/tables", body, who=who)
    assert (answer.status_code, answer.headers["etag"]) == (201, '"1"')
    assert answer.headers["location"] == "/api/v1/tables/fresh"
    assert playing.post("/tables", body, who=who).status_code == 200
    assert send(playing, entry(2, OMBRE[1]), to="/streams/table/fresh/entries", who=who).status_code == 201


def test_batches_are_recorded_together(playing: Served) -> None:
    batches = [
        {"stream": "session/spring", "entries": [entry(1, SESSION)]},
        {"stream": "table/fresh", "entries": [entry(2, {**OMBRE[0], "session": "spring"}), entry(3, OMBRE[1])]},
        {"stream": "table/open", "entries": [entry(4, PASS)], "expected_version": 4},
        {"stream": "table/fresh", "entries": [entry(5, OMBRE[2])], "expected_version": 2},
        {"stream": "session/spring", "entries": [noted(6)], "expected_version": 1},
    ]
    answer = playing.post("/batches", {"batches": batches}, who=DIRECTOR)
    assert answer.status_code == 201
    receipts = answer.json()["receipts"]
    assert [one["stream"] for one in receipts] == [one["stream"] for one in batches]
    assert [one["version"] for one in receipts] == [1, 2, 5, 3, 2]
    again = playing.post("/batches", {"batches": batches}, who=DIRECTOR)
    assert (again.status_code, {one["already_recorded"] for one in again.json()["receipts"]}) == (200, {True})


def test_of_batches_all_are_recorded_or_none(playing: Served) -> None:
    batches = [
        {"stream": "table/fresh", "entries": [entry(1, OMBRE[0])]},
        {"stream": "table/open", "entries": [noted(2), entry(3, TOO_LOW)]},
    ]
    answer = playing.post("/batches", {"batches": batches}, who=DIRECTOR)
    assert (*problem_of(answer), answer.json()["entry_index"]) == (422, "against_rules", 1)
    assert send(playing, noted(2)).json()["version"] == 5


def test_a_batch_sent_with_a_recorded_one_is_not_recorded_unjudged(playing: Served) -> None:
    send(playing, noted(1))
    batches = [
        {"stream": "table/open", "entries": [noted(1)]},
        {"stream": "table/open", "entries": [entry(2, TOO_LOW)]},
    ]
    assert problem_of(playing.post("/batches", {"batches": batches}, who=RECORDER)) == (409, "partly_recorded")
