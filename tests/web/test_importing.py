"""Imports over HTTP: recognised by content, recorded as a whole or not at all, while others record."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from msgspec import structs

import ledger
from ledger.access.grants import Grant
from ledger.service.running import Settings
from ledger.web.api import imports
from tests.contracts.log_builders import an_id
from tests.recording.test_slips import SLIP
from tests.web.sending import PASS, an_open_table, entry, noted, problem_of, send
from tests.web.serving import DIRECTOR, OMBRE, RECORDER, SEER, Served, encoded, ledger_of, record, serving, stored_rows

REVOKE = Path(__file__).parents[2] / "replays" / "ombre" / "revoke.toml"
NDJSON = "application/x-ndjson"
TOML = "application/toml"


def sent(
    playing: Served, content: Any, query: str = "", media: str = NDJSON, who: Grant | None = DIRECTOR
) -> httpx.Response:
    return playing.ask("POST", f"/import{query}", content=content, headers={"content-type": media}, who=who)


def bare(*lines: dict[str, Any], stream: str = "table/fresh") -> bytes:
    return b"".join(json.dumps({"stream": stream, **line}).encode() + b"\n" for line in lines)


def head_of(playing: Served) -> int:
    return playing.service.visible.head.position


def test_a_hand_record_is_imported_as_by_the_command(playing: Served, tmp_path: Path) -> None:
    answer = sent(playing, REVOKE.read_bytes(), media=TOML)
    assert answer.status_code == 201
    with ledger.open(ledger_of(tmp_path, name="other.ledger")) as store:
        report = ledger.import_file(store, REVOKE, ledger.Recording(by="director-1"))
    expected = {**encoded(report), "source": "the body of the request"}
    assert answer.json() == expected
    assert playing.ok("/tables/ombre-revoke/score")["totals"]  # to be read as soon as it is answered
    assert {row.recorded_by for row in stored_rows(playing.ledger, "table/ombre-revoke")} == {"director-1"}


def test_lines_are_imported_and_known_ones_not_again(playing: Served) -> None:
    content = bare({"event": OMBRE[0], "id": an_id(1)}, {"event": OMBRE[1], "id": an_id(2)})
    first, again = sent(playing, content), sent(playing, content)
    assert (first.status_code, again.status_code) == (201, 200)
    assert (again.json()["events"], again.json()["already_recorded"]) == (0, 2)


def test_a_dry_run_reports_what_would_change(playing: Served) -> None:
    before = head_of(playing)
    answer = sent(playing, REVOKE.read_bytes(), "?dry_run=true", TOML)
    assert (answer.status_code, answer.json()["dry_run"]) == (200, True)
    assert answer.json()["changes"][0]["table"] == "ombre-revoke"
    assert head_of(playing) == before


def test_a_rule_break_is_refused_with_strict(playing: Served) -> None:
    answer = sent(playing, REVOKE.read_bytes(), "?strict=true", TOML)
    assert (*problem_of(answer), answer.json()["finding"]) == (422, "against_rules", "OMB-11.37")
    assert answer.json()["line"] > 1


def test_what_cannot_have_been_so_is_refused_unless_it_is_meant(playing: Served) -> None:
    answer = sent(playing, SLIP.encode(), media=TOML)
    assert (*problem_of(answer), answer.json()["line"]) == (422, "malformed", 10)
    assert [slip["line"] for slip in sent(playing, SLIP.encode(), "?as_typed=true", TOML).json()["slips"]] == [10]


def test_a_line_that_is_wrong_is_named_and_nothing_recorded(playing: Served) -> None:
    before = head_of(playing)
    content = bare({"event": OMBRE[0]}, {"event": {**OMBRE[1], "dealer": 7}})
    answer = sent(playing, content)
    assert (*problem_of(answer), answer.json()["line"]) == (422, "malformed", 2)
    assert problem_of(sent(playing, b"{\n")) == (400, "not_json")
    assert problem_of(sent(playing, b"")) == (422, "malformed")
    assert head_of(playing) == before


def test_a_body_of_another_type_is_not_taken(playing: Served) -> None:
    answer = sent(playing, b"{}", media="application/json")
    assert (*problem_of(answer), answer.json()["known"]) == (415, "unsupported_media_type", [NDJSON, TOML])
    assert problem_of(sent(playing, b"", "?correct=true")) == (400, "unknown_parameter")


async def pieces(content: bytes) -> AsyncIterator[bytes]:
    for at in range(0, len(content), 700):
        yield content[at : at + 700]


def test_a_file_in_pieces_is_one_file_or_refused_while_it_comes(
    playing: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert sent(playing, pieces(REVOKE.read_bytes()), media=TOML).json()["events"] == 38
    monkeypatch.setattr(imports, "FILE_BYTES", 5_000)
    answer = sent(playing, pieces(b" " * 10_000))
    assert (*problem_of(answer), answer.json()["limit"]) == (413, "too_large", 5_000)


def test_acts_go_on_while_a_file_is_read(playing: Served) -> None:
    lines = [{"event": OMBRE[0]}, *({"event": {"type": "noted", "text": str(at)}} for at in range(3_000))]

    async def both() -> tuple[httpx.Response, list[int]]:
        reading = asyncio.create_task(
            playing.request("POST", "/import", content=bare(*lines), headers={"content-type": NDJSON}, who=DIRECTOR)
        )
        meanwhile = []
        while not reading.done():
            body = {"entries": [noted(100 + len(meanwhile))]}
            answer = await playing.request("POST", "/streams/table/open/entries", json=body, who=RECORDER)
            meanwhile.append(answer.status_code)
        return await reading, meanwhile

    answer, meanwhile = playing.run(both())
    assert (answer.status_code, answer.json()["events"]) == (201, 3_001)
    assert len(meanwhile) > 1
    assert set(meanwhile) == {201}


def test_a_table_that_goes_on_meanwhile_is_judged_anew(playing: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    reads = []
    ordinarily = imports._imported

    def slowly(request: Any, query: Any, file: Any) -> Any:
        if not reads:
            with ledger.open(playing.ledger) as store:
                reads.append(record(store, "open", {"type": "noted", "text": "meanwhile"}, by="another-process"))
        return ordinarily(request, query, file)

    monkeypatch.setattr(imports, "_imported", slowly)
    answer = sent(playing, bare({"event": PASS}, stream="table/open"))
    assert (answer.status_code, len(reads)) == (201, 1)


def test_nothing_is_imported_where_nothing_is_recorded(tmp_path: Path) -> None:
    with serving(an_open_table(tmp_path), Settings(loopback=False, read_only=True)) as playing:
        assert problem_of(sent(playing, bare({"event": OMBRE[0]}))) == (503, "read_only")


def a_line(id: int, event: Any) -> bytes:
    return bare({"event": event, "id": an_id(id)}, stream="table/open")


@pytest.mark.parametrize("query", ["", "?dry_run=true"])
@pytest.mark.parametrize("guess", [{"type": "noted", "text": "he holds the ace"}, {"type": "noted", "text": "no"}])
@pytest.mark.parametrize("who", [DIRECTOR, SEER])
def test_the_id_of_a_hidden_entry_is_used_up(playing: Served, query: str, guess: dict[str, Any], who: Grant) -> None:
    send(playing, noted(7, "he holds the ace"))
    answer = sent(playing, a_line(7, guess), query, who=who)
    assert (*problem_of(answer), answer.json()["version"]) == (409, "id_used", 5)
    for sending in (entry(7, guess), noted(7, "he holds the ace")):
        assert problem_of(send(playing, sending, who=who)) == (409, "id_used")
        body = {"batches": [{"stream": "table/open", "entries": [sending]}]}
        assert problem_of(playing.post("/batches", body, who=who)) == (409, "id_used")
    assert send(playing, noted(7, "he holds the ace")).status_code == 200


def test_who_recorded_a_hidden_entry_may_import_it_again(playing: Served) -> None:
    director = structs.replace(DIRECTOR, name="Ann")
    send(playing, noted(7), who=director)
    line = a_line(7, {"type": "noted", "text": "a cup was spilled"})
    assert sent(playing, line, who=director).json()["already_recorded"] == 1


def test_an_export_proves_no_guess_while_a_deal_is_open(playing: Served) -> None:
    rows = stored_rows(playing.ledger, "table/open")
    whole = b"".join(row.line() + b"\n" for row in rows)
    for query in ("", "?dry_run=true"):
        answer = sent(playing, whole, query)
        assert (*problem_of(answer), answer.json()["version"]) == (409, "id_used", 3)
        before = sent(playing, rows[0].line() + b"\n", query)
        assert (*problem_of(before), before.json()["tables"]) == (409, "deal_open", ["open"])
    assert problem_of(sent(playing, whole, who=SEER)) == (409, "id_used")
    seen = sent(playing, rows[0].line() + b"\n", who=SEER)
    assert seen.status_code == 200, seen.text
    assert seen.json()["already_recorded"] == 1
    assert send(playing, entry(9, {"type": "table_closed"}), as_played=True, who=SEER).status_code == 201
    opened = sent(playing, whole)
    assert opened.json()["already_recorded"] == 4, opened.text
