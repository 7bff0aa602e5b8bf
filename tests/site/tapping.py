"""Record deals by taps: each event of a real deal by its key, plate or button, as a thumb would.

with recording(chromium, site, "thursday") as page:
    for event in deal_of("kop/04-kontra-re-losers-have-25.toml"):
        tap(page, event)
"""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any, Final

from playwright.sync_api import Browser, Locator, Page, Response, Route, expect
from playwright.sync_api import TimeoutError as TooLate

import ledger
from ledger.events import CardsDealt, Noted
from tests.patience import PATIENCE_S
from tests.site.browser import Site, script, window
from tests.web.serving import encoded, ledger_of, ledger_with, record, stored_events

REPLAYS: Final = Path(__file__).parents[2] / "replays"

Event = dict[str, Any]

_BUTTON: Final = script("button.js")

_RESTED: Final = script("rested.js")

_SITUATION: Final = script("situation.js")

_LIT: Final = script("lit.js")

_LOOK_MS: Final = 25
"""The interval of polling while waiting; polling at each frame would be work of its own."""

_UNSEEN: Final = ("discarded", "drawn")

GIVEN_UP: Final = timedelta(seconds=13)
"""After this time no window waits for what another window has sent."""

CUT_OFF: Final = ("Failed to load resource: net::", "Failed to load resource: the server responded")
"""Messages that the browser itself writes for a cut network or a rejected act."""


def events_of(replay: str) -> list[Event]:
    """Return the events of a hand record, its table first, without what nobody at a table sees."""
    with TemporaryDirectory() as folder, ledger.open(ledger_of(Path(folder), REPLAYS / replay)) as store:
        (head,) = store.streams("table/")
        stored = [row.event() for row in store.read_stream(head.stream)]
    events = [encoded(event) for event in stored if not isinstance(event, CardsDealt | Noted)]
    events[0].pop("session", None)
    return [{name: value for name, value in event.items() if name not in _UNSEEN} for event in events]


def table_of(folder: Path, opened: Event, *acts: Event, table: str = "thursday") -> Path:
    """Make a ledger with this table and these acts, recorded by the same person on the same machine."""
    return ledger_with(folder, {table: [opened, *acts]}, by="loopback")


def record_at(path: Path, *acts: Event, table: str = "thursday", by: str = "loopback") -> None:
    """Record these acts as another page of the same person would."""
    with ledger.open(path) as store:
        record(store, table, *acts, by=by)


def recorded(path: Path, table: str = "thursday") -> list[Event]:
    """Return the events in the ledger of the table after its opening."""
    return [encoded(event) for event in stored_events(path, f"table/{table}")][1:]


def comes_to_stand(page: Page, path: Path, events: list[Event], table: str = "thursday") -> None:
    """Wait until the ledger has exactly these events, while the browser works."""
    end = monotonic() + PATIENCE_S
    while (events_now := recorded(path, table)) != events:
        assert monotonic() < end, events_now
        page.wait_for_timeout(50)


@cache
def acts_of(replay: str) -> tuple[Event, list[Event]]:
    first, *acts = events_of(replay)
    return first, acts


KOP: Final = "kop/04-kontra-re-losers-have-25.toml"
TABLE, ACTS = acts_of(KOP)
CALLS: Final = [act for act in ACTS if act["type"] != "card_played"]
CARDS: Final = [act for act in ACTS if act["type"] == "card_played"]
"""The deal of most tests of the recorder: its table, its start with the calls, and its cards."""

DEAF: Final = "window.EventSource = class { addEventListener() {} close() {} };"
"""Makes a page receive no events of other recorders."""


@contextmanager
def recording(chromium: Browser, site: Site | str, table: str = "thursday", **how: Any) -> Iterator[Page]:
    """Open a phone with the recorder of the table, without a service worker, which would hide requests from tests."""
    with window(chromium, site, **how) as page:
        without_worker(page)
        opened(page, site if isinstance(site, str) else site.url, table)
        yield page


def opened_anew(page: Page, url: str, table: str) -> None:
    """Open the recorder in a window that another test has used, as if the device had stored nothing."""
    page.goto("about:blank")
    page.context.set_offline(False)
    page.unroute_all()
    page.context.new_cdp_session(page).send("Storage.clearDataForOrigin", {"origin": url, "storageTypes": "all"})
    opened(page, url, table)


def without_worker(page: Page) -> None:
    page.context.add_init_script("delete Navigator.prototype.serviceWorker")


def opened(page: Page, url: str, table: str = "thursday") -> None:
    page.goto(f"{url}/record/{table}")
    ready(page)


def ready(page: Page) -> None:
    """Wait until the script works: it has shown how many acts wait."""
    page.wait_for_selector("#sent[data-count]")


def all_sent(page: Page) -> None:
    page.wait_for_selector("#sent[data-count='0']")


def tap(page: Page, event: Event, *, settle: bool = True) -> None:
    """Record one act by what the page offers for it.

    `settle`: wait until the page shows its effect. Otherwise, and without a connection, wait until the act is saved on
    the device.
    """
    version, waiting, begins = page.evaluate(_SITUATION)
    if event["type"] == "deal_started" and begins:
        _begin(page)
    elif settle and waiting == 0:
        try:
            with page.context.expect_event("response", _is_recorded) as response:  # from any window
                _press(page, event)
        except TooLate:
            raise AssertionError(f"{event} was not recorded; the page shows:\n{page.inner_text('#rec')}") from None
        goes_on(page, response.value.json()["last_version"] - 1)
    else:
        _press(page, event)
        if event["type"] == "card_played":
            _is_laid(page, event["card"], version)
        if settle:
            goes_on(page, version)
        elif event["type"] != "card_played":
            page.wait_for_function(
                "count => Number(document.querySelector('#sent').dataset.count) !== count", arg=waiting
            )


def _is_recorded(answer: Response) -> bool:
    return answer.request.method == "POST" and answer.url.endswith("/entries") and answer.ok


def _press(page: Page, event: Event) -> None:
    if event["type"] == "card_played":
        tap_card(page, event["seat"], event["card"])
    elif event["type"] in ("card_turned", "partner_called") and event.get("card") is not None:
        key = page.locator(f"button#key-{event['card']}")
        rested(page, key)
        key.click()
    else:
        press_button(page, event)


def _is_laid(page: Page, card: str, version: int) -> None:
    """Return whether the key of the card is a hole, or the page has gone on: after the last card there are no keys."""
    _comes(
        page,
        "([version, id]) => document.querySelector(`span#${id}`) !== null ||"
        " JSON.parse(document.querySelector('#board').textContent).version > version",
        [version, f"key-{card}"],
    )


def goes_on(page: Page, version: int) -> None:
    """Wait until the page shows more than this version and nothing waits, as more pages may follow an answer."""
    _comes(
        page,
        "([version]) => document.querySelector('#sent').dataset.count === '0' &&"
        " JSON.parse(document.querySelector('#board').textContent).version > version",
        [version],
    )


def _comes(page: Page, script: str, argument: list[Any]) -> None:
    """Wait until the script returns true; if it does not, fail with the page's texts."""
    try:
        page.wait_for_function(script, arg=argument, polling=_LOOK_MS)
    except TooLate as error:
        seen = (
            "() => ['#trouble', '#told', '#sent', '#board'].map(id => document.querySelector(id)?.textContent.trim())"
        )
        raise AssertionError(f"{argument} does not come: {page.evaluate(seen)}") from error


def _begin(page: Page) -> None:
    """Begin the first deal by confirming the seats."""
    page.locator("#now a.main").click()
    page.locator("button[name='do'][value='begin']").click()
    page.wait_for_selector("#rec[data-token]")
    ready(page)


def _turn_to(page: Page, seat: int) -> None:
    lit, question = page.evaluate(_LIT)
    assert question is None, question
    if lit != str(seat):
        page.locator(f"#mini .seat[value='{seat}']").click()


def tap_card(page: Page, seat: int, card: str) -> None:
    _turn_to(page, seat)
    page.locator(f"button#key-{card}").click()


def tap_as_played(page: Page, act: Event) -> int:
    """Tap a card, and confirm it if the page asks; return the number of confirmations.

    The next tap needs the page that follows: it marks the cards that contradict this one.
    """
    version = version_of(page)
    tap_card(page, act["seat"], act["card"])
    asks = page.locator("[data-so=played], [data-as=played]")
    key, gone = page.locator(f"#key-{act['card']}.hole"), page.locator("#now:not(:has(#keys))")
    expect(key.or_(asks).or_(gone).first).to_be_visible()
    count = asks.count()
    if count:
        asks.first.click()
    goes_on(page, version)
    return count


def unsent_count(page: Page) -> int:
    return int(page.locator("#sent").get_attribute("data-count") or -1)


def version_of(page: Page) -> int:
    version: int = page.evaluate("() => JSON.parse(document.querySelector('#board').textContent).version")
    return version


def press_button(page: Page, event: Event) -> None:
    """Tap the button that records exactly this act, of its player or of the player who is lit; unfold it if needed."""
    match = page.wait_for_function(_BUTTON, arg=event, polling=_LOOK_MS).json_value()
    button = f"#now button[data-acts={json.dumps(match['acts'])}]"
    if not match["isSeen"]:
        page.locator("#more > summary").click()
    if "seat" in event and json.loads(match["acts"])[0]["seat"] is None:
        _turn_to(page, event["seat"])
    rested(page, button)
    page.locator(f"{button}:visible").first.click()


def problem(status: int, code: str, **headers: str) -> Callable[[Route], None]:
    body = json.dumps({"code": code, "status": status, "title": f"title of {code}", "detail": "a detail"})
    return lambda route: route.fulfill(
        status=status, content_type="application/problem+json", body=body, headers=headers
    )


def lost_answer(route: Route) -> None:
    """Let the service receive the request and lose its answer."""
    route.fetch()
    route.abort()


def rested(page: Page, button: str | Locator) -> None:
    """Wait as a hand does, since a second tap at once at the same place counts as trembling.

    The button is located each time, as the page may be redrawn meanwhile; and it is scrolled to first, as the tap would
    scroll, perhaps to the place of the previous tap.
    """
    target = page.locator(f"{button}:visible").first if isinstance(button, str) else button
    end = monotonic() + PATIENCE_S
    while not target.evaluate(_RESTED):
        assert monotonic() < end, f"{button} has no rest"
        page.wait_for_timeout(_LOOK_MS)
