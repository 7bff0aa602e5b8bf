"""Replays as they are served: redirects of forms, rights to a view, and frames on other sites."""

import re
from pathlib import Path

import httpx
import pytest

from ledger.access.grants import Grant
from ledger.events import CardPlayed
from ledger.service.running import Settings
from tests.web.club import OPEN, REVOKE, club_of
from tests.web.pages.forms import answer_to, rows_in
from tests.web.serving import ADMIN, DIRECTOR, RECORDER, SEER, VIEWER, Served, serving

ANN = Grant(token="ann", role="viewer", tables=(OPEN,), seat=0)
"""A client that may see its own cards in the open deal."""

DEAL = f"/t/{REVOKE}/1"
BEN_HOLDS = "Ben holds spades K"
ANN_HOLDS = "Ann holds spades A"


def page(
    served: Served, path: str, who: Grant | None = VIEWER, *, part: bool = False, **headers: str
) -> httpx.Response:
    fields = {name.replace("_", "-"): value for name, value in headers.items()} | (
        {"hx-request": "true"} if part else {}
    )
    served.client.cookies.clear()  # a language that was asked for is kept
    return answer_to(served, "GET", path, who, headers=fields)


def shown(served: Served, path: str, who: Grant | None = VIEWER, **how: bool) -> str:
    answer = page(served, path, who, **how)
    assert answer.status_code == 200, answer.text
    return answer.text


@pytest.mark.parametrize(("status", "path", "target"), [(*row, None)[:3] for row in rows_in("replay_addresses.txt")])
def test_a_replay_address_redirects_or_has_a_page(served: Served, status: str, path: str, target: str | None) -> None:
    answer = page(served, path.replace("{deal}", DEAL))
    assert answer.status_code == int(status)
    assert answer.headers.get("location") == (target.replace("{deal}", DEAL) if target else None)
    if status != "303":
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        assert "<h1>" in answer.text


def test_nobody_sees_a_replay_without_being_let_in(served: Served) -> None:
    of_revoke = (REVOKE, f"{REVOKE}/1", f"{REVOKE}/1/3", f"{REVOKE}/1/readings")
    for path in (*(f"/t/{one}" for one in of_revoke), f"/embed/{REVOKE}/1/3"):
        assert page(served, path, None).status_code == 401
        assert page(served, path, ANN).status_code == 404, "a table that she may not see is not there for her"


def test_a_part_is_the_page_without_its_frame(served: Served) -> None:
    whole, part = shown(served, f"/t/{REVOKE}/1/24"), shown(served, f"/t/{REVOKE}/1/24", part=True)
    assert "<main" in whole and "<main" not in part
    inner = re.search(r'<div id="replay".*', part, re.DOTALL)
    assert inner is not None and inner[0].strip() in whole


READERS = {
    "viewer": VIEWER, "recorder": RECORDER, "director": DIRECTOR, "admin": ADMIN, "seer": SEER, "ann": ANN,
    "other": Grant(token="viewer-2", role="viewer"),
    "seated": Grant(token="seat", role="viewer", tables=(REVOKE,), seat=1),
}  # fmt: skip


@pytest.mark.parametrize("row", rows_in("replay_eyes.txt"), ids=" ".join)
def test_a_reader_is_shown_what_he_may_see(served: Served, row: list[str]) -> None:
    who, status, path, *text = row
    answer = page(served, path, READERS[who], accept="text/html, image/*, */*;q=0.8")
    assert answer.status_code == int(status)
    if text:
        assert (" ".join(text[1:]) in answer.text) == (text[0] == "|")


def test_only_eyes_that_he_may_have_are_offered(served: Served) -> None:
    def offered(text: str) -> list[str]:
        select = text[text.index('<select id="seat"') :]
        return re.findall(r'<option value="(\d*)"', select[: select.index("</select>")])

    assert offered(shown(served, f"/t/{OPEN}/1")) == [""]
    assert offered(shown(served, f"/t/{OPEN}/1?seat=", ANN)) == ["", "0"]
    assert offered(shown(served, f"/t/{OPEN}/1", SEER)) == ["", "0", "1", "2"]
    assert offered(shown(served, f"/t/{REVOKE}/1")) == ["", "0", "1", "2"]


SEATED = READERS["seated"]
"""A client whose token is bound to seat 1 of a table whose deal is over."""


def link_in(text: str) -> str:
    """Return the link to the moment that the page offers for sharing."""
    match = re.search(r'id="link"[^>]*value="http://[^/"]*([^"]*)"', text)
    assert match is not None
    return match[1]


def test_who_has_a_seat_looks_at_a_deal_from_there(served: Served) -> None:
    for who, path, target in [
        (ANN, f"/t/{OPEN}/1", f"/t/{OPEN}/1/3?seat=0"),
        (ANN, f"/t/{OPEN}/1/last", f"/t/{OPEN}/1/3?seat=0"),
        (SEATED, f"{DEAL}/24", f"{DEAL}/24?below=1"),
        (SEATED, f"{DEAL}/24?below=2&to=next", f"{DEAL}/25?below=2"),
        (SEATED, f"{DEAL}/24?reading=both", f"{DEAL}/readings?below=1"),
    ]:
        answer = page(served, path, who)
        assert (answer.status_code, answer.headers["location"]) == (303, target)
    over = shown(served, f"{DEAL}/24?below=1", SEATED)
    assert "had seen" not in over and "Baron sits at the bottom" in over
    drawn = shown(served, f"{DEAL}/24?seat=1", SEATED)
    assert "What Baron had seen" in drawn and "Baron sits at the bottom" in drawn
    assert f'href="/t/{OPEN}/1"' in shown(served, f"/t/{OPEN}", ANN), "and so do the links of the table's page"


@pytest.mark.parametrize(
    ("who", "deal", "step", "query"),
    [(ANN, f"/t/{OPEN}/1", 2, "seat="), (SEATED, DEAL, 24, "below=2"), (SEATED, DEAL, 24, "seat=2")],
)
def test_an_address_with_a_seat_is_shown_from_it(served: Served, who: Grant, deal: str, step: int, query: str) -> None:
    drawn = shown(served, f"{deal}/{step}?{query}", who)
    assert ("had seen" in drawn) == (query == "seat=2")
    assert "What Baron had seen" not in drawn
    assert f'data-steps="{deal}/{{step}}?{query}"' in drawn, "the next step is seen in the same way"
    assert page(served, f"{deal}/{step}?{query}&to=next", who).headers["location"] == f"{deal}/{step + 1}?{query}"


def test_who_has_no_seat_at_a_table_looks_as_everybody_does(served: Served) -> None:
    nowhere = Grant(token="nowhere", role="viewer", tables=(REVOKE,), seat=7)
    for who in (VIEWER, nowhere):
        assert "had seen" not in shown(served, f"{DEAL}/24", who)


def test_a_link_to_a_deal_that_is_being_played_opens_for_those_who_have_no_seat(served: Served) -> None:
    link = link_in(shown(served, f"/t/{OPEN}/1/3?seat=0", ANN))
    assert link == f"/t/{OPEN}/1/3"
    assert ANN_HOLDS not in shown(served, link, VIEWER)
    assert link_in(shown(served, f"{DEAL}/24?seat=1", SEATED)) == f"{DEAL}/24?seat=1"
    assert link_in(shown(served, f"{DEAL}/24?below=1", SEATED)) == f"{DEAL}/24?below=1"


def test_a_frame_elsewhere_is_given_what_everybody_may_see(served: Served) -> None:
    """Even to clients with more rights: the page around the frame may be anybody's."""
    answers = [page(served, f"/embed/{OPEN}/1/3", who) for who in (VIEWER, RECORDER, SEER, ADMIN, ANN)]
    assert len({answer.content for answer in answers}) == 1
    for answer in answers:
        assert "frame-ancestors *" in answer.headers["content-security-policy"]
        assert "script-src 'self'" in answer.headers["content-security-policy"]
        assert "set-cookie" not in answer.headers
        assert ANN_HOLDS not in answer.text
        assert "csrf" not in answer.text and "viewer-1" not in answer.text
    assert "frame-ancestors 'none'" in page(served, f"/t/{OPEN}/1/3").headers["content-security-policy"]
    assert "set-cookie" not in page(served, f"/embed/{REVOKE}/1/3?lang=ja").headers
    moved = page(served, f"/embed/{REVOKE}/1/3?to=next")
    assert (moved.status_code, moved.headers["location"]) == (303, f"/embed/{REVOKE}/1/4")


def test_a_table_leads_to_its_deals_and_who_records_to_recording(served: Served) -> None:
    assert "/record/" not in shown(served, f"/t/{OPEN}").partition("<main")[2]
    closed = shown(served, "/t/kop-match-official", RECORDER)
    assert closed.count('<th scope="row"><a href="/t/kop-match-official/') == 10


def test_a_page_follows_what_is_recorded(tmp_path: Path) -> None:
    with serving(club_of(tmp_path)) as served:
        assert 'data-last="3"' in shown(served, f"/t/{OPEN}/1/last")
        served.record(f"table/{OPEN}", *({"type": "bid_made", "seat": seat, "call": "pass"} for seat in (1, 2)))  # type: ignore[arg-type]
        assert 'data-last="5"' in shown(served, f"/t/{OPEN}/1/last")
        served.record(f"table/{OPEN}", CardPlayed(seat=0, card="HK"))
        assert 'data-last="6"' in shown(served, f"/t/{OPEN}/1/last", part=True)


def test_without_a_token_where_the_service_is_public(tmp_path: Path) -> None:
    with serving(club_of(tmp_path), Settings(loopback=False, public=True)) as served:
        assert "ombre-revoke" in shown(served, f"/embed/{REVOKE}/1/24", None)
        assert BEN_HOLDS not in shown(served, f"/t/{OPEN}/1", None)


def test_cards_have_the_letters_of_the_reader(served: Served) -> None:
    french = page(served, f"/t/{REVOKE}/1/30", accept_language="fr").text
    english = page(served, f"/t/{REVOKE}/1/30", accept_language="en").text
    assert "\u2660\ufe0eR" in french and "\u2660\ufe0eK" not in french
    assert "\u2660\ufe0eK" in english and "\u2660\ufe0eR" not in english


def test_who_watches_together_is_given_what_was_made_once(served: Served) -> None:
    """A step is drawn once for all readers with the same view and preferences."""
    first = shown(served, f"/t/{OPEN}/1/2", VIEWER, part=True)
    answers = len(served.service.answers)
    assert shown(served, f"/t/{OPEN}/1/2", Grant(token="viewer-1", role="viewer", name="Zoe"), part=True) == first
    assert len(served.service.answers) == answers
    assert BEN_HOLDS in shown(served, f"/t/{OPEN}/1/2", SEER, part=True)
    assert len(served.service.answers) == answers + 1


def picture(served: Served, path: str, who: Grant | None = VIEWER, look: str = "en.auto.en") -> httpx.Response:
    return page(served, path, who, accept="text/html, image/*, */*;q=0.8", cookie=f"look={look}")


@pytest.mark.parametrize(("ending", "kind"), [("svg", "image/svg+xml"), ("png", "image/png")])
def test_a_picture_that_is_taken_away_is_the_one_on_the_page(served: Served, ending: str, kind: str) -> None:
    """In the reader's language and letters, with a file name that describes it."""
    at = f"/t/{REVOKE}/1/30.{ending}?below=1"
    assert f'href="{at}"' in shown(served, f"/t/{REVOKE}/1/30?below=1")
    plain, chosen = (picture(served, at, look=look) for look in ("en.auto.en", "ja.auto.fr"))
    for answer in (plain, chosen):
        assert (answer.status_code, answer.headers["content-type"].partition(";")[0]) == (200, kind)
        assert f'filename="{REVOKE}-1-30.{ending}"' in answer.headers["content-disposition"]
    assert plain.content != chosen.content


def test_a_picture_that_is_taken_away_is_drawn_as_on_the_page(served: Served) -> None:
    def king(text: str) -> str:
        match = re.search(r'<path id="rK"[^>]*>', text)
        assert match is not None
        return match[0]

    at = f"/t/{REVOKE}/1/30"
    drawn, on_page = picture(served, f"{at}.svg", look="ja.auto.fr"), page(served, at, cookie="look=ja.auto.fr")
    assert king(drawn.text) == king(on_page.text) != king(picture(served, f"{at}.svg").text)
    assert 'lang="ja"' in drawn.text
