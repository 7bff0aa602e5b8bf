"""A dispute is raised and withdrawn on pages, and withdrawn only by the person who raised it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.access.grants import Grant
from ledger.events import Corrected, DisputeRaised, Event
from tests.cli.commands import REVOKE
from tests.web.pages.forms import hidden_in, led_to, sent, shown, text_of
from tests.web.serving import DIRECTOR, Served, ledger_of, serving, stored_events

TABLE = "ombre-revoke"
PLAYER = Grant(token="seat-1", role="viewer", tables=(TABLE,), seat=1)
OTHER = Grant(token="seat-0", role="viewer", tables=(TABLE,), seat=0)
PATH = f"/t/{TABLE}/disputes/39/withdraw"
DEAL = f"/t/{TABLE}/1"
OWN_SIDE = f"{DEAL}?below=1"
"""The deal as its player sees it, with the own seat at the bottom."""


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Served]:
    """A table of which seat 1 has raised a dispute, as entry 39."""
    with serving(ledger_of(tmp_path, REVOKE)) as served:
        body = {"id": "0193b3c0-0000-7000-8000-000000000039", "deal": 1, "text": "no <heart> was left"}
        assert served.post(f"/tables/{TABLE}/disputes", body, who=PLAYER).json()["version"] == 39
        yield served


def last_of(club: Served) -> Event:
    return stored_events(club.ledger, f"table/{TABLE}")[-1]


def test_a_player_is_led_to_the_page_and_withdraws_there(club: Served) -> None:
    assert f'href="{PATH}"' in shown(club, OWN_SIDE, who=PLAYER)
    page = shown(club, PATH, who=PLAYER)
    assert "no <heart> was left" in text_of(page)
    form_data = {"version": hidden_in(page, "version"), "reason": "it was a club"}
    assert led_to(sent(club, PATH, form_data, who=PLAYER)) == DEAL
    last = last_of(club)
    assert isinstance(last, Corrected)
    assert (last.version, last.action, last.reason) == (39, "strike", "it was a club")
    after = shown(club, OWN_SIDE, who=PLAYER)
    assert PATH not in after and "it was a club" in text_of(after)


def test_it_is_offered_to_nobody_else_and_refused_to_them(club: Served) -> None:
    assert PATH not in shown(club, OWN_SIDE, who=OTHER)
    shown(club, PATH, 403, OTHER)
    sent(club, PATH, {"version": "39"}, 403, OTHER)
    shown(club, f"/t/{TABLE}/disputes/5/withdraw", 404, PLAYER)
    assert isinstance(last_of(club), DisputeRaised)


def test_a_director_may_withdraw_it_too(club: Served) -> None:
    page = shown(club, PATH, who=DIRECTOR)
    sent(club, PATH, {"version": hidden_in(page, "version")}, who=DIRECTOR)
    last = last_of(club)
    assert isinstance(last, Corrected)
    assert last.reason == "withdrawn"


def test_what_others_recorded_meanwhile_is_seen_first(club: Served) -> None:
    page = shown(club, PATH, who=PLAYER)
    note = {"id": "0193b3c0-0000-7000-8000-000000000040", "event": {"type": "noted", "text": "x"}}
    club.post(f"/streams/table/{TABLE}/entries", {"entries": [note]}, who=DIRECTOR)
    form_data = {"version": hidden_in(page, "version"), "reason": "kept"}
    again = sent(club, PATH, form_data, 422, PLAYER).text
    assert (hidden_in(again, "version"), 'value="kept"' in again) == ("40", True)


def test_a_player_disputes_the_act_that_is_shown_and_reads_it_there(club: Served) -> None:
    form = f"{DEAL}/dispute"
    assert f'href="{form}?step=24"' in shown(club, f"{DEAL}/24?below=0", who=OTHER)
    page = shown(club, f"{form}?step=24", who=OTHER)
    assert "Baron plays ♥2" in text_of(page)
    form_data = {"ids": hidden_in(page, "ids"), "from": "24", "step": "24", "seat": "2"}
    again = sent(club, form, {**form_data, "text": " "}, 422, OTHER).text
    assert 'aria-invalid="true"' in again and hidden_in(again, "ids") == form_data["ids"]
    for _ in range(2):  # sent twice
        assert led_to(sent(club, form, {**form_data, "text": "out of turn"}, who=OTHER)) == f"{DEAL}/24"
    last = last_of(club)
    assert last == DisputeRaised(deal=1, text="out of turn", seat=OTHER.seat, version=25)
    assert "out of turn" in text_of(shown(club, f"{DEAL}/24?below=0", who=OTHER))


def test_a_recorder_disputes_a_deal_for_a_player_or_for_nobody(club: Served) -> None:
    form = f"{DEAL}/dispute"
    for seat, text in ((1, "the score"), (None, "the count")):
        form_data = {"text": text, "seat": "" if seat is None else str(seat)}
        assert led_to(sent(club, form, form_data, who=DIRECTOR)) == DEAL
        assert last_of(club) == DisputeRaised(deal=1, text=text, seat=seat)
    shown(club, form, 403, Grant(token="tv", role="viewer"))
    assert form not in shown(club, DEAL, who=Grant(token="tv", role="viewer"))


def test_a_ruling_is_appealed_against_on_its_deal(club: Served) -> None:
    body = {"id": "0193b3c0-0000-7000-8000-000000000041", "deal": 1, "kind": "stands", "text": "nothing to see"}
    ruling = club.post(f"/tables/{TABLE}/rulings", {**body, "expected_version": 39}, who=DIRECTOR).json()["version"]
    form = f"{DEAL}/dispute?about={ruling}"
    assert f'href="{form}"' in shown(club, OWN_SIDE, who=PLAYER)
    page = shown(club, form, who=PLAYER)
    assert "<h1>Appeal against this ruling<" in page and "nothing to see" in text_of(page)
    form_data = {"ids": hidden_in(page, "ids"), "about": hidden_in(page, "about"), "text": "there is"}
    sent(club, f"{DEAL}/dispute", form_data, who=PLAYER)
    assert last_of(club) == DisputeRaised(deal=1, text="there is", seat=PLAYER.seat, version=ruling)
    shown(club, f"{DEAL}/dispute?about=5", 404, PLAYER)
