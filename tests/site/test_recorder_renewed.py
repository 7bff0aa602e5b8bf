"""A page that comes anew is shown before anything else is done with it: a tap is meant for the seat that is seen."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.site.browser import script, serving
from tests.site.tapping import ACTS, DEAF, TABLE, comes_to_stand, opened, record_at, recorded, recording, table_of

CARD = next(place for place, act in enumerate(ACTS) if act["type"] == "card_played")

DISK_IS_BUSY = script("disk_is_busy.js")


def test_a_tap_while_the_new_page_is_still_being_kept_is_of_the_seat_that_it_shows(
    chromium: Browser, tmp_path: Path
) -> None:
    path = table_of(tmp_path, TABLE, *ACTS[:CARD])
    with serving(path) as site, recording(chromium, site) as page:
        page.add_init_script(DEAF)
        opened(page, site.url)
        lit = page.locator("#mini .seat[aria-current]")
        expect(lit).to_have_attribute("value", str(ACTS[CARD]["seat"]))
        page.evaluate(DISK_IS_BUSY)
        record_at(path, ACTS[CARD])
        answers = page.request.get(f"{site.url}/record/thursday/now")
        while f'id="key-{ACTS[CARD]["card"]}" name="card"' in answers.text():
            page.wait_for_timeout(50)
            answers = page.request.get(f"{site.url}/record/thursday/now")
        page.evaluate("dispatchEvent(new Event('online'))")
        expect(lit).to_have_attribute("value", str(ACTS[CARD + 1]["seat"]))
        page.locator(f"button#key-{ACTS[CARD + 1]['card']}").click()
        page.evaluate("() => { window.isDiskFree = true; }")
        comes_to_stand(page, path, ACTS[: CARD + 2])
    assert recorded(path) == ACTS[: CARD + 2]
