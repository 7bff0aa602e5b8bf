"""Players dispute and appeal, directors rule; a fault is named at its field, and a broken rule leads to its deal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from ledger.access.grants import Grant
from ledger.events import Corrected, DisputeRaised, Event, RulingGiven
from tests.cli.commands import REVOKE
from tests.web.lists import lines_in
from tests.web.pages.forms import answer_to, hidden_in, led_to, sent, shown, text_of
from tests.web.serving import DIRECTOR, NOBODY, SEER, VIEWER, Served, ledger_of, serving, stored_events, stored_rows

TABLE = "ombre-revoke"
PLAYER = Grant(token="seat-1", role="viewer", tables=(TABLE,), seat=1)
OTHER = Grant(token="seat-0", role="viewer", tables=(TABLE,), seat=0)
CASE = f"/t/{TABLE}/disputes/39"
FINE = {"kind": "adjust", "s0": "+10", "s1": "\N{MINUS SIGN}10", "text": "a fine", "rule": "6.5", "do": "record"}


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Served]:
    """A table of which seat 1 has raised a dispute, as entry 39."""
    with serving(ledger_of(tmp_path, REVOKE)) as served:
        body = {"id": "0193b3c0-0000-7000-8000-000000000039", "deal": 1, "text": "no <heart> was left"}
        assert served.post(f"/tables/{TABLE}/disputes", body, who=PLAYER).json()["version"] == 39
        yield served


def filled(page: str, **fields: str) -> dict[str, str]:
    return {**FINE, "version": hidden_in(page, "version"), "ids": hidden_in(page, "ids"), **fields}


def rulings(club: Served) -> list[RulingGiven]:
    return [event for event in stored_events(club.ledger, f"table/{TABLE}") if isinstance(event, RulingGiven)]


def test_the_case_shows_question_rule_and_facts_and_asks_only_a_director(club: Served) -> None:
    page = shown(club, CASE, who=DIRECTOR)
    for said in ("no <heart> was left", "In question: trick 5", "OMB-6.5", "kept back", "as the table wrote it"):
        assert said in text_of(page), said
    assert '<svg class="table"' in page and 'id="ruling"' in page
    own = shown(club, CASE, who=PLAYER)
    assert "In question: trick 5" in text_of(own) and 'id="ruling"' not in own
    shown(club, CASE, 403, OTHER)
    assert f'href="{CASE}"' in shown(club, f"/t/{TABLE}/1?below=1", who=PLAYER)


def test_what_is_recorded_is_what_the_preview_showed(club: Served) -> None:
    form = filled(shown(club, CASE, who=DIRECTOR))
    page = sent(club, CASE, {**form, "do": "", "text": ""}, 200, DIRECTOR).text
    assert "Places at the table: Belinda 3 → 2" in text_of(page)
    (part,) = re.findall(r'<div class="preview".*?</div>\s*</div>|<div class="preview".*?\n</div>', page, re.DOTALL)[:1]
    rows = [text_of(row).strip() for row in re.findall(r"<tr.*?</tr>", part, re.DOTALL)]
    assert rows[2].startswith("ruling +10 −10 0") and rows[3].startswith("then −10 −10 +15")
    assert not rulings(club), "a preview records nothing"
    for _ in range(2):  # a form that is sent twice is recorded once
        assert led_to(sent(club, CASE, form, who=DIRECTOR)) == f"{CASE}#rulings"
    (given,) = rulings(club)
    assert (given.deltas, given.dispute, given.rule, given.text) == ((10, -10, 0), 39, "OMB-6.5", "a fine")
    score = club.ok(f"/tables/{TABLE}/score", who=DIRECTOR)
    assert [f"{total:+}".replace("-", "−") for total in score["totals"]] == rows[6].split()[2:]


def test_a_second_director_reads_the_first_ruling_before_theirs_is_recorded(club: Served) -> None:
    form = filled(shown(club, CASE, who=SEER), text="mine", kind="stands")
    sent(club, CASE, filled(shown(club, CASE, who=DIRECTOR)), who=DIRECTOR)
    page = sent(club, CASE, form, 409, SEER).text
    assert "Another director ruled on this deal" in text_of(page) and "a fine" in text_of(page)
    assert ">mine</textarea>" in page and "Record mine as well" in text_of(page)
    assert len(rulings(club)) == 1
    again = {**form, "version": hidden_in(page, "version"), "ids": hidden_in(page, "ids")}
    sent(club, CASE, again, who=SEER)
    assert [one.kind for one in rulings(club)] == ["adjust", "stands"]


def test_an_appeal_names_the_ruling_that_it_is_against(club: Served) -> None:
    sent(club, CASE, filled(shown(club, CASE, who=DIRECTOR)), who=DIRECTOR)
    body: dict[str, Any] = {"id": "0193b3c0-0000-7000-8000-000000000041", "deal": 1, "version": 40, "text": "too much"}
    club.post(f"/tables/{TABLE}/disputes", body, who=PLAYER)
    page = text_of(shown(club, f"/t/{TABLE}/disputes/41", who=DIRECTOR))
    assert "The ruling in question" in page and "appeal against the ruling of entry 40" in page
    assert "Rule again" in page and "The last ruling on a deal counts" in page


def test_a_deal_is_ruled_without_a_dispute(club: Served) -> None:
    path = f"/t/{TABLE}/1/ruling"
    page = shown(club, f"{path}?about=25", who=DIRECTOR)
    assert "In question: trick 5" in text_of(page)
    sent(club, path, {**filled(page, kind="void"), "about": "25"}, who=DIRECTOR)
    (given,) = rulings(club)
    assert (given.kind, given.deltas, given.dispute) == ("void", None, None)
    shown(club, f"/t/{TABLE}/9/ruling", 404, DIRECTOR)


PATH = f"/t/{TABLE}/disputes/39/withdraw"
DEAL = f"/t/{TABLE}/1"
OWN_SIDE = f"{DEAL}?below=1"
"""The deal as its player sees it, with the own seat at the bottom."""


def last_of(club: Served) -> Event:
    return stored_events(club.ledger, f"table/{TABLE}")[-1]


def test_it_is_offered_to_nobody_else_and_refused_to_them(club: Served) -> None:
    assert PATH not in shown(club, OWN_SIDE, who=OTHER)
    shown(club, PATH, 403, OTHER)
    sent(club, PATH, {"version": "39"}, 403, OTHER)
    shown(club, f"/t/{TABLE}/disputes/5/withdraw", 404, PLAYER)
    assert isinstance(last_of(club), DisputeRaised)


def test_a_director_may_withdraw_it_too(club: Served) -> None:
    page = shown(club, PATH, who=DIRECTOR)
    form = {name: hidden_in(page, name) for name in ("version", "ids")}
    assert {led_to(sent(club, PATH, form, who=DIRECTOR)) for _ in range(2)} == {DEAL}, "sent twice"
    last = last_of(club)
    assert isinstance(last, Corrected) and last.reason == "withdrawn"


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


FAULTLESS: Final = {
    "kind": "adjust", "s0": "+10", "s1": "-10", "text": "a fine", "rule": "6.5", "action": "replace", "words": "D4",
    "reason": "misread", "do": "record",
}  # fmt: skip
ROWS: Final = [line.split("|") for line in lines_in(Path(__file__).with_name("director_faults.txt"))]


@pytest.fixture(scope="module")
def revoked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(ledger_of(tmp_path_factory.mktemp("faults"), REVOKE)) as served:
        yield served


@pytest.mark.parametrize("row", ROWS, ids="|".join)
def test_a_fault_is_named_at_its_field_and_nothing_typed_is_lost(revoked: Served, row: list[str]) -> None:
    path, typed, field, says = map(str.strip, row)
    fields = {**FAULTLESS, **dict(one.split("=") for one in typed.split())}
    version = hidden_in(shown(revoked, path, who=DIRECTOR), "version")
    page = sent(revoked, path, {**fields, "version": version}, 422, DIRECTOR).text
    assert page.count("<title>Error:") == 1 and f'href="#{field}"' in page and f'id="{field}"' in page
    assert says in text_of(page)
    for name, value in fields.items():
        boxes = re.findall(rf'<input type="text"[^>]* name="{name}"[^>]* value="([^"]*)"', page)
        boxes += re.findall(rf'<textarea id="{name}"[^>]*>([^<]*)</textarea>', page)
        assert set(boxes) <= {value}
    assert len(stored_rows(revoked.ledger, "table/ombre-revoke")) == 38


BOUND = Grant(token="bound", role="viewer", tables=("ombre-revoke",))


def test_a_rule_leads_to_the_step_where_it_was_broken_and_back(tmp_path: Path) -> None:
    with serving(ledger_of(tmp_path, REVOKE)) as served:
        served.level()
        book = shown(served, "/rules/ombre", who=VIEWER)
        links = re.findall(r'href="(/rules/ombre/OMB-[\d.]+)"', book)
        assert len(links) == 1
        (step,) = re.findall(r'href="(/t/ombre-revoke/1/\d+)"', shown(served, links[0], who=VIEWER))
        assert f'/rules/ombre#{links[0].rpartition("/")[2]}"' in shown(served, step, who=VIEWER)
        for who in (NOBODY, BOUND):
            assert "/rules/ombre/OMB" not in shown(served, "/rules/ombre", who=who)
        assert answer_to(served, "GET", "/rules/ombre/OMB-99.9", VIEWER).status_code == 404
