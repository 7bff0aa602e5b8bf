"""Addresses that a page offers for sharing: each in a field, with buttons to copy and to share it."""

import html
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.access.grants import Grant
from ledger.events import DisputeRaised
from tests.web.attacking import attacked
from tests.web.club import REPLAYS
from tests.web.pages.forms import shown
from tests.web.serving import DIRECTOR, OMBRE, VIEWER, Served, ledger_of, ledger_with, serving

DEAL = "/t/ombre-revoke/1"


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    records = [REPLAYS / "ombre/revoke.toml", REPLAYS / "session/opening-night-1.toml"]
    with serving(ledger_of(tmp_path_factory.mktemp("club"), *records)) as served:
        served.record("table/ombre-revoke", DisputeRaised(deal=1, version=20, text="he had a diamond"))
        yield served


def offered(text: str) -> dict[str, tuple[str, set[str]]]:
    """Return each address in a field by its label, with the actions of its buttons."""
    assert "share.js" in text
    buttons = re.findall(r'value="([^"]*)" data-(copy|share)>', text)
    fields = re.findall(r'<label for="([^"]*)">([^<]*)</label><input[^>]* readonly value="([^"]*)"', text)
    return {
        html.unescape(name): (html.unescape(value), {does for of, does in buttons if of == id})
        for id, name, value in fields
    }


@pytest.mark.parametrize(
    ("path", "name", "ways"),
    [
        (f"{DEAL}/24?below=1", "Link to this step", {"copy", "share"}),
        ("/embed/ombre-revoke/1/24?below=1", "Address for embedding in another page", {"copy"}),
        ("/t/ombre-revoke", "Link to this table", {"copy", "share"}),
        ("/sessions/opening-night", "Link to this evening", {"copy", "share"}),
    ],
)
def test_an_address_is_offered_to_be_passed_on(club: Served, path: str, name: str, ways: set[str]) -> None:
    address, offers = offered(shown(club, path.replace("/embed/", "/t/"), who=VIEWER))[name]
    origin = str(club.client.base_url).rstrip("/")
    assert (address, offers) == (f"{origin}{path}", ways)


def test_the_address_of_a_case_is_offered_to_those_who_may_read_it(club: Served) -> None:
    name = "Link to the case sheet (entry 39)"
    address, ways = offered(shown(club, f"{DEAL}/24", who=DIRECTOR))[name]
    assert address.endswith("/t/ombre-revoke/disputes/39") and ways == {"copy", "share"}
    other = Grant(token="other", role="viewer")
    assert name not in offered(shown(club, f"{DEAL}/24", who=other))
    assert name not in offered(shown(club, f"{DEAL}/24?seat=1", who=DIRECTOR)), "a seat sees no dispute"


def test_the_link_of_a_table_card_is_that_of_its_code(tmp_path: Path) -> None:
    with attacked(ledger_with(tmp_path, {"ours": OMBRE})) as service:
        cookie, csrf = service.signed_in(service.token("ann", "admin"))
        form = {"tables": "ours theirs", "address": "http://192.168.1.20:8750", "csrf": csrf}
        text = service.browse("/table-cards", form=form, cookie=cookie).body.decode()
    ours, theirs = (one.replace(" ", "") for one in re.findall(r'class="digits8">([^<]*)<', text))
    offers = re.findall(r'<input[^>]* readonly value="([^"]*)"', text)
    assert offers == [f"http://192.168.1.20:8750/sign-in#{one}" for one in (ours, theirs)]
    assert text.count("data-copy>") == text.count("data-share>") == 2
