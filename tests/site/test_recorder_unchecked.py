"""What a phone says of a deal without the server: whose card a tap is, what it does not know, what was tapped."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

import ledger as trickledger
from tests.site.browser import Site, serving
from tests.site.tapping import (
    CUT_OFF,
    Event,
    acts_of,
    all_sent,
    lost_answer,
    record_at,
    recorded,
    recording,
    rested,
    told_to_wait,
)

KOP = "kop/13-zolo-du-won.toml"
OMBRE = "ombre/02-vuelta-stopped.toml"
COUILLON = "couillon/14-all-tricks-mit-kontra-re.toml"
"""Cleo is forehand of its deal, not the first seat."""

_WAITING = """() => new Promise(resolve => {
  indexedDB.open("trickledger").onsuccess = ({target}) => {
    target.result.transaction("acts").objectStore("acts").getAll().onsuccess = found => resolve(
      found.target.result.filter(one => one.state !== "done").sort((one, other) => one.place - other.place)
        .flatMap(one => one.steps).flatMap(one => one.entries ?? []).map(one => one.event));
  };
})"""

TABLES: dict[str, tuple[str, int]] = {
    "first": (COUILLON, 6),
    "card": (KOP, 7),
    "ended": (KOP, 21),
    "call": (KOP, 2),
    "begun": (KOP, 1),
    "guess": (KOP, 1),
    "lead": (KOP, 6),
    "turned": (OMBRE, 4),
    "unseen": (KOP, 1),
    "trick": (KOP, 8),
    "next": (KOP, 20),
    "quarrel": (KOP, 7),
    "struck": (KOP, 7),
}
"""Each test has its own, where so many acts are recorded, by the same person on the same machine."""


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("unchecked") / "club.ledger"
    trickledger.create(path).close()
    for name, (replay, many) in TABLES.items():
        opened, acts = acts_of(replay)
        record_at(path, opened, *acts[:many], table=name)
    return path


@pytest.fixture(scope="module")
def site(path: Path) -> Iterator[Site]:
    with serving(path) as one:
        yield one


@pytest.fixture
def phone(chromium: Browser, site: Site, request: pytest.FixtureRequest) -> Iterator[Page]:
    """The recorder of the table, whose connection is lost."""
    with recording(chromium, site, request.param, allowed=CUT_OFF) as page:
        page.context.set_offline(True)
        yield page


def at(table: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("phone", [table], indirect=True)


def press(page: Page, button: str) -> None:
    """A button by what it says, in the fold where it stands there; until the act is kept."""
    found = page.locator("#now").get_by_role("button", name=button, exact=True)
    if not found.count():
        page.locator("#more > summary").click()
    tapped(page, found.first)


def tapped(page: Page, button: Locator) -> None:
    waiting = told_to_wait(page)
    button.scroll_into_view_if_needed()
    rested(page, button)
    button.click()
    page.wait_for_selector(f"#sent[data-count='{waiting + 1}']")


def key(page: Page, card: str) -> Locator:
    return page.locator(f"button#key-{card}")


def undo(page: Page) -> None:
    tapped(page, page.locator("#undo"))


def told(page: Page) -> Locator:
    return page.locator("#told")


def lit(page: Page) -> list[str]:
    return page.locator("#mini .seat[aria-current]").evaluate_all("all => all.map(one => one.firstChild.data.trim())")  # type: ignore[no-any-return]


def waiting_acts(page: Page) -> list[Event]:
    """What is kept on the device and not sent, in its order, but what is struck."""
    acts: list[Event] = page.evaluate(_WAITING)
    return acts


def sent(page: Page) -> None:
    page.context.set_offline(False)
    all_sent(page)


@at("first")
def test_the_first_card_is_forehands_wherever_he_sits(phone: Page, path: Path) -> None:
    press(phone, "Mit")
    expect(told(phone)).to_contain_text("Cleo plays the first card")
    tapped(phone, key(phone, "CA"))
    assert lit(phone) == ["Dan"]
    sent(phone)
    assert recorded(path, "first")[-1] == {"type": "card_played", "seat": 2, "card": "CA"}


@at("card")
def test_a_recorded_card_that_is_taken_back_may_be_played_again_by_who_played_it(phone: Page, path: Path) -> None:
    expect(phone.locator("#mini .lay")).to_have_count(2)
    undo(phone)
    assert lit(phone) == ["Ben"]
    expect(told(phone)).to_contain_text("Ben is next")
    expect(phone.locator("#mini .lay")).to_have_count(1)
    tapped(phone, key(phone, "SQ"))
    assert lit(phone) == ["Cleo"]
    sent(phone)
    assert [one["type"] for one in recorded(path, "card")[-2:]] == ["corrected", "card_played"]
    assert recorded(path, "card")[-1] == {"type": "card_played", "seat": 1, "card": "SQ"}


@at("ended")
def test_a_deal_whose_last_card_is_taken_back_goes_on_with_that_card(phone: Page, path: Path) -> None:
    undo(phone)
    assert lit(phone) == ["Dan"]
    expect(phone.locator(".result")).to_have_count(0)
    tapped(phone, key(phone, "ST"))
    sent(phone)
    assert recorded(path, "ended")[-1] == {"type": "card_played", "seat": 3, "card": "ST"}


@at("call")
def test_after_a_call_that_is_taken_back_its_caller_speaks_again(phone: Page) -> None:
    undo(phone)
    assert lit(phone) == ["Ada"]
    expect(told(phone)).to_contain_text("Ada is next")
    press(phone, "Grand du")
    assert waiting_acts(phone) == [{"type": "bid_made", "seat": 0, "call": "grand_du"}]


@at("begun")
def test_a_deal_that_is_taken_back_begins_anew_with_its_number(phone: Page, path: Path) -> None:
    undo(phone)
    expect(phone.locator("#next")).to_have_text("Deal 1 begins, Dan deals")
    tapped(phone, phone.locator("#next"))
    sent(phone)
    assert recorded(path, "begun")[-1] == {"type": "deal_started", "deal": 1, "dealer": 3}


@at("guess")
def test_after_a_call_nobody_is_said_to_be_next_and_a_plate_that_is_tapped_plays_the_card(phone: Page) -> None:
    press(phone, "Grand")
    expect(told(phone)).to_have_text(
        "Is Ben next? If not, tap the name. not checked until sent; Ada plays the first card"
    )
    phone.locator("#mini .seat[value='1']").click()
    expect(told(phone)).to_have_text("Ben is next not checked until sent")
    tapped(phone, key(phone, "SQ"))
    assert waiting_acts(phone)[-1] == {"type": "card_played", "seat": 1, "card": "SQ"}


@at("lead")
def test_what_follows_suit_is_forgotten_with_its_trick(phone: Page) -> None:
    """The same player leads the next trick, too, so that as many cards lie there and the same one is next."""
    expect(phone.locator("#keys .key.off").first).to_be_visible()
    for card in ("SQ", "SJ", "DJ", "CQ"):
        tapped(phone, key(phone, card))
    assert lit(phone) == ["Ben"]
    expect(phone.locator("#keys .key:is(.off, .odd)")).to_have_count(0)


@at("turned")
def test_a_card_that_nobody_played_is_told_as_what_it_is(phone: Page) -> None:
    press(phone, "Entrada")
    press_meaning(phone, "The next card is turned up")
    tapped(phone, key(phone, "D4"))
    expect(phone.locator("#undo")).to_have_text("Undo ♦\ufe0e4 turned up")
    expect(phone.locator("#trouble")).to_contain_text("Entrada, ♦\ufe0e4 turned up.")
    phone.locator("#mini .seat[value='1']").click()
    press(phone, "5")
    expect(phone.locator("#trouble")).to_contain_text("Ben: exchanged 5")


def press_meaning(page: Page, meaning: str) -> None:
    button = page.get_by_role("button", name=meaning)
    rested(page, button)
    button.click()


@at("unseen")
def test_a_card_that_nobody_saw_and_who_took_its_trick_are_recorded_after_calls(phone: Page) -> None:
    press(phone, "Grand")
    press(phone, "Not seen")
    for card in ("SQ", "SJ", "DJ"):
        tapped(phone, key(phone, card))
    expect(told(phone)).to_contain_text("Who is next? Tap the name.")
    phone.locator("#mini .seat[value='2']").click()
    press(phone, "Takes the trick")
    expect(told(phone)).to_contain_text("Is Cleo next?")
    found = [(one["type"], one["seat"]) for one in waiting_acts(phone)[1:]]
    assert found == [*(("card_played", seat) for seat in range(4)), ("trick_gathered", 2)]


@at("trick")
def test_tricks_are_counted_as_far_as_they_are_known(phone: Page) -> None:
    tricks = phone.locator("#mini .tricks")
    expect(tricks).to_have_count(0)
    tapped(phone, key(phone, "DJ"))
    expect(phone.locator("#seat-0 .tricks")).to_have_text("1")
    phone.locator("#undo").click()
    expect(tricks).to_have_count(0)


@at("next")
def test_another_deal_shows_nothing_of_the_one_before(phone: Page) -> None:
    expect(phone.locator("#mini small").first).to_be_visible()
    tapped(phone, key(phone, "ST"))
    expect(told(phone)).to_contain_text("All cards are played.")
    tapped(phone, phone.locator("#next"))
    expect(phone.locator("#mini :is(small, .d, .lay)")).to_have_count(0)
    expect(phone.locator("h1")).to_contain_text("Kop, deal 2")
    assert phone.title().startswith("2 not sent: Kop, deal 2, next")


@at("quarrel")
def test_a_quarrel_is_not_about_an_entry_that_was_recorded_before_it(phone: Page) -> None:
    tapped(phone, key(phone, "SJ"))
    phone.locator("#more > summary").click()
    phone.locator("#dispute-text").fill("Was that a heart?")
    tapped(phone, phone.get_by_role("button", name="Record the dispute"))
    assert waiting_acts(phone)[-1] == {"type": "dispute_raised", "deal": 1, "text": "Was that a heart?"}


@at("struck")
def test_what_was_taken_back_and_is_shown_so_is_not_taken_back_again(phone: Page) -> None:
    """Its answer was lost: the page that comes knows of it, while it still waits to be acknowledged."""
    phone.route("**/corrections", lost_answer)
    phone.context.set_offline(False)
    with phone.expect_event("requestfailed", lambda one: one.url.endswith("/corrections")):
        undo(phone)
    phone.reload()
    phone.wait_for_selector("#sent[data-count='1']")
    assert lit(phone) == ["Ben"]
    expect(phone.locator("#mini .lay")).to_have_count(1)
