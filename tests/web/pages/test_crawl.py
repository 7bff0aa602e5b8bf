"""Every link that a role is shown leads somewhere for it, in each language."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterator
from typing import Final
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

import pytest

from ledger.events import DisputeRaised
from ledger.i18n import LANGUAGES
from ledger.web import handlers  # noqa: F401 - each module declares its pages
from ledger.web.http.routing import HTML, PAGES, PREFIX, ROUTES, Routes
from tests.covering import IS_SOAK, covering
from tests.hand_records import REPLAYS
from tests.web.attacking import Clients, clients_by_role
from tests.web.serving import OMBRE, ledger_with

WHO: Final = (
    "nobody", "viewer", "recorder", "director", "admin", "bound", "seated", "opener", "other", "loopback", "public"
)  # fmt: skip
_LINK: Final = re.compile(r'\b(?:href|src|poster)="([^"]+)"')
UNLINKED: Final = {
    "/embed/{table}/{deal}/{step}", "/problems/{code}", "/record/{table}/now",
    "/t/{table}/disputes/{dispute}/withdraw",
}  # fmt: skip
"""Pages without a link here: for other sites, of errors, a part of a page, and for the person who raised a dispute."""
_OF_A_ROUTE: Final = 12 if IS_SOAK else 1
"""The number of addresses that are followed of each route."""


@pytest.fixture(scope="module")
def clients(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Clients]:
    records = (REPLAYS / "ombre/revoke.toml", *sorted((REPLAYS / "session").glob("*.toml")))
    streams = {
        "ours": [*OMBRE, DisputeRaised(deal=1, text="a word too much", seat=0)],
        "theirs": OMBRE,
        "ombre-revoke": [DisputeRaised(deal=1, text="the Baron had a diamond")],
    }
    with clients_by_role(*(ledger_with(tmp_path_factory.mktemp(one), streams, *records) for one in "ab")) as one:
        yield one


@pytest.mark.parametrize(("who", "lang"), covering(WHO, LANGUAGES))
def test_every_link_leads_somewhere(clients: Clients, who: str, lang: str) -> None:
    service, how = clients[who]
    routes = {"": Routes(PAGES), PREFIX: Routes(ROUTES)}
    to_do, seen, followed = [("/", f"/?lang={lang}")], {"/"}, Counter[str]()
    while to_do:
        source, address = to_do.pop(0)
        plain, fragment = urldefrag(address)
        path = urlsplit(plain).path
        prefix = PREFIX if path.startswith(f"{PREFIX}/") else ""
        match = routes[prefix].find([unquote(one) for one in path.removeprefix(prefix).split("/")[1:]])
        assert match is not None and "GET" in match.methods, f"{source} leads to {address}"
        route = prefix + match.methods["GET"].path
        followed[route] += 1
        if followed[route] > _OF_A_ROUTE:
            continue
        reply = service.browse(plain, ("cookie", f"look={lang}.auto.en"), **how)
        assert reply.status < 400, f"{source} leads {who} to {address}: {reply.status}"
        if (reply.header("content-type") or "").partition(";")[0] != HTML.partition(";")[0] or reply.status >= 300:
            continue
        page = reply.body.decode()
        if not prefix:
            assert f'<html lang="{lang}"' in page, address
        assert not fragment or f'id="{fragment}"' in page, f"{source} leads to {address}, and nothing has this id"
        for link in map(html.unescape, _LINK.findall(page)):
            to = urljoin(plain, link)
            if "lang=" in to or urlsplit(to).netloc or not to.startswith("/") or to in seen:
                continue
            seen.add(to)
            to_do.append((plain, to))
    assert len(followed) >= 5
    if who == "loopback":
        pages = {one.path for one in PAGES if one.method == "GET" and HTML in one.media}
        assert pages - set(followed) == UNLINKED
