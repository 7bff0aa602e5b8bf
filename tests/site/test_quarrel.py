"""A revoke is recorded, disputed, ruled on, appealed against and corrected, in windows of all who take part."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

import ledger
from ledger.text.site.catalogue import say
from tests.site.browser import DESK, PHONE, PROJECTOR, Site, serving, token_of, violations, window
from tests.site.tapping import CUT_OFF, acts_of, opened, record_at, tap_as_played, without_worker
from tests.web.serving import encoded, ledger_with, stored_events

OPENING, ACTS = acts_of("ombre/revoke.toml")
TABLE, EVENING = "thursday-1", "thursday"
CARDS = [act for act in ACTS if act["type"] == "card_played"]
REVOKE = 14  # cards are played before the one that breaks a rule
BEFORE = [act for act in ACTS if act["type"] not in ("card_played", "score_claimed")] + CARDS[:REVOKE]
DEAL = f"/t/{TABLE}/1"


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Site]:
    evening = {"type": "session_opened", "title": "Thursday", "date": "2026-01-08"}
    table = [{**OPENING, "session": EVENING}, *BEFORE]
    path = ledger_with(tmp_path, {f"session/{EVENING}": [evening], TABLE: table}, by="loopback")
    with serving(path) as site:
        yield site


@pytest.mark.parametrize("lang", ["en", pytest.param("ja", marks=pytest.mark.soak)])
def test_a_quarrel_from_the_card_to_the_result(chromium: Browser, club: Site, lang: str) -> None:
    word = partial(say, lang)
    with ExitStack() as windows:

        def seated(size: tuple[int, int], at: str | None = None, **how: Any) -> Page:
            return windows.enter_context(window(chromium, club, size, at=at, locale=lang, allowed=CUT_OFF, **how))

        recorder = seated(PHONE)
        without_worker(recorder)
        opened(recorder, club.url, TABLE)
        desk = seated(DESK, "/desk")
        screen = seated(PROJECTOR, f"/sessions/{EVENING}/standings")
        shows = next(place for place in range(REVOKE, len(CARDS)) if tap_as_played(recorder, CARDS[place]))
        record_at(club.ledger, *CARDS[shows + 1 :], table=TABLE)
        points = screen.locator("tr[data-player='Baron'] .pts")
        expect(points).to_have_text("0")
        expect(desk.get_by_role("link", name=word("desk.rule"))).to_be_visible()

        secret = token_of(club.ledger, "clarissa", tables=(TABLE,), seat=2)
        player = seated(PHONE, f"{DEAL}/23?below=2", extra_http_headers={"authorization": f"Bearer {secret}"})
        player.get_by_role("link", name=word("dispute.link")).click()
        player.get_by_label(word("dispute.text")).fill("the four came too late")
        player.get_by_role("button", name=word("dispute.it")).click()
        expect(player.locator(".judged").filter(has_text="the four came too late")).to_be_visible()

        desk.get_by_role("link", name=word("desk.open_case")).click()
        other = seated(DESK, desk.url.removeprefix(club.url))
        _decides(desk, "adjust", "a fine", s0="10", s1="-10")
        expect(desk.locator("#preview")).to_contain_text("−10")
        _decides(other, "stands", "no harm was done")
        desk.get_by_role("button", name=word("ruling.record")).click()
        expect(desk.locator("#rulings").locator("..")).to_contain_text("a fine")
        expect(points).to_have_text("−10")
        other.get_by_role("button", name=word("ruling.record")).click()
        expect(other.locator("#errors")).to_contain_text("a fine")
        other.get_by_role("link", name=word("case.drop_mine")).click()
        _fits_one_page(desk)

        player.goto(f"{club.url}{DEAL}")
        player.get_by_role("link", name=word("dispute.appeal")).click()
        player.get_by_label(word("dispute.text")).fill("ten is too much")
        player.get_by_role("button", name=word("dispute.it")).click()
        other.goto(f"{club.url}/desk")
        other.get_by_role("link", name=word("desk.open_case")).click()
        expect(other.locator("#appealed").locator("..")).to_contain_text("a fine")
        _decides(other, "adjust", "half of the fine goes back", s0="-5", s1="5")
        other.get_by_role("button", name=word("ruling.record")).click()
        expect(points).to_have_text("−5")

        events = [encoded(event) for event in stored_events(club.ledger, f"table/{TABLE}")]
        other.goto(f"{club.url}{DEAL}/entries")
        other.get_by_role("link", name=word("entries.correct_entry", version=events.index(CARDS[REVOKE]) + 1)).click()
        other.locator("#action-replace").check()
        other.locator("#words").fill("D3")
        other.locator("#reason").fill("misread")
        expect(other.locator("#then")).to_be_visible()
        other.get_by_role("button", name=word("entries.record")).click()
        expect(other.locator("#entries")).to_be_visible()
        desk.goto(f"{club.url}/desk")
        expect(desk.locator(".waits .stamp").filter(has_text=word("replay.stale"))).to_have_count(2)

        recorder.goto(f"{club.url}/record/{TABLE}/close")
        recorder.locator("button[name=do][value=close]").click()
        recorder.wait_for_url(f"**/sessions/{EVENING}")
        recorder.get_by_role("link", name=word("lists.close_evening")).click()
        recorder.locator("button[name=do][value=close]").click()
        recorder.wait_for_url(f"**/sessions/{EVENING}")
        with ledger.open(club.ledger) as store:
            totals = ledger.score(store, TABLE).totals
        shown = recorder.locator(".board").inner_text().replace("\N{MINUS SIGN}", "-")
        assert all(f"{total:+d}" in shown for total in totals if total), (totals, shown)
        assert violations(recorder) == []
        _fits_one_page(recorder)
    kinds = [encoded(event)["type"] for event in stored_events(club.ledger, f"table/{TABLE}")]
    assert kinds.count("ruling_given") == kinds.count("dispute_raised") == 2
    assert ledger.verify(club.ledger).damage is None


def _decides(page: Page, kind: str, reason: str, **amounts: str) -> None:
    page.locator(f"#kind-{kind}").check()
    for field, amount in amounts.items():
        page.locator(f"#{field}").fill(amount)
    page.locator("#text").fill(reason)


def _fits_one_page(page: Page) -> None:
    paper = page.pdf(format="A4")
    assert paper.count(b"/Type /Page\n") + paper.count(b"/Type/Page/") == 1
