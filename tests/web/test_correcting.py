"""Corrections, disputes and rulings: rights, effects, and equal answers to equal requests."""

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

import ledger
from ledger.access.grants import Grant
from ledger.log.sqlite import SqliteStore
from tests.contracts.log_builders import an_id
from tests.patience import PATIENCE_S
from tests.web.sending import PASS
from tests.web.serving import (
    DIRECTOR,
    OMBRE,
    RECORDER,
    SEER,
    Served,
    encoded,
    ledger_of,
    ledger_with,
    serving,
    stored_events,
)

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
    answer = correct(served, action="replace", deal=1, step=24, words="D4", expected_version=last)
    assert (answer.status_code, answer.headers["etag"]) == (201, f'"{last + 1}"')
    assert answer.headers["location"] == f"/api/v1/streams/table/ombre-revoke/entries?after_version={last}"
    with ledger.open(ledger_of(tmp_path, REVOKE, name="other.ledger")) as store:
        recording = ledger.Recording(by="director-1", id=an_id(1))
        added = ledger.correct(
            store, "ombre-revoke", "replace", "D4", deal=1, step=24, reason="misread", recording=recording
        )
    assert answer.json() == encoded(added.answer())
    assert [finding["code"] for finding in answer.json()["change"]["deals"][0]["gone"]] == ["OMB-11.37"]


def test_a_dry_run_shows_the_change_and_records_nothing(served: Served) -> None:
    fields = {"action": "replace", "deal": 1, "step": 24, "words": "D4", "expected_version": version_of(served)}
    tried = correct(served, **fields, dry_run=True)
    assert tried.status_code == 200
    assert tried.json()["position"] is None
    done = correct(served, **fields)
    assert done.status_code == 201
    assert tried.json()["change"] == done.json()["change"]


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


def test_cards_sent_for_an_open_deal_are_not_sent_back(playing: Served) -> None:
    hands = [["SA", "S2", "S3", "HK", "HQ", "D7", "D6", "CK", "CJ"], *OMBRE[2]["hands"][1:]]
    hands[2] = [*OMBRE[2]["hands"][2][:7], "CQ", "C5"]
    fields = {"action": "replace", "version": 3, "events": [{**OMBRE[2], "hands": hands}], "expected_version": 4}
    seen = correct(playing, "open", DIRECTOR, **fields, dry_run=True)
    assert set(seen.json()["event"]["events"][0]["hands"][0]) == {"??"}
    full = correct(playing, "open", SEER, **fields, dry_run=True)
    assert full.json()["event"]["events"][0]["hands"] == hands


def test_what_was_undone_unseen_comes_back_in_full(playing: Served) -> None:
    assert correct(playing, "open", RECORDER, version=4, expected_version=4).status_code == 201
    struck = correct(playing, "open", RECORDER, version=3, expected_version=5, id=an_id(2))
    assert struck.status_code == 201
    back = correct(playing, "open", RECORDER, version=3, action="restore", expected_version=6, id=an_id(3))
    assert set(back.json()["event"]["events"][0]["hands"][0]) == {"??"}
    assert encoded(stored_events(playing.ledger, "table/open")[-1])["events"] == [OMBRE[2]]
    again = correct(playing, "open", RECORDER, version=3, action="restore", expected_version=6, id=an_id(3))
    assert (again.status_code, again.json()) == (200, {**back.json(), "already_recorded": True})


# Many at once


def test_many_at_once_are_recorded_with_fewer_commits_and_answered_as_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
