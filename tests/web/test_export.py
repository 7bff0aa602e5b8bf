"""The ledger carried away over HTTP: the bytes of the command, while nobody may guess by them what is hidden."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

import pytest

import ledger
from ledger.access.grants import Grant
from ledger.events import DealVoided
from ledger.web import exporting
from tests.web.club import OPEN, club_of
from tests.web.serving import DIRECTOR, SEER, Served, serving

BOUND = Grant(token="director-3", role="director", tables=(OPEN,))


def exported(served: Served, after: int = 0, until: int | None = None) -> bytes:
    with ledger.open(served.ledger) as store:
        return b"".join(line + b"\n" for line in ledger.export(store, after=after, until=until))


@pytest.mark.parametrize("piece_bytes", [1, 1_000, 64_000])
def test_an_export_is_that_of_the_command(served: Served, piece_bytes: int) -> None:
    with patch.object(exporting, "PIECE_BYTES", piece_bytes):
        answer = served.get("/export", who=SEER)
    assert answer.content == exported(served)
    assert answer.headers["content-type"] == "application/x-ndjson"
    last = served.service.horizon.head.position
    assert answer.headers["content-disposition"] == f'attachment; filename="ledger-1-{last}.ndjson"'


@pytest.mark.parametrize(("after", "until"), [(0, 10), (10, 20), (10, None), (20, 20), (0, 0)])
def test_a_part_of_an_export_is_that_part_of_its_lines(served: Served, after: int, until: int | None) -> None:
    lines = exported(served).splitlines(keepends=True)
    asked = f"after={after}" if until is None else f"after={after}&until={until}"
    content = served.get(f"/export?{asked}", who=SEER).content
    assert content == b"".join(lines[after:until]) == exported(served, after, until)


def test_parts_make_the_same_ledger(served: Served, tmp_path: Path) -> None:
    with ledger.create(tmp_path / "copy.ledger") as copy:
        for number, asked in enumerate(("until=30", "after=30")):
            file = tmp_path / f"{number}.ndjson"
            file.write_bytes(served.get(f"/export?{asked}", who=SEER).content)
            ledger.import_file(copy, file, ledger.Recording(by="me"))
        assert copy.head() == served.service.horizon.head


def test_while_a_deal_is_open_it_is_for_who_may_see_hands(served: Served) -> None:
    told = served.problem("/export", 409, "deal_open", who=DIRECTOR)
    assert told["tables"] == [OPEN]
    assert told["reaches"] == served.service.horizon.hidden[f"table/{OPEN}"].position - 1


def test_what_lies_before_everything_hidden_is_for_every_director(served: Served) -> None:
    reaches = served.service.horizon.reaches
    assert served.get(f"/export?until={reaches}", who=DIRECTOR).content == exported(served, 0, reaches)
    served.problem(f"/export?until={reaches + 1}", 409, "deal_open", who=DIRECTOR)


def test_once_the_deal_is_over_every_director_may_have_it(tmp_path: Path) -> None:
    with serving(club_of(tmp_path)) as own:
        own.record(OPEN, DealVoided(reason="a card lay face up"))
        assert own.get("/export", who=DIRECTOR).content == exported(own)


def test_head_tells_of_it_without_reading_on(served: Served) -> None:
    answer = served.head("/export", who=SEER)
    assert (answer.status_code, answer.content) == (200, b"")
    assert served.get("/export", who=SEER, headers={"if-none-match": answer.headers["etag"]}).status_code == 304
