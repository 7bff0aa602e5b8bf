"""Failures on the way into an evening, searching for a deal, and the first page: each client sees what it may."""

import html
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import ledger
from ledger.events import Event
from ledger.text.site.listing import matches_query, normalised
from tests.contracts.log_builders import an_id
from tests.web.attacking import Attacked, Reply, attacked
from tests.web.club import REPLAYS
from tests.web.pages.forms import text_of
from tests.web.serving import OMBRE, ledger_of, ledger_with

TYPED_IN = {"game": "ombre", "seats": "3", "p0": "Ada", "p1": "Ben", "p2": "Cleo"}


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Attacked]:
    path = tmp_path / "club.ledger"
    ledger.create(path).close()
    with attacked(path) as one:
        yield one


class Phone:
    """A browser that keeps its cookie, follows redirects, and sends a form with the hidden fields of its page."""

    def __init__(self, service: Attacked, code: str, name: str) -> None:
        self._service = service
        reply = service.browse("/sign-in", form={"code": code, "name": name})
        assert reply.status == 303, reply.body
        self._cookie = reply.all("set-cookie")[0].partition(";")[0]
        self.path = reply.header("location") or ""
        self._follow(self._service.browse(self.path, cookie=self._cookie))

    def _follow(self, reply: Reply) -> None:
        while reply.status == 303:
            self.path = reply.header("location") or ""
            reply = self._service.browse(self.path, cookie=self._cookie)
        self.status, self.page = reply.status, reply.body.decode()

    def go(self, path: str) -> None:
        self.path = path
        self._follow(self._service.browse(path, cookie=self._cookie))

    def send(self, path: str, **fields: str) -> None:
        hidden = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', self.page))
        self._follow(self._service.browse(path, form={**hidden, **fields}, cookie=self._cookie))

    def links_to(self, beginning: str) -> list[str]:
        return [html.unescape(link) for link in re.findall(r'href="([^"]*)"', self.page) if link.startswith(beginning)]

    def typed(self, name: str) -> str | None:
        match = re.search(rf'<input id="{name}" [^>]*value="([^"]*)"', self.page)
        return None if match is None else match[1]


def cards_for(service: Attacked, *tables: str) -> list[str]:
    """Return the digits on the cards that the page for an admin prints."""
    cookie, csrf = service.signed_in(service.token("desk", role="admin"))
    form = {"tables": "\n".join(tables), "address": "http://192.168.1.20:8750", "csrf": csrf}
    reply = service.browse("/table-cards", form=form, cookie=cookie)
    assert reply.status == 200, reply.body
    return [one + other for one, other in re.findall(r"\b(\d{4}) (\d{4})\b", text_of(reply.body.decode()))]


def events_of(service: Attacked, stream: str) -> list[Event]:
    with ledger.open(service.service.ledger) as store:
        return [row.event() for row in store.read_stream(stream)]


def test_what_was_typed_stays_where_it_is_refused(empty: Attacked) -> None:
    (card,) = cards_for(empty, "thursday-1")
    phone = Phone(empty, card, "Ann")
    phone.go(phone.links_to("/record/new?game=ombre")[0])
    for wrong in ({"p1": "Ada"}, {"session": "new", "zone": "Atlantis"}, {"session": "gone"}):
        phone.send("/record/new", **{**TYPED_IN, **wrong})
        assert phone.status == 422
        assert [phone.typed(f"p{seat}") for seat in range(3)] == ["Ada", wrong.get("p1", "Ben"), "Cleo"]
        assert 'name="table" value="thursday-1"' in phone.page


def test_another_phone_that_was_faster_has_opened_the_table(empty: Attacked) -> None:
    (card,) = cards_for(empty, "thursday-1")
    phones = [Phone(empty, card, name) for name in ("Ann", "Bert")]
    for phone in phones:
        phone.go(phone.links_to("/record/new?game=ombre")[0])
    for phone in phones:
        phone.send("/record/new", **TYPED_IN)
        assert (phone.status, phone.path) == (200, "/record/thursday-1/start")
    assert len(events_of(empty, "table/thursday-1")) == 1


def test_a_card_opens_its_own_table_and_only_with_it_an_evening(empty: Attacked) -> None:
    (card,) = cards_for(empty, "thursday-1")
    phone = Phone(empty, card, "Ann")
    phone.go("/record/new?table=thursday-9")
    assert phone.status == 404
    phone.go("/record/new?table=thursday-1&game=ombre")
    for other in ("thursday-9", "//evil.example", "x\r\nset-cookie: a=b"):
        phone.go("/record/new?table=thursday-1&game=ombre")
        phone.send("/record/new", **{**TYPED_IN, "table": other})
        assert phone.status == 404 and phone.path.startswith("/record/")
    cookie, csrf = empty.signed_in(card, "Bert")
    opened = {"type": "session_opened", "title": "Friday", "date": "2026-11-20"}
    table = {"type": "table_opened", "game": "ombre", "players": ["Ada", "Ben", "Cleo"], "session": "friday"}
    alone = empty.post("/sessions", {"id": an_id(1), "slug": "friday", "event": opened}, cookie=cookie, csrf=csrf)
    assert (alone.status, alone.code) == (403, "forbidden")
    for session, status in (("saturday", 403), ("friday", 201)):
        batches = [
            {"stream": f"session/{session}", "entries": [{"id": an_id(2), "event": opened}]},
            {"stream": "table/thursday-1", "entries": [{"id": an_id(3), "event": table}]},
        ]
        assert empty.post("/batches", {"batches": batches}, cookie=cookie, csrf=csrf).status == status
    assert events_of(empty, "session/saturday") == []


def test_a_phone_with_several_tables_chooses_which_to_open(empty: Attacked) -> None:
    phone = Phone(empty, empty.code("north", "south", may_open=True), "Ann")
    assert phone.path == "/record"
    assert phone.links_to("/record/new") == ["/record/new?table=north", "/record/new?table=south"]
    phone.go("/record/new")
    assert phone.path == "/record"
    phone.go("/record/new?table=south&game=ombre")
    phone.send("/record/new", **TYPED_IN)
    assert phone.path == "/record/south/start"
    phone.go("/record")
    assert phone.links_to("/record/new") == ["/record/new?table=north"]


KOP = {"type": "table_opened", "game": "kop", "players": ["Ann", "Ben", "Cleo", "Dan"]}
TYPED = {"lucia": "Lucía", "LUCÍA": "Lucía", "lodz": "Łódź", "ａｎｎ": "Ann", "ス": "ス", "smith ann": "Ann  Smith"}


@pytest.mark.parametrize("query", TYPED)
def test_a_name_matches_however_it_is_typed(query: str) -> None:
    assert matches_query(query, [TYPED[query]])


def test_every_word_must_be_there() -> None:
    assert not matches_query("ann ben", ["Ann", "Cleo"])
    assert matches_query("ann cleo", ["Ann", "Cleo"])
    assert normalised("  Straße ") == "strasse"


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Attacked]:
    many = {f"t-{number}": [{**OMBRE[0], "players": ["Ann", "Ben", f"Player {number}"]}] for number in range(60)}
    with attacked(ledger_with(tmp_path, {**many, "kop": [KOP], "open": OMBRE})) as one:
        yield one


def page_at(service: Attacked, at: str, **who: str) -> str:
    reply = service.browse(at, **(who or {"token": service.token(f"v-{abs(hash(at))}")}))
    assert reply.status == 200
    return reply.body.decode()


def test_the_newest_tables_stand_first_and_the_others_on_later_pages(service: Attacked) -> None:
    first, last = page_at(service, "/tables"), page_at(service, "/tables?page=3")
    assert 'href="/t/open"' in first and 'href="/t/t-0"' not in first
    assert 'href="/t/t-0"' in last and 'href="?page=2"' in last


def test_a_filter_stays_on_the_next_page(service: Attacked) -> None:
    page = page_at(service, "/tables?q=player&game=ombre")
    assert 'href="?q=player&amp;game=ombre&amp;page=2"' in page and "/t/kop" not in page


def test_search_matches_the_name_that_is_shown(service: Attacked) -> None:
    admin = service.token("admin", "admin")
    put = service.ask(
        "PUT", "/players/Cleo/name", ("content-type", "application/json"), content=b'{"name": "Anonymous"}', token=admin
    )
    assert put.status in (200, 204), put.body
    assert "/t/kop" in page_at(service, "/tables?q=anonymous", token=admin)
    page = page_at(service, "/tables?q=cleo", token=admin)
    assert "/t/kop" not in page


def test_the_first_page_shows_no_deal_that_is_still_played(service: Attacked) -> None:
    page = page_at(service, "/")
    assert "<svg" not in page and "No deal is finished yet" in page


def test_the_first_page_shows_the_last_deal_that_is_over(tmp_path: Path) -> None:
    with attacked(ledger_of(tmp_path, REPLAYS / "ombre/revoke.toml")) as service:
        page = page_at(service, "/")
    assert 'href="/t/ombre-revoke/1/1"' in page and "<svg" in page


def test_a_table_links_to_its_evening_for_readers_of_all_tables(tmp_path: Path) -> None:
    streams = {
        "session/friday": [{"type": "session_opened", "title": "Friday", "date": "2026-01-02"}],
        "of-friday": [{**KOP, "session": "friday"}],
        "of-nothing": [{**KOP, "session": "never-opened"}],
    }
    with attacked(ledger_with(tmp_path, streams)) as service:
        assert 'href="/sessions/friday"' in page_at(service, "/t/of-friday")
        assert "never-opened" in (page := page_at(service, "/t/of-nothing")) and "/sessions/" not in page
        bound = service.token("bound", tables=("of-friday",))
        assert "Friday</p>" in (page := page_at(service, "/t/of-friday", token=bound)) and "/sessions/" not in page


def test_a_table_matches_by_the_title_of_its_evening(tmp_path: Path) -> None:
    streams = {
        "session/2026-01-02": [{"type": "session_opened", "title": "木曜会", "date": "2026-01-02"}],
        "2026-01-02-1": [{**KOP, "session": "2026-01-02"}],
        "other": [KOP],
    }
    with attacked(ledger_with(tmp_path, streams)) as service:
        page = page_at(service, "/tables?q=%E6%9C%A8%E6%9B%9C")
    assert "/t/2026-01-02-1" in page and "/t/other" not in page


def test_an_empty_ledger_says_what_to_do_first(tmp_path: Path) -> None:
    with attacked(ledger_of(tmp_path)) as service:
        director, viewer = service.token("d", "director"), service.token("v")
        for at in ("/", "/tables"):
            assert 'href="/record/new"' in service.browse(at, token=director).body.decode()
            assert 'href="/record/new"' not in service.browse(at, token=viewer).body.decode()
