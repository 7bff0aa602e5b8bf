"""Addresses that a page offers for sharing, the page of each problem, to which its `type` leads, and the files."""

import gzip
import html
import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from ledger.access.grants import Grant
from ledger.events import DisputeRaised
from ledger.text.site.files import address_of, site_files
from ledger.web.http.problems import STATUSES
from ledger.web.pages.problem import explained, title_of
from tests.web.attacking import PHONE, Attacked, attacked
from tests.web.club import REPLAYS
from tests.web.pages.forms import shown
from tests.web.serving import DIRECTOR, NOBODY, OMBRE, VIEWER, Served, ledger_of, ledger_with, serving

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


@pytest.mark.parametrize(("path", "name", "ways"), [
    (f"{DEAL}/24?below=1", "Link to this step", {"copy", "share"}),
    ("/embed/ombre-revoke/1/24?below=1", "Address for embedding in another page", {"copy"}),
    ("/t/ombre-revoke", "Link to this table", {"copy", "share"}),
    ("/sessions/opening-night", "Link to this evening", {"copy", "share"}),
])  # fmt: skip
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


def read(served: Served, path: str, **headers: str) -> httpx.Response:
    """Return the answer to a browser without a token. `path`: the whole one."""
    return served.run(served.client.get(path, headers=headers))


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_every_problem_has_a_page_that_says_what_to_do(served: Served, lang: str) -> None:
    for code, status in STATUSES.items():
        answer = read(served, f"/problems/{code}", **{"accept-language": lang})
        assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
        assert answer.headers["content-language"] == lang
        shown = answer.text.replace("&#39;", "'").replace("<code>", "").replace("</code>", "")
        for text in (f'lang="{lang}"', str(status), code, title_of(code, lang), *explained(code, lang)):
            assert text.replace("`", "") in shown, (code, text)


def test_the_type_of_a_problem_leads_there(served: Served) -> None:
    problem = served.problem("/me", 401, "unauthenticated", who=NOBODY)
    assert title_of("unauthenticated") in read(served, problem["type"]).text


def test_a_page_runs_nothing_that_it_quotes(served: Served) -> None:
    answer = read(served, "/problems/closing")
    assert "script-src 'self'; style-src 'self'" in answer.headers["content-security-policy"]
    assert "<script>" not in answer.text and "style=" not in answer.text


def test_a_page_is_for_one_reader(served: Served) -> None:
    """The page has its reader's name."""
    answer = read(served, "/problems/closing")
    assert (answer.headers["cache-control"], "etag" in answer.headers) == ("private, no-cache", False)


@pytest.mark.parametrize("path", ["/problems/none", "/problems/", "/problems", "/problems/closing/"])
def test_other_problems_have_none(served: Served, path: str) -> None:
    answer = read(served, path)
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


def test_a_page_is_only_read(served: Served) -> None:
    answer = served.run(served.client.post("/problems/closing"))
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET, HEAD")


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attacked]:
    with attacked(ledger_of(tmp_path_factory.mktemp("files"))) as one:
        yield one


@pytest.mark.parametrize("name", sorted(site_files()))
def test_a_file_is_cacheable_for_ever_under_its_content_address(service: Attacked, name: str) -> None:
    reply = service.browse(address_of(name), peer=PHONE)
    assert (reply.status, reply.header("cache-control")) == (200, "public, max-age=31536000, immutable")
    assert reply.header("content-type") == site_files()[name].media_type
    assert reply.header("x-content-type-options") == "nosniff"
    assert reply.header("content-security-policy") == "default-src 'none'"
    assert reply.body == site_files()[name].content


def test_a_file_of_another_program_version_is_revalidated_each_time(service: Attacked) -> None:
    reply = service.browse("/files/0123456789/pages.css", peer=PHONE)
    assert (reply.status, reply.header("cache-control")) == (200, "public, no-cache")
    assert reply.body == site_files()["pages.css"].content


def test_a_file_is_packed_for_who_unpacks_it_and_says_that_this_makes_a_difference(service: Attacked) -> None:
    reply = service.browse(address_of("pages.css"), ("accept-encoding", "br, gzip"), peer=PHONE)
    assert (reply.header("content-encoding"), reply.header("vary")) == ("gzip", "Accept-Encoding")
    assert gzip.decompress(reply.body) == site_files()["pages.css"].content


@pytest.mark.parametrize(
    ("address", "is_document"),
    [("/", True), (address_of("icon.svg"), True), (address_of("pages.css"), False), (address_of("recorder.js"), False)],
)
def test_what_a_window_may_is_said_of_what_can_fill_one(service: Attacked, address: str, is_document: bool) -> None:
    reply = service.browse(address)
    for name in ("permissions-policy", "cross-origin-opener-policy"):
        assert (reply.header(name) is not None) == is_document
    assert reply.header("cross-origin-resource-policy") == "same-origin"


@pytest.mark.parametrize("name", ["none.css", "..%2Fframe.py", "%2e%2e%2fmessages%2fen.toml", "htmx"])
def test_nothing_else_is_a_file(service: Attacked, name: str) -> None:
    assert service.browse(address_of("pages.css").replace("pages.css", name), peer=PHONE).status == 404
