"""Recording entries: once, checked first, by clients with the right; and corrections, disputes and rulings."""

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from msgspec import structs

import ledger
from ledger.access.grants import Grant, Role
from ledger.log.sqlite import SqliteStore
from tests.contracts.log_builders import an_id
from tests.patience import PATIENCE_S
from tests.web.roles import DIRECTOR, RECORDER
from tests.web.sending import OPEN, PASS, entry, noted, problem_of, send
from tests.web.serving import OMBRE, Served, encoded, ledger_of, ledger_with, record, serving, stored_rows

REVOKE = Path(__file__).parents[2] / "replays" / "ombre" / "revoke.toml"


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with serving(ledger_of(tmp_path, REVOKE)) as one:
        yield one


def correct(served: Served, table: str = "ombre-revoke", who: Grant = DIRECTOR, **fields: Any) -> httpx.Response:
    headers = fields.pop("headers", None)
    body = {"id": an_id(1), "action": "strike", "reason": "misread", **fields}
    return served.post(f"/tables/{table}/corrections", body, who=who, headers=headers)


def rule_on(served: Served, table: str = "ombre-revoke", who: Grant = DIRECTOR, **fields: Any) -> httpx.Response:
    body = {"id": an_id(1), "deal": 1, "text": "he had one", "kind": "stands", **fields}
    return served.post(f"/tables/{table}/rulings", body, who=who)


def version_of(served: Served, table: str = "ombre-revoke") -> int:
    return served.service.versions[f"table/{table}"]


def test_a_correction_answers_what_the_command_answers(served: Served, tmp_path: Path) -> None:
    last = version_of(served)
    fields = {"action": "replace", "deal": 1, "step": 24, "words": "D4", "expected_version": last}
    tried, answer = correct(served, **fields, dry_run=True), correct(served, **fields)
    assert (tried.status_code, tried.json()["position"], tried.json()["change"]) == (200, None, answer.json()["change"])
    assert (answer.status_code, answer.headers["etag"]) == (201, f'"{last + 1}"')
    assert answer.headers["location"] == f"/api/v1/streams/table/ombre-revoke/entries?after_version={last}"
    with ledger.open(ledger_of(tmp_path, REVOKE, name="other.ledger")) as store:
        recording = ledger.Recording(by="director-1", id=an_id(1))
        added = ledger.correct(
            store, "ombre-revoke", "replace", "D4", deal=1, step=24, reason="misread", recording=recording
        )
    assert answer.json() == encoded(added.answer())
    assert [finding["code"] for finding in answer.json()["change"]["deals"][0]["gone"]] == ["OMB-11.37"]


def test_a_ruling_answers_what_the_command_answers(served: Served, tmp_path: Path) -> None:
    last = version_of(served)
    fields = {"kind": "adjust", "deltas": [0, 20, -20], "pool": 0, "rule": "6.8", "expected_version": last}
    tried = rule_on(served, **fields, dry_run=True)
    answer = rule_on(served, **fields)
    assert (tried.status_code, answer.status_code) == (200, 201)
    assert answer.headers["etag"] == f'"{last + 1}"'
    with ledger.open(ledger_of(tmp_path, REVOKE, name="other.ledger")) as store:
        recording = ledger.Recording(by="director-1", id=an_id(1))
        added = ledger.ruling(
            store, "ombre-revoke", "adjust", "he had one", deal=1, rule="6.8", deltas=[0, 20, -20], pool=0,
            recording=recording,
        )  # fmt: skip
    assert answer.json() == encoded(added.answer())
    assert tried.json()["change"] == answer.json()["change"]
    assert rule_on(served, **fields).status_code == 200


def test_an_award_is_sent_as_the_contract_has_it(tmp_path: Path) -> None:
    record = Path(__file__).parents[2] / "replays" / "couillon" / "01-third-player-takes.toml"
    with serving(ledger_of(tmp_path, record)) as served:
        table = "couillon-01-third-player-takes"
        award = {"winner": 1, "strength": 2, "circle": False, "draw_mark": 0}
        answer = rule_on(served, table, kind="award", award=award, expected_version=version_of(served, table))
        assert answer.status_code == 201, answer.text
        assert answer.json()["event"]["award"] == award


# Many at once


def test_simultaneous_requests_share_commits_not_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Disputes, rulings and corrections of different tables that arrive while the writer is busy share a commit."""
    tables = {f"t{number}": [*OMBRE, PASS] for number in range(9)}
    requests_by_table = {}
    for number, table in enumerate(tables):
        of_all: dict[str, Any] = {"id": an_id(number + 1), "deal": 1, "text": "he had a heart"}
        requests_by_table[table] = [
            ("disputes", of_all),
            ("rulings", {**of_all, "kind": "stands", "expected_version": 5}),
            ("corrections", {"id": an_id(number + 1), "action": "strike", "reason": "misread", "expected_version": 5}),
        ][number % 3]
    plain = SqliteStore.append_group
    groups: list[int] = []

    def counted(store: SqliteStore, requests: Any) -> Any:
        groups.append(len(requests))
        return plain(store, requests)

    monkeypatch.setattr(SqliteStore, "append_group", counted)

    async def together(served: Served) -> list[httpx.Response]:
        begun, free = threading.Event(), threading.Event()

        def keep_busy(store: Any) -> None:
            begun.set()
            free.wait(PATIENCE_S)

        busy = asyncio.ensure_future(served.service.do(keep_busy))
        await asyncio.to_thread(begun.wait, PATIENCE_S)
        request = [
            asyncio.ensure_future(served.request("POST", f"/tables/{table}/{path}", json=body, who=DIRECTOR))
            for table, (path, body) in requests_by_table.items()
        ]
        async with asyncio.timeout(PATIENCE_S):
            while served.service.writer.waiting < len(request):
                await asyncio.sleep(0.01)
            free.set()
            await busy
            return await asyncio.gather(*request)

    with serving(ledger_with(tmp_path, tables)) as served:
        answers = served.run(together(served))
    assert [answer.status_code for answer in answers] == [201] * len(tables)
    assert groups == [len(tables)]
    (tmp_path / "alone").mkdir()
    with serving(ledger_with(tmp_path / "alone", tables)) as served:
        alone = [
            served.post(f"/tables/{table}/{path}", body, who=DIRECTOR).json()
            for table, (path, body) in requests_by_table.items()
        ]
    positions = [answer.json()["position"] for answer in answers]
    assert sorted(positions) == [one["position"] for one in alone]
    assert [answer.json() for answer in answers] == [
        {**one, "position": position} for one, position in zip(alone, positions, strict=True)
    ]


def test_disputes_about_one_table_at_once_stand_in_the_order_in_which_they_came(served: Served) -> None:
    async def together() -> list[httpx.Response]:
        body = {"deal": 1, "text": "he had a heart"}
        path = "/tables/ombre-revoke/disputes"
        return await asyncio.gather(
            *(served.request("POST", path, json={**body, "id": an_id(number)}, who=DIRECTOR) for number in range(1, 6))
        )

    last = version_of(served)
    answers = served.run(together())
    assert [answer.status_code for answer in answers] == [201] * 5
    assert [answer.json()["version"] for answer in answers] == list(range(last + 1, last + 6))


SESSION = {"type": "session_opened", "title": "Spring", "date": "2026-03-01"}
AT_OPEN = structs.replace(RECORDER, tables=("open",))
MAY_OPEN = structs.replace(RECORDER, may_open=True)


def test_an_entry_is_recorded_and_the_table_after_it_returned(playing: Served) -> None:
    answer = send(playing, entry(1, PASS), expected_version=4)
    assert answer.status_code == 201
    assert answer.headers["etag"] == '"5"'
    assert answer.headers["location"] == "/api/v1/streams/table/open/entries?after_version=4"
    answered = answer.json()
    recorded = {"stream": "table/open", "first_version": 5, "last_version": 5, "ids": [an_id(1)]}
    assert answered | recorded == answered
    assert (answered["version"], answered["turn"], answered["findings"]) == (5, 2, [])
    assert answered["legal"] == {"bid_made": ["pass", "solo", "vuelta"]}
    row = stored_rows(playing.ledger, "table/open")[-1]
    assert (row.id, row.recorded_by, row.position) == (an_id(1), "recorder-1", answered["first_position"])


def test_the_same_request_at_the_same_time_is_recorded_once(playing: Served) -> None:
    async def twice() -> list[int]:
        body = {"entries": [entry(1, PASS)]}
        requests = [playing.request("POST", OPEN, json=body, who=RECORDER) for _ in range(8)]
        return sorted(answer.status_code for answer in await asyncio.gather(*requests))

    assert playing.run(twice()) == [200] * 7 + [201]


@pytest.mark.parametrize(
    ("stream", "role", "count"), [("table/open", "recorder", 40), ("session/spring", "director", 10)]
)
def test_notes_of_many_at_once_are_all_recorded(playing: Served, stream: str, role: Role, count: int) -> None:
    playing.post("/sessions", {"id": an_id(1), "slug": "spring", "event": SESSION}, who=DIRECTOR)

    async def many() -> list[int]:
        people = [Grant(token=f"r-{number}", role=role) for number in range(count)]
        requests = [
            playing.request("POST", f"/streams/{stream}/entries", json={"entries": [noted(100 + number)]}, who=who)
            for number, who in enumerate(people)
        ]
        return [answer.status_code for answer in await asyncio.gather(*requests)]

    before = playing.service.versions[stream]
    assert playing.run(many()) == [201] * count
    assert [row.version for row in stored_rows(playing.ledger, stream)][before:] == [
        *range(before + 1, before + 1 + count)
    ]


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
