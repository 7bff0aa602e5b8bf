"""A service whose ledger has an altered table: answers about it are `damaged`, all others succeed."""

from collections.abc import Iterator

import pytest

from ledger.service.live_buffer import Follower, backfill, opened_meanwhile
from ledger.service.visibility import View
from ledger.web.api.live import JsonLines
from tests.log.damages import swap_cards
from tests.web.club import MATCH, OPEN, REVOKE, club_of
from tests.web.sending import noted, problem_of, send
from tests.web.serving import DIRECTOR, SEER, VIEWER, Served, serving


@pytest.fixture(scope="module")
def altered(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, int]]:
    """The club, two cards of the table `REVOKE` swapped, and the position of the first."""
    path = club_of(tmp_path_factory.mktemp("altered"))
    position = swap_cards(path, REVOKE)
    with serving(path) as served:
        yield served, position


@pytest.mark.parametrize("path", ["", "/score", "/audit", "/disputes", "/deals/1/steps/last"])
def test_an_answer_about_the_altered_table_is_damaged_and_about_others_it_is_not(
    altered: tuple[Served, int], path: str
) -> None:
    served, position = altered
    problem = served.problem(f"/tables/{REVOKE}{path}", 500, "damaged", who=DIRECTOR)
    assert problem["position"] == position
    assert served.get(f"/tables/{MATCH}{path}", who=DIRECTOR).status_code == 200


@pytest.mark.parametrize("path", ["/streams/table/{}/entries", "/streams/table/{}/entries?after_version=3"])
def test_altered_entries_are_not_answered(altered: tuple[Served, int], path: str) -> None:
    served, position = altered
    assert served.problem(path.format(REVOKE), 500, "damaged", who=SEER)["position"] == position
    assert served.get(path.format(MATCH)).status_code == 200


def test_the_list_says_which_table_is_damaged(altered: tuple[Served, int]) -> None:
    served, _ = altered
    assert [(row["table"], row["status"]) for row in served.ok("/tables")] == [
        (REVOKE, "damaged"), (MATCH, "closed"), (OPEN, "open"),
    ]  # fmt: skip
    assert [row["table"] for row in served.ok("/tables?game=kop")] == [MATCH]


@pytest.mark.parametrize("path", ["/", "/tables", "/record"])
def test_pages_of_all_tables_are_shown(altered: tuple[Served, int], path: str) -> None:
    served, _ = altered
    page = served.get(path, who=DIRECTOR, is_page=True)
    assert page.status_code == 200
    if path == "/tables":
        assert page.text.count(">damaged</b>") == 1


def test_statistics_name_the_position(altered: tuple[Served, int]) -> None:
    served, position = altered
    problem = served.problem("/statistics/standings", 500, "damaged", who=VIEWER)
    assert problem["position"] == position


def test_a_follower_of_a_sound_table_receives_it(altered: tuple[Served, int]) -> None:
    served, position = altered
    service = served.service
    follower = Follower(View(), frozenset({f"table/{MATCH}"}), JsonLines())
    store = service.store()
    assert opened_meanwhile(store, service.visible, position, follower) == []
    assert f'"stream":"table/{MATCH}"'.encode() in backfill(store, service.visible, 0, follower).content


def test_a_sound_table_goes_on_being_recorded(altered: tuple[Served, int]) -> None:
    served, _ = altered
    assert send(served, noted(90), who=DIRECTOR).status_code == 201
    refused = send(served, noted(91), to=f"/streams/table/{REVOKE}/entries", who=DIRECTOR)
    assert problem_of(refused) == (500, "damaged")
