"""A director rules on a case: what the form shows, what it refuses, and what it records."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ledger.access.grants import Grant
from ledger.events import RulingGiven
from tests.cli.commands import REVOKE
from tests.web.pages.forms import hidden_in, led_to, sent, shown, text_of
from tests.web.serving import DIRECTOR, SEER, Served, ledger_of, serving, stored_events

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


def preview_in(page: str) -> list[str]:
    """Return the rows of the preview."""
    (part,) = re.findall(r'<div class="preview".*?</div>\s*</div>|<div class="preview".*?\n</div>', page, re.DOTALL)[:1]
    return [text_of(row).strip() for row in re.findall(r"<tr.*?</tr>", part, re.DOTALL)]


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
    rows = preview_in(page)
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
