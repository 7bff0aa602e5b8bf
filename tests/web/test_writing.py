"""Recording entries of tables and sessions: once, checked first, by clients with the right."""

import asyncio

import pytest
from msgspec import structs

import ledger
from ledger.access.grants import Grant
from tests.contracts.log_builders import an_id
from tests.web.sending import OPEN, PASS, entry, noted, problem_of, send
from tests.web.serving import DIRECTOR, OMBRE, RECORDER, Served, record, stored_rows

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


def test_the_same_again_gets_the_first_receipt_though_it_would_be_illegal_by_now(playing: Served) -> None:
    first = send(playing, entry(1, PASS)).json()
    send(playing, entry(2, {**PASS, "seat": 2}))
    again = send(playing, entry(1, PASS), expected_version=4)
    assert again.status_code == 200
    assert again.json()["already_recorded"]
    assert {name: again.json()[name] for name in ("ids", "first_version", "last_position")} == {
        name: first[name] for name in ("ids", "first_version", "last_position")
    }


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


def test_a_thousand_entries_are_taken_at_once_and_no_more(playing: Served) -> None:
    answer = send(playing, *map(noted, range(1, 1002)))
    assert (*problem_of(answer), answer.json()["limit"]) == (413, "too_large", 1000)
    assert send(playing, *map(noted, range(1, 1001))).json()["version"] == 1004


def test_a_refusal_is_in_japanese(playing: Served) -> None:
    answer = send(playing, entry(1, PASS), who=AT_OPEN, headers={"accept-language": "ja", "if-match": "4"})
    assert answer.json()["detail"] == "If-Matchがバージョンではありません: '4'(正しくはバージョン、または*)"


@pytest.mark.parametrize("who", [DIRECTOR, MAY_OPEN, structs.replace(MAY_OPEN, tables=("fresh",))])
def test_a_table_is_opened(playing: Served, who: Grant) -> None:
    body = {"id": an_id(1), "slug": "fresh", "event": OMBRE[0]}
    answer = playing.post("/tables", body, who=who)
    assert (answer.status_code, answer.headers["etag"]) == (201, '"1"')
    assert answer.headers["location"] == "/api/v1/tables/fresh"
    assert playing.post("/tables", body, who=who).status_code == 200
    assert send(playing, entry(2, OMBRE[1]), to="/streams/table/fresh/entries", who=who).status_code == 201
