"""Streams, their entries and exports of the ledger over HTTP, as far as the client may see them."""

from pathlib import Path
from unittest.mock import patch

import pytest

import ledger
from ledger.events import DealVoided, HandsOpened
from ledger.web.api import exports
from tests.web.club import OPEN, REVOKE
from tests.web.serving import DIRECTOR, RECORDER, SEER, Served, encoded, lines_of, links_of

NDJSON = "application/x-ndjson"


def test_streams_are_listed_with_their_last_entries(served: Served) -> None:
    with ledger.open(served.ledger) as store:
        heads = encoded(store.streams())
    assert served.ok("/streams") == heads
    assert served.ok("/streams?prefix=table/o") == [head for head in heads if head["stream"].startswith("table/o")]
    assert served.ok("/streams?prefix=session/") == []


def test_entries_before_anything_hidden_are_those_of_an_export(served: Served) -> None:
    path = f"/streams/table/{REVOKE}/entries"
    with ledger.open(served.ledger) as store:
        exported = [line for line in ledger.export(store) if b'"stream":"table/ombre-revoke"' in line]
    lines = served.get(path, headers={"accept": NDJSON})
    assert lines.headers["content-type"] == NDJSON
    assert lines.content == b"".join(line + b"\n" for line in exported)
    assert served.ok(path) == lines_of(lines)


def test_the_previous_page_is_linked(served: Served) -> None:
    answer = served.get(f"/streams/table/{REVOKE}/entries?limit=7&after_version=10")
    before = links_of(answer)["prev"].removeprefix("/api/v1")
    assert [entry["version"] for entry in served.ok(before)] == list(range(4, 11))


def test_hidden_cards_and_their_digests_are_not_sent(served: Served) -> None:
    path = f"/streams/table/{OPEN}/entries"
    _, started, dealt, _ = served.ok(path)
    assert started["digest"] is None and dealt["digest"] is None
    assert dealt["event"]["hands"][0] == ["??"] * 9
    assert served.ok(path, who=RECORDER)[2] == dealt
    with_hands = served.ok(path, who=SEER)[2]
    assert with_hands["event"]["hands"][0][0] == "SA" and len(with_hands["digest"]) == 64


def test_the_digests_of_one_table_wait_for_the_deals_of_others(own: Served) -> None:
    path = f"/streams/table/{REVOKE}/entries?after_version=39"
    own.record(REVOKE, {"type": "noted", "text": "late"})
    held = own.get(path)
    assert held.json()[0]["digest"] is None
    own.record(OPEN, DealVoided(reason="a card lay face up"), HandsOpened(deal=1))
    page = own.ok(path, headers={"if-none-match": held.headers["etag"]})
    assert len(page[0]["digest"]) == 64


def exported(served: Served, after: int = 0, until: int | None = None) -> bytes:
    with ledger.open(served.ledger) as store:
        return b"".join(line + b"\n" for line in ledger.export(store, after=after, until=until))


@pytest.mark.parametrize("piece_bytes", [1, 1_000, 64_000])
def test_an_export_is_that_of_the_command(served: Served, piece_bytes: int) -> None:
    with patch.object(exports, "PIECE_BYTES", piece_bytes):
        answer = served.get("/export", who=SEER)
    assert answer.content == exported(served)
    assert answer.headers["content-type"] == "application/x-ndjson"
    last = served.service.visible.head.position
    assert answer.headers["content-disposition"] == f'attachment; filename="ledger-1-{last}.ndjson"'


@pytest.mark.parametrize(("after", "until"), [(0, 10), (10, 20), (10, None), (20, 20), (0, 0)])
def test_a_part_of_an_export_is_that_part_of_its_lines(served: Served, after: int, until: int | None) -> None:
    lines = exported(served).splitlines(keepends=True)
    query = f"after={after}" if until is None else f"after={after}&until={until}"
    content = served.get(f"/export?{query}", who=SEER).content
    assert content == b"".join(lines[after:until]) == exported(served, after, until)


def test_parts_make_the_same_ledger(served: Served, tmp_path: Path) -> None:
    with ledger.create(tmp_path / "copy.ledger") as copy:
        for number, query in enumerate(("until=30", "after=30")):
            file = tmp_path / f"{number}.ndjson"
            file.write_bytes(served.get(f"/export?{query}", who=SEER).content)
            ledger.import_file(copy, file, ledger.Recording(by="me"))
        assert copy.head() == served.service.visible.head


def test_while_a_deal_is_open_it_is_for_who_may_see_hands(served: Served) -> None:
    problem = served.problem("/export", 409, "deal_open", who=DIRECTOR)
    assert problem["tables"] == [OPEN]
    assert problem["reaches"] == served.service.visible.hidden[f"table/{OPEN}"].position - 1


def test_what_lies_before_everything_hidden_is_for_every_director(served: Served) -> None:
    reaches = served.service.visible.reaches
    assert served.get(f"/export?until={reaches}", who=DIRECTOR).content == exported(served, 0, reaches)
    served.problem(f"/export?until={reaches + 1}", 409, "deal_open", who=DIRECTOR)


def test_once_the_deal_is_over_every_director_may_have_it(own: Served) -> None:
    own.record(OPEN, DealVoided(reason="a card lay face up"), HandsOpened(deal=1))
    assert own.get("/export", who=DIRECTOR).content == exported(own)


def test_head_answers_without_reading_on(served: Served) -> None:
    answer = served.head("/export", who=SEER)
    assert (answer.status_code, answer.content) == (200, b"")
    assert served.get("/export", who=SEER, headers={"if-none-match": answer.headers["etag"]}).status_code == 304
