"""Open the recorder's page again without a connection: cached by the service worker if there is one, else later."""

import socket
import subprocess
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.site import tapping
from tests.site.browser import ARGUMENTS, serving, token_of, window

SAVED_PAGE = "html[data-kept]"


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    return tapping.table_of(tmp_path, tapping.TABLE, *tapping.CALLS)


def sign_in(page: Page, url: str, token: str) -> None:
    page.goto(f"{url}/")
    status = page.evaluate(
        """async token => (await fetch("/api/v1/sign-in", {
            method: "POST", headers: {"content-type": "application/json"}, body: JSON.stringify({token}),
        })).status""",
        token,
    )
    assert status == 204


def here() -> str:
    """Return an address of this machine that browsers treat as another machine's."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("198.51.100.1", 9))
        except OSError:
            pytest.skip("LEFT OUT: this machine has no address but its own")
        return str(probe.getsockname()[0])


def record_and_open_anew(page: Page, ledger: Path) -> None:
    """Record cards without a connection, reopen the page, record more, then reconnect."""
    page.wait_for_selector(SAVED_PAGE, state="attached")
    tapping.tap(page, tapping.CARDS[0])
    page.context.set_offline(True)
    for act in tapping.CARDS[1:3]:
        tapping.tap(page, act, settle=False)
    page.reload()
    tapping.ready(page)
    assert tapping.unsent_count(page) == 2
    assert page.locator(".hole").count() == 3
    for act in tapping.CARDS[3:6]:
        tapping.tap(page, act, settle=False)
    assert tapping.recorded(ledger) == [*tapping.CALLS, tapping.CARDS[0]]
    page.context.set_offline(False)
    tapping.all_sent(page)
    assert tapping.recorded(ledger) == [*tapping.CALLS, *tapping.CARDS[:6]]


def test_on_the_machine_itself_a_page_opens_anew_without_a_connection(chromium: Browser, ledger: Path) -> None:
    with serving(ledger) as site, window(chromium, site, allowed=tapping.CUT_OFF) as page:
        tapping.opened(page, site.url)
        page.wait_for_selector(SAVED_PAGE, state="attached")
        loaded = page.evaluate("() => [...document.querySelectorAll('script[src]')].map(one => one.src)")
        assert None not in page.evaluate("all => Promise.all(all.map(one => caches.match(one)))", loaded)
        record_and_open_anew(page, ledger)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory, ci_requires: Callable[..., str]) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("tls")
    cert, key = folder / "cert.pem", folder / "key.pem"
    words = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=club"]
    command = [ci_requires("openssl"), *words, "-keyout", str(key), "-out", str(cert)]
    subprocess.run(command, check=True, capture_output=True)
    return cert, key


def test_on_https_a_page_reopens(chromium: Browser, ledger: Path, certificate: tuple[Path, Path], program: str) -> None:
    trusting = chromium.browser_type.launch(executable_path=program, args=[*ARGUMENTS, "--ignore-certificate-errors"])
    cert, key = certificate
    with (
        closing(trusting),
        serving(ledger, "--tls-cert", str(cert), "--tls-key", str(key)) as site,
        window(trusting, site, allowed=tapping.CUT_OFF, ignore_https_errors=True) as page,
    ):
        assert site.url.startswith("https://")
        tapping.opened(page, site.url)
        record_and_open_anew(page, ledger)


def test_on_plain_http_nothing_is_lost_and_all_is_sent_when_the_page_reopens(chromium: Browser, ledger: Path) -> None:
    address, token = here(), token_of(ledger, "phone", "recorder")
    with serving(ledger, "--host", address) as site, window(chromium, site, allowed=tapping.CUT_OFF) as page:
        sign_in(page, site.url, token)
        tapping.opened(page, site.url)
        assert page.evaluate("[isSecureContext, 'serviceWorker' in navigator]") == [False, False]
        page.context.set_offline(True)
        for act in tapping.CARDS[:3]:
            tapping.tap(page, act, settle=False)
        assert tapping.recorded(ledger) == tapping.CALLS
        with pytest.raises(Exception, match="ERR_INTERNET_DISCONNECTED"):
            page.reload()
        page.context.set_offline(False)
        page.clock.set_fixed_time(datetime.now(UTC) + tapping.GIVEN_UP)
        tapping.opened(page, site.url)
        tapping.all_sent(page)
        assert tapping.recorded(ledger) == [*tapping.CALLS, *tapping.CARDS[:3]]


def test_signing_out_removes_the_cached_pages(chromium: Browser, ledger: Path) -> None:
    token = token_of(ledger, "phone", "recorder")
    with serving(ledger, "--no-loopback") as site, window(chromium, site, allowed=tapping.CUT_OFF) as page:
        sign_in(page, site.url, token)
        tapping.opened(page, site.url)
        page.wait_for_selector(SAVED_PAGE, state="attached")
        page.reload()
        tapping.ready(page)
        cached = (
            "async () => (await (await caches.open('trickledger-pages')).keys()).map(at => new URL(at.url).pathname)"
        )
        assert sorted(page.evaluate(cached)) == ["/record/thursday", "/record/thursday/now"]
        held: list[Route] = []
        page.route("**/sign-out", lambda route, _: held.append(route))
        csrf = page.evaluate("document.body.dataset.csrf")
        with page.expect_request("**/sign-out"):
            leave = "csrf => { left = fetch('/api/v1/sign-out', {method: 'POST', headers: {'x-csrf-token': csrf}}); }"
            page.evaluate(leave, csrf)
        page.evaluate("async () => (await fetch('/record/thursday/now')).text()")  # it is answered before the sign-out
        held[0].continue_()
        page.evaluate("left.then()")
        assert page.evaluate(cached) == []


def test_acts_left_on_a_phone_are_sent_in_anothers_name_only_with_consent(chromium: Browser, ledger: Path) -> None:
    ann, zoe = (token_of(ledger, name, "recorder") for name in ("ann", "zoe"))
    with serving(ledger, "--no-loopback") as site, window(chromium, site, allowed=tapping.CUT_OFF) as page:
        tapping.without_worker(page)
        sign_in(page, site.url, ann)
        tapping.opened(page, site.url)
        page.context.set_offline(True)
        tapping.tap(page, tapping.CARDS[0], settle=False)
        hers = page.context.new_page()
        page.close()
        hers.context.set_offline(False)
        sign_in(hers, site.url, zoe)
        tapping.opened(hers, site.url)
        expect(hers.locator("#trouble")).to_contain_text("Recorded on this phone by ann 2 and not sent.")
        hers.wait_for_timeout(500)
        assert tapping.recorded(ledger) == tapping.CALLS
        hers.get_by_role("button", name="Send them under my name").click()
        hers.wait_for_selector(f"span#key-{tapping.CARDS[0]['card']}")
        tapping.all_sent(hers)
    assert tapping.recorded(ledger) == [*tapping.CALLS, tapping.CARDS[0]]


def test_who_is_signed_out_keeps_what_waits_until_he_has_signed_in(chromium: Browser, ledger: Path) -> None:
    token = token_of(ledger, "ann", "recorder")
    with serving(ledger, "--no-loopback") as site, window(chromium, site, allowed=tapping.CUT_OFF) as page:
        tapping.without_worker(page)
        sign_in(page, site.url, token)
        tapping.opened(page, site.url)
        page.context.clear_cookies()
        tapping.tap(page, tapping.CARDS[0], settle=False)
        expect(page.get_by_role("link", name="Sign in")).to_be_visible()
        expect(page.locator("#trouble")).to_contain_text("You are signed out.")
        tapping.tap(page, tapping.CARDS[1], settle=False)
        sign_in(page, site.url, token)
        tapping.opened(page, site.url)
        page.get_by_role("button", name="Send them under my name").click()  # nothing shows who signed in before
        page.wait_for_selector(f"span#key-{tapping.CARDS[1]['card']}")  # what waits under another name is not counted
        tapping.all_sent(page)
    assert tapping.recorded(ledger) == [*tapping.CALLS, *tapping.CARDS[:2]]


def test_the_worker_of_another_version_takes_the_place_of_the_old_one(chromium: Browser, ledger: Path) -> None:
    with serving(ledger) as site, window(chromium, site, allowed=tapping.CUT_OFF, at="/") as page:
        page.evaluate("async () => { await caches.open('trickledger-files-old'); }")
        tapping.opened(page, site.url)
        page.wait_for_selector(SAVED_PAGE, state="attached")
        names = page.evaluate("() => caches.keys()")
        ours = [name for name in names if name.startswith("trickledger-files-")]
        assert ours and "trickledger-files-old" not in ours, names
