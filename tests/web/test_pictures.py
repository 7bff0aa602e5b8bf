"""Pictures of the table over HTTP: those of the library, of what whoever asks may see."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import ledger
from tests.web.club import OPEN, REVOKE, club_of
from tests.web.serving import SEER, VIEWER, Served, links_of, serving

STEP = f"/tables/{REVOKE}/deals/1/steps/20"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    path = club_of(tmp_path_factory.mktemp("club"))
    with ledger.open(path) as store:
        store.set_display_name("Baron", "The Baron")
    with serving(path) as one:
        yield one


@pytest.mark.parametrize(
    ("asked", "how"), [("", {}), ("seat=1", {"seat": 1}), ("below=2&lang=ja", {"below": 2, "lang": "ja"})]
)
def test_a_picture_is_that_of_the_library(served: Served, asked: str, how: dict[str, object]) -> None:
    with ledger.open(served.ledger) as store:
        drawn = ledger.table_picture(store, REVOKE, 1, 20, names=store.display_names(), **how)  # type: ignore[arg-type]
    answer = served.get(f"{STEP}.svg?{asked}")
    assert (answer.text, answer.headers["content-type"]) == (drawn, "image/svg+xml")
    assert "The Baron" in answer.text


def test_the_last_moment_has_a_picture_by_its_name(served: Served) -> None:
    last = served.ok(f"/tables/{REVOKE}/deals/1/steps/last")["step"]
    by_name, by_number = (served.get(STEP.replace("20", str(step)) + ".svg").text for step in ("last", last))
    assert by_name == by_number


def test_a_picture_as_pixels_is_as_large_as_is_asked(served: Served) -> None:
    answer = served.get(f"{STEP}.png?scale=2")
    assert answer.headers["content-type"] == "image/png"
    assert [int.from_bytes(answer.content[at : at + 4]) for at in (16, 20)] == [800, 880]


def test_either_form_names_the_other(served: Served) -> None:
    assert links_of(served.get(f"{STEP}.png?scale=2&seat=1"))["alternate"] == f"/api/v1{STEP}.svg?seat=1"
    assert links_of(served.get(f"{STEP}.svg?seat=1"))["alternate"] == f"/api/v1{STEP}.png?seat=1"


def test_a_picture_shows_no_hidden_card(served: Served) -> None:
    path = f"/tables/{OPEN}/deals/1/steps/last.svg"
    seen, open_hands = (served.get(path, who=who).text for who in (VIEWER, SEER))
    assert "hearts" not in seen.partition("</desc>")[0]
    assert "hearts" in open_hands.partition("</desc>")[0]
