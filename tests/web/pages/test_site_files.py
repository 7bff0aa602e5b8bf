"""Files of pages: cached for ever under the current program's address, and compressed for browsers that accept it."""

from __future__ import annotations

import gzip
from collections.abc import Iterator

import pytest

from ledger.text.site.files import address_of, site_files
from tests.web.attacking import PHONE, Attacked, attacked
from tests.web.serving import ledger_of


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
