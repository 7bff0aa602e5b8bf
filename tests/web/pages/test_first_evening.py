"""Failures on the way into an evening; `tests/site/test_first_evening.py` plays all of it."""

import html
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import ledger
from ledger.events import Event
from tests.contracts.log_builders import an_id
from tests.web.attacking import Attacked, Reply, attacked
from tests.web.pages.forms import text_of

OMBRE = {"game": "ombre", "seats": "3", "p0": "Ada", "p1": "Ben", "p2": "Cleo"}


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Attacked]:
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


def test_what_was_typed_stays_where_it_is_refused(service: Attacked) -> None:
    (card,) = cards_for(service, "thursday-1")
    phone = Phone(service, card, "Ann")
    phone.go(phone.links_to("/record/new?game=ombre")[0])
    for wrong in ({"p1": "Ada"}, {"session": "new", "zone": "Atlantis"}, {"session": "gone"}):
        phone.send("/record/new", **{**OMBRE, **wrong})
        assert phone.status == 422
        assert [phone.typed(f"p{seat}") for seat in range(3)] == ["Ada", wrong.get("p1", "Ben"), "Cleo"]
        assert 'name="table" value="thursday-1"' in phone.page


def test_another_phone_that_was_faster_has_opened_the_table(service: Attacked) -> None:
    (card,) = cards_for(service, "thursday-1")
    phones = [Phone(service, card, name) for name in ("Ann", "Bert")]
    for phone in phones:
        phone.go(phone.links_to("/record/new?game=ombre")[0])
    for phone in phones:
        phone.send("/record/new", **OMBRE)
        assert (phone.status, phone.path) == (200, "/record/thursday-1/start")
    assert len(events_of(service, "table/thursday-1")) == 1


def test_a_card_opens_its_own_table_and_only_with_it_an_evening(service: Attacked) -> None:
    (card,) = cards_for(service, "thursday-1")
    phone = Phone(service, card, "Ann")
    phone.go("/record/new?table=thursday-9")
    assert phone.status == 404
    phone.go("/record/new?table=thursday-1&game=ombre")
    for other in ("thursday-9", "//evil.example", "x\r\nset-cookie: a=b"):
        phone.go("/record/new?table=thursday-1&game=ombre")
        phone.send("/record/new", **{**OMBRE, "table": other})
        assert phone.status == 404 and phone.path.startswith("/record/")
    cookie, csrf = service.signed_in(card, "Bert")
    opened = {"type": "session_opened", "title": "Friday", "date": "2026-11-20"}
    table = {"type": "table_opened", "game": "ombre", "players": ["Ada", "Ben", "Cleo"], "session": "friday"}
    alone = service.post("/sessions", {"id": an_id(1), "slug": "friday", "event": opened}, cookie=cookie, csrf=csrf)
    assert (alone.status, alone.code) == (403, "forbidden")
    for session, status in (("saturday", 403), ("friday", 201)):
        batches = [
            {"stream": f"session/{session}", "entries": [{"id": an_id(2), "event": opened}]},
            {"stream": "table/thursday-1", "entries": [{"id": an_id(3), "event": table}]},
        ]
        assert service.post("/batches", {"batches": batches}, cookie=cookie, csrf=csrf).status == status
    assert events_of(service, "session/saturday") == []


def test_a_phone_with_several_tables_chooses_which_to_open(service: Attacked) -> None:
    phone = Phone(service, service.code("north", "south", may_open=True), "Ann")
    assert phone.path == "/record"
    assert phone.links_to("/record/new") == ["/record/new?table=north", "/record/new?table=south"]
    phone.go("/record/new")
    assert phone.path == "/record"
    phone.go("/record/new?table=south&game=ombre")
    phone.send("/record/new", **OMBRE)
    assert phone.path == "/record/south/start"
    phone.go("/record")
    assert phone.links_to("/record/new") == ["/record/new?table=north"]
