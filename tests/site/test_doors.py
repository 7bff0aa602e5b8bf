"""Sign in, find a deal, read a rule and share an address in a real browser, as members of a club do."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from pypdf import PdfReader

from ledger import api
from ledger.text.qr import qr_path
from tests.site.browser import DESK, PHONE, Site, serving, token_of, window
from tests.site.conftest import REPLAYS
from tests.web.serving import ledger_of

TABLE = "ombre-revoke"
EITHER = pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
"""With and without scripts: every form also works without scripts, and nothing is offered that needs them."""

EITHER_IN_SOAK = pytest.mark.parametrize(
    "script", [True, pytest.param(False, marks=pytest.mark.soak)], ids=["script", "no script"]
)
"""The same, if `tests/web` sends the form without a browser."""


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return ledger_of(tmp_path_factory.mktemp("doors"), REPLAYS / "ombre/revoke.toml")


@pytest.fixture
def club(path: Path) -> Iterator[Site]:
    """Serve a club that requires a token, one for each test: ten sign-ins a minute are accepted from one address."""
    with serving(path, "--no-loopback", "--club", "Thursday Card Club") as one:
        yield one


def code_of(path: Path, *tables: str) -> str:
    return api.add_code(path, tables=tables or (TABLE,), until=datetime.now(UTC) + timedelta(hours=1)).secret


def is_signed_in(page: Page, site: Site, name: str) -> bool:
    page.goto(f"{site.url}/settings")
    return page.locator("header").get_by_text(name, exact=True).count() == 1


def test_a_link_signs_in_and_its_secret_leaves_the_address(chromium: Browser, club: Site, path: Path) -> None:
    secret = token_of(path, "friends")
    with window(chromium, club, at=f"/sign-in#{secret}") as page:
        page.wait_for_url(f"{club.url}/")
        assert secret not in page.content()
        page.go_back()
        assert "#" not in page.url
        assert is_signed_in(page, club, "friends")
        page.goto(f"{club.url}/sign-in")
        page.get_by_role("button", name="Sign out").click()
        page.wait_for_url(f"{club.url}/")
        assert not is_signed_in(page, club, "friends")


def test_a_table_card_asks_for_a_name_and_leads_to_the_recorder(chromium: Browser, club: Site, path: Path) -> None:
    code = code_of(path)
    with window(chromium, club, allowed=["404"], at=f"/sign-in#{code}") as page:
        expect(page.get_by_text("The card was read")).to_be_focused()
        assert page.url == f"{club.url}/sign-in"
        assert page.get_by_label("Table code").is_hidden()
        page.get_by_label("Your name").fill("Zoë")
        page.get_by_role("button", name="Sign in", exact=True).click()
        page.wait_for_url(f"{club.url}/record/{TABLE}")
        assert is_signed_in(page, club, "Zoë")
        page.goto(f"{club.url}/sign-in#{code}")  # the next evening the name is known
        page.wait_for_url(f"{club.url}/record/{TABLE}")


@EITHER
def test_a_wrong_code_is_marked_at_its_field_and_stays_there(chromium: Browser, club: Site, script: bool) -> None:
    with window(chromium, club, java_script_enabled=script, allowed=["401"], at="/sign-in") as page:
        page.get_by_label("Table code").fill("1234 5678")
        page.get_by_label("Your name").fill("Ada")
        page.get_by_role("button", name="Sign in", exact=True).click()
        expect(page).to_have_title(re.compile("^Error: "))
        summary = page.get_by_role("alert")
        expect(summary).to_contain_text("This table code does not exist")
        if script:
            expect(summary).to_be_focused()
        field = page.get_by_label("Table code")
        assert (field.get_attribute("aria-invalid"), field.input_value()) == ("true", "1234 5678")
        assert page.get_by_label("Your name").input_value() == "Ada"


def test_who_follows_a_link_from_elsewhere_is_known(chromium: Browser, club: Site, path: Path, tmp_path: Path) -> None:
    """`localhost` is another site than `127.0.0.1`, so a link from there comes without the cookie."""
    elsewhere = club.url.replace("127.0.0.1", "localhost")
    with window(
        chromium, club, DESK, allowed=["asks elsewhere", "401"], at=f"/sign-in#{token_of(path, 'ben')}"
    ) as page:
        page.wait_for_url(f"{club.url}/")
        page.goto(f"{elsewhere}/sign-in?next=%2Ftables")
        page.evaluate(
            "address => { const link = document.createElement('a'); link.href = address; document.body.append(link);"
            " link.click(); }",
            f"{club.url}/tables?q=revoke",
        )
        page.wait_for_url(f"{club.url}/tables?q=revoke")
        expect(page.get_by_role("heading", level=1)).to_have_text("Find your deal")
        assert is_signed_in(page, club, "ben")


def test_a_mark_without_its_session_ends_at_the_sign_in(chromium: Browser, club: Site, path: Path) -> None:
    with window(chromium, club, allowed=["401"], at="/sign-in") as page:
        page.get_by_text("I have a personal token").click()
        page.get_by_label("Token").fill(token_of(path, "lost"))
        page.get_by_role("button", name="Sign in with the token").click()
        page.wait_for_url(f"{club.url}/")
        page.context.clear_cookies(name="trickledger")
        page.goto(f"{club.url}/tables")
        page.wait_for_url(re.compile("/sign-in"))
        expect(page.get_by_text("This page needs a sign-in")).to_be_visible()
        assert [one["name"] for one in page.context.cookies()] == []


@EITHER_IN_SOAK
def test_a_rule_number_leads_to_its_highlighted_rule(chromium: Browser, site: Site, script: bool) -> None:
    with window(chromium, site, DESK, java_script_enabled=script, at="/rules") as page:
        page.get_by_label("Find a rule").fill("OMB-6.5")
        page.get_by_role("button", name="Find").click()
        page.get_by_role("link", name="OMB-6.5", exact=True).first.click()
        expect(page).to_have_url(f"{site.url}/rules/ombre#OMB-6.5")
        lit, other = page.locator(":target"), page.locator("[id='OMB-6.4']")
        expect(lit).to_contain_text("If a plain suit is led")
        grounds = [one.evaluate("one => getComputedStyle(one).backgroundColor") for one in (lit, other)]
        assert grounds[0] != grounds[1]


@EITHER_IN_SOAK
def test_the_choice_of_a_look_stays(chromium: Browser, site: Site, script: bool) -> None:
    with window(chromium, site, DESK, java_script_enabled=script, at="/settings") as page:
        page.get_by_label("French").check()
        page.get_by_label("dark", exact=True).check()
        page.get_by_role("button", name="Save these settings").click()
        expect(page.get_by_role("status")).to_have_text("Saved.")
        page.goto(f"{site.url}/")
        assert page.locator("html").get_attribute("data-theme") == "dark"
        assert page.get_by_label("French").count() == 0
        page.get_by_role("link", name="日本語").click()
        page.goto(f"{site.url}/settings")
        assert page.locator("html").get_attribute("lang") == "ja"
        assert page.locator("input[value=fr]").is_checked()


@EITHER
def test_cards_of_tables_are_printed_four_a_page(chromium: Browser, site: Site, tmp_path: Path, script: bool) -> None:
    """The page draws the code of the link beside it."""
    with window(chromium, site, DESK, java_script_enabled=script, at="/table-cards") as page:
        page.get_by_label("ombre-revoke").check()
        page.get_by_label("Tables not opened yet").fill("thursday-1\nthursday-2\nthursday-3 thursday-4")
        page.get_by_label("Address at which phones reach").fill("http://192.168.1.20:8750/")
        page.get_by_role("button", name="Make the cards").click()
        cards = page.locator(".qrs li")
        expect(cards).to_have_count(5)
        expect(page.get_by_role("button", name="Print")).to_be_visible(visible=script)
        expect(cards.first).to_contain_text("http://192.168.1.20:8750/sign-in")
        digits = page.locator(".digits8").all_inner_texts()
        assert len(set(digits)) == 5 and all(re.fullmatch(r"\d{4} \d{4}", one) for one in digits)
        drawn = page.locator(".qr path").first.get_attribute("d")
        assert drawn == qr_path(f"http://192.168.1.20:8750/sign-in#{digits[0].replace(' ', '')}")[1]
        printed = tmp_path / "cards.pdf"
        page.emulate_media(media="print")
        page.pdf(path=str(printed), format="A4")
        texts = [one.extract_text() for one in PdfReader(printed).pages]
        assert [sum(one in text for one in digits) for text in texts] == [4, 1]


AT = "/t/ombre-revoke/1/24"
NO_CLIPBOARD = "delete Navigator.prototype.clipboard"
"""Removes the clipboard, as in a page that came by plain http from another machine."""
NO_COPYING = f"{NO_CLIPBOARD}; document.execCommand = () => false"
SHARES = "Navigator.prototype.share = async told => { window.shared = told; }"
NO_SHARING = "delete Navigator.prototype.share"


@contextmanager
def moment(chromium: Browser, site: Site, *scripts: str) -> Iterator[Page]:
    """Return the page of a step with its addresses unfolded; these scripts run first."""
    with window(chromium, site, PHONE) as page:
        page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=site.url)
        for script in scripts:
            page.context.add_init_script(script)
        page.goto(f"{site.url}{AT}")
        page.locator("#keep summary").click()
        yield page


@pytest.mark.parametrize(
    ("script", "name", "step"),
    [("", "Next", 25), (NO_CLIPBOARD, "Back", 23)],  # the clipboard is one for all windows
    ids=["clipboard", "plain http"],
)
def test_a_link_is_copied_by_one_tap(chromium: Browser, site: Site, script: str, name: str, step: int) -> None:
    address = f"{site.url}{AT.replace('24', str(step))}"
    with moment(chromium, site, script) as page:
        page.get_by_role("button", name=name, exact=True).click()
        expect(page.get_by_label("Link to this step")).to_have_value(address)
        button = page.locator("[data-copy][value=link]")
        button.click()
        expect(page.get_by_text("Copied", exact=True)).to_have_count(1)
        expect(button).to_be_focused()
        page.goto(f"{site.url}/tables")
        page.locator("#q").focus()
        page.keyboard.press("Control+v")
        expect(page.locator("#q")).to_have_value(address)


def test_where_a_browser_copies_nothing_the_link_is_marked(chromium: Browser, site: Site) -> None:
    with moment(chromium, site, NO_COPYING) as page:
        page.locator("[data-copy][value=embed]").click()
        expect(page.get_by_text("Selected. Copy with")).to_be_visible()
        expect(page.locator("#embed")).to_be_focused()
        assert page.evaluate("getSelection().toString()") == page.locator("#embed").input_value()


def test_a_link_is_shared_where_the_browser_can(chromium: Browser, site: Site) -> None:
    with moment(chromium, site, SHARES) as page:
        assert page.locator("[data-share]").count() == 1, "an address for a frame is not for people"
        page.get_by_role("button", name="Share").click()
        assert page.evaluate("window.shared") == {"title": page.title(), "url": f"{site.url}{AT}"}


def test_no_button_is_shown_that_does_nothing(chromium: Browser, site: Site) -> None:
    with moment(chromium, site, NO_SHARING) as page:
        expect(page.locator("[data-copy]").first).to_be_visible()
        expect(page.locator("[data-share]")).to_be_hidden()
    with window(chromium, site, PHONE, java_script_enabled=False, at="/t/ombre-revoke") as page:
        expect(page.get_by_label("Link to this table")).to_have_value(f"{site.url}/t/ombre-revoke")
        expect(page.locator("[data-copy]")).to_be_hidden()


def test_words_are_completed_and_questions_remembered_by_keys(chromium: Browser, house: Site) -> None:
    with window(chromium, house, DESK, at="/sql") as page:
        field = page.locator("#sql")
        field.focus()
        page.keyboard.type("FROM sess")
        expect(page.locator("#words-said")).to_contain_text("2 ")
        page.keyboard.press("Control+Space")
        expect(page.get_by_role("button", name="sessions", exact=True)).to_be_focused()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("Enter")
        expect(field).to_be_focused()
        expect(field).to_have_value("FROM sessions")
        page.keyboard.type(" LIMIT 1")
        page.keyboard.press("Control+Enter")
        expect(page.locator("#answer caption")).to_contain_text("1 row")
        page.locator("#sql").fill("")
        page.get_by_role("button", name="FROM sessions LIMIT 1").click()
        expect(page.locator("#sql")).to_have_value("FROM sessions LIMIT 1")
        page.locator("#forget").click()
        expect(page.locator("#past")).to_be_hidden()
