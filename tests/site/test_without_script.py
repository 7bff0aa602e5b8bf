"""Doors and lists where the browser runs no script: every form is sent, and nothing is offered that needs one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.site.browser import Site, window


@pytest.fixture
def page(chromium: Browser, site: Site) -> Iterator[Page]:
    with window(chromium, site, java_script_enabled=False) as one:
        one.goto(f"{site.url}/")
        yield one


def test_the_first_page_leads_on(page: Page, site: Site) -> None:
    page.get_by_role("link", name="Next").click()
    expect(page).to_have_url(f"{site.url}/t/rape-of-the-lock/1/35")


def test_the_menu_unfolds_and_leads_to_a_table_that_is_looked_up(page: Page, site: Site) -> None:
    page.locator(".menu > summary").click()
    page.get_by_role("link", name="Tables", exact=True).click()
    page.get_by_label("Player or table").fill("lucia")
    page.get_by_role("button", name="Find").click()
    expect(page.locator("tbody tr")).to_have_count(1)
    page.get_by_label("Player or table").fill("nobody has this name")
    page.get_by_role("button", name="Find").click()
    page.get_by_role("link", name="All tables").click()
    expect(page).to_have_url(f"{site.url}/tables")


def test_a_rule_is_looked_up(page: Page, site: Site) -> None:
    page.goto(f"{site.url}/rules")
    page.get_by_label("Find a rule").fill("OMB-6.5")
    page.get_by_role("button", name="Find").click()
    page.get_by_role("link", name="OMB-6.5", exact=True).first.click()
    expect(page).to_have_url(f"{site.url}/rules/ombre#OMB-6.5")


def test_settings_are_kept(page: Page, site: Site) -> None:
    page.goto(f"{site.url}/settings")
    page.get_by_label("日本語").check()
    page.get_by_label("dark", exact=True).check()
    page.get_by_role("button", name="Keep these settings").click()
    expect(page.get_by_role("status")).to_have_text("保存しました。")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_cards_are_made(page: Page, site: Site) -> None:
    page.goto(f"{site.url}/table-cards")
    page.get_by_label("Tables not opened yet").fill("friday-1")
    page.get_by_label("Where phones reach").fill("http://192.168.1.20:8750")
    page.get_by_role("button", name="Make the cards").click()
    expect(page.locator(".qrs li")).to_have_count(1)
    expect(page.get_by_role("button", name="Print")).to_be_hidden()
